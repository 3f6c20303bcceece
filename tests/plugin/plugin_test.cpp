// Energies and filters from shared libraries, against those of Weft, and libraries that go wrong.
#include "sim/plugin/library.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/base/error.h"
#include "sim/plugin/plugin_list.h"
#include "sim/plugin/projection.h"
#include "sim/scene/strands.h"
#include "test_paths.h"
#include "tests/physics/strips.h"
#include "tests/safety/crossings.h"
#include "tests/support/folder.h"
#include "tests/support/skip.h"

using namespace weft;
using namespace weft::testing;
using physics::bare_scene;
using physics::Run;

namespace {

bool has_compiler() {
  if (std::system("command -v cc > /dev/null 2>&1") == 0) return true;
  skip("there is no C compiler");
  return false;
}

/// The library of a file of the sources, as C99 without a warning.
std::string built(const Folder& folder, const std::string& source, const std::string& flags = "") {
  static int number = 0;
  const std::string sources = WEFT_SOURCE_FOLDER, to = folder / ("plugin" + std::to_string(number++) + ".so");
  const std::string command = "cc -std=c99 -Wall -Wextra -Wpedantic -Werror -O1 -shared -fPIC -I" + sources +
                              "/sim/plugin " + flags + " " + sources + "/" + source + " -o " + to + " -lm";
  REQUIRE(std::system(command.c_str()) == 0);
  return to;
}

void add(Scene& scene, const std::string& path) { scene.of<PluginList>().add(load_plugin(path)); }

constexpr int kSegments = 12;
constexpr float kStretch = 5;  // N, force over strain

/// A strand that is let go level and swings from its root.
Scene swinging_strand(float stretch) {
  Scene s = bare_scene();
  s.cloths.clear();
  s.set("step.collision", "none");
  s.set("newton.tolerance", "1e-4");
  StrandParams strand;
  strand.count = 1, strand.segments = kSegments, strand.length = 0.3f;
  strand.size = {0, 0};
  strand.placement.rotation = {0, 0, -90};
  strand.material.density = 5e-3f, strand.material.stretch = stretch, strand.material.bending = 1e-6f;
  s.of<StrandList>().list.push_back(strand);
  s.pins.push_back({.cloth = "hair", .where = "roots"});
  return s;
}

double apart(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, double(glm::distance(a[i], b[i])));
  return most;
}

/// A level sheet above nothing.
Scene level_sheet() {
  Scene s = bare_scene();
  s.cloths[0].size = {0.3f, 0.3f};
  s.cloths[0].vertices = 200;
  s.cloths[0].placement.position = {0, 0.1f, 0};
  s.cloths[0].placement.rotation = {-90, 0, 0};
  return s;
}

