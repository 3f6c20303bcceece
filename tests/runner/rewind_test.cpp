// Going back in a run, and on from there.
#include <doctest/doctest.h>

#include <climits>
#include <map>

#include "sim/base/inject.h"
#include "sim/files/run.h"
#include "tests/runner/run_steps.h"
#include "tests/runner/small_scene.h"
#include "tests/support/variants.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr size_t kBudget = size_t(1) << 28;

/// Makes steps and returns the hash after each, by step.
std::map<int, uint64_t> hashes(Runner& runner, int count) {
  std::map<int, uint64_t> all;
  for (int k = 0; k < count; ++k) {
    step(runner, 1);
    const int at = runner.hands().steps;
    all[at] = runner.hash();
  }
  return all;
}

void go_to(Runner& runner, int to) {
  runner.go_to(to);
  runner.hash();  // after it
}

int shown_step(Runner& runner) { return runner.timeline()->step(); }

void same_forward(const Scene& scene, bool drag) {
  Runner runner(scene, one_thread());
  runner.set_history_budget(kBudget);
  hashes(runner, 3);
  if (drag) {
    runner.post(GrabBegin{1, 20, {0.3f, 0.3f, 0.4f}, 0});
    runner.post(GrabMove{1, {0.1f, 1.0f, 0.1f}});
  }
  const std::map<int, uint64_t> first = hashes(runner, 6);
  for (const auto& [at, hash] : first) {
    go_to(runner, at);
    CHECK(runner.hash() == hash);  // of any kept step
  }
  go_to(runner, 5);
  REQUIRE(shown_step(runner) == 5);
  const std::map<int, uint64_t> again = hashes(runner, 4);
  for (const auto& [at, hash] : again) CHECK_MESSAGE(first.at(at) == hash, "step " << at);
}

}  // namespace

TEST_CASE("any kept step and forward again gives the same bits for every solver and method") {
  for (const Variant& v : every_variant()) {
    if (!v.key.empty()) continue;
    INFO(v.name());
    same_forward(v.scene(250), true);
  }
}

TEST_CASE("going back shows the state and leaves what came after it until the run goes on") {
  Runner runner(small_scene(), one_thread());
  runner.set_history_budget(kBudget);
  const std::map<int, uint64_t> first = hashes(runner, 8);
  go_to(runner, 3);
  CHECK(runner.hash() == first.at(3));
  CHECK(runner.latest()->step == 3);
  CHECK(runner.timeline()->kept.size() == 9);  // with the start
  CHECK(runner.timeline()->shown == 3);
  go_to(runner, INT_MAX);
  CHECK(runner.hash() == first.at(8));
  CHECK(runner.timeline()->shown == -1);
  const uint64_t branch = runner.timeline()->branch;
  go_to(runner, 3);
  step(runner, 1);
  CHECK(runner.hash() == first.at(4));
  CHECK(runner.timeline()->kept.size() == 5);
  CHECK(runner.timeline()->branch == branch + 1);
  CHECK(runner.timeline()->branch_step == 3);
  go_to(runner, 0);
  CHECK(shown_step(runner) == 0);
}

TEST_CASE("a branch with another parameter replays to the same bits") {
  Runner runner(small_scene(), one_thread());
  runner.set_history_budget(kBudget);
  hashes(runner, 4);
  runner.post(SetParam{"fabric.stretch_stiffness", "900"});
  runner.post(PinVertex{20, true, false, {}});
  hashes(runner, 4);
  go_to(runner, 2);
  runner.post(SetParam{"forces.wind", "[0, 0, 3]"});
  go_to(runner, 7);
  CHECK(runner.timeline()->changed);
  go_to(runner, 3);
  step(runner, 5);
  const HandRecording hands = runner.hands();
  // what was set later acts from here on, and the pin of later steps is gone
  REQUIRE(hands.commands.size() == 2);
  for (const TimedCommand& c : hands.commands) CHECK(c.step == 3);
  CHECK(replay(hands, runner.initial_scene()) == runner.hash());
}

