// What is far from cloth does not change it.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/collision/bodies/bodies.h"
#include "tests/collision/bending_arm.h"

using namespace weft;
using namespace weft::physics;

namespace {

Scene hanging(const char* method, const char* solver) {
  Scene s;
  s.set("step.collision", method);
  s.set("step.solver", solver);
  s.contact.ground = false;
  Cloth& c = s.cloths.emplace_back();
  c.size = {0.3f, 0.3f}, c.edge = 0.03f;
  c.placement.position = {0, 1, 0};
  s.pins.emplace_back().where = "top_left";
  return s;
}

/// Largest distance of the first cloth's vertices in two runs, m.
float difference(const Scene& a, const Scene& b, int steps) {
  Run one(a, 1), two(b, 1);
  for (int i = 0; i < steps; ++i) one.sim->step(), two.sim->step();
  const auto x = one.sim->positions(), y = two.sim->positions();
  float most = 0;
  for (size_t v = 0; v < x.size(); ++v) most = std::max(most, glm::distance(x[v], y[v]));
  return most;
}

}  // namespace

TEST_CASE("a body that bends or flies three metres away does not move a hanging cloth") {
  for (const char* method : {"bodies", "two_way"})
    for (const char* solver : {"descent", "newton"}) {
      CAPTURE(method);
      CAPTURE(solver);
      const Scene alone = hanging(method, solver);
      Scene bending = alone, flying = alone;
      bending.obstacles.push_back(arm(90, 0.05f));
      bending.obstacles[0].placement.position = {3, 1, 0};
      Obstacle& ball = flying.obstacles.emplace_back();
      ball.placement.position = {3, 1, 0};
      ball.motion.keys = {{0.02f, vec3(0), vec3(0)}, {0.07f, {0.8f, 0, 0}, vec3(0)}};
      // Within a few roundings of coordinates of a metre; with two-way contact the same bits.
      CHECK(difference(alone, bending, 20) < 1e-6f);
      CHECK(difference(alone, flying, 20) < 1e-6f);
    }
}

TEST_CASE(
    "fields of bodies that deform, and steps in parts for them, are for methods that look at fields, where "
    "cloth is near") {
  auto device = Device::create(DeviceChoice::cpu, 1);
  Scene s = hanging("bodies", "descent");
  s.obstacles.push_back(arm(90, 0.02f));
  std::vector<std::string> notices;
  GrowingLists growing(*device);
  Bodies bodies(growing, s, notices);
  const auto parts = [&](bool cloth_near) {
    std::string obstacle;
    float jump = 0;
    return bodies.parts(
        s, 0.0, s.step.dt, [&](const Bounds&) { return cloth_near; }, obstacle, jump);
  };
  bodies.set_step(s, 0, s.step.dt);
  CHECK(parts(true) > 1);
  CHECK(parts(false) == 1);
  CHECK(bodies.view().shape[0].kind == BodyKind::mesh);
  bodies.want_fields(false);
  bodies.set_step(s, 0, s.step.dt);
  CHECK(parts(true) == 1);
  CHECK(bodies.view().shape[0].kind == BodyKind::nowhere);
  bodies.want_fields(true);
  bodies.set_step(s, 0, s.step.dt);
  CHECK(bodies.view().shape[0].kind == BodyKind::mesh);
  CHECK(growing.fit());
}
