// Lists that begin too short: a step is made again with longer ones, and comes to the same end.
#include <doctest/doctest.h>
#include <algorithm>

#include <random>
#include <string>
#include <vector>

#include "sim/collision/repulsion/constraints/repulsion_params.h"
#include "sim/run/simulation.h"
#include "tests/device/watched_device.h"
#include "tests/safety/scene_trials.h"

using namespace weft;
using testing::WatchedDevice;

namespace {

/// Two sheets that fall onto a ball, the upper one torn at.
Scene torn_sheets(const std::string& solver, const std::string& method) {
  Scene scene;
  scene.set("step.solver", solver);
  scene.set("step.collision", method);
  for (int k = 0; k < 2; ++k) {
    Cloth c;
    c.name = k ? "upper" : "lower";
    c.size = {0.1f, 0.1f}, c.edge = 0.01f;
    c.placement.position = {0, 0.112f + 0.018f * float(k), 0};
    c.placement.rotation = {-90, 25.0f * float(k), 0};
    scene.cloths.push_back(c);
  }
  Obstacle ball;
  ball.name = "ball", ball.shape = ObstacleShape::sphere, ball.size.x = 0.05f;
  ball.placement.position = {0, 0.05f, 0};
  scene.obstacles.push_back(ball);
  scene.duration = 1;
  std::mt19937 random(3);
  check::add_violent_drag(scene, random, 0.02f);
  return scene;
}

struct Watched {
  WatchedDevice device{Device::create(DeviceChoice::cpu, 0)};
  Simulation sim;
  explicit Watched(const Scene& scene) : sim(scene, device) {}
};

/// The same bits after every step, whether lists have room or have next to none, at the start and while the
/// cloth moves; and they do grow.
void compare(const Scene& scene, const std::vector<std::string>& lists, int steps) {
  Watched roomy(scene), tiny(scene);
  float fastest = 0;  // m/s, of all steps: the exit at the time of impact may stop all cloth
  // steps in which a list grew after it was made short while cloth moves
  std::vector<int> grown(lists.size(), 0);
  for (int i = 0; i < steps; ++i) {
    if (i % (steps / 2) == 0) tiny.sim.shrink_lists_for_test();
    std::vector<int> before;
    for (const std::string& name : lists) before.push_back(tiny.device.allocations(name));
    roomy.sim.step(), tiny.sim.step();
    CHECK(tiny.sim.hash() == roomy.sim.hash());
    fastest = std::max(fastest, float(roomy.sim.stats().max_speed));
    for (size_t k = 0; k < lists.size() && i >= steps / 2; ++k)
      grown[k] += tiny.device.allocations(lists[k]) > before[k];
  }
  for (size_t k = 0; k < lists.size(); ++k) {
    const std::string& list = lists[k];
    CAPTURE(list);
    CHECK(grown[k] > 0);
  }
  CHECK(fastest > 1);
}

void compare_barriers(const std::string& solver, const std::string& exit) {
  const std::string name = solver + ", " + exit;
  CAPTURE(name);
  Scene scene = torn_sheets(solver.c_str(), "ndb");
  scene.set("ndb.exit", exit);
  std::vector<std::string> lists{"vertex-triangle pairs", "edge-edge pairs", "near blocks", "contacts"};
  if (solver == "newton") lists.insert(lists.end(), {"pushing pairs", "contact stencils"});
  compare(scene, lists, 12);
}

void compare_two_way(const std::string& solver) {
  CAPTURE(solver);
  compare(torn_sheets(solver, "two_way"), {"vertex-triangle pairs", "edge-edge pairs", "near blocks"}, 16);
}

}  // namespace

TEST_CASE("two-way contact comes to the same bits where its lists begin too short and grow, with descent") {
  compare_two_way("descent");
}

TEST_CASE(
    "two-way contact comes to the same bits where its lists begin too short and grow with both solvers" *
    doctest::test_suite("full")) {
  for (const char* solver : {"descent", "newton"}) compare_two_way(solver);
}

TEST_CASE("impact zones come to the same bits where their lists begin too short and grow, with each search") {
  for (const char* search : {"forest", "hash"}) {
    const std::string name = search;
    CAPTURE(name);
    Scene scene = torn_sheets("newton", "impact_zones");
    scene.set("impact_zones.search", search);
    std::vector<std::string> lists{"impacts",
                                   "impact flags",
                                   "vertex-triangle pairs",
                                   "edge-edge pairs",
                                   "near blocks",
                                   "swept vertex-triangle pairs",
                                   "swept edge-edge pairs",
                                   "contact terms",
                                   "pressed pairs",
                                   "contact stencils"};
    if (name == "hash") lists.insert(lists.end(), {"swept entries", "swept pairs of triangles"});
    else lists.push_back("swept near blocks");
    compare(scene, lists, 16);
  }
}

TEST_CASE("non-distance barriers with one exit a solver come to the same bits where their lists grow") {
  compare_barriers("projective", "planes");
  compare_barriers("descent", "toi");
  compare_barriers("newton", "planes");
}

TEST_CASE(
    "non-distance barriers come to the same bits where their lists begin too short and grow with every "
    "solver" *
    doctest::test_suite("full")) {
  for (const char* solver : {"projective", "descent", "newton"})
    for (const char* exit : {"planes", "toi"}) compare_barriers(solver, exit);
}

TEST_CASE(
    "vertex repulsion comes to the same bits where its lists begin too short and grow, with and without "
    "samples on stretched edges") {
  for (const bool resampling : {false, true}) {
    CAPTURE(resampling);
    Scene scene = torn_sheets("descent", "repulsion");
    scene.of<RepulsionParams>().resampling = resampling;
    if (resampling)
      for (Cloth& c : scene.cloths) c.fabric.stretch_stiffness *= 0.2f;  // edges that stretch need samples
    std::vector<std::string> lists{"neighbour lists", "neighbourhood cache", "fold pairs"};
    if (resampling) lists.push_back("samples");
    compare(scene, lists, 16);
  }
}
