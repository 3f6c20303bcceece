#include "sim/run/runner.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <thread>

#include "sim/base/error.h"
#include "tests/runner/run_steps.h"
#include "tests/runner/small_scene.h"
#include "tests/support/skip.h"
#include "tests/support/wait.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("a runner starts paused, with the start state in its first frame") {
  Runner runner(small_scene(), one_thread());
  const auto frame = runner.latest();
  const auto view = runner.scene_view();
  CHECK(!runner.playing());
  CHECK(frame->step == 0);
  CHECK(frame->model_id == view->model_id);
  CHECK(frame->vertex_count == int(view->rest.size()));
  REQUIRE(int(frame->positions.size()) == frame->vertex_count);
  REQUIRE(int(frame->normals.size()) == frame->vertex_count);
  for (const vec3& n : frame->normals) CHECK(glm::length(n) == doctest::Approx(1).epsilon(1e-4));
  CHECK(frame->pinned.size() == 2);
}

TEST_CASE("a scene that cannot be built is refused when the runner starts") {
  Scene broken = small_scene();
  broken.cloths[0].shape = ClothShape::obj;
  broken.cloths[0].file = "no/such/file.obj";
  CHECK_THROWS_AS(Runner(broken, one_thread()), Error);
}

TEST_CASE("a single step is one step") {
  Runner runner(small_scene(), one_thread());
  step(runner, 1);
  runner.hash();  // whatever was queued has been done now
  CHECK(runner.latest()->step == 1);
  CHECK(!runner.playing());
  step(runner, 3);
  runner.hash();
  CHECK(runner.latest()->step == 4);
  CHECK(runner.latest()->time == doctest::Approx(0.04));
}

TEST_CASE("the cloth moves while playing and rests while paused") {
  Runner runner(small_scene(), one_thread());
  runner.set_pace(Pace::fastest);
  runner.play();
  REQUIRE(wait_for_step(runner, 20));
  runner.pause();
  const uint64_t hash = runner.hash();
  const int step = runner.latest()->step;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(runner.hash() == hash);
  CHECK(runner.latest()->step == step);
}

TEST_CASE("a frame that is held keeps its contents while the simulation goes on") {
  Runner runner(small_scene(), one_thread());
  step(runner, 1);
  const auto held = runner.latest();
  const std::vector<vec3> copy = held->positions;
  step(runner, 30);
  CHECK(held->step == 1);
  CHECK(held->positions == copy);
  CHECK(runner.latest()->positions != copy);
}

TEST_CASE("frames are reused instead of made anew") {
  Runner runner(small_scene(), one_thread());
  std::set<const void*> memory;
  for (int k = 0; k < 50; ++k) {
    step(runner, 1);
    memory.insert(runner.latest()->positions.data());
  }
  CHECK(memory.size() <= 3);
}

TEST_CASE("commands take effect in order, between steps, also while paused") {
  Runner runner(small_scene(), one_thread());
  step(runner, 2);
  runner.post(PinVertex{5, true});
  runner.post(SetParam{"forces.air_damping", "3"});
  runner.post(PinVertex{5, false});
  runner.post(PinVertex{7, true});
  runner.hash();
  REQUIRE(wait_for([&] { return runner.latest()->pinned.size() == 3; }));
  CHECK(runner.latest()->pinned.size() == 3);
  CHECK(runner.tuned_scene().forces.air_damping == 3);
  CHECK(runner.initial_scene().forces.air_damping != 3);
  const HandRecording hands = runner.hands();
  REQUIRE(hands.commands.size() == 4);
  for (const TimedCommand& c : hands.commands) CHECK(c.step == 2);
  CHECK(std::get<PinVertex>(hands.commands[3].command).vertex == 7);
}

