// The scenes that ship with the program.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/scene/text/scene_file.h"
#include "tests/physics/scenes.h"
#include "tests/support/folder.h"

using namespace weft;
using namespace weft::physics;

namespace {

struct Hanging {
  double worst_stretch = 1;        // at any time
  double stretch = 1, lowest = 0;  // in the end
};

/// A metre of cloth, its fabric's stiffness against stretch and shear multiplied, after three seconds.
Hanging default_cloth(float stiffer, int vertices) {
  Scene s = read_scene(large_scene_path());
  s.cloths[0].vertices = vertices;
  s.cloths[0].fabric.stretch_stiffness *= stiffer;
  s.cloths[0].fabric.shear_stiffness *= stiffer;
  CHECK(s.step.dt == 0.01f);
  Run run(s);
  Hanging h;
  for (int i = 0; i < 300; ++i) {
    run.sim->step();
    h.worst_stretch = std::max(h.worst_stretch, double(run.sim->stats().max_stretch));
  }
  h.stretch = run.sim->stats().max_stretch;
  h.lowest = run.sim->stats().min_height;
  return h;
}

namespace fs = std::filesystem;

/// Scene files below a folder, in alphabetical order.
std::vector<fs::path> scene_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// A scene over its whole length.
void ends_as_it_says(const fs::path& file) {
  const std::string name = (file.parent_path().filename() / file.stem()).string();
  CAPTURE(name);
  const Scene scene = read_scene(file.string());
  REQUIRE_FALSE(scene.end.empty());
  Run run(scene);
  const int steps = int(std::lround(double(scene.duration) / double(scene.step.dt)));
  for (int i = 0; i < steps; ++i) run.sim->step();
  for (const std::string& failed : run.sim->failed_end_conditions()) FAIL_CHECK(name << ": " << failed);
}

void hangs_by_its_corners(int vertices) {
  const Hanging soft = default_cloth(0.1f, vertices), cotton = default_cloth(1, vertices),
                stiff = default_cloth(10, vertices);
  MESSAGE("stretch " << soft.stretch << ", " << cotton.stretch << ", " << stiff.stretch << "; lowest point "
                     << soft.lowest << ", " << cotton.lowest << ", " << stiff.lowest << " m");
  CHECK(cotton.worst_stretch <= 1.15);
  CHECK(stiff.worst_stretch <= 1.15);
  CHECK(cotton.stretch - 1 > 2 * (stiff.stretch - 1));
  CHECK(soft.stretch - 1 > 3 * (cotton.stretch - 1));
  CHECK(soft.lowest < cotton.lowest - 0.01);  // a centimetre: that is seen
}

/// A metre of cloth at each extreme, for so many seconds.
void holds_together(int vertices, double seconds) {
  const std::vector<std::pair<std::string, std::string>> extremes[] = {
      {{"step.dt", "0.05"}},
      {{"step.dt", "0.001"}},
      {{"fabric.stretch_stiffness", "1e6"}},
      {{"fabric.bending_rigidity", "0.01"}},
      {{"fabric.bending_rigidity", "0"}},
      {{"step.elastic_model", "finite_elements"}, {"step.bending_model", "dihedral"}},
      {{"descent.fine_iterations", "100"}},
      {{"descent.cycles", "8"}},
      {{"descent.coarse_iterations", "0"}, {"descent.middle_iterations", "0"}},
  };
  for (const auto& settings : extremes) {
    Scene s = read_scene(large_scene_path());
    s.cloths[0].vertices = vertices;
    for (const auto& [key, value] : settings) s.set(key, value);
    CAPTURE(settings[0].first);
    CAPTURE(settings[0].second);
    Run run(s);
    double worst = 1, fastest = 0;
    while (run.sim->state().time < seconds) {
      run.sim->step();
      const StepStats stats = run.sim->stats();
      worst = std::max(worst, double(stats.max_stretch));
      fastest = std::max(fastest, double(stats.max_speed));
    }
    CHECK(worst < 1.15);
    // Nothing of it falls by more than 0.2 m; a wave that comes to a free border moves it twice as fast.
    CHECK(fastest < 2 * std::sqrt(2 * 9.81 * 0.2));
    CHECK(fastest > 0.5);  // it does fall
  }
}

/// Small scenes of papers that take seconds, and all others.
const std::vector<std::string> kQuick = {"bow_knot_small", "cone_small",  "needle_small", "reef_knot_small",
                                         "spin_small",     "strip_small", "tube_small"};
std::vector<fs::path> small_scenes(bool quick) {
  std::vector<fs::path> found;
  for (const char* paper : {"wu2020", "wang2023", "lan2024", "tang2018"})
    for (const fs::path& file : scene_files(fs::path(assets_folder()) / "scenes" / paper)) {
      const std::string name = file.stem().string();
      if (name.ends_with("_small") &&
          quick == (std::find(kQuick.begin(), kQuick.end(), name) != kQuick.end()))
        found.push_back(file);
    }
  return found;
}

}  // namespace

TEST_SUITE("physics") {
  TEST_CASE("every scene that ships can be read, says how long it runs and what must be true at its end") {
    const std::vector<fs::path> files = scene_files(fs::path(assets_folder()) / "scenes");
    CHECK(files.size() >= 80);
    for (const fs::path& file : files) {
      const std::string name = file.string();
      CAPTURE(name);
      const Scene scene = read_scene(name);
      CHECK_FALSE(scene.title.empty());
      CHECK_FALSE(scene.end.empty());
      CHECK(scene.duration >= scene.step.dt);
      // By name: a scene that leaves it out has the default's.
      const std::string text = testing::read_file(name);
      CHECK(text.find("\nduration = ") != std::string::npos);
    }
  }

  TEST_CASE("the small scenes of the reef knot and the needles end as they say") {
    int found = 0;
    for (const fs::path& file : small_scenes(true))
      if (file.stem() == "reef_knot_small" || file.stem() == "needle_small") ends_as_it_says(file), ++found;
    CHECK(found == 2);
  }

  TEST_CASE(
      "a metre of coarse cloth hangs by its corners without ever stretching by more than 15 percent, and "
      "stiffness tells") {
    hangs_by_its_corners(800);
  }

  TEST_CASE("a metre of coarse cloth holds together for a second at every extreme of its sliders") {
    holds_together(400, 1);
  }
}

TEST_SUITE("full") {
  TEST_CASE("small scenes of papers end as they say where that takes seconds") {
    const std::vector<fs::path> files = small_scenes(true);
    CHECK(files.size() == kQuick.size());
    for (const fs::path& file : files) ends_as_it_says(file);
  }

  TEST_CASE(
      "a metre of cloth hangs by its corners without ever stretching by more than 15 percent and stiffness "
      "tells") {
    hangs_by_its_corners(3000);
  }

  TEST_CASE("a metre of cloth holds together at every extreme of its sliders that people try") {
    holds_together(1500, 2);
  }

  TEST_CASE("every scene that ships ends as it says") {
    for (const auto& file : fs::directory_iterator(fs::path(default_scene_path()).parent_path()))
      if (file.path().extension() == ".toml") ends_as_it_says(file.path());
  }

  TEST_CASE("small scenes of papers end as they say where that takes minutes") {
    const std::vector<fs::path> files = small_scenes(false);
    CHECK(files.size() >= 27);
    for (const fs::path& file : files) ends_as_it_says(file);
  }
}
