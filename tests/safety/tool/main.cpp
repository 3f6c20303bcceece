// weft-check: every state of a run, checked for crossings.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "sim/base/error.h"
#include "tests/safety/tool/report.h"

namespace weft::check {
namespace {

/// One line on standard error that is written over on a terminal; elsewhere a line every ten seconds.
class Progress {
 public:
  Progress(bool quiet, int total) : quiet_(quiet), total_(total) {}
  ~Progress() { clear(); }
  void update(int done) {
    const auto now = std::chrono::steady_clock::now();
    if (quiet_ ||
        now - drawn_ < (terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000)))
      return;
    drawn_ = now;
    fmt::print(stderr, "{}checked {} of {} states{}", terminal_ ? "\r" : "", done, total_,
               terminal_ ? "" : "\n");
    std::fflush(stderr);
    open_ = terminal_;
  }
  /// Makes room for a line of results.
  void clear() {
    if (open_) fmt::print(stderr, "\r\033[K");
    open_ = false;
  }

 private:
  bool quiet_, open_ = false, terminal_ = isatty(STDERR_FILENO) != 0;
  int total_;
  std::chrono::steady_clock::time_point drawn_ = std::chrono::steady_clock::now();
};

/// What of a run cannot be checked although it was asked for, known before its states are read.
void tell_not_checked(const Run& run, const Mesh& mesh, const FrameSource& source, const Options& options,
                      Summary& summary) {
  for (const std::string& words : source.missing()) summary.add_not_checked(words);
  if (!options.continuous &&
      std::any_of(mesh.parts.begin(), mesh.parts.end(), [](const Part& p) { return p.kind == "strands"; }))
    fmt::print(stderr,
               "weft-check: {}: states do not show whether strands went through each other: --continuous "
               "checks the path between them\n",
               run.name);
  if (!options.continuous) return;
  const int states = source.frame_count();
  int ways = 0;
  long long stride = 0;
  for (int s = 1; s < states; ++s) {
    const long long steps = source.step(s) - source.step(s - 1);
    if (!has_way(source, s))
      fmt::print(stderr,
                 "weft-check: {}: goes back from step {} to step {}: there is no path between these two\n",
                 run.name, source.step(s - 1), source.step(s));
    else ++ways, stride = stride == 0 ? steps : std::min(stride, steps);
  }
  if (ways == 0)
    summary.add_not_checked(
        fmt::format("the path in {}: {} (--continuous needs two or more states of one mesh)", run.name,
                    states == 1 ? "there is one state" : "no state follows another"));
  for (int s = 1; s < states; ++s)
    if (has_way(source, s) && source.step(s) - source.step(s - 1) > stride)
      return summary.add_not_checked(
          fmt::format("the path of {} across missing states, from step {} to step {}", run.name,
                      source.step(s - 1), source.step(s)));
}

/// Bodies that pass through cloth that they leave no room, as the run told.
struct Passages {
  Announced vertices;  // of the states in which they do
  struct Place {
    std::string first;  // in words, as the run told it at first
    int states = 0;
  };
  std::map<std::string, Place> places;  // by their words without coordinates
};

/// A line's places are "WORDS (x, y, z) m", with "; " between them.
void add_places(const std::string& line, Passages& told) {
  const size_t open = line.find('"'), close = line.rfind('"');
  if (open == std::string::npos || close <= open) return;
  std::string all = line.substr(open + 1, close - open - 1) + "; ";
  std::set<std::string> once;
  for (size_t end = all.find("; "); end != std::string::npos; end = all.find("; ")) {
    const std::string words = all.substr(0, end), key = words.substr(0, words.find(" ("));
    all.erase(0, end + 2);
    if (key == words || !once.insert(key).second) continue;  // "and 2 more"
    Passages::Place& place = told.places[key];
    if (place.states++ == 0) place.first = words;
  }
}

/// "3-7 12" after the places.
std::vector<int> vertices_of(const std::string& line) {
  std::vector<int> found;
  const size_t begin = line.rfind("\",");
  if (begin == std::string::npos) return found;
  std::istringstream words(line.substr(begin + 2));
  for (std::string range; words >> range;) {
    const size_t dash = range.find('-');
    const int first = std::atoi(range.c_str()),
              last = dash == std::string::npos ? first : std::atoi(range.c_str() + dash + 1);
    constexpr int kMost = 1 << 28;  // of a damaged file
    for (int v = std::max(first, 0); v <= std::min(last, kMost); ++v) found.push_back(v);
  }
  return found;
}

Passages told_passages(const Run& run) {
  std::ifstream table(run.name + "/let_through.csv");
  Passages told;
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    told.vertices[std::atoll(line.c_str())] = vertices_of(line);
    add_places(line, told);
  }
  return told;
}

