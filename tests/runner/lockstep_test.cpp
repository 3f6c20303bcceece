#include "sim/run/lockstep.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "tests/runner/small_scene.h"

using namespace weft;
using namespace weft::testing;

namespace {

std::unique_ptr<Simulation> opened(Scene scene, Device& device) {
  return std::make_unique<Simulation>(std::move(scene), device);
}

LaneSetup lane(const std::string& name, int vertices = 150,
               const std::vector<std::pair<std::string, std::string>>& settings = {}) {
  LaneSetup setup{name, small_scene(vertices), DeviceChoice::cpu, 1};
  for (const auto& [key, value] : settings) setup.scene.set(key, value), setup.fixed.insert(key);
  return setup;
}

/// A corner is pulled, a vertex pinned, the air thickened.
std::vector<TimedCommand> hand(double dt) {
  const auto at = [&](int step, Command command) {
    return TimedCommand{step, step * dt, std::move(command)};
  };
  return {at(3, GrabBegin{1, 20, vec3(0.3f, 0.3f, 0.4f), 0}), at(3, GrabMove{1, vec3(0.3f, 0.7f, 0.4f)}),
          at(8, SetParam{"forces.air_damping", "3"}), at(12, PinVertex{.vertex = 40}), at(15, GrabEnd{1})};
}

/// A run by itself, as a replay makes it.
uint64_t alone(Scene scene, const std::vector<TimedCommand>& commands, int steps) {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation(std::move(scene), *device);
  size_t next = 0;
  for (int k = 0; k < steps; ++k) {
    for (; next < commands.size() && commands[next].step <= k; ++next)
      simulation.apply(commands[next].command);
    simulation.step();
  }
  return simulation.hash();
}

}  // namespace

TEST_CASE("each lane computes what it computes alone under the same hand") {
  const double dt = double(small_scene().step.dt);
  Lockstep lanes({lane("newton"), lane("descent", 150, {{"step.solver", "descent"}})}, opened, hand(dt));
  for (int k = 0; k < 25; ++k) lanes.advance();
  for (size_t i = 0; i < 2; ++i) {
    Scene scene = small_scene();
    if (i == 1) scene.set("step.solver", "descent");
    CHECK(lanes.lane(i).steps() == 25);
    CHECK(lanes.lane(i).simulation().hash() == alone(scene, hand(dt), 25));
  }
  CHECK(lanes.difference(0).largest == 0);
  CHECK(lanes.difference(1).largest > 0);
  CHECK(lanes.time() == doctest::Approx(25 * dt));
}

TEST_CASE("what a lane has of its own no recorded command changes") {
  const double dt = double(small_scene().step.dt);
  Lockstep lanes({lane("as recorded"), lane("own air", 150, {{"forces.air_damping", "0.5"}})}, opened,
                 hand(dt));
  for (int k = 0; k < 10; ++k) lanes.advance();
  CHECK(lanes.lane(0).simulation().scene().forces.air_damping == 3.0f);
  CHECK(lanes.lane(1).simulation().scene().forces.air_damping == 0.5f);
}

TEST_CASE("lanes of other time steps are at the same time and other meshes take the same hand") {
  Lockstep lanes({lane("slow", 150, {{"step.dt", "0.02"}}), lane("fast", 150, {{"step.dt", "0.005"}}),
                  lane("odd", 150, {{"step.dt", "0.012"}}), lane("coarse", 60, {{"step.dt", "0.02"}})},
                 opened, hand(0.02));
  for (int k = 1; k <= 14; ++k) {
    lanes.advance();
    CHECK(lanes.time() == doctest::Approx(0.02 * k));
    for (size_t i = 0; i < 4; ++i) {
      const double dt = double(lanes.lane(i).simulation().scene().step.dt);
      const double time = lanes.lane(i).simulation().state().time;
      CHECK(time > lanes.time() - 1e-6);
      CHECK(time < lanes.time() + dt - 1e-6);
    }
    for (size_t i = 1; i < 4; ++i) CHECK(lanes.lane(i).simulation().handles().size() == (k > 3 ? 1 : 0));
  }
  CHECK(lanes.lane(1).steps() == 4 * lanes.lane(0).steps());
  // The handle pulls a point of all of them to one place, fast or coarse.
  const vec3 target(0.3f, 0.7f, 0.4f);
  for (size_t i = 0; i < 4; ++i) {
    const auto handles = lanes.lane(i).simulation().handles();
    REQUIRE(handles.size() == 1);
    CHECK(glm::distance(handles[0].target, target) < 1e-6f);
  }
}

