// Pins inside of bodies: cloth beside them hangs still, and a message says so.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/physics/scenes.h"

using namespace weft;

namespace {

/// A small curtain whose top row is pinned on the axis of a rod that is thicker than its edges are long.
Scene curtain(const char* solver) {
  Scene s;
  s.set("step.collision", "bodies");
  s.set("step.solver", solver);
  s.contact.ground = false;
  Cloth& c = s.cloths.emplace_back();
  c.size = {0.2f, 0.3f}, c.edge = 0.0125f;
  c.placement.position = {0, 0.85f, 0};
  Pin& p = s.pins.emplace_back();
  p.where = "top";
  Obstacle& rod = s.obstacles.emplace_back();
  rod.name = "rod", rod.shape = ObstacleShape::capsule, rod.size = {0.015f, 0.3f, 0};
  rod.placement = {{0, 1.0f, 0}, {0, 0, 90}, 1};
  return s;
}

}  // namespace

TEST_CASE("a curtain that is pinned on the axis of its rod hangs still below it") {
  for (const char* solver : {"descent", "newton"}) {
    CAPTURE(solver);
    physics::Run run(curtain(solver), 1);
    for (int i = 0; i < 100; ++i) run.sim->step();
    const StepStats s = run.sim->stats();
    CHECK(s.max_speed < 0.02f);
    CHECK(s.max_stretch < 1.02f);
    CHECK(s.max_height < 1.0f + 0.016f);
  }
}

TEST_CASE("pins inside of a body are told of with their number and depth, and pins outside are not") {
  const auto told = [](const Scene& scene) {
    physics::Run run(scene, 1);
    const auto& all = run.sim->model().notices;
    const auto at = std::find_if(all.begin(), all.end(),
                                 [](const std::string& n) { return n.find("mm inside rod") != n.npos; });
    return at == all.end() ? std::string() : *at;
  };
  Scene s = curtain("descent");
  physics::Run run(s, 1);
  CHECK(told(s).find(std::to_string(run.sim->pinned_vertices().size()) +
                     " pinned vertices are up to 15 mm inside rod") == 0);
  s.obstacles[0].placement.position.y += 0.02f;
  CHECK(told(s).empty());
}

TEST_CASE("cloth that is not next to a pin inside of a body is kept out as ever") {
  Scene s = curtain("newton");
  // beside the middle of the curtain, and moved into it
  s.obstacles[0].placement.position = {0, 0.8f, 0.03f};
  s.obstacles[0].motion.keys = {{0, vec3(0), vec3(0)}, {0.3f, {0, 0, -0.06f}, vec3(0)}};
  physics::Run run(s, 1);
  for (int i = 0; i < 50; ++i) run.sim->step();
  CHECK(run.sim->stats().max_penetration < 1e-3f);
}
