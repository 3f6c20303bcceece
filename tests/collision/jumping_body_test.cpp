// Steps in which a body goes far: made in parts, given up, taken back.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "tests/collision/bending_arm.h"

using namespace weft;
using namespace weft::physics;

namespace {

/// What the program says while this lives.
struct Listener {
  std::vector<std::pair<LogLevel, std::string>> lines;
  int id = add_log_sink([this](LogLevel level, const std::string& text) { lines.emplace_back(level, text); });
  ~Listener() { remove_log_sink(id); }
};

/// The longest path of a vertex of the only body from one of these to the next, m.
float furthest(const std::vector<vec3>& from, const std::vector<vec3>& to) {
  float most = 0;
  for (size_t v = 0; v < from.size(); ++v) most = std::max(most, glm::length(to[v] - from[v]));
  return most;
}

}  // namespace

TEST_CASE("a step in which a body jumps is made in parts, and nothing passes through" *
          doctest::test_suite("slow")) {
  Scene scene = pushed_cloth(1200);
  scene.obstacles.push_back(arm(100, 0.05f));  // 2000 degrees/s: its end moves 0.1 m in a step
  scene.obstacles[0].placement = {{0, 1.0f, 0}, {0, 90, 90}, 1};
  Run run(scene);
  const Listener said;
  const std::vector<vec3> before = *run.sim->obstacles()[0].deformed;
  float jump = 0;
  for (int i = 0; i < 10; ++i) {
    run.sim->step();
    if (i == 0) jump = furthest(before, *run.sim->obstacles()[0].deformed);
    CHECK(run.sim->state().step == i + 1);
    CHECK(run.sim->state().time == doctest::Approx(0.01 * (i + 1)));
    CHECK(deepest(*run.sim) < 1e-3f);
  }
  // The pinned top edge hangs in front of the arm; no free vertex next to the arm may be left behind it.
  float forward = 0;
  for (const vec3& p : run.sim->positions()) forward = std::max(forward, p.z);
  CHECK(forward > 0.3f);
  // Told of once, with how far the body goes.
  CHECK(jump > 0.1f);
  REQUIRE(said.lines.size() == 1);
  CHECK(said.lines[0].first == LogLevel::notice);
  CHECK(said.lines[0].second.rfind(
            fmt::format("obstacle arm moves {:.0f} mm within step 0: such steps are divided into substeps (",
                        1e3 * double(jump)),
            0) == 0);
}

TEST_CASE("a body that jumps further than contact can follow is warned of, once") {
  Scene scene = pushed_cloth();
  scene.cloths[0].vertices = 100;
  scene.cloths[0].placement.position = {0, 0.3f, 0.12f};  // near it, and beside its way
  scene.pins.clear();
  scene.obstacles.push_back(arm(10, 1));
  for (const auto& [jump, level] : {std::pair(0.05f, LogLevel::notice), {2.0f, LogLevel::warning}}) {
    CAPTURE(jump);
    scene.obstacles[0].motion.keys = {{0, vec3(0), vec3(0)}, {0.03f, vec3(3 * jump, 0, 0), vec3(0)}};
    Run run(scene);
    const Listener said;
    for (int i = 0; i < 2; ++i) run.sim->step();
    REQUIRE(said.lines.size() == 1);
    CHECK(said.lines[0].first == level);
    const std::string expected =
        level == LogLevel::warning ? "obstacle arm jumps 2000 mm within step 0, too far for contact to follow"
                                   : "obstacle arm moves 5";
    CHECK(said.lines[0].second.rfind(expected, 0) == 0);
  }
}

TEST_CASE("a step made in parts is given up in the first of them or not at all" *
          doctest::test_suite("slow")) {
  Scene scene = pushed_cloth(800);
  scene.obstacles.push_back(arm(100, 0.05f));
  scene.obstacles[0].placement = {{0, 1.0f, 0}, {0, 90, 90}, 1};
  Run whole(scene), given_up(scene);
  for (int i = 0; i < 3; ++i) {
    const uint64_t before = given_up.sim->hash();
    whole.sim->step();
    int asked_for = 1;
    for (bool made = false; !made; asked_for += 3) {
      int left = asked_for;
      try {
        given_up.sim->step([&] { return --left == 0; });
        made = true;
      } catch (const Interrupted&) {
        REQUIRE(given_up.sim->hash() == before);
        REQUIRE(given_up.sim->state().step == i);
      }
    }
    CHECK(asked_for > 4);
    CHECK(given_up.sim->hash() == whole.sim->hash());
  }
}

TEST_CASE("a reset brings a body that deforms back too, and a step that is given up leaves it where it was") {
  Scene scene;
  scene.set("step.collision", "two_way");
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.size = {0.2f, 0.2f};
  cloth.vertices = 120;
  cloth.placement.position = {0.4f, 0.3f, 0};
  scene.obstacles.push_back(arm(80, 0.4f));
  auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(scene, *device);
  const auto at = [&] { return *sim.obstacles()[0].deformed; };
  const uint64_t start = sim.hash();
  const std::vector<vec3> first = at();
  for (int k = 0; k < 15; ++k) sim.step();
  const std::vector<vec3> now = at();
  CHECK(now != first);
  int questions = 0;
  CHECK_THROWS_AS(sim.step([&] { return ++questions == 4; }), Interrupted);
  CHECK(at() == now);
  sim.reset();
  CHECK(at() == first);
  CHECK(sim.hash() == start);
}
