// Starts that cross, and what is said of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "sim/run/crossing_warning.h"
#include "sim/run/runner.h"

using namespace weft;

namespace {

/// A lying sheet, and a standing one through its middle if `crossed`, else above it.
Scene two_sheets(const char* method, bool crossed) {
  Scene scene;
  scene.set("step.collision", method);
  for (int k = 0; k < 2; ++k) {
    Cloth c;
    c.name = k ? "standing" : "lying";
    c.size = {0.1f, 0.1f}, c.edge = 0.02f;
    c.placement.position = {0.003f, k && !crossed ? 0.6f : 0.4f, 0.002f};
    if (!k) c.placement.rotation = {-90, 10, 0};
    scene.cloths.push_back(c);
  }
  return scene;
}

/// A lying sheet that cuts through a ball.
Scene sheet_through_a_ball(const char* method) {
  Scene scene = two_sheets(method, false);
  Obstacle ball;
  ball.shape = ObstacleShape::sphere, ball.size.x = 0.03f;
  ball.placement.position = {0, 0.41f, 0};
  scene.obstacles.push_back(ball);
  return scene;
}

/// Warnings that came until a question that was asked later has been answered.
std::vector<std::string> warnings(Runner& runner) {
  runner.hash();
  std::vector<std::string> found;
  for (const auto& [level, text] : runner.take_messages())
    if (level == LogLevel::warning) found.push_back(text);
  return found;
}

std::vector<std::string> warnings_of_start(const Scene& scene) {
  Runner runner(scene, {.device = DeviceChoice::cpu, .threads = 1});
  return warnings(runner);
}

bool has(const std::vector<std::string>& all, const std::string& words) {
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& s) { return s.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("a start that crosses is told where the method promises that nothing does, with what to do") {
  for (const char* method : {"two_way", "repulsion"}) {
    const auto told = warnings_of_start(two_sheets(method, true));
    REQUIRE(told.size() == 1);
    CHECK(has(told, "triangles of the cloth cross or touch each other"));
    CHECK(has(told, "existing ones may stay"));
    CHECK(has(told, "weft repair"));
    CHECK(warnings_of_start(two_sheets(method, false)).empty());
  }
  for (const char* method : {"bodies", "none"}) CHECK(warnings_of_start(two_sheets(method, true)).empty());
}

TEST_CASE("a start in a body is told only where bodies are promised to be kept out of exactly") {
  CHECK(has(warnings_of_start(sheet_through_a_ball("two_way")), "cross a body"));
  CHECK(warnings_of_start(sheet_through_a_ball("repulsion")).empty());
}

TEST_CASE("the number of crossed triangles counts each once") {
  auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation sim(two_sheets("two_way", true), *device);
  const StateCrossings both = state_crossings(sim, kCrossesItself | kCrossesBodies);
  // The line of the cut is 0.1 m long, and each sheet has some triangle of 20 mm all along it.
  CHECK(both.own >= 10);
  CHECK(both.own <= sim.model().triangle_count());
  CHECK(both.with_bodies == 0);
  CHECK(crossing_warning(both).find(std::to_string(both.own) + " triangles") == 0);
  CHECK(crossing_warning({1, 0}).find("1 triangle of the cloth crosses or touches another") == 0);
  CHECK(crossing_warning({0, 2}).find("2 triangles of the cloth cross a body") == 0);
  CHECK(crossing_warning({0, 0}).empty());
  CHECK(crossing_warning({3, 1}).find(
            "3 triangles of the cloth cross or touch each other, 1 crosses a body.") == 0);
  CHECK(crossing_warning({3, 1}, false).find("Reset") != std::string::npos);
  CHECK(crossing_remark({0, 0}).empty());
  CHECK(crossing_remark({3, 1}).find("3 triangles crossed cloth and 1 a body") == 0);
  Simulation ball(sheet_through_a_ball("two_way"), *device);
  CHECK(state_crossings(ball, kCrossesBodies).with_bodies > 0);
  CHECK(state_crossings(ball, kCrossesItself).with_bodies == 0);
}

TEST_CASE(
    "a method that promises more is warned of when it is chosen, once, and again after a reset to a start "
    "that was not looked at") {
  Runner runner(two_sheets("bodies", true), {.device = DeviceChoice::cpu, .threads = 1});
  CHECK(warnings(runner).empty());
  const auto promise = [&] {
    const uint64_t before = runner.latest()->id;
    runner.post(SetParam{"forces.air_damping", before % 2 ? "0.1" : "0.2"});  // a change that is published
    while (runner.latest()->id == before) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return runner.latest()->remarks.front();
  };
  CHECK(promise().find("passes through itself") != std::string::npos);
  runner.post(SetParam{"step.collision", "two_way"});
  CHECK(warnings(runner).size() == 1);
  CHECK(promise().find("crossed cloth when this method began") != std::string::npos);
  runner.post(SetParam{"two_way.bound", "half_distance"});
  runner.post(SetParam{"step.dt", "0.005"});
  CHECK(warnings(runner).empty());
  runner.reset();
  CHECK(warnings(runner).empty());  // the start was checked: it is where it was
  CHECK(promise().find("crossed cloth when this method began") != std::string::npos);
  runner.post(SetParam{"step.collision", "bodies"});
  runner.step_once();
  while (runner.latest()->step == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  runner.post(SetParam{"step.collision", "repulsion"});
  CHECK(warnings(runner).size() == 1);
  runner.load(two_sheets("two_way", false));
  CHECK(warnings(runner).empty());
  CHECK(promise().find("never crosses itself") != std::string::npos);
  runner.load(two_sheets("two_way", true));
  CHECK(warnings(runner).size() == 1);
}

TEST_CASE("a start that crosses in several places names them, and what else repairs a start in a body") {
  auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation one(two_sheets("two_way", true), *device);
  CHECK(state_crossings(one, kCrossesItself).places.empty());
  Scene scene = two_sheets("two_way", true);
  const size_t pair = scene.cloths.size();
  for (size_t c = 0; c < pair; ++c) {  // the same two again, 3 m away
    Cloth copy = scene.cloths[c];
    copy.name += "_away";
    copy.placement.position.x += 3;
    scene.cloths.push_back(copy);
  }
  Simulation two(scene, *device);
  const StateCrossings crossings = state_crossings(two, kCrossesItself);
  CHECK(crossings.places.find("in 2 places, most triangles near (") == 0);
  CHECK(crossings.places.find("(3") != std::string::npos);
  CHECK(crossing_warning(crossings).find(crossings.places) != std::string::npos);
  CHECK(crossing_warning(crossings).find("For a start in a body") == std::string::npos);
  StateCrossings in_body;
  in_body.with_bodies = 2, in_body.repair = "move it";
  CHECK(crossing_warning(in_body).find("For a start in a body: move it.") != std::string::npos);
}
