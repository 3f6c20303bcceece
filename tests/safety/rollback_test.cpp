// Groups of collision steps that are taken again as a whole (Wu 2020, section 4.3.4), under the exact
// checker.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "sim/collision/repulsion/constraints/repulsion_params.h"
#include "sim/run/simulation.h"
#include "tests/safety/scene_trials.h"

using namespace weft;

namespace {

/// Two sheets of 20 mm edges, the lower one pinned at its corners, the upper one torn at by a hand of 100 N.
Scene torn_sheets(int rollback_steps) {
  Scene scene;
  scene.set("step.collision", "repulsion");
  scene.contact.ground = false;
  for (int k = 0; k < 2; ++k) {
    Cloth c;
    c.name = k ? "upper" : "lower";
    c.size = {0.24f, 0.24f}, c.edge = 0.02f, c.pattern = "uniform";
    c.placement.position = {0, 0.05f * float(k), 0};
    c.placement.rotation = {-90, 30.0f * float(k), 0};
    scene.cloths.push_back(c);
  }
  for (const char* where : {"top_left", "top_right", "bottom_left", "bottom_right"}) {
    Pin pin;
    pin.cloth = "lower", pin.where = where;
    scene.pins.push_back(pin);
  }
  scene.duration = 0.6f;
  std::mt19937 random(1);
  check::add_violent_drag(scene, random, 0.1f);
  scene.of<RepulsionParams>().rollback_steps = rollback_steps;
  // so that steps fail
  scene.of<RepulsionParams>().soft_iterations = 2, scene.of<RepulsionParams>().penalty = 0.2f;
  return scene;
}

struct Outcome {
  check::Trial trial;
  int failed = 0, rolled_back = 0;  // collision steps, and groups of them
};

Outcome run(int rollback_steps, int steps) {
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(torn_sheets(rollback_steps), *device);
  Outcome out;
  check::look(sim, out.trial);
  for (int k = 0; k < steps; ++k) {
    sim.step();
    check::look(sim, out.trial);
    out.failed += sim.stats().counter("failed_steps"), out.rolled_back += sim.stats().counter("rolled_back");
  }
  return out;
}

void no_state_crosses(int steps) {
  const Outcome single = run(1, steps), groups = run(12, steps);
  for (const Outcome* o : {&single, &groups}) {
    const std::string& first = o->trial.first_crossing;
    CAPTURE(first);
    MESSAGE(o->failed << " steps failed, " << o->rolled_back << " groups were taken again; "
                      << o->trial.crossed_states << " of " << o->trial.states << " states cross");
    CHECK(o->trial.crossed_states == 0);
    CHECK(o->failed > 20);
    CHECK(o->rolled_back > 10);
  }
  CHECK(single.rolled_back >= single.failed);  // each step is a group of its own
  CHECK(groups.rolled_back < groups.failed);   // of several in a row that fail, one group is taken again
}

}  // namespace

TEST_SUITE("safety") {
  TEST_CASE("no state of half a second crosses itself where groups of steps or single ones go back" *
            doctest::test_suite("full")) {
    no_state_crosses(28);
  }
}

TEST_SUITE("full") {
  TEST_CASE(
      "with groups of collision steps that are rolled back and with single ones no state crosses itself") {
    no_state_crosses(40);
  }
}
