// Steps that are given up in the middle.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "sim/base/error.h"
#include "sim/run/runner.h"
#include "sim/run/simulation.h"
#include "tests/support/wait.h"

using namespace weft;

namespace {

/// A sheet that a hand pulls over a ball, so that each method has something to do.
Scene pulled_sheet(const std::string& solver, const std::string& collision) {
  Scene scene;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.size = {0.3f, 0.3f};
  cloth.vertices = 150;
  cloth.placement.position = {0, 0.22f, 0};
  cloth.placement.rotation = {90, 0, 0};
  Obstacle& ball = scene.obstacles.emplace_back();
  ball.shape = ObstacleShape::sphere;
  ball.size = vec3(0.1f);
  ball.placement.position = {0, 0.1f, 0};
  scene.drags.push_back({"", {0.5f, 0.2f}, 0, 1, {{0, vec3(0)}, {0.2f, vec3(0, -0.3f, 0.4f)}}});
  scene.set("step.solver", solver);
  scene.set("step.collision", collision);
  return scene;
}

/// Says yes when asked for the n-th time.
struct AtQuestion {
  int left;
  bool operator()() { return --left == 0; }
};

/// Numbers of the published states of the run that it is told of.
class Published final : public RunListener {
 public:
  void published(const StepStats& stats) override {
    if (stats.time > 0) ++steps_;
  }
  void step_ended(long, Time, Time) override {}
  void stages(long, Time, const std::vector<StageSpan>&, bool) override {}
  int steps() const { return steps_; }

 private:
  std::atomic<int> steps_{0};
};

/// One step of it takes minutes: two sheets so near each other that every collision step has work to do.
Scene endless() {
  Scene scene = pulled_sheet("descent", "repulsion");
  scene.cloths[0].vertices = 2000;
  scene.cloths.push_back(scene.cloths[0]);
  scene.cloths[1].name = "upper";
  scene.cloths[1].placement.position.y += 0.012f;
  scene.set("repulsion.steps", "2000");
  scene.set("repulsion.initial_steps", "100");
  scene.set("repulsion.soft_iterations", "200");
  return scene;
}

/// A run in the middle of its first step, which is one of `endless`.
struct LongStep {
  Runner runner{endless(), {.device = DeviceChoice::cpu, .threads = 1}};
  std::shared_ptr<Published> seen = std::make_shared<Published>();
  LongStep() {
    runner.listen(seen);
    runner.play();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
};

}  // namespace

TEST_CASE(
    "a step that is given up anywhere leaves the state as it was, and the next try gives what it would have "
    "given") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const std::pair<std::string, std::string> methods[] = {{"descent", "none"},
                                                         {"descent", "bodies"},
                                                         {"descent", "repulsion"},
                                                         {"descent", "two_way"},
                                                         {"newton", "two_way"}};
  for (const auto& [solver, collision] : methods) {
    CAPTURE(solver);
    CAPTURE(collision);
    Simulation whole(pulled_sheet(solver, collision), *device),
        given_up(pulled_sheet(solver, collision), *device);
    int times = 0;
    for (int step = 0; step < 12; ++step) {
      whole.step();
      const uint64_t before = given_up.hash();
      for (int question = 1;; question = 2 * question + step % 2) {
        try {
          given_up.step(AtQuestion{question});
          break;
        } catch (const Interrupted&) {
          ++times;
          CHECK(given_up.hash() == before);
          CHECK(given_up.state().step == step);
        }
      }
      CHECK(given_up.hash() == whole.hash());
    }
    CHECK(times >= 12 * 3);
  }
}

TEST_CASE("a step that is given up at any of its questions leaves no half-built search behind" *
          doctest::test_suite("slow")) {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  for (const std::string collision : {"repulsion", "two_way"}) {
    CAPTURE(collision);
    Scene scene = pulled_sheet("descent", collision);
    scene.cloths[0].vertices = 60;
    scene.cloths.push_back(scene.cloths[0]);  // two sheets at a distance that each of them wants to change
    scene.cloths[1].name = "upper";
    scene.cloths[1].placement.position.y += 0.012f;
    scene.set("repulsion.steps", "6");
    Simulation whole(scene, *device);
    whole.step();  // the first step has to search for all that is near
    const uint64_t wanted = whole.hash();
    int questions = 0;
    for (bool asked = true; asked; ++questions) {
      Simulation given_up(scene, *device);
      asked = false;
      try {
        given_up.step(AtQuestion{questions + 1});
      } catch (const Interrupted&) {
        asked = true;
        given_up.step();
      }
      REQUIRE(given_up.hash() == wanted);
    }
    CHECK(questions > 30);
  }
}

TEST_CASE("a runner ends in the middle of a step that would take minutes") {
  std::shared_ptr<Published> seen;
  {
    LongStep run;
    seen = run.seen;
  }
  CHECK(seen->steps() == 0);
}

TEST_CASE("another scene and a reset do not wait for a step that would take minutes") {
  LongStep run;
  run.runner.reset();
  run.runner.play();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  run.runner.pause();
  run.runner.load(pulled_sheet("descent", "none"));
  CHECK(testing::wait_for([&] { return run.runner.scene_view()->rest.size() < 1000; }, 300));
  CHECK(run.seen->steps() == 0);
}

TEST_CASE("a parameter acts on a step that would take minutes, which is then made with it") {
  LongStep run;
  run.runner.post(SetParam{"step.collision", "none"});
  CHECK(testing::wait_for([&] { return run.runner.latest()->step > 0; }, 300));
  const HandRecording hands = run.runner.hands();
  REQUIRE(hands.commands.size() == 1);
  CHECK(hands.commands[0].step == 0);
}

TEST_CASE("a question interrupts a long step once, and hands never do" * doctest::test_suite("slow")) {
  LongStep run;
  CHECK(run.runner.tuned_scene().cloths.size() == 2);  // would take minutes
  CHECK(run.seen->steps() == 0);
  run.runner.post(PinVertex{3, true});
  run.runner.post(SetParam{"repulsion.steps", "72"});  // the pin waits with it
  CHECK(testing::wait_for([&] { return run.runner.latest()->step > 0; }, 300));
  CHECK(run.runner.hands().commands.size() == 2);
}
