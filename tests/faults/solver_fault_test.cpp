// Numbers that are none, parameters that make no sense, and everything switched at once.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <random>
#include <thread>

#include "sim/base/error.h"
#include "sim/run/runner.h"
#include "sim/scene/text/scene_file.h"
#include "tests/faults/faults.h"
#include "tests/support/wait.h"

using namespace weft;
using namespace weft::testing;

namespace {

Scene scene_of(const Folder& folder) { return read_scene(folder.write("small.toml", small_scene())); }

bool finite(const std::vector<vec3>& positions) {
  for (const vec3& p : positions)
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) return false;
  return !positions.empty();
}

/// Messages of errors, one a line.
std::string errors_of(Runner& runner) {
  std::string all;
  for (const auto& [level, text] : runner.take_messages())
    if (level == LogLevel::error) all += text + "\n";
  return all;
}

}  // namespace

TEST_CASE("a vertex that is not finite once is undone: the step is made again in parts and keeps its time") {
  Folder folder;
  for (const Methods& methods : kMethods) {
    CAPTURE(methods.table());
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation simulation(methods.applied_to(scene_of(folder)), *device);
    for (int stage = 0; stage < 2; ++stage) {
      const Injected nan(fmt::format("nan@{}:vertex=7:stage={}", 20 + stage, stage));
      while (simulation.state().step < 20 + stage) simulation.step();
      const double before = simulation.state().time;
      simulation.step();
      CHECK(simulation.state().step == 21 + stage);
      CHECK(std::abs(simulation.state().time - before - 0.01) < 1e-6);
      CHECK(finite(simulation.positions()));
    }
  }
}

TEST_CASE(
    "a vertex that stays no number ends in an error that names stage and vertex, with the state as it was") {
  Folder folder;
  for (const Methods& methods : kMethods) {
    CAPTURE(methods.table());
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation simulation(methods.applied_to(scene_of(folder)), *device);
    while (simulation.state().step < 20) simulation.step();
    const uint64_t before = simulation.hash();
    std::string said;
    {
      const Injected nan("nan@20:vertex=7:times=4");
      try {
        simulation.step();
      } catch (const Error& e) {
        said = e.what();
      }
    }
    CHECK(said.find("prediction, vertex 7") != std::string::npos);
    CHECK(said.find("step 20 gave no finite result, not even in 8 parts") != std::string::npos);
    CHECK(simulation.hash() == before);
    {
      const Injected nan("nan@20:vertex=7:times=4:stage=1");
      CHECK_THROWS_WITH_AS(simulation.step(), doctest::Contains("solver, first iteration"), Error);
    }
    CHECK(simulation.hash() == before);
    simulation.step();  // the fault has passed
    CHECK(simulation.state().step == 21);
  }
}

TEST_CASE("after eight parts the window's run pauses, keeps its state and can go on") {
  Folder folder;
  const Injected nan("nan@20:vertex=7:times=4");
  Runner runner(scene_of(folder), {.device = DeviceChoice::cpu, .threads = 1});
  runner.set_pace(Pace::fastest);
  runner.play();
  REQUIRE(wait_for([&] { return !runner.playing(); }));
  CHECK(runner.hands().steps == 20);
  const std::string said = errors_of(runner);
  CHECK(said.find("prediction, vertex 7") != std::string::npos);
  CHECK(said.find("paused at step 20") != std::string::npos);
  CHECK(finite(runner.latest()->positions));
  runner.play();
  CHECK(wait_for([&] { return runner.latest()->step >= 30; }));
}

TEST_CASE("a headless run that breaks off keeps its files and its last state") {
  Folder folder;
  folder.write("small.toml", small_scene());
  const Outcome o = testing::weft(folder,
                                  {"small.toml", "--headless", "--frames", "40", "--states", "out", "--cache",
                                   "run.weftcache", "--save-snapshot", "last"},
                                  {{"WEFT_INJECT", "nan@20:vertex=7:times=4"}});
  CHECK(o.status == 1);
  CHECK(o.says("prediction, vertex 7"));
  CHECK(o.prints("cache: 21 frames"));
  const Outcome on =
      testing::weft(folder, {"small.toml", "--headless", "--frames", "20", "--load-snapshot", "last"});
  CHECK(on.status == 0);
  CHECK(on.hash() == testing::weft(folder, {"small.toml", "--headless", "--frames", "40"}).hash());
}