TEST_CASE("a state of another method is gone back to with the method that is set") {
  Scene scene = small_scene();
  scene.set("step.solver", "newton");
  Runner runner(scene, one_thread());
  runner.set_history_budget(kBudget);
  hashes(runner, 4);
  runner.post(SetParam{"step.solver", "descent"});
  hashes(runner, 4);
  go_to(runner, 2);
  CHECK(runner.take_messages().empty());
  CHECK(shown_step(runner) == 2);
  CHECK(solvers()[size_t(runner.tuned_scene().step.solver)].name == "descent");
  step(runner, 2);
  CHECK(replay(runner.hands(), runner.initial_scene()) == runner.hash());
}

TEST_CASE("a drag is undone to the state in which it began with the pins from before") {
  Runner runner(small_scene(), one_thread());
  runner.set_history_budget(kBudget);
  hashes(runner, 3);
  runner.post(PinVertex{20, true, false, {}});
  const uint64_t before = runner.hash();
  runner.post(GrabBegin{7, 40, {0.3f, 0.3f, 0.4f}, 0});
  runner.post(GrabMove{7, {0, 1, 1}});
  CHECK(runner.hash() != before);
  runner.go_to_grab(7);  // no step was made yet
  CHECK(runner.hash() == before);
  CHECK(runner.hands().commands.size() == 1);
  runner.post(GrabBegin{8, 40, {0.3f, 0.3f, 0.4f}, 0});
  runner.post(GrabMove{8, {0, 1, 1}});
  hashes(runner, 5);
  runner.post(GrabEnd{8});
  hashes(runner, 2);
  runner.go_to_grab(8);
  CHECK(runner.hash() == before);
  CHECK(runner.latest()->handles.empty());
  runner.go_to_grab(99);
  CHECK(runner.hash() == before);
  REQUIRE(!runner.take_messages().empty());
}

TEST_CASE("a reset and another scene begin a new history and say so") {
  Runner runner(small_scene(), one_thread());
  runner.set_history_budget(kBudget);
  hashes(runner, 5);
  runner.reset();
  REQUIRE(wait_for([&] { return runner.timeline()->kept.size() == 1; }));
  CHECK(runner.timeline()->why == "It begins at the reset.");
  hashes(runner, 5);
  runner.load(small_scene(300));
  runner.hash();
  CHECK(runner.timeline()->kept.size() == 1);
  CHECK(runner.timeline()->why.empty());
}

TEST_CASE("a run without memory for its history goes on and says so") {
  Runner runner(small_scene(), one_thread());
  runner.set_history_budget(0);
  hashes(runner, 5);
  CHECK(runner.timeline()->kept.empty());
  CHECK(runner.timeline()->why.find("budget of memory is 0") != std::string::npos);
  go_to(runner, 2);
  const auto messages = runner.take_messages();
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].second.find("No earlier state is kept") != std::string::npos);
  CHECK(runner.hands().steps == 5);
  runner.set_history_budget(size_t(1) << 20);
  hashes(runner, 5);
  CHECK(runner.timeline()->kept.size() == 6);
}

TEST_CASE("frames of kept steps are what was published and leave the run as it is") {
  Scene scene = cornered_cloth(250);
  scene.obstacles[0].motion.keys = {{0, vec3(0)}, {1, {0.2f, 0, 0}, vec3(0)}};
  Runner runner(scene, one_thread());
  runner.set_history_budget(kBudget);
  std::vector<std::vector<vec3>> seen;
  for (int k = 0; k < 6; ++k) {
    step(runner, 1);
    seen.push_back(runner.latest()->positions);
  }
  const uint64_t before = runner.hash();
  const std::vector<RunFrame> frames = runner.kept_frames({2, 4, 5});
  REQUIRE(frames.size() == 3);
  CHECK(frames[1].step == 4);
  CHECK(frames[0].positions != frames[1].positions);
  const std::vector<vec3>& cloth = seen[3];
  CHECK(std::equal(cloth.begin(), cloth.end(), frames[1].positions.begin()));
  CHECK(frames[1].positions.back() != frames[0].positions.back());  // the body moves
  CHECK(runner.hash() == before);
  CHECK_THROWS_AS(runner.kept_frames({2, 77}), Error);
  CHECK(runner.hash() == before);
}
