// Kept states of a run as files: those that a run without a window writes of the same hands.
#include "viewer/session/stretch_export.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "sim/files/run_cache.h"
#include "tests/viewer/opened_session.h"

using namespace weft;
using namespace weft::testing;
namespace fs = std::filesystem;

namespace {

constexpr int kSteps = 24, kFirst = 9;

/// The bytes of a file without the lines that say what it was made with.
std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string all, line;
  while (std::getline(in, line))
    if (line.find("doc = ") == line.npos && !line.starts_with("#")) all += line + "\n";
  return all;
}

/// Both lines where two texts first differ; empty where they are the same.
std::string first_difference(const std::string& a, const std::string& b) {
  std::istringstream in_a(a), in_b(b);
  std::string x, y;
  for (;;) {
    const bool more_a = bool(std::getline(in_a, x)), more_b = bool(std::getline(in_b, y));
    if (!more_a && !more_b) return "";
    if (more_a != more_b || x != y) return x + " | " + y;
  }
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

/// A run that was dragged, paused at its last step.
struct Dragged : Opened {
  Dragged() {
    Runner& runner = session.runner();
    runner.set_history_budget(100'000'000);
    const auto to = [&](int step) {
      while (runner.latest()->step < step) {
        const int now = runner.latest()->step;
        runner.step_once();
        REQUIRE(wait_for([&] { return runner.latest()->step > now; }));
      }
    };
    to(5);
    runner.post(GrabBegin{1, 20, vec3(0.3f, 0.3f, 0.4f), 0});
    for (int step = 5; step < 18; ++step) {
      runner.post(GrabMove{1, vec3(0.01f * float(step), 1.1f, 0.02f * float(step))});
      to(step + 1);
    }
    runner.post(GrabEnd{1});
    to(kSteps);
    write_hands(folder / "hands.toml", runner.hands());
  }
  /// Writes the stretch, and from the cache of a replay the same frames.
  void exported(const std::string& name) {
    StretchExport out(session.runner(), steps_of_stretch(*session.runner().timeline(), kFirst, kSteps),
                      folder / ("ours" + name));
    REQUIRE(wait_for([&] { return out.done(); }));
    INFO(out.words());
    CHECK_FALSE(out.failed());
    std::vector<std::string> words = {"convert", "run.weftcache", "theirs" + name};
    if (name.empty()) words.back() += "/";
    if (name != ".glb")
      words.insert(words.end(), {"--from", std::to_string(kFirst), "--to", std::to_string(kSteps)});
    else words.insert(words.end(), {"--frame", std::to_string(kSteps)});
    const Outcome converted = testing::weft(folder, words);
    INFO(converted.out << converted.err);
    REQUIRE(converted.status == 0);
  }
};

}  // namespace

TEST_CASE("stretches of a dragged run as USD and OBJ and glTF are what the cache of the same hands becomes") {
  Dragged run;
  const Outcome o = testing::weft(
      run.folder, {"replay", "hands.toml", "--cache", "run.weftcache", "--device", "cpu", "--quiet"});
  INFO(o.out << o.err);
  REQUIRE(o.status == 0);
  RunCacheReader cache(run.folder / "run.weftcache");
  REQUIRE(cache.frame_count() == kSteps + 1);
  run.exported(".usda");
  CHECK(first_difference(contents(run.folder / "ours.usda"), contents(run.folder / "theirs.usda")) == "");
  CHECK(contents(run.folder / "ours.usda").find("timeSamples") != std::string::npos);
  run.exported(".glb");
  const std::string ours = contents(run.folder / "ours.glb"), theirs = contents(run.folder / "theirs.glb");
  const auto geometry = [](const std::string& glb) {
    return glb.substr(std::min(glb.size(), glb.find("BIN")));
  };
  CHECK(geometry(ours).size() > 1000);
  CHECK((geometry(ours) == geometry(theirs)));
  run.exported("");
  const std::vector<std::string> names = names_in(run.folder / "ours");
  CHECK(names.size() >= size_t(kSteps - kFirst + 1));
  CHECK(names == names_in(run.folder / "theirs"));
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(first_difference(contents(fs::path(run.folder / "ours") / name),
                           contents(fs::path(run.folder / "theirs") / name)) == "");
  }
}
