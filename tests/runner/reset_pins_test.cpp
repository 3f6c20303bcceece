// Pins through a reset: what the window promises of the key R.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "sim/run/runner.h"
#include "tests/runner/small_scene.h"

using namespace weft;
using testing::small_scene;

namespace {

void make_steps(Simulation& simulation, int count) {
  for (int k = 0; k < count; ++k) simulation.step();
}

bool holds(const std::vector<int>& vertices, int v) {
  return std::find(vertices.begin(), vertices.end(), v) != vertices.end();
}

}  // namespace

TEST_CASE("pins made by hand stay through a reset and hold where the cloth starts, freed ones stay free") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation(small_scene(), *device);
  const std::vector<vec3> start = simulation.positions();
  const std::vector<int> scene_pins = simulation.pinned_vertices();
  REQUIRE(scene_pins.size() == 2);
  const int corner = scene_pins[0], made = 70;
  make_steps(simulation, 10);
  REQUIRE(simulation.positions()[size_t(made)] != start[size_t(made)]);
  simulation.apply(PinVertex{made, true});
  simulation.apply(PinVertex{corner, false});
  make_steps(simulation, 5);
  simulation.reset();
  CHECK(holds(simulation.pinned_vertices(), made));
  CHECK_FALSE(holds(simulation.pinned_vertices(), corner));
  CHECK(simulation.scene_to_save().pins.size() == 2);  // the other corner's, and the one made by hand
  make_steps(simulation, 40);
  CHECK(glm::distance(simulation.positions()[size_t(made)], start[size_t(made)]) < 1e-5f);
  CHECK(glm::distance(simulation.positions()[size_t(corner)], start[size_t(corner)]) > 1e-3f);
  // And what a snapshot says of them comes back with it.
  const Snapshot here = simulation.snapshot();
  const std::vector<int> pinned = simulation.pinned_vertices();
  simulation.apply(PinVertex{made, false});
  simulation.restore(here);
  CHECK(simulation.pinned_vertices() == pinned);
}

TEST_CASE("a recording with pins before and after a reset is written, read and gives the same bits") {
  Runner runner(small_scene(), {.device = DeviceChoice::cpu, .threads = 1});
  const auto steps = [&](int count) {
    const int target = runner.hands().steps + count;
    for (int k = 0; k < count; ++k) runner.step_once();
    while (runner.hands().steps != target) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  steps(7);
  runner.post(PinVertex{70, true});
  runner.post(PinVertex{runner.latest()->pinned[0], false});
  steps(3);
  runner.reset();
  steps(2);
  runner.post(PinVertex{12, true});
  steps(6);
  const uint64_t live = runner.hash();
  const std::string path =
      (std::filesystem::temp_directory_path() / ("weft-reset-hands-" + std::to_string(getpid()) + ".toml"))
          .string();
  HandRecording hands = runner.hands();
  hands.scene_path = "of this test";
  write_hands(path, hands);
  const HandRecording read = read_hands(path);
  std::filesystem::remove(path);
  REQUIRE(read.commands.size() == hands.commands.size());

  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation again(small_scene(), *device);
  for (const TimedCommand& c : read.commands) {
    while (again.state().step < c.step) again.step();
    again.apply(c.command);
  }
  while (again.state().step < read.steps) again.step();
  CHECK(again.hash() == live);
  CHECK(again.pinned_vertices().size() == 3);
}
