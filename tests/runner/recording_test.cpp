// What was done by hand, replayed: also after snapshots and resets.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sim/methods/solve_end.h"
#include "tests/runner/run_steps.h"
#include "tests/runner/small_scene.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("what was done by hand replays to the same state") {
  Runner runner(small_scene(), one_thread());
  runner.set_pace(Pace::fastest);
  runner.play();
  REQUIRE(wait_for_step(runner, 5));
  runner.post(GrabBegin{1, 20, {0.3f, 0.3f, 0.4f}, 0});
  for (int k = 0; k < 30; ++k) {
    runner.post(GrabMove{1, {0.01f * float(k), 1.0f, 0.02f * float(k)}});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  runner.post(SetParam{"fabric.stretch_stiffness", "900"});
  runner.post(GrabEnd{1});
  runner.hash();
  REQUIRE(wait_for_step(runner, runner.latest()->step + 10));
  runner.pause();
  const uint64_t hash = runner.hash();
  const HandRecording hands = runner.hands();
  CHECK(hands.commands.size() == 33);
  CHECK(replay(hands, runner.initial_scene()) == hash);
}

TEST_CASE("in a run slower than real time the hand is followed faster, and that replays to the same bits") {
  Runner runner(small_scene(), one_thread());
  const auto factor = [&] { return std::get<GrabMove>(runner.hands().commands.back().command).speed_factor; };
  runner.set_test_delay(0.05, false);
  runner.post(GrabBegin{1, 20, {0.3f, 0.3f, 0.4f}, 0});
  runner.post(GrabMove{1, {0, 1.0f, 0.1f}});
  CHECK(factor() == 1);  // paused
  runner.play();
  REQUIRE(wait_for_step(runner, 5));
  runner.post(GrabMove{1, {0.5f, 1.0f, 2.0f}});
  CHECK(factor() > 2);
  REQUIRE(wait_for_step(runner, runner.latest()->step + 10));
  runner.pause();
  const uint64_t hash = runner.hash();
  const HandRecording hands = runner.hands();
  CHECK(replay(hands, runner.initial_scene()) == hash);
  HandRecording without = hands;
  std::get<GrabMove>(without.commands.back().command).speed_factor = 1;
  CHECK(replay(without, runner.initial_scene()) != hash);
}

TEST_CASE("steps that were ended to keep up while a hand dragged replay to the same bits, without a clock") {
  Scene scene = small_scene(400);
  scene.step.budget = 1e-9f;
  Runner runner(std::move(scene), one_thread());
  runner.set_keep_up({});
  runner.play();
  REQUIRE(wait_for_step(runner, 3));
  runner.post(GrabBegin{1, 100, {0.3f, 0.3f, 0.4f}, 0});
  for (int k = 0; k < 20; ++k) {
    runner.post(GrabMove{1, {0, 1.0f, 0.03f * float(k)}});
    REQUIRE(wait_for_step(runner, runner.latest()->step + 1));
  }
  CHECK(runner.latest()->stats.budget_iterations == SolveEnd::kLeast);
  runner.post(SetParam{"step.budget", "1e-6"});
  runner.post(GrabEnd{1});
  runner.hash();
  REQUIRE(wait_for_step(runner, runner.latest()->step + 10));
  CHECK(runner.latest()->stats.budget_iterations == 0);
  runner.pause();
  const uint64_t hash = runner.hash();
  const HandRecording hands = runner.hands();
  const auto is_end = [](const TimedCommand& c) { return std::holds_alternative<EndSolve>(c.command); };
  CHECK(std::count_if(hands.commands.begin(), hands.commands.end(), is_end) > 10);
  CHECK(replay(hands, runner.initial_scene()) == hash);
  HandRecording solved = hands;
  std::erase_if(solved.commands, is_end);
  CHECK(replay(solved, runner.initial_scene()) != hash);
}