TEST_CASE("positions at a time between two steps lie between their states") {
  // free fall: y falls by g t²/2 up to the step's own error, g t dt / 2
  const auto falls = [](const char* dt) {
    LaneSetup setup = lane(dt, 60, {{"step.dt", dt}});
    setup.scene.pins.clear();
    setup.scene.set("forces.air_damping", "0");
    return setup;
  };
  Lockstep lanes({falls("0.02"), falls("0.03")}, opened);
  const float start = lanes.lane(0).positions()[0].y;
  for (int k = 1; k <= 10; ++k) {
    lanes.advance();  // by 0.03, which is between two steps of the first
    for (size_t i = 0; i < 2; ++i) {
      const double dt = double(lanes.lane(i).simulation().scene().step.dt), t = lanes.time();
      const double fallen = double(start - lanes.lane(i).positions()[0].y);
      CHECK(fallen > 0.5 * 9.81 * t * t - 1e-4);
      // implicit Euler is g t dt / 2 ahead, a chord at most g dt² / 8 behind its parabola
      CHECK(fallen < 0.5 * 9.81 * t * (t + dt) + 9.81 * dt * dt / 8 + 1e-4);
    }
  }
}

TEST_CASE("a reset in the recording sets all lanes back at its time") {
  const double dt = double(small_scene().step.dt);
  std::vector<TimedCommand> commands = hand(dt);
  commands.push_back({18, 18 * dt, ResetState{}});
  commands.push_back({2, 2 * dt, GrabBegin{2, 30, vec3(1, 0, 0), 0}});
  commands.push_back({2, 2 * dt, GrabMove{2, vec3(0, 0.5f, 0.5f)}});
  Lockstep lanes({lane("a"), lane("b", 150, {{"step.dt", "0.005"}})}, opened, commands);
  for (int k = 0; k < 18; ++k) lanes.advance();
  CHECK(lanes.time() == 0);
  for (size_t i = 0; i < 2; ++i) CHECK(lanes.lane(i).simulation().state().time == 0);
  CHECK(lanes.difference(1).largest == 0);
  for (int k = 0; k < 4; ++k) lanes.advance();
  CHECK(lanes.time() == doctest::Approx(4 * dt));
  for (size_t i = 0; i < 2; ++i) CHECK(lanes.lane(i).simulation().handles().size() == 1);
}

TEST_CASE("lanes end a step on request and there is at least one") {
  Lockstep lanes({lane("one"), lane("other")}, opened);
  const auto give_up = [] { return true; };
  CHECK_THROWS_AS(lanes.advance(give_up), Interrupted);
  CHECK_THROWS_WITH_AS(Lockstep({}, opened), doctest::Contains("nothing to compare"), Error);
}

TEST_CASE("the common step is the shortest whole number of all steps and none where that is too long") {
  const double a = double(0.02f), b = double(0.012f), c = double(1.0f / 60), d = double(0.01f);
  CHECK(common_step({a}, 0.25) == doctest::Approx(0.02));
  CHECK(common_step({a, double(0.005f)}, 0.25) == doctest::Approx(0.02));
  CHECK(common_step({a, b}, 0.25) == doctest::Approx(0.06));
  CHECK(common_step({b, a, d}, 0.25) == doctest::Approx(0.06));
  CHECK(common_step({c, d}, 0.25) == doctest::Approx(0.05));
  CHECK(common_step({c, double(0.0123f)}, 0.25) == 0);
  CHECK(common_step({double(0.5f)}, 0.25) == doctest::Approx(0.5));
  CHECK(common_step({}, 0.25) == 0);
}

TEST_CASE("a budget ends the steps of its lanes and what a lane recorded gives its bits again") {
  const double dt = double(small_scene().step.dt);
  std::vector<LaneSetup> setups = {
      lane("newton", 400), lane("projective", 400, {{"step.solver", "projective"}}), lane("solved", 400)};
  setups[0].budget = setups[1].budget = 1e-9;  // s: over at once
  Lockstep lanes(setups, opened, hand(dt));
  for (int k = 0; k < 25; ++k) lanes.advance();
  CHECK(lanes.lane(0).ended() > 20);
  CHECK(lanes.lane(1).ended() > 20);
  CHECK(lanes.lane(2).ended() == 0);
  CHECK(lanes.lane(0).mean_residual() > 2 * lanes.lane(2).mean_residual());
  for (size_t i = 0; i < 3; ++i) {
    const HandRecording recording = lanes.lane(i).recording();
    Scene scene = small_scene(400);
    for (const auto& [key, value] : recording.overrides) scene.set(key, value);
    CHECK(recording.steps == 25);
    CHECK(alone(scene, recording.commands, 25) == lanes.lane(i).simulation().hash());
  }
}
