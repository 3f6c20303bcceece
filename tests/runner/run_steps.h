// A Runner that is stepped, and waited for.
#pragma once
#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "sim/run/runner.h"
#include "tests/support/wait.h"

namespace weft::testing {

inline Runner::Options one_thread() { return {.device = DeviceChoice::cpu, .threads = 1}; }

inline bool wait_for_step(const Runner& runner, int step) {
  return wait_for([&] { return runner.latest()->step >= step; });
}

/// Makes steps and waits for them. Asks the simulator itself: the latest frame may be older than what was
/// posted before.
inline void step(Runner& runner, int count) {
  const int target = runner.hands().steps + count;
  for (int k = 0; k < count; ++k) runner.step_once();
  REQUIRE(wait_for([&] { return runner.hands().steps == target; }));
}

/// Runs a recording on a bare Simulation and returns the final hash.
inline uint64_t replay(const HandRecording& recording, Scene scene) {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  for (const auto& [key, text] : recording.overrides) scene.set(key, text);
  Simulation simulation(scene, *device);
  size_t next = 0;
  for (;;) {
    for (; next < recording.commands.size() && recording.commands[next].step == simulation.state().step;
         ++next)
      simulation.apply(recording.commands[next].command);
    if (next == recording.commands.size() && simulation.state().step >= recording.steps)
      return simulation.hash();
    simulation.step();
  }
}

}  // namespace weft::testing