/// What the run told, for people, or into a report.
void report_passages(const Run& run, const Passages& told, const Options& options, nlohmann::json& report) {
  if (told.vertices.empty()) return;
  report["states_in_which_bodies_pass"] = told.vertices.size();
  for (const auto& [key, place] : told.places)
    report["places_in_which_bodies_pass"].push_back({{"place", place.first}, {"states", place.states}});
  if (options.json) return;
  fmt::print(
      "{}: the run told that a body passes through cloth that it leaves no room in {} of these states "
      "(let_through.csv)\n",
      run.name, told.vertices.size());
  constexpr size_t kMost = 12;
  size_t count = 0;
  for (const auto& [key, place] : told.places)
    if (count++ < kMost) fmt::print("    {}: {} states\n", place.first, place.states);
  if (count > kMost) fmt::print("    and in {} more places\n", count - kMost);
}

/// Checks one run, tells what was found and adds it up.
nlohmann::json check_run(const Run& run, const Options& options, Summary& summary) {
  int states = 0;
  Mesh mesh;
  {
    const auto source = run.open();
    for (const std::string& notice : source->notices()) fmt::print(stderr, "weft-check: {}\n", notice);
    states = source->frame_count();
    mesh = mesh_of(run, source->info(), options.bodies, options.ignore_bodies);
    if (states < 1) throw Error("it contains no state", run.name, "give a run with at least one state");
    join_doubled_edges(mesh, *source);
    if (mesh.joined_vertices > 0)
      fmt::print(stderr,
                 "weft-check: {}: {} vertices lie on others in every state, along open edges: joined\n",
                 run.name, mesh.joined_vertices);
    tell_not_checked(run, mesh, *source, options, summary);
    if (options.max_depth >= 0 && mesh.cloth_triangles == int(mesh.triangles.size()))
      summary.add_not_checked(
          fmt::format("the depth in {}: there is no body (--max-depth; name one with --body)", run.name));
  }
  nlohmann::json report = run_json(run, mesh);
  if (!options.json) fmt::print("{}\n", run_text(run, mesh, states));
  Progress progress(options.quiet, states);
  const Passages told = told_passages(run);
  check_states(run, mesh, states, options, told.vertices, [&](int state, const StateReport& found) {
    summary.add(found, options);
    if (options.json) {
      report["states"].push_back(state_json(found, mesh, options));
    } else if (!options.quiet || found.found(options)) {
      progress.clear();
      fmt::print("{}\n", state_text(found, mesh, options));
    }
    progress.update(state + 1);
  });
  progress.clear();
  report_passages(run, told, options, report);
  return report;
}

int run(const Options& options) {
  Summary summary;
  nlohmann::json runs = nlohmann::json::array();
  for (const Run& r : find_runs(options.inputs, options.continuous))
    runs.push_back(check_run(r, options, summary));
  if (options.json)
    fmt::print("{}\n", nlohmann::json{{"runs", runs}, {"summary", summary.json(options)}}.dump(
                           2, ' ', false, nlohmann::json::error_handler_t::replace));
  else fmt::print("{}\n", summary.text(options));
  for (const std::string& words : summary.not_checked)
    fmt::print(stderr, "weft-check: not checked: {}\n", words);
  return summary.exit_status();
}

}  // namespace
}  // namespace weft::check

int main(int argc, char** argv) {
  weft::check::Options options;
  int status = 0;
  if (!weft::check::read_options(argc, argv, options, status)) return status;
  try {
    status = weft::check::run(options);
  } catch (const std::exception& e) {
    std::fflush(stdout);
    fmt::print(stderr, "weft-check: {}\n", e.what());
    return 2;
  }
  if (std::fflush(stdout) != 0) {
    fmt::print(stderr, "weft-check: the report could not be written completely\n");
    return 2;
  }
  return status;
}