/// Refused as a command; a scene that has it all the same runs for 60 steps, or pauses.
void check_million_times_stiffer(const Methods& methods, const char* model) {
  CAPTURE(methods.table());
  CAPTURE(model);
  Folder folder;
  Scene scene = methods.applied_to(scene_of(folder));
  scene.set("step.elastic_model", model);
  Runner runner(scene, {.device = DeviceChoice::cpu, .threads = 1});
  runner.set_pace(Pace::fastest);
  runner.play();
  REQUIRE(wait_for([&] { return runner.latest()->step >= 10; }));
  const float usual = scene.cloths[0].fabric.stretch_stiffness;
  // beyond the range: refused
  runner.post(SetParam{"fabric.stretch_stiffness", fmt::format("{}", 1e6 * double(usual))});
  runner.hash();
  CHECK(errors_of(runner).find("stretch_stiffness") != std::string::npos);
  CHECK(runner.scene_view() != nullptr);
  // Past the range, as no one can set it: the scene of a file is checked, too, so that it is made here.
  scene.cloths[0].fabric.stretch_stiffness = 1e6f * usual, scene.cloths[0].fabric.bending_rigidity *= 1e6f;
  runner.load(scene);
  REQUIRE(wait_for([&] { return runner.hands().steps < 10 || !runner.playing(); }));
  const bool went_on = wait_for([&] { return runner.latest()->step >= 60 || !runner.playing(); });
  REQUIRE(went_on);
  if (!runner.playing()) CHECK(errors_of(runner).find("vertex") != std::string::npos);
  CHECK(finite(runner.latest()->positions));
  for (const vec3& p : runner.latest()->positions) REQUIRE(glm::length(p) < 100);
}

TEST_CASE("a million times the stiffness while it runs stays finite, or pauses with a message") {
  for (const Methods& methods : kMethods)
    for (const char* model : {"springs", "finite_elements"}) check_million_times_stiffer(methods, model);
}

TEST_CASE(
    "lists of pairs that overflow in the middle of a run grow, and the step is taken again from the state "
    "before") {
  Scene scene;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.vertices = 150, cloth.size = {0.3f, 0.3f};
  cloth.placement.position = {0, 0.21f, 0}, cloth.placement.rotation = {-90, 0, 0};
  Obstacle& box = scene.obstacles.emplace_back();
  box.shape = ObstacleShape::box, box.size = {0.2f, 0.1f, 0.2f}, box.placement.position = {0, 0.15f, 0};
  constexpr int kRoomPerVertex = 12;  // TriangleSearch begins with room for so many
  const auto search_far = [](Simulation& s, bool far) {
    s.apply(SetParam{"two_way.search_min", far ? "0.1" : "0"});
  };
  for (const char* solver : {"descent", "newton"}) {
    CAPTURE(solver);
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Simulation tight(Methods{solver, "two_way"}.applied_to(scene), *device),
        roomy(Methods{solver, "two_way"}.applied_to(scene), *device);
    // One of them has had the room before; all else is put back.
    const Snapshot start = roomy.snapshot();
    search_far(roomy, true), roomy.step(), search_far(roomy, false), roomy.restore(start);
    for (int k = 0; k < 16; ++k) {
      if (k == 10) search_far(tight, true), search_far(roomy, true);
      tight.step(), roomy.step();
      REQUIRE(tight.hash() == roomy.hash());
    }
    CHECK(tight.stats().counter("vertex_triangle_pairs") > kRoomPerVertex * tight.model().vertex_count());
  }
}

