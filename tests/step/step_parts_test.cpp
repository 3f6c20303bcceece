// Steps without a finite result: made again in 2, 4, then 8 parts.
#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/inject.h"
#include "sim/run/simulation.h"
#include "tests/faults/faults.h"
#include "tests/runner/small_scene.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr int kSteps = 20;  // before the one that fails

struct Run {
  std::unique_ptr<Device> device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation;
  explicit Run(const Methods& methods) : simulation(methods.applied_to(small_scene(150)), *device) {
    while (simulation.state().step < kSteps) simulation.step();
  }
};

/// The step that follows kSteps with `faults`, against the same time in `parts` steps of its own.
void check_parts(const Methods& methods, const std::string& faults, int parts) {
  CAPTURE(methods.table());
  CAPTURE(faults);
  Run broken(methods), plain(methods);
  const double begin = broken.simulation.state().time, dt = broken.simulation.scene().step.dt;
  {
    const Injected nan(faults);
    broken.simulation.step();
  }
  plain.simulation.apply(SetParam{"step.dt", std::to_string(dt / parts)});
  for (int i = 0; i < parts; ++i) plain.simulation.step();
  CHECK(broken.simulation.state().step == kSteps + 1);
  CHECK(std::abs(broken.simulation.state().time - begin - dt) < 1e-9);
  CHECK(broken.simulation.positions() == plain.simulation.positions());
}

}  // namespace

TEST_CASE("a step that fails once is the same as two steps of half its time") {
  for (const Methods& methods : kMethods) check_parts(methods, "nan@20:vertex=7", 2);
}

TEST_CASE("a step that fails in the second of two parts goes back to its start and is made in four") {
  // Questions of step 20: the whole step (fails), the first part, the second part (fails).
  for (const Methods& methods : kMethods) check_parts(methods, "nan:vertex=7:each=2:times=2", 4);
}
