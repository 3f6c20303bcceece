// Traces and tables of headless runs.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "test_paths.h"
#include "tests/support/program.h"

using namespace weft;
using namespace weft::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct Span {
  std::string name;
  double begin, end;  // microseconds
};

/// Complete events of a track, in the order of the file.
std::vector<Span> spans_of(const json& trace, int track) {
  std::vector<Span> out;
  for (const json& e : trace)
    if (e["ph"] == "X" && e["tid"] == track)
      out.push_back({e["name"], e["ts"], e["ts"].get<double>() + e["dur"].get<double>()});
  return out;
}

/// Spans directly inside of `whole`, if all of `spans` nest: a span that only overlaps another fails the
/// test.
std::vector<Span> directly_inside(const std::vector<Span>& spans, const Span& whole) {
  constexpr double kRounding = 0.0005;  // microseconds: half of the last digit of the file, as a double
  std::vector<Span> inside, outer;
  for (const Span& s : spans)
    if (&s != &whole && s.begin >= whole.begin - kRounding && s.end <= whole.end + kRounding &&
        s.name != "step")
      inside.push_back(s);
  for (size_t i = 0; i < inside.size(); ++i) {
    bool is_outer = true;
    for (size_t k = 0; k < inside.size() && is_outer; ++k) {
      const Span &a = inside[i], &b = inside[k];
      // Children are left, and so written, before their parents.
      if (k > i && b.begin <= a.begin + kRounding && b.end >= a.end - kRounding) is_outer = false;
      const bool apart = a.end <= b.begin + kRounding || b.end <= a.begin + kRounding;
      const bool nested = (a.begin >= b.begin - kRounding && a.end <= b.end + kRounding) ||
                          (b.begin >= a.begin - kRounding && b.end <= a.end + kRounding);
      if (!apart && !nested) FAIL_CHECK(a.name << " and " << b.name << " overlap");
    }
    if (is_outer) outer.push_back(inside[i]);
  }
  return outer;
}

/// Fields of a table without quoted commas, by line.
/// Without the lines that begin with #.
std::vector<std::vector<std::string>> table_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find("\r\n", at);
    REQUIRE(end != text.npos);
    std::vector<std::string> row(1);
    for (const char c : text.substr(at, end - at)) {
      if (c == ',') row.emplace_back();
      else row.back().push_back(c);
    }
    if (text[at] != '#') rows.push_back(row);
    at = end + 2;
  }
  return rows;
}

/// The events of a trace, which by its format may lack the array's end. Throws where one is cut.
json events_of(const std::string& text) {
  return json::accept(text) ? json::parse(text) : json::parse(text + "]");
}

}  // namespace

TEST_CASE(
    "a trace holds every step with its stages inside one another, pictures, their encoding and counters") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome o = testing::weft(folder, {scene, "--headless", "--frames", "12", "--record", "a.mp4",
                                           "--size", "64x48", "--trace", "t.json"});
  CAPTURE(o.err);
  REQUIRE(o.status == 0);
  CHECK(o.prints("t.json"));
  const json trace = json::parse(read_file(folder / "t.json"));
  REQUIRE(trace.is_array());
  std::map<int, std::string> tracks;
  std::map<std::string, int> counters;
  for (const json& e : trace) {
    CHECK(e["pid"] == 1);
    if (e["ph"] == "M" && e["name"] == "thread_name") tracks[e["tid"]] = e["args"]["name"];
    if (e["ph"] == "C") ++counters[e["name"]];
  }
  CHECK(tracks[1] == "Simulator");
  CHECK(counters["contacts"] == 13);  // of the start and of every step
  CHECK(counters["max stretch"] == 13);

  const std::vector<Span> simulator = spans_of(trace, 1);
  std::vector<Span> steps;
  for (const Span& s : simulator)
    if (s.name == "step") steps.push_back(s);
  REQUIRE(steps.size() == 12);
  double whole = 0, stages = 0;
  for (const Span& step : steps) {
    double sum = 0;
    std::map<std::string, int> names;
    for (const Span& s : directly_inside(simulator, step)) sum += s.end - s.begin, ++names[s.name];
    CHECK(names["solve"] == 1);
    CHECK(sum <= (step.end - step.begin) * (1 + 1e-6));  // apart from one another and inside
    whole += step.end - step.begin, stages += sum;
  }
  // Outside of stages a step only asks its scripts and waits for the threads that have finished: less than a
  // fifth even here, where a step of 150 vertices takes a fifth of a millisecond.
  CHECK(stages > 0.8 * whole);
  std::map<std::string, int> pictures, encoder;
  for (const Span& s : spans_of(trace, 3)) ++pictures[s.name];
  for (const Span& s : spans_of(trace, 4)) ++encoder[s.name];
  CHECK(pictures["draw"] == 7);  // at 50 a second frames 0 to 6 lie in the 0.12 s
  CHECK(pictures["read back"] == 7);
  CHECK(encoder["encode"] >= 7);
}