TEST_CASE(
    "parameters that are no number or out of all reason are refused with their range, and nothing changes") {
  Folder folder;
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation(scene_of(folder), *device);
  const ParamTable table = const_cast<Scene&>(simulation.scene()).params();
  for (const char* value : {"nan", "inf", "-inf", "1e39", "-1e39", ""}) {
    for (const ParamRef& p : table.refs()) {
      const std::string before = p.text();
      CAPTURE(p.key());
      CAPTURE(value);
      CHECK_THROWS_AS(simulation.apply(SetParam{p.key(), value}), Error);
      CHECK(p.text() == before);
    }
  }
  for (const char* dt : {"0", "-0.01", "100"})
    CHECK_THROWS_WITH_AS(simulation.apply(SetParam{"step.dt", dt}), doctest::Contains("step.dt"), Error);
  simulation.step();
  CHECK(finite(simulation.positions()));
}

TEST_CASE(
    "solver, model, scene and device are switched from another thread at any moment, and the run goes on") {
  Folder folder;
  const Scene scene = scene_of(folder);
  Scene other = scene;
  other.cloths[0].vertices = 300;
  Scene broken = scene;
  broken.cloths[0].shape = ClothShape::obj, broken.cloths[0].file = "no/such.obj";
  for (const unsigned seed : {1u, 2u, 3u}) {
    CAPTURE(seed);
    Runner runner(scene, {.device = DeviceChoice::cpu, .threads = 2});
    runner.set_pace(Pace::fastest);
    runner.play();
    std::mt19937 random(seed);
    const auto one_of = [&](int n) { return int(random() % unsigned(n)); };
    int refused = 0;
    bool last_refused = false;  // of the scenes that were asked for
    for (int k = 0; k < 400; ++k) {
      switch (one_of(16)) {
        case 0: runner.post(SetParam{"step.elastic_model", one_of(2) ? "springs" : "finite_elements"}); break;
        case 1: runner.post(SetParam{"step.solver", one_of(2) ? "descent" : "newton"}); break;
        case 13: runner.post(SetParam{"step.collision", one_of(2) ? "two_way" : "bodies"}); break;
        case 14: runner.post(SetParam{"two_way.handlings", one_of(2) ? "1" : "3"}); break;
        case 2: runner.post(SetParam{"step.dt", one_of(2) ? "0.01" : "0.002"}); break;
        case 3: runner.load(one_of(2) ? scene : other), last_refused = false; break;
        case 4: runner.load(broken), ++refused, last_refused = true; break;
        case 5: runner.set_device(DeviceChoice::cpu); break;
        case 6: runner.post(GrabBegin{k, one_of(200), {0.2f, 0.3f, 0.5f}, one_of(2) ? 0.0f : 0.1f}); break;
        case 7: runner.post(GrabMove{one_of(400), {0.01f * float(one_of(100)), 1, 0.3f}}); break;
        case 8: runner.post(GrabEnd{one_of(400)}); break;
        case 9: runner.post(PinVertex{one_of(150), one_of(2) == 0}); break;
        case 10: runner.reset(); break;
        case 11: runner.restore(runner.snapshot()); break;
        case 12: runner.set_field(vertex_fields()[size_t(one_of(5))].name); break;
        default: runner.post(SetParam{"fabric.bending_rigidity", one_of(2) ? "1e-6" : "1e-4"}); break;
      }
      if (one_of(3) == 0) std::this_thread::sleep_for(std::chrono::microseconds(one_of(3000)));
    }
    runner.hash();  // all of it is done
    const std::string said = errors_of(runner);
    CHECK(said.find("no finite result") == std::string::npos);
    CHECK(runner.playing());
    int missing = 0;
    for (size_t at = said.find("no/such.obj"); at != std::string::npos; at = said.find("no/such.obj", at + 1))
      ++missing;
    CHECK(missing <= refused);  // a load that a newer one ended says nothing
    CHECK(missing >= int(last_refused));
    CHECK(missing > 0);
    const int step = runner.hands().steps;
    CHECK(wait_for([&] { return runner.hands().steps > step + 20; }));
    CHECK(finite(runner.latest()->positions));
    CHECK(runner.latest()->positions.size() == runner.scene_view()->rest.size());
  }
}