TEST_CASE("a step by hand, and one that a video waits for, is solved whatever the budget") {
  Runner runner(small_scene(400), one_thread());
  runner.set_keep_up({true, 1e-9f});
  runner.post(GrabBegin{1, 100, {0.3f, 0.3f, 0.4f}, 0});
  runner.post(GrabMove{1, {0, 1.0f, 0.5f}});
  step(runner, 3);
  CHECK(runner.latest()->stats.budget_iterations == 0);
  runner.set_frame_exact(true);
  runner.play();
  REQUIRE(wait_for_step(runner, 4));
  CHECK(runner.latest()->stats.budget_iterations == 0);
  runner.set_frame_exact(false);
  REQUIRE(wait_for_step(runner, 6));
  CHECK(runner.latest()->stats.budget_iterations > 0);
}

TEST_CASE("how long the present step takes is known while it is made") {
  Runner runner(small_scene(), one_thread());
  CHECK(runner.step_seconds() == 0);
  runner.set_test_delay(0.3, false);
  runner.step_once();
  CHECK(wait_for([&] { return runner.step_seconds() > 0.1; }));
  CHECK(wait_for([&] { return runner.latest()->step == 1 && runner.step_seconds() == 0; }));
}

TEST_CASE("a restored snapshot gives the same future, and its recording still replays") {
  Runner runner(small_scene(), one_thread());
  runner.post(PinVertex{9, true});
  step(runner, 10);
  const Snapshot snapshot = runner.snapshot();
  step(runner, 10);
  const uint64_t expected = runner.hash();
  runner.restore(snapshot);
  step(runner, 10);
  CHECK(runner.hash() == expected);
  runner.restore(snapshot);
  runner.post(PinVertex{20, true});
  step(runner, 10);
  runner.post(PinVertex{9, false});  // undone by the restore below
  runner.post(SetParam{"forces.air_damping", "4"});
  runner.restore(snapshot);
  step(runner, 5);
  const HandRecording hands = runner.hands();
  // the pin before the snapshot, and the parameter, which restoring does not undo
  REQUIRE(hands.commands.size() == 2);
  CHECK(hands.commands[1].step == 10);
  CHECK(replay(hands, runner.initial_scene()) == runner.hash());
  CHECK(runner.take_messages().empty());
}

TEST_CASE(
    "a snapshot of what was given up is told apart from the run's own, however many commands each has seen") {
  Runner runner(small_scene(), one_thread());
  const auto notices = [&] {
    runner.hash();
    return runner.take_messages().size();
  };
  step(runner, 2);
  const Snapshot early = runner.snapshot();
  runner.post(PinVertex{9, true});
  step(runner, 2);
  const Snapshot given_up = runner.snapshot();
  runner.restore(early);
  runner.post(PinVertex{20, true});
  step(runner, 2);
  const Snapshot present = runner.snapshot();
  runner.post(PinVertex{30, true});
  runner.restore(present);
  CHECK(notices() == 0);
  CHECK(runner.hands().commands.size() == 1);
  CHECK(replay(runner.hands(), runner.initial_scene()) == runner.hash());
  runner.restore(given_up);  // one command too, but another
  CHECK(notices() == 1);
  CHECK(runner.hands().commands.empty());
  step(runner, 1);
  const Snapshot after = runner.snapshot();
  runner.restore(after);
  CHECK(notices() == 0);
  runner.restore(early);  // its past is no part of what is recorded now
  CHECK(notices() == 1);
}

TEST_CASE("after a reset the recording replays, too") {
  Runner runner(small_scene(), one_thread());
  step(runner, 7);
  runner.post(PinVertex{9, true});
  step(runner, 3);
  runner.reset();
  REQUIRE(wait_for([&] { return runner.latest()->step == 0; }));
  step(runner, 2);
  runner.post(PinVertex{12, true});
  step(runner, 4);
  CHECK(replay(runner.hands(), runner.initial_scene()) == runner.hash());
}
