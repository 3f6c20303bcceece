// Steps that a budget ends before they are solved. No time is measured: a budget of nothing ends a step as
// soon as it may, and one of minutes never does.
#include "sim/step/solve_budget.h"

#include <doctest/doctest.h>

#include <memory>
#include <utility>

#include "sim/base/error.h"
#include "sim/run/simulation.h"
#include "tests/runner/small_scene.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr float kNothing = 1e-9f, kMinutes = 100;  // s

/// A cloth that is pulled about by a hand, to and fro.
struct Dragged {
  std::unique_ptr<Device> device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation;
  vec3 start{0};

  explicit Dragged(float budget, Scene scene = small_scene(400))
      : simulation((scene.step.budget = budget, std::move(scene)), *device) {
    for (int k = 0; k < 5; ++k) simulation.step();
    simulation.apply(GrabBegin{1, 100, {0.3f, 0.3f, 0.4f}, 0});
    start = simulation.handles().at(0).target;
  }
  void drag(int steps) {
    for (int k = 0; k < steps; ++k) {
      simulation.apply(GrabMove{1, start + vec3(0, 0.1f, k % 20 < 10 ? 0.4f : -0.4f)});
      simulation.step();
    }
  }
  int iterations() { return simulation.stats().budget_iterations; }
  int ended() const { return int(recorded<EndSolve>()); }
  template <class C>
  size_t recorded() const {
    size_t count = 0;
    for (const TimedCommand& c : simulation.recorded()) count += std::holds_alternative<C>(c.command);
    return count;
  }
};

/// The hash after what was done there was done again, by commands alone.
uint64_t again(const Dragged& of, Scene scene = small_scene(400)) {
  scene.step.budget = 0;
  Dragged other(0, std::move(scene));
  const std::vector<TimedCommand>& commands = of.simulation.recorded();
  size_t next = 1;  // the first grab is done
  const int steps = const_cast<Dragged&>(of).simulation.state().step;
  while (other.simulation.state().step < steps) {
    for (; next < commands.size() && commands[next].step <= other.simulation.state().step; ++next)
      other.simulation.apply(commands[next].command);
    other.simulation.step();
  }
  return other.simulation.hash();
}

}  // namespace

