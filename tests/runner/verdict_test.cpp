#include "sim/run/verdict.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "sim/geometry/crossing_search.h"
#include "sim/scene/text/scene_file.h"
#include "tests/runner/small_scene.h"
#include "tests/safety/crossings.h"
#include "tests/support/pinned_sheet.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Frame and view of a scene as it starts, with other positions.
struct Seen {
  std::unique_ptr<Device> device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation;
  SceneView view;
  Frame frame;
  explicit Seen(Scene scene) : simulation(std::move(scene), *device), view(scene_view_of(simulation)) {
    FrameRing ring(*device);
    fill_frame(simulation, "none", ring, true, frame);
  }
};

/// Cloth and bodies of a state.
struct Both {
  std::vector<vec3> x;
  std::vector<ivec3> triangles;
  int own, body_points = 0;
  explicit Both(const Seen& seen)
      : x(seen.frame.positions), triangles(seen.view.triangles), own(int(triangles.size())) {
    for (const ObstacleView& o : seen.frame.obstacles) {
      const TriMesh& mesh = seen.view.obstacle_meshes[size_t(o.index)];
      const ivec3 first(int(x.size()));
      for (const ivec3& t : mesh.triangles) triangles.push_back(t + first);
      for (const vec3& p : mesh.positions) x.push_back(vec3(o.transform * vec4(p, 1))), ++body_points;
    }
  }
};

/// Triangles of the cloth in any crossing that is found on a device.
std::vector<int> on_device(const Seen& seen) {
  const Both both(seen);
  CrossingSearch search(*seen.device, both.x, both.triangles, both.own, both.body_points);
  const Buffer<vec3> cloth(*seen.device, "cloth", seen.frame.positions);
  std::vector<int> crossed, all;
  seen.device->run([&] { crossed = search.find(cloth.span()); });
  for (int t = 0; t < int(crossed.size()); ++t)
    if (crossed[size_t(t)]) all.push_back(t);
  return all;
}

/// Triangles of the cloth in any crossing that the exact checker finds.
std::vector<int> exactly(const Seen& seen) {
  const Both both(seen);
  const std::vector<vec3>& x = both.x;
  const std::vector<ivec3>& triangles = both.triangles;
  const int own = both.own;
  std::vector<char> found(size_t(own), 0);
  for (const check::Crossing& c : check::find_crossings(std::span<const vec3>(x), {triangles, own}).pairs)
    for (const int t : {c.a, c.b})
      if (t < own) found[size_t(t)] = 1;
  std::vector<int> all;
  for (int t = 0; t < own; ++t)
    if (found[size_t(t)]) all.push_back(t);
  return all;
}

Scene over_a_box() {
  Scene scene = small_scene(300);
  Obstacle box;
  box.name = "box", box.size = vec3(0.3f), box.placement.position = {0, 1, 0.6f};
  scene.obstacles.push_back(box);
  return scene;
}

}  // namespace

TEST_CASE(
    "a verdict names the triangles that the exact checker names in flat and crumpled and pierced states") {
  Seen seen(over_a_box());
  CHECK(!verdict_of(seen.frame, seen.view).crosses());
  CHECK(exactly(seen).empty());
  std::mt19937 random(7);
  std::uniform_real_distribution<float> by(-1, 1);
  const std::vector<vec3> flat = seen.frame.positions;
  int crossing = 0, clean = 0;
  for (const float much : {0.002f, 0.01f, 0.03f, 0.06f, 0.2f}) {
    seen.frame.positions = flat;
    for (vec3& p : seen.frame.positions) p += much * vec3(by(random), by(random), by(random));
    const StateVerdict verdict = verdict_of(seen.frame, seen.view);
    CHECK(verdict.triangles == exactly(seen));
    CHECK(verdict.triangles == on_device(seen));
    verdict.crosses() ? ++crossing : ++clean;
  }
  CHECK(crossing > 0);
  CHECK(clean > 0);
  seen.frame.positions = flat;
  for (vec3& p : seen.frame.positions) p.z += 0.6f;  // through the box
  const StateVerdict pierced = verdict_of(seen.frame, seen.view);
  CHECK(pierced.triangles == exactly(seen));
  CHECK(pierced.triangles == on_device(seen));
  CHECK(pierced.with_bodies == int(pierced.triangles.size()));
  CHECK(pierced.own == 0);
}

TEST_CASE("a record knows the first step that crossed until the run goes back before it") {
  VerdictRecord record;
  const auto state = [](int step, int crossing) {
    StateVerdict v;
    v.step = step, v.own = crossing;
    for (int t = 0; t < crossing; ++t) v.triangles.push_back(t);
    return v;
  };
  CHECK(record.first_step() == -1);
  for (int step = 0; step < 5; ++step) record.take(state(step, 0));
  record.take(state(5, 2)), record.take(state(6, 0)), record.take(state(7, 3));
  CHECK(record.first_step() == 5);
  CHECK(record.tested() == 8);
  CHECK(record.crossing() == 2);
  record.take(state(6, 0));
  CHECK(record.first_step() == 5);
  record.take(state(4, 0));
  CHECK(record.first_step() == -1);
  record.take(state(8, 1));
  CHECK(record.first_step() == 8);
  record.take(state(0, 0));
  CHECK(record.tested() == 1);
  CHECK(record.first_step() == -1);
}

