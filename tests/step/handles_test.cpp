// How fast a handle follows the hand.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "sim/base/error.h"
#include "sim/run/simulation.h"
#include "sim/step/handles.h"
#include "tests/runner/small_scene.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// A cloth pinned in the middle, and how far its handle's target goes in a step.
struct Held {
  std::unique_ptr<Device> device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation;
  vec3 start{0};

  Held(float speed_limit, float factor) : simulation(scene(speed_limit), *device) {
    simulation.apply(GrabBegin{1, 100, {0.3f, 0.3f, 0.4f}, 0});
    start = target();
    simulation.apply(GrabMove{1, start + vec3(0, 0, 50), factor});
  }
  static Scene scene(float speed_limit) {
    Scene s = small_scene(150);
    s.drag.speed_limit = speed_limit;
    return s;
  }
  vec3 target() const { return simulation.handles().at(0).target; }
  /// m/s
  float speed() {
    const vec3 before = target();
    simulation.step();
    return glm::distance(target(), before) / simulation.scene().step.dt;
  }
};

}  // namespace

TEST_CASE("a handle follows at its speed limit times the factor of the last move") {
  CHECK(Held(0.5f, 1).speed() == doctest::Approx(0.5));
  CHECK(Held(0.5f, 6).speed() == doctest::Approx(3));
  Held slower(0.5f, 6);
  slower.speed();
  slower.simulation.apply(GrabMove{1, slower.start + vec3(0, 0, 50)});
  CHECK(slower.speed() == doctest::Approx(0.5));
}

TEST_CASE("no factor makes a handle faster than what contact follows, nor slower than its speed limit") {
  CHECK(Held(2, 1000).speed() == doctest::Approx(kFastestHandle));
  CHECK(Held(20, 1000).speed() == doctest::Approx(20));
  Held held(2, 1);
  CHECK_THROWS_AS(held.simulation.apply(GrabMove{1, vec3(0), 0.5f}), Error);
  CHECK_THROWS_AS(held.simulation.apply(GrabMove{1, vec3(0), std::nanf("")}), Error);
}

TEST_CASE("a snapshot keeps the factor on a handle's speed, and one without a factor is as before") {
  Held fast(0.5f, 6), usual(0.5f, 1);
  fast.speed(), usual.speed();
  const Snapshot with = fast.simulation.snapshot(), without = usual.simulation.snapshot();
  usual.simulation.restore(with);
  CHECK(usual.speed() == doctest::Approx(3));
  usual.simulation.restore(without);
  CHECK(usual.speed() == doctest::Approx(0.5));
}

TEST_CASE("no more handles than the limit hold a cloth at once, with a word") {
  auto device = Device::create(DeviceChoice::cpu, 1);
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].vertices = 100;
  Simulation simulation(scene, *device);
  const auto grab = [&](int handle) {
    simulation.apply(GrabBegin{handle, handle % 50, vec3(1, 1, 1) / 3.0f, 0});
  };
  for (int h = 0; h < kMostHandles; ++h) grab(h);
  CHECK_THROWS_WITH_AS(grab(kMostHandles), doctest::Contains("256 handles hold the cloth already"), Error);
  grab(0);  // again: it takes its own place
  simulation.apply(GrabEnd{3});
  grab(kMostHandles);
  CHECK(simulation.handles().size() == size_t(kMostHandles));
}