/// What loading, building or one step says of it; the state is as before then.
std::string told(const std::string& path) {
  try {
    Scene s = level_sheet();
    add(s, path);
    Run run(s, 1);
    const uint64_t before = run.sim->hash();
    try {
      run.sim->step();
    } catch (const Error& fault) {
      CHECK(run.sim->hash() == before);
      return fault.what();
    }
  } catch (const Error& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace

TEST_CASE("springs of a library move a strand as springs of Weft do") {
  if (!has_compiler()) return;
  const Folder folder;
  constexpr float kLeast = 1e-3f;
  Scene plugged = swinging_strand(kLeast);
  add(plugged, built(folder, "docs/examples/springs.c"));
  const float k = (kStretch - kLeast) * float(kSegments) / 0.3f;
  plugged.set("plugin.springs.stiffness", std::to_string(k));
  Run own(swinging_strand(kStretch), 1), other(plugged, 1), slack(swinging_strand(kLeast), 1);
  double most = 0;
  for (int i = 0; i < 60; ++i) {
    own.sim->step(), other.sim->step(), slack.sim->step();
    most = std::max(most, apart(own.sim->positions(), other.sim->positions()));
  }
  MESSAGE("largest distance " << most << " m");
  CHECK(most < 1e-4);
  CHECK(apart(own.sim->positions(), slack.sim->positions()) > 0.05);
}

TEST_CASE("a strand of springs of a library is stretched by its weight as theory says") {
  if (!has_compiler()) return;
  const Folder folder;
  Scene s = swinging_strand(1e-3f);
  s.of<StrandList>().list[0].placement.rotation = {0, 0, 180};  // down
  s.set("forces.air_damping", "8");
  add(s, built(folder, "docs/examples/springs.c"));
  s.set("plugin.springs.stiffness", "20");
  Run run(s, 1);
  const std::vector<vec3> start = run.sim->positions();
  run.settle(1e-5f, 2000);
  const std::vector<vec3> end = run.sim->positions();
  const double stiffness = 20 + 1e-3 * kSegments / 0.3;  // and what the strand has itself
  double below = 0, theory = 0;  // each spring carries the mass below it; the first one is that of the root
  for (size_t v = start.size() - 1; v > 1; --v) {
    below += double(run.sim->model().host_mass[v]);
    theory += below * 9.81 / stiffness;
  }
  const double stretch = double(glm::distance(end.back(), end[1]) - glm::distance(start.back(), start[1]));
  MESSAGE("stretch " << stretch << " m, theory " << theory);
  CHECK(physics::relative_error(stretch, theory) < 0.002);
}

TEST_CASE("every solver finds the stretch of a strip with springs of a library") {
  if (!has_compiler()) return;
  const Folder folder;
  const std::string library = built(folder, "docs/examples/springs.c");
  const auto stretch = [&](const char* solver) {
    Scene s = physics::hanging_strip(ElasticModel::springs, 30);
    s.set("step.solver", solver);
    s.set("step.dt", "0.02");
    add(s, library);
    s.set("plugin.springs.stiffness", "30");
    Run run(s, 1);
    run.settle(1e-4f, 600);
    return -physics::lowest(run.sim->positions()) - 1;
  };
  const double newton = stretch("newton");
  CHECK(newton < 0.5 * 0.15 * 9.81 / (2 * 30));  // less than half of what the fabric's own springs let it
  for (const char* solver : {"descent", "projective"}) {
    const double other = stretch(solver);
    MESSAGE(solver << ": " << other << " m, Newton's method: " << newton);
    CHECK(physics::relative_error(other, newton) < 0.02);  // measured: 0.015 and 0.005
  }
}

TEST_CASE("a plug-in that is off or has no strength changes no bit") {
  if (!has_compiler()) return;
  const Folder folder;
  const std::string springs = built(folder, "docs/examples/springs.c");
  const auto hash = [&](const char* key, const char* value) {
    Scene s = level_sheet();
    if (key) add(s, springs), s.set(key, value);
    Run run(s, 1);
    for (int i = 0; i < 5; ++i) run.sim->step();
    return run.sim->hash();
  };
  const uint64_t without = hash(nullptr, "");
  CHECK(hash("plugin.springs.on", "false") == without);
  CHECK(hash("plugin.springs.strength", "0") == without);
  CHECK(hash("plugin.springs.stiffness", "10") == hash("plugin.springs.stiffness", "10"));
}

TEST_CASE("parameters of plug-ins are keys of the scene") {
  if (!has_compiler()) return;
  const Folder folder;
  Scene s = level_sheet();
  add(s, built(folder, "docs/examples/springs.c"));
  CHECK_THROWS_WITH_AS(s.set("plugin.springs.stiffnes", "3"), doctest::Contains("plugin.springs.stiffness"),
                       Error);
  CHECK_THROWS_WITH_AS(s.set("plugin.springs.stiffness", "-3"), doctest::Contains("stiffness"), Error);
  CHECK_THROWS_WITH_AS(add(s, built(folder, "docs/examples/springs.c")), doctest::Contains("of this name"),
                       Error);
  Run run(s, 1);
  run.sim->apply(SetParam{"plugin.springs.strength", "2"});
  run.sim->step();
  CHECK(run.sim->scene().of<PluginList>().list[0].strength == 2);
}

TEST_CASE("a filter keeps cloth above a floor and leaves pins where they are") {
  if (!has_compiler()) return;
  const Folder folder;
  Scene s = level_sheet();
  s.set("step.collision", "none");
  add(s, built(folder, "docs/examples/floor.c"));
  s.set("plugin.floor.height", "0.04");
  s.pins.push_back({.where = "top_left"});
  s.pins.back().motion.keys = {{0, vec3(0), vec3(0)}, {0.2f, vec3(0, -0.1f, 0), vec3(0)}};
  Run run(s, 1);
  float lowest = 1;
  const int pinned = run.sim->pinned_vertices().at(0);
  for (int i = 0; i < 60; ++i) {
    run.sim->step();
    const std::vector<vec3> x = run.sim->positions();
    for (size_t v = 0; v < x.size(); ++v)
      if (int(v) != pinned) lowest = std::min(lowest, x[v].y);
  }
  CHECK(lowest == doctest::Approx(0.04).epsilon(1e-5));
  CHECK(run.sim->positions()[size_t(pinned)].y == doctest::Approx(0).epsilon(1e-4));
}

TEST_CASE("contact has the last word after a filter") {
  if (!has_compiler()) return;
  const Folder folder;
  Scene s = level_sheet();
  s.set("step.collision", "two_way");
  Obstacle ball;  // above the sheet
  ball.name = "ball", ball.shape = ObstacleShape::sphere, ball.size = vec3(0.08f);
  ball.placement.position = {0, 0.25f, 0};
  s.obstacles.push_back(ball);
  add(s, built(folder, "docs/examples/floor.c"));
  s.set("plugin.floor.height", "0.5");  // through the ball
  Run run(s, 1);
  for (int i = 0; i < 4; ++i) {
    run.sim->step();
    const std::vector<vec3> x = run.sim->positions();
    CHECK(check::find_crossings(std::span<const vec3>(x), {run.sim->model().host.triangles}).clean());
    for (const vec3& p : x) CHECK(glm::distance(p, vec3(0, 0.25f, 0)) > 0.0799f);
    for (const vec3& p : x)
      if (std::hypot(p.x, p.z) < 0.03f) CHECK(p.y < 0.2f);  // still below it
  }
}

TEST_CASE("libraries that go wrong are told by what is wrong and leave the state as it was") {
  if (!has_compiler()) return;
  const Folder folder;
  const auto faulty = [&](int fault, const std::string& flags = "") {
    return told(built(folder, "tests/plugin/faulty.c", "-DFAULT=" + std::to_string(fault) + " " + flags));
  };
  const std::pair<int, const char*> faults[] = {{1, "version"},
                                                {2, "could not be made"},
                                                {3, "gradient at vertex 1 is not finite"},
                                                {4, "Hessian of element 0 is not finite"},
                                                {5, "fault 7"},
                                                {6, "vertex 1000000"},
                                                {7, "vertex 0 twice"},
                                                {8, "default of 'size'"},
                                                {9, "name of a plug-in"},
                                                {10, "neither an energy nor a filter"},
                                                {11, "vertex 2 to no finite place"}};
  CHECK(faulty(0) == "");
  for (const auto& [fault, words] : faults) {
    CAPTURE(fault);
    const std::string what = faulty(fault);
    CAPTURE(what);
    CHECK(what.find(words) != std::string::npos);
  }
  CHECK(faulty(0, "-DNO_ENTRY").find("weft_plugin_entry") != std::string::npos);
  CHECK(told(folder.write("text.so", "no library")).find("cannot be loaded") != std::string::npos);
  CHECK(told(folder / "nowhere.so").find("no such library") != std::string::npos);
}

TEST_CASE("negative eigenvalues are taken out of a matrix and the others stay") {
  // 3 (1, 1)/sqrt 2 and -1 (1, -1)/sqrt 2
  std::vector<double> a = {1, 2, 2, 1};
  CHECK(project_definite(a, 2));
  for (const double v : a) CHECK(v == doctest::Approx(1.5));
  std::vector<double> positive = {4, 1, 0, 1, 3, 1, 0, 1, 2};
  const std::vector<double> before = positive;
  CHECK(project_definite(positive, 3));
  for (size_t i = 0; i < before.size(); ++i) CHECK(positive[i] == doctest::Approx(before[i]));
  std::vector<double> broken = {1, std::nan(""), 0, 1};
  CHECK_FALSE(project_definite(broken, 2));
}