TEST_CASE(
    "a trace is whole after Ctrl-C, and of a program that was killed all events that it has are whole") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const auto run_until_ended_by = [&](int signal, const std::string& states) {
    Program program(folder, WEFT_PROGRAM,
                    {scene, "--headless", "--seconds", "10000", "--trace", "t.json", "--states", states});
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!fs::exists(folder / (states + "/step_000060.npy")) && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(program.id(), signal);
    return program.wait();
  };
  CHECK(run_until_ended_by(SIGINT, "a").status == 130);
  json trace = json::parse(read_file(folder / "t.json"));
  long steps = 0;
  for (const json& e : trace) steps += e["ph"] == "X" && e["name"] == "step";
  CHECK(steps >= 60);
  CHECK(run_until_ended_by(SIGKILL, "b").status == 1000 + SIGKILL);
  const std::string text = read_file(folder / "t.json");
  CHECK(events_of(text).size() > 1000);  // 60 steps are many blocks
  // A kill in the middle of a write leaves the pages before: whole events as well.
  REQUIRE(text.size() > 10 * 4096);
  for (size_t end = 4096; end < text.size(); end += 4096) {
    CAPTURE(end);
    CHECK(events_of(text.substr(0, end)).is_array());
  }
}

TEST_CASE("a table has one row per step whose values are those of the statistics") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  for (const char* steps : {"3", "50"}) {  // fewer and more than wait for the header
    const Outcome o = testing::weft(
        folder, {scene, "--headless", "--frames", steps, "--csv", "t.csv", "--stats", "s.json"});
    CAPTURE(o.err);
    REQUIRE(o.status == 0);
    const auto table = table_of(read_file(folder / "t.csv"));
    const json stats = json::parse(read_file(folder / "s.json"));
    REQUIRE(table.size() == size_t(std::stoi(steps)) + 1);
    const auto& header = table[0];
    for (const auto& row : table) CHECK(row.size() == header.size());
    for (const auto& [name, values] : stats["states"].items()) {
      CAPTURE(name);
      const size_t column = size_t(std::find(header.begin(), header.end(), name) - header.begin());
      REQUIRE(column < header.size());
      REQUIRE(values.size() == table.size());  // the statistics have the start, the table has the header
      for (size_t i = 1; i < table.size(); ++i) {
        if (values[i].is_null()) CHECK(table[i][column] == "");
        else CHECK(std::stod(table[i][column]) == values[i].get<double>());
      }
    }
    // Stages of the first level, and those without a column, are the step but for what lies between them.
    CHECK(header[1] == "wall_ms");
    CHECK(header[2] == "launches");
    for (size_t i = 1; i < table.size(); ++i) CHECK(std::stoi(table[i][2]) > 10);
    CHECK(header.back() == "other_ms");
    double wall = 0, stages = 0;
    for (size_t i = 1; i < table.size(); ++i) {
      wall += std::stod(table[i][1]);
      for (size_t c = 0; c < header.size(); ++c)
        if (header[c] == "other_ms" || (header[c].ends_with("_ms") && header[c] != "wall_ms" &&
                                        header[c] != "step_ms" && header[c].find('/') == std::string::npos))
          stages += std::stod(table[i][c]);
    }
    CHECK(stages <= wall * (1 + 1e-5));  // six digits
    CHECK(stages > 0.8 * wall);          // as in a trace
  }
}

TEST_CASE("what cannot be written is told in words") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome no_folder =
      testing::weft(folder, {scene, "--headless", "--frames", "2", "--trace", "nowhere/t.json"});
  CHECK(no_folder.status == 1);
  CHECK(no_folder.says("nowhere/t.json: there is no folder to write it into"));
  if (!fs::exists("/dev/full")) return;
  const Outcome table =
      testing::weft(folder, {scene, "--headless", "--frames", "60", "--csv", "/dev/full", "--states", "out"});
  CHECK(table.status == 1);
  CHECK(table.says("is the disk full?"));
  const Outcome trace =
      testing::weft(folder, {scene, "--headless", "--frames", "60", "--trace", "/dev/full"});
  CHECK(trace.status == 1);
  CHECK(trace.says("is the disk full?"));
  CHECK(trace.hash().size() == 16);  // a trace is no reason to end a run
}
