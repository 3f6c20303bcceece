// Half spaces of bodies in vertex repulsion: nobody is pressed through them.
#include "sim/collision/repulsion/bodies/body_planes.h"

#include <algorithm>
#include <random>

#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::repulsion;

namespace {

vec3 random_point(std::mt19937& random, float side) {
  std::uniform_real_distribution<float> at(-side, side);
  return {at(random), at(random), at(random)};
}

Vec3<float> in_lanes(const vec3& p) { return {p.x, p.y, p.z}; }
vec3 out_of_lanes(const Vec3<float>& p) { return {p.x, p.y, p.z}; }

/// Three planes about one vertex, which is up to 10 mm outside of them or in them.
struct Planes {
  std::vector<vec3> normal;
  std::vector<float> gap;
  BodyPlanes view() const { return {{normal.data(), 3}, {gap.data(), 3}, 1}; }
  explicit Planes(std::mt19937& random) {
    for (int k = 0; k < kBodyPlanes; ++k) {
      normal.push_back(glm::normalize(random_point(random, 1) + vec3(0, 1e-3f, 0)));
      gap.push_back(0.01f * random_point(random, 1).x);
    }
  }
};

/// A sheet of 16 mm edges and a hand that presses it down with far more than it bears.
Scene pressed_sheet() {
  Scene s;
  s.set("step.collision", "repulsion");
  s.set("drag.stiffness", "2000");
  s.set("drag.force_limit", "100");
  s.set("drag.speed_limit", "5");
  Cloth c;
  c.name = "sheet";
  c.size = {0.3f, 0.3f}, c.edge = 0.016f, c.pattern = "uniform";
  c.placement = {{0, 0.3f, 0}, {-90, 0, 0}, 1};
  s.cloths.push_back(c);
  ScriptedDrag d;
  d.cloth = "sheet";
  d.begin = 0.05f, d.end = 1;
  d.keys = {{0, vec3(0), vec3(0)}, {0.1f, vec3(0.02f, -0.3f, 0), vec3(0)}};
  s.drags.push_back(d);
  return s;
}

void press(const Scene& scene, int steps) {
  physics::Run run(scene);
  double deepest = 0, stretch = 0;
  for (int i = 0; i < steps; ++i) {
    run.sim->step();
    deepest = std::max(deepest, double(run.sim->stats().max_penetration));
    stretch = std::max(stretch, double(run.sim->stats().max_stretch));
  }
  MESSAGE("deepest ", 1e3 * deepest, " mm, stretched to ", stretch);
  CHECK(deepest <= 1e-3);
  CHECK(stretch > 1.1);  // the hand did press
}

}  // namespace

TEST_CASE("a step that was cut or slid along planes leads no deeper into any of them and is not longer") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 20000; ++trial) {
    const Planes own(random);
    const BodyPlanes planes = own.view();
    const vec3 from = random_point(random, 0.01f), to = from + random_point(random, 0.01f);
    const Vec3<float> u0 = in_lanes(from);
    const vec3 slid = planes.slide(0, from, to);
    const Vec3<float> cut = planes.cut<OneRow>(0, u0, in_lanes(to));
    CHECK(planes.excess<OneRow>(0, u0, in_lanes(slid)) <= 0);
    CHECK(planes.excess<OneRow>(0, u0, cut) <= 0);
    CHECK(glm::length(slid - from) <= glm::length(to - from) * 1.00001f + 1e-6f);
    // What is free is not held: a way out of all planes is taken whole.
    bool parts = true;
    for (const vec3& n : own.normal) parts = parts && glm::dot(n, to - from) > 0;
    if (parts) CHECK(glm::length(out_of_lanes(cut) - to) < 1e-7f);
  }
}

TEST_CASE("one plane is left by the shortest way") {
  std::mt19937 random(4);
  for (int trial = 0; trial < 1000; ++trial) {
    Planes own(random);
    for (int k = 1; k < kBodyPlanes; ++k) own.normal[size_t(k)] = vec3(0), own.gap[size_t(k)] = kNoPlane;
    const vec3 u = random_point(random, 0.01f);
    const float height = glm::dot(own.normal[0], u) + own.gap[0];
    const vec3 out = out_of_lanes(own.view().outside<OneRow>(0, in_lanes(u), 1.0f));
    CHECK(glm::length(out - (height < 0 ? u - height * own.normal[0] : u)) < 1e-7f);
  }
}

TEST_CASE("a hand of 100 N presses cloth at most 1 mm into the gap between two boxes") {
  Scene s = pressed_sheet();
  for (const float side : {-1.0f, 1.0f}) {
    Obstacle o;
    o.name = side < 0 ? "left" : "right";
    o.shape = ObstacleShape::box;
    o.size = {0.4f, 0.05f, 0.4f};
    o.placement = {{side * 0.12f, 0.2f, 0}, {0, 0, side * 40}, 1};
    s.obstacles.push_back(o);
  }
  press(s, 25);
}

TEST_CASE("a hand of 100 N presses cloth at most 1 mm into a ball that comes towards it") {
  Scene s = pressed_sheet();
  Obstacle o;
  o.name = "ball";
  o.shape = ObstacleShape::sphere;
  o.size = vec3(0.06f);
  o.placement.position = {0, 0.15f, 0};
  o.motion.keys = {{0.1f, vec3(0), vec3(0)}, {0.3f, vec3(0.02f, 0.1f, 0), vec3(0, 60, 0)}};
  s.obstacles.push_back(o);
  press(s, 30);
}
