#include <doctest/doctest.h>

#include <cmath>

#include "sim/collision/sdf_contact/sdf_contact_kernels.h"
#include "sim/solvers/descent/descent_params.h"
#include "tests/physics/scenes.h"

using namespace weft;

namespace {

/// A cloth of 0.2 m that lies at height y, falling with whatever gravity says.
Scene falling(float y) {
  Scene s = physics::bare_scene();
  s.of<DescentParams>() = {};
  Cloth& c = s.cloths[0];
  c.size = {0.2f, 0.2f};
  c.edge = 0.01f;
  c.placement.rotation = {-90, 0, 0};
  c.placement.position = {0, y, 0};
  return s;
}

Obstacle plate(float thickness) {
  Obstacle o;
  o.name = "plate";
  o.shape = ObstacleShape::box;
  o.size = {1, thickness, 1};
  o.placement.position = {0, -0.5f * thickness, 0};
  return o;
}

}  // namespace

TEST_CASE(
    "the contact layer's slope is the derivative of its force, and both set in and go on without a jump") {
  float before = 0;
  for (double x = 0.01; x < 1.5; x += 0.01) {
    float f0, f1, slope, unused;
    sdf_contact::layer_law(float(x - 1e-3), f0, unused);
    sdf_contact::layer_law(float(x + 1e-3), f1, unused);
    float f;
    sdf_contact::layer_law(float(x), f, slope);
    // Where the linear part begins the curvature of 250 jumps to 0, and the difference sees a quarter of it
    // times 1e-3.
    CHECK(std::abs((f1 - f0) / 2e-3 - slope) < 2e-3 * (1 + slope) + (std::abs(x - 0.8) < 2e-3 ? 0.0625 : 0));
    CHECK(f >= before);
    before = f;
  }
  float f, slope;
  sdf_contact::layer_law(0, f, slope);
  CHECK(f == 0);
  CHECK(slope == 0);
}

TEST_CASE("a way is traced to its end, however many steps it takes") {
  // Along a wall, just out of the contact layer, and into a plate at its end; and the same way without the
  // plate.
  const BodyShape wall = BodyShape::plane();
  const float layer = 2.5e-4f;
  float share = -1;
  CHECK_FALSE(
      body_trace::first_touch(wall, {0, 1.01f * layer, 0}, {0.1f, 0, 0}, 0.1f, 1.01f * layer, layer, share));
  const vec3 way(0.1f, -0.3f * layer, 0);
  CHECK(body_trace::first_touch(wall, {0, 1.2f * layer, 0}, way, 0.1f, 1.2f * layer, layer, share));
  CHECK(share > 2.0f / 3 - 1e-3f);
  CHECK(share < 1);
}

TEST_CASE("a thin plate is not jumped at 30 m/s") {
  Scene s = falling(1);
  s.obstacles.push_back(plate(0.002f));
  s.forces.gravity = {0, -3000, 0};  // 0.3 m per step after one step, 0.6 m after two
  physics::Run run(s);
  for (int i = 0; i < 10; ++i) {
    run.sim->step();
    const StepStats stats = run.sim->stats();
    CHECK(stats.min_height > 0);
    CHECK(stats.max_penetration == 0);
  }
}

TEST_CASE("a plate that rises under the cloth lifts it") {
  Scene s = falling(0.001f);
  Obstacle o = plate(0.02f);
  o.motion.keys = {{0, {}, {}}, {0.5f, vec3(0, 0.5f, 0), {}}};
  s.obstacles.push_back(o);
  physics::Run run(s);
  for (int i = 0; i < 50; ++i) {
    run.sim->step();
    CHECK(run.sim->stats().max_penetration < 1e-4f);
  }
  CHECK(run.sim->stats().min_height > 0.499f);
}

TEST_CASE("friction carries the cloth along with a plate that moves sideways, and none leaves it behind") {
  for (const float friction : {0.6f, 0.0f}) {
    Scene s = falling(0.0002f);
    Obstacle o = plate(0.02f);
    // 0.25 m in one second, accelerating by 0.5 m/s^2: friction of 0.6 could follow 5.9 m/s^2.
    for (int k = 0; k <= 20; ++k)
      o.motion.keys.push_back({0.05f * float(k), vec3(0.25f * std::pow(0.05f * float(k), 2.0f), 0, 0), {}});
    o.friction = friction;
    s.obstacles.push_back(o);
    physics::Run run(s);
    for (int i = 0; i < 100; ++i) run.sim->step();
    double mean = 0;
    for (const vec3& p : run.sim->positions()) mean += p.x;
    mean /= double(run.sim->positions().size());
    CHECK(mean == doctest::Approx(friction > 0 ? 0.25 : 0).epsilon(0.01));
  }
}

TEST_CASE("cloth that is wedged between two bodies ends outside both") {
  Scene s = falling(0.05f);
  for (const float side : {-1.0f, 1.0f}) {
    Obstacle o = plate(0.05f);
    o.name = side < 0 ? "left" : "right";
    o.placement.rotation = {0, 0, side * 40};
    s.obstacles.push_back(o);
  }
  physics::Run run(s);
  for (int i = 0; i < 200; ++i) {
    run.sim->step();
    CHECK(run.sim->stats().max_penetration < 1e-4f);
  }
}