TEST_CASE("a bad command changes nothing and is told in words") {
  Runner runner(small_scene(), one_thread());
  const uint64_t hash = runner.hash();
  runner.post(SetParam{"step.dt", "nan"});
  runner.post(SetParam{"step.dt", "-1"});
  runner.post(SetParam{"no.such_key", "1"});
  runner.post(PinVertex{1 << 20, true});
  CHECK(runner.hash() == hash);
  const auto messages = runner.take_messages();
  REQUIRE(messages.size() == 4);
  for (const auto& [level, text] : messages) CHECK(level == LogLevel::error);
  CHECK(messages[0].second.find("step.dt") != std::string::npos);
  CHECK(runner.take_messages().empty());
  CHECK(runner.hands().commands.empty());
  step(runner, 1);  // still alive
}

TEST_CASE("another scene takes over between two steps and starts from its beginning") {
  Runner runner(small_scene(), one_thread());
  step(runner, 3);
  const uint64_t old_model = runner.latest()->model_id;
  runner.load(small_scene(400));
  REQUIRE(wait_for([&] { return runner.latest()->model_id != old_model; }));
  const auto frame = runner.latest();
  CHECK(frame->step == 0);
  CHECK(frame->model_id == runner.scene_view()->model_id);
  CHECK(frame->vertex_count == int(runner.scene_view()->rest.size()));
  CHECK(frame->vertex_count > 300);
}

TEST_CASE("a scene that fails to build leaves the old one running") {
  Runner runner(small_scene(), one_thread());
  runner.set_pace(Pace::fastest);
  runner.play();
  REQUIRE(wait_for_step(runner, 2));
  Scene broken = small_scene();
  broken.cloths[0].shape = ClothShape::obj;
  broken.cloths[0].file = "no/such/file.obj";
  runner.load(broken);
  runner.hash();
  const int step = runner.latest()->step;
  REQUIRE(wait_for_step(runner, step + 5));
  CHECK(runner.playing());
  const auto messages = runner.take_messages();
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].first == LogLevel::error);
}

TEST_CASE("a change of device keeps the state and what was done") {
  Runner runner(small_scene(), one_thread());
  step(runner, 5);
  runner.post(PinVertex{9, true});
  step(runner, 5);
  const uint64_t hash = runner.hash(), model = runner.latest()->model_id;
  runner.set_device(DeviceChoice::cpu);
  CHECK(runner.hash() == hash);
  CHECK(runner.latest()->model_id == model);
  CHECK(runner.latest()->step == 10);
  CHECK(runner.latest()->pinned.size() == 3);
  CHECK(runner.hands().commands.size() == 1);
  step(runner, 5);
  CHECK(runner.hash() == replay(runner.hands(), runner.initial_scene()));
  CHECK(runner.take_messages().empty());
}

TEST_CASE("a device that cannot be had leaves the simulation where it is") {
  for (const DeviceInfo& d : list_devices())
    if (d.kind == DeviceKind::cuda && d.usable) {
      testing::skip("CUDA can be had here");
      return;
    }
  Runner runner(small_scene(), one_thread());
  step(runner, 2);
  const uint64_t hash = runner.hash();
  runner.set_device(DeviceChoice::cuda);
  CHECK(runner.hash() == hash);
  const auto messages = runner.take_messages();
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].second.find("CUDA") != std::string::npos);
  step(runner, 1);
}

TEST_CASE("in frame-exact mode every step is seen once, however slow the reader is") {
  Runner runner(small_scene(), one_thread());
  runner.set_frame_exact(true);
  std::vector<int> seen;
  uint64_t last = runner.latest()->id;  // before it runs: the first step may be there at once
  runner.play();
  while (seen.size() < 20) {
    REQUIRE(wait_for([&] { return runner.latest()->id != last; }));
    const auto frame = runner.latest();
    last = frame->id;
    seen.push_back(frame->step);
    if (seen.size() % 5 == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      CHECK(runner.latest()->id == last);  // it waits for the release
    }
    runner.release_frame(last);
  }
  for (int k = 0; k < 20; ++k) CHECK(seen[size_t(k)] == k + 1);
  runner.set_frame_exact(false);
  REQUIRE(wait_for_step(runner, 30));
}