TEST_SUITE("step") {
  TEST_CASE("a limit by count lets that many iterations through, and says that there was more to do") {
    SolveEnd end;
    end.most = 2;
    const Span<SolveEnd> one(&end, 1);
    CHECK(may_go_on(one));
    CHECK(end.stopped == 0);
    CHECK(may_go_on(one));
    CHECK_FALSE(may_go_on(one));
    CHECK(end.stopped == 1);
    CHECK_FALSE(may_go_on(one));
    CHECK(end.made == 2);
    CHECK(may_go_on({}));
  }

  TEST_CASE("a clock that has run out ends iterations after the least number, and its count does the same") {
    SolveEnd end;
    end.allowed = 0;
    end.began = clock_nanoseconds() - 1000;
    int made = 0;
    while (may_go_on({&end, 1})) ++made;
    CHECK(made == SolveEnd::kLeast);
    CHECK(end.most == made);
    CHECK(end.latest > end.began);
    SolveEnd counted;
    counted.most = made;
    int again = 0;
    while (may_go_on({&counted, 1})) ++again;
    CHECK(again == made);
    CHECK(counted.latest == 0);  // no clock was read
  }

  TEST_CASE(
      "a budget of nothing ends dragged steps early, with the larger error told, until the hand lets go") {
    Dragged cut(kNothing), full(0);
    cut.drag(40), full.drag(40);
    CHECK(cut.iterations() == SolveEnd::kLeast);
    CHECK(full.iterations() == 0);
    CHECK(cut.ended() > 30);
    CHECK(full.ended() == 0);
    CHECK(cut.simulation.stats().solver_residual > 3 * full.simulation.stats().solver_residual);
    CHECK(cut.simulation.stats().max_stretch < 1.5f);
    const int ended = cut.ended();
    const float left = cut.simulation.stats().solver_residual;
    cut.simulation.apply(GrabEnd{1});
    for (int k = 0; k < 20; ++k) {
      cut.simulation.step();
      CHECK(cut.iterations() == 0);
    }
    CHECK(cut.ended() == ended);
    CHECK(cut.simulation.stats().solver_residual < 0.2f * left);
  }

  TEST_CASE("a handle that has been left in place for a second does not end steps any more") {
    Dragged cut(kNothing);
    cut.drag(10);
    for (int k = 0; k < 98; ++k) cut.simulation.step();
    const int ended = cut.ended();
    CHECK(ended > 20);
    for (int k = 0; k < 30; ++k) cut.simulation.step();
    CHECK(cut.ended() <= ended + 2);
    cut.drag(3);
    CHECK(cut.ended() > ended + 2);
  }

  TEST_CASE("a budget of minutes gives the bits of none") {
    Dragged with(kMinutes), without(0);
    with.drag(25), without.drag(25);
    CHECK(with.ended() == 0);
    CHECK(with.simulation.hash() == without.simulation.hash());
  }

  TEST_CASE("what a clock ended replays to the same bits without one, wherever it ended it") {
    // Shorter and longer than a step of this cloth on any machine, and between: the counts differ from run to
    // run, and whatever they are, they replay.
    for (const float budget : {kNothing, 2e-4f, 1e-3f, 3e-3f, 1e-2f}) {
      CAPTURE(budget);
      Dragged run(budget);
      run.drag(25);
      run.simulation.apply(GrabEnd{1});
      for (int k = 0; k < 5; ++k) run.simulation.step();
      CHECK(again(run) == run.simulation.hash());
    }
  }

  TEST_CASE("a step ends after any recorded count, and after none less") {
    for (int count = 1; count < 40; count += 3) {
      Dragged run(0);
      run.simulation.apply(GrabMove{1, run.start + vec3(0, 0, 1)});
      run.simulation.apply(EndSolve{count});
      run.simulation.step();
      CHECK((run.iterations() == count || run.iterations() == 0));
      if (count < 5) CHECK(run.iterations() == count);
      CHECK(run.recorded<EndSolve>() == 1);  // once, as it was given
      run.simulation.step();
      CHECK(run.iterations() == 0);  // of one step only
    }
    Dragged run(0);
    CHECK_THROWS_AS(run.simulation.apply(EndSolve{0}), Error);
  }

  TEST_CASE("a budget in place of the scene's acts as one in the scene does, and 0 switches that off") {
    Dragged of_scene(kNothing), of_caller(0), off(kNothing);
    of_caller.simulation.set_budget(kNothing);
    off.simulation.set_budget(0.0f);
    of_scene.drag(10), of_caller.drag(10), off.drag(10);
    CHECK(of_scene.ended() > 5);
    CHECK(of_scene.simulation.hash() == of_caller.simulation.hash());
    CHECK(off.ended() == 0);
    off.simulation.set_budget(std::nullopt);
    off.drag(10);
    CHECK(off.ended() > 5);
  }

  TEST_CASE("descent and projective dynamics leave iterations out and replay their counts to the same bits") {
    for (const char* solver : {"descent", "projective"}) {
      CAPTURE(solver);
      Scene scene = small_scene(400);
      scene.set("step.solver", solver);
      scene.set("descent.fine_iterations", "48");
      Dragged cut(kNothing, scene), full(0, scene);
      cut.drag(25), full.drag(25);
      CHECK(cut.iterations() == SolveEnd::kLeast);
      CHECK(cut.ended() > 20);
      CHECK(full.ended() == 0);
      CHECK(cut.simulation.stats().solver_residual > full.simulation.stats().solver_residual);
      CHECK(cut.simulation.stats().max_stretch < 1.5f);
      CHECK(again(cut, scene) == cut.simulation.hash());
      Dragged with(kMinutes, scene);
      with.drag(25);
      CHECK(with.simulation.hash() == full.simulation.hash());
    }
  }

  TEST_CASE("a budget of every step ends them without a hand, too") {
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation simulation(small_scene(400), *device);
    int ended = 0;
    const auto run = [&] {
      for (int k = 0; k < 10; ++k) simulation.step(), ended += simulation.stats().budget_iterations > 0;
      return std::exchange(ended, 0);
    };
    simulation.set_budget(kNothing);
    CHECK(run() == 0);
    simulation.set_budget(kNothing, true);
    CHECK(run() >= 5);  // those that had more to do
    simulation.set_budget(std::nullopt);
    CHECK(run() == 0);
  }

  TEST_CASE("a script's drag is a hand, too") {
    Scene scene = small_scene(400);
    ScriptedDrag drag;
    drag.begin = 0.02f, drag.end = 0.3f;
    drag.cloth = scene.cloths.front().name;
    drag.at = {0.5f, 0.2f};
    drag.keys = {{0, {0, 0, 0}}, {0.28f, {0, 0.1f, 0.4f}}};
    scene.drags.push_back(drag);
    scene.step.budget = kNothing;
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation simulation(std::move(scene), *device);
    int ended = 0;
    for (int k = 0; k < 28; ++k) simulation.step(), ended += simulation.stats().budget_iterations > 0;
    CHECK(ended > 15);
    for (int k = 0; k < 20; ++k) simulation.step();
    CHECK(simulation.stats().budget_iterations == 0);
  }

  TEST_CASE(
      "contact is whole in a step that a budget ended: a cloth pulled through a ball does not enter it") {
    Scene scene = small_scene(400);
    scene.set("step.collision", "two_way");
    Obstacle ball;
    ball.name = "ball", ball.size = vec3(0.15f);
    ball.placement.position = {0, 0.9f, 0.3f};
    scene.obstacles.push_back(ball);
    Dragged run(kNothing, std::move(scene));
    for (int k = 0; k < 60; ++k) {
      run.drag(1);
      run.simulation.apply(GrabMove{1, run.start + vec3(0, 0, 0.8f)});
      REQUIRE(run.simulation.stats().max_penetration < 1e-3f);
    }
    CHECK(run.ended() > 30);
    CHECK(run.simulation.failed_end_conditions().empty());
  }
}