TEST_CASE("a runner tests each step where that is asked and forgets it with the scene") {
  Runner runner(over_a_box(), {.device = DeviceChoice::cpu, .threads = 1});
  CHECK(runner.verdict() == nullptr);
  runner.set_extras({.verdict = true});
  for (int k = 0; k < 5; ++k) runner.step_once();
  while (runner.latest()->step < 5) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto record = runner.verdict();
  REQUIRE(record);
  CHECK(record->tested() >= 5);
  CHECK(record->last().step == 5);
  CHECK(record->first_step() == -1);
}

TEST_CASE("a verdict names what the exact checker names in a thousand states of sheets a micrometre apart") {
  // A strip of two triangles over a larger one, turned anyhow: resting on it, touching it, crossing it.
  std::mt19937 random(11);
  std::uniform_real_distribution<double> by(-1, 1);
  int crossing = 0, clean = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const double gap = trial % 3 == 0 ? 1e-6 : trial % 3 == 1 ? 0 : -1e-6;
    const glm::dvec3 axis = glm::normalize(glm::dvec3(by(random), by(random), by(random)) + 1e-3);
    const glm::dmat3 turned(glm::rotate(glm::dmat4(1), trial % 4 == 0 ? 0.0 : 3 * by(random), axis));
    const bool corner = trial / 12 % 2;  // it comes with a corner first, or lies parallel to the other
    std::vector<dvec3> x = {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}, {0.2 * by(random), gap, 0.2 * by(random)}};
    for (int k = 0; k < 3; ++k)
      x.push_back({x[3].x + 0.2 * by(random), corner ? 0.1 + 0.1 * by(random) + 1e-3 : gap,
                   x[3].z + 0.2 * by(random)});
    Seen seen(small_scene(60));
    seen.view.triangles = {{0, 1, 2}, {3, 4, 5}, {4, 6, 5}};
    seen.frame.positions.clear();
    for (const dvec3& p : x) seen.frame.positions.push_back(vec3(turned * p));
    seen.frame.obstacles.clear();
    const StateVerdict verdict = verdict_of(seen.frame, seen.view);
    CAPTURE(trial);
    CHECK(verdict.triangles == exactly(seen));
    CHECK(verdict.triangles == on_device(seen));
    const auto meets = [&](int t) {
      return std::count(verdict.triangles.begin(), verdict.triangles.end(), t) > 0;
    };
    // not turned, nothing is rounded: parallel sheets meet where they touch alone
    if (trial % 4 == 0) CHECK((meets(0) && meets(1)) == (corner ? gap <= 0 : gap == 0));
    verdict.crosses() ? ++crossing : ++clean;
  }
  CHECK(crossing > 300);
  CHECK(clean > 200);
}

TEST_CASE("states are judged on the device as on the host while bodies move, bend and are held up by cloth") {
  const auto run = [](const std::string& collision) {
    const Scene scene = parse_scene(testing::pinned_sheet(collision, "0.02") + R"(
[[obstacle]]
name = "ball"
radius = 0.1
position = [0.1, 0.33, 0]
[obstacle.motion]
keys = [{ time = 0 }, { time = 0.4, position = [0, 0.25, 0], rotation = [40, 0, 0] }]
[[obstacle]]
name = "arm"
shape = "capsule"
radius = 0.03
length = 0.25
position = [-0.12, 0.42, 0]
rotation = [0, 0, 90]
[[obstacle.bone]]
name = "upper"
head = [0.0, -0.1, 0.0]
tail = [0.0, 0.0, 0.0]
[[obstacle.bone]]
name = "lower"
parent = "upper"
head = [0.0, 0.0, 0.0]
tail = [0.0, 0.1, 0.0]
keys = [{ time = 0.1 }, { time = 0.4, rotation = [0, 0, 80] }]
)",
                                    "through.toml");
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation simulation(scene, *device);
    int crossing = 0;
    simulation.set_test([&, test = std::make_shared<DeviceVerdict>(simulation)](Simulation& s) {
      const StateVerdict there = (*test)(s), here = verdict_of(s);
      CHECK(there.step == here.step);
      CHECK(there.triangles == here.triangles);
      CHECK(there.own == here.own);
      CHECK(there.with_bodies == here.with_bodies);
      CHECK(test->open() < 20);
      crossing += there.crosses();
    });
    for (int k = 0; k < 20; ++k) simulation.step();
    return crossing;
  };
  CHECK(run("none") > 10);
  CHECK(run("two_way") == 0);
}

TEST_CASE("testing each step is a stage of the step and changes no bit of it") {
  const auto run = [](bool tested) {
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation simulation(over_a_box(), *device);
    int steps = 0;
    if (tested)
      simulation.set_test([&, test = std::make_shared<DeviceVerdict>(simulation)](Simulation& s) {
        steps += (*test)(s).step == s.state().step;
      });
    for (int k = 0; k < 5; ++k) simulation.step();
    CHECK(steps == (tested ? 5 : 0));
    int stages = 0;
    for (const StageTime& s : device->profiler().stages())
      if (s.name == "verdict" && s.now > 0) ++stages;
    CHECK(stages == (tested ? 1 : 0));
    return simulation.hash();
  };
  CHECK(run(true) == run(false));
}