TEST_CASE("commands act while frame-exact mode waits for the reader") {
  Runner runner(small_scene(), one_thread());
  runner.set_frame_exact(true);
  runner.play();
  REQUIRE(wait_for_step(runner, 1));
  runner.post(PinVertex{9, true});
  REQUIRE(wait_for([&] { return runner.latest()->pinned.size() == 3; }));
  CHECK(runner.latest()->step == 1);
}

TEST_CASE("a step that gives no finite result pauses and is told with its stage") {
  Runner runner(small_scene(), one_thread());
  step(runner, 2);
  Snapshot broken = runner.snapshot();
  for (auto& [name, bytes] : broken.parts) {
    if (name != "velocity") continue;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(bytes.data() + 30 * sizeof(vec3), &nan, sizeof nan);
  }
  const Snapshot good = runner.snapshot();
  runner.restore(broken);
  runner.play();
  REQUIRE(wait_for([&] { return !runner.playing(); }));
  std::vector<std::pair<LogLevel, std::string>> messages;
  REQUIRE(wait_for([&] {
    messages = runner.take_messages();
    return !messages.empty();
  }));
  CHECK(messages.back().first == LogLevel::error);
  CHECK(messages.back().second.find("step 2") != std::string::npos);
  CHECK(messages.back().second.find("vertex") != std::string::npos);
  runner.restore(good);
  step(runner, 1);  // and it can go on from a good state
  for (const vec3& p : runner.latest()->positions) REQUIRE(std::isfinite(p.x + p.y + p.z));
}

TEST_CASE("the scalar that was asked for comes with the frames") {
  Runner runner(small_scene(), one_thread());
  CHECK(runner.latest()->scalar.empty());
  runner.set_field("speed");
  REQUIRE(wait_for([&] { return !runner.latest()->scalar.empty(); }));
  step(runner, 10);
  const auto frame = runner.latest();
  CHECK(frame->field == "speed");
  REQUIRE(int(frame->scalar.size()) == frame->vertex_count);
  float fastest = 0;
  for (const float s : frame->scalar) fastest = std::max(fastest, s);
  CHECK(fastest == doctest::Approx(frame->stats.max_speed).epsilon(1e-4));
}

TEST_CASE("a test delay makes every step take at least that long") {
  Runner runner(small_scene(), one_thread());
  for (const bool busy : {false, true}) {
    runner.set_test_delay(0.05, busy);
    const auto start = std::chrono::steady_clock::now();
    step(runner, 4);
    CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >= 0.2);
  }
}

TEST_CASE("a runner can be given up in the middle of anything") {
  for (const bool exact : {false, true}) {
    Runner runner(small_scene(), one_thread());
    runner.set_frame_exact(exact);
    runner.set_test_delay(0.01, !exact);
    runner.play();
    wait_for_step(runner, 1);
    runner.post(PinVertex{3, true});
    runner.load(small_scene(200));
  }
  CHECK(true);  // got here: no deadlock, and the sanitizers had nothing to say
}

TEST_CASE("the numbers of every step are handed on however few states are looked at") {
  Runner runner(small_scene(), {.device = DeviceChoice::cpu, .threads = 1});
  runner.set_pace(Pace::fastest);
  runner.watch({7});
  runner.set_time_limit(40 * double(small_scene().step.dt));
  runner.play();
  REQUIRE(wait_for([&] { return runner.latest()->step == 40; }));
  const std::shared_ptr<const Frame> last = runner.latest();
  const std::vector<FrameNumbers> half = runner.take_numbers(last->id - 20),
                                  rest = runner.take_numbers(last->id);
  CHECK(half.size() + rest.size() == 41);
  REQUIRE(rest.size() == 20);
  for (size_t i = 0; i < rest.size(); ++i) {
    CHECK(rest[i].step == 21 + int(i));
    CHECK(rest[i].model_id == last->model_id);
    REQUIRE(rest[i].watched.size() == 1);
  }
  CHECK(rest.back().watched[0].second == last->positions[7]);
  CHECK(rest.back().stats.max_speed == last->stats.max_speed);
  CHECK(runner.take_numbers(last->id).empty());
}
