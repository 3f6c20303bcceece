// Steps up to a simulated time, and commands that wait for theirs.
#include <doctest/doctest.h>

#include <limits>
#include <thread>

#include "sim/run/runner.h"
#include "tests/runner/small_scene.h"
#include "tests/support/wait.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr int kStop = 12;  // steps

struct Limited {
  Runner runner{small_scene(), {.device = DeviceChoice::cpu, .threads = 1}};
  double dt = double(small_scene().step.dt);
  Limited() { runner.set_pace(Pace::fastest); }
  void run_to(int step) {
    runner.set_time_limit(step * dt);
    runner.play();
    REQUIRE(wait_for([&] { return runner.latest()->step >= step; }));
  }
};

}  // namespace

TEST_CASE("a runner that plays makes no step from its time limit on and goes on when that is raised") {
  Limited l;
  l.run_to(kStop);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(l.runner.latest()->step == kStop);
  CHECK(l.runner.playing());
  l.run_to(2 * kStop);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(l.runner.latest()->step == 2 * kStop);
  l.runner.set_time_limit(std::numeric_limits<double>::infinity());
  CHECK(wait_for([&] { return l.runner.latest()->step > 2 * kStop + 3; }));
}

TEST_CASE("commands for a time act before the first step from then whenever they are given") {
  const auto hash = [](bool early) {
    Limited l;
    const auto give = [&](int step, const Command& command) { l.runner.post_at(step * l.dt, command); };
    if (early) {
      give(5, GrabBegin{1, 20, vec3(0.3f, 0.3f, 0.4f), 0});
      give(5, GrabMove{1, vec3(0.2f, 0.7f, 0.4f)});
      give(9, SetParam{"forces.air_damping", "3"});
    }
    l.run_to(5);
    if (!early) {
      give(5, GrabBegin{1, 20, vec3(0.3f, 0.3f, 0.4f), 0});
      give(5, GrabMove{1, vec3(0.2f, 0.7f, 0.4f)});
    }
    l.run_to(9);
    if (!early) give(9, SetParam{"forces.air_damping", "3"});
    l.run_to(kStop);
    const HandRecording hands = l.runner.hands();
    REQUIRE(hands.commands.size() == 3);
    CHECK(hands.commands[0].step == 5);
    CHECK(hands.commands[2].step == 9);
    return l.runner.hash();
  };
  CHECK(hash(true) == hash(false));
}

TEST_CASE("commands that wait for their time are dropped by a reset") {
  Limited l;
  l.run_to(3);
  l.runner.post_at(8 * l.dt, PinVertex{.vertex = 40});
  l.runner.reset();
  REQUIRE(wait_for([&] { return l.runner.latest()->step == 3; }));  // it plays to its limit again
  l.run_to(kStop);
  CHECK(l.runner.latest()->hand_pins.empty());
}

TEST_CASE("a limit for a paused run is reached in pause and no step is made beyond or held for a picture") {
  Limited l;
  l.runner.set_frame_exact(true);
  l.runner.set_time_limit(kStop * l.dt, true);
  REQUIRE(wait_for([&] { return l.runner.latest()->step >= kStop; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(l.runner.latest()->step == kStop);
  CHECK_FALSE(l.runner.playing());
  l.runner.set_time_limit(std::numeric_limits<double>::infinity());
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(l.runner.latest()->step == kStop);
}
