#include "sim/run/verdict.h"

#include <doctest/doctest.h>

#include <random>

#include "tests/runner/small_scene.h"
#include "tests/safety/crossings.h"

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

/// Triangles of the cloth in any crossing that the exact checker finds.
std::vector<int> exactly(const Seen& seen) {
  std::vector<vec3> x = seen.frame.positions;
  std::vector<ivec3> triangles = seen.view.triangles;
  const int own = int(triangles.size());
  for (const ObstacleView& o : seen.frame.obstacles) {
    const TriMesh& mesh = seen.view.obstacle_meshes[size_t(o.index)];
    const ivec3 first(int(x.size()));
    for (const ivec3& t : mesh.triangles) triangles.push_back(t + first);
    for (const vec3& p : mesh.positions) x.push_back(vec3(o.transform * vec4(p, 1)));
  }
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
    verdict.crosses() ? ++crossing : ++clean;
  }
  CHECK(crossing > 0);
  CHECK(clean > 0);
  seen.frame.positions = flat;
  for (vec3& p : seen.frame.positions) p.z += 0.6f;  // through the box
  const StateVerdict pierced = verdict_of(seen.frame, seen.view);
  CHECK(pierced.triangles == exactly(seen));
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
