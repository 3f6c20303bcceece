// Scenes of solids alone, and measurements of them, that the physics tests share.
#pragma once
#include <doctest/doctest.h>

#include "sim/scene/solids.h"
#include "tests/physics/scenes.h"

namespace weft::physics {

constexpr double kGravity = 9.81;  // m/s²

/// Nothing but solids, without air and ground.
inline Scene bare_solids() {
  Scene s = bare_scene();
  s.cloths.clear();
  s.set("step.collision", "none");
  s.set("newton.tolerance", "1e-4");
  return s;
}

inline SolidParams box(const vec3& size, float edge) {
  SolidParams solid;
  solid.size = size, solid.edge = edge;
  return solid;
}

inline void add(Scene& s, const SolidParams& solid) { s.of<SolidList>().list.push_back(solid); }

/// Pins all points that `chosen` picks, by their start.
template <class Chosen>
void pin(Scene& s, const Chosen& chosen) {
  s.pins.push_back(pin_where(s, chosen));
}

inline dvec3 momentum_of(Simulation& sim, dvec3* turning = nullptr) {
  dvec3 sum(0), turn(0);
  const std::vector<vec3> x = sim.positions();
  const std::vector<vec3> v = sim.state().velocity.download();
  for (size_t i = 0; i < x.size(); ++i) {
    const dvec3 p = double(sim.model().host_mass[i]) * dvec3(v[i]);
    sum += p, turn += glm::cross(dvec3(x[i]), p);
  }
  if (turning) *turning = turn;
  return sum;
}

inline double mean_of(const std::vector<vec3>& x, int axis) {
  double sum = 0;
  for (const vec3& p : x) sum += double(p[axis]);
  return sum / double(x.size());
}

/// A solid that is thrown flies on its parabola and keeps momentum and spin but for what implicit Euler
/// takes, in a second. `settings`: as below.
inline void solid_flies(const std::vector<std::pair<std::string, std::string>>& settings = {}) {
  for (const float dt : {1 / 30.0f, 1 / 100.0f}) {
    Scene s = bare_solids();
    for (const auto& [key, value] : settings) s.set(key, value);
    s.step.dt = dt;
    SolidParams solid = box({0.3f, 0.2f, 0.1f}, 0.05f);
    solid.velocity = {1, 2, -0.5f}, solid.spin = {90, 40, -60};
    add(s, solid);
    Run run(s);
    dvec3 turning, later;
    const dvec3 first = momentum_of(*run.sim, &turning);
    const double mass = 300 * 0.3 * 0.2 * 0.1;
    CHECK(glm::distance(first, mass * dvec3(1, 2, -0.5)) < 1e-4 * mass);
    const double y0 = mean_of(run.sim->positions(), 1);
    const int steps = int(std::lround(1 / dt));
    for (int i = 0; i < steps; ++i) run.sim->step();
    const dvec3 last = momentum_of(*run.sim, &later);
    CHECK(std::abs(last.y - (first.y - mass * kGravity * steps * double(dt))) < 2e-4 * mass * kGravity);
    CHECK(std::abs(last.x - first.x) < 1e-4 * mass);
    CHECK(std::abs(last.z - first.z) < 1e-4 * mass);
    // implicit Euler falls h g t / 2 further
    const double t = steps * double(dt), y = 2 * t - kGravity * t * (t + double(dt)) / 2;
    const std::vector<vec3> x = run.sim->positions();
    CHECK(std::abs(mean_of(x, 1) - y0 - y) < 2e-4);
    // about the centre of mass, which has moved
    const dvec3 centre(mean_of(x, 0), mean_of(x, 1), mean_of(x, 2));
    const double left = glm::length(later - glm::cross(centre, last)) / glm::length(turning);
    MESSAGE("dt ", dt, ": spin left after a second ", left);
    CHECK(left < 1.001);
    CHECK(left > (dt < 0.02f ? 0.9 : 0.7));
  }
}

/// A ball falls on a cloth that is held at its boundary, with each collision method: it is carried, and comes
/// to rest with no cell inside out. `settings`: key and value of what else the scene has.
inline void ball_rests_on_cloth(const std::vector<std::pair<std::string, std::string>>& settings = {}) {
  for (const std::string method : {"two_way", "ndb"}) {
    CAPTURE(method);
    Scene s = bare_scene();
    s.set("step.collision", method);
    for (const auto& [key, value] : settings) s.set(key, value);
    s.forces.air_damping = 0.5f;
    s.cloths[0].name = "sheet";
    s.cloths[0].edge = 0.05f;
    s.cloths[0].size = {0.6f, 0.6f};
    s.cloths[0].placement.rotation = {-90, 0, 0};
    s.pins.push_back({.cloth = "sheet", .where = "boundary"});
    SolidParams solid;
    solid.shape = SolidShape::ball, solid.size = vec3(0.15f), solid.edge = 0.04f;
    solid.material.density = 200;
    solid.placement.position = {0.03f, 0.12f, 0.02f};
    add(s, solid);
    Run run(s);
    for (int i = 0; i < 300; ++i) {
      run.sim->step();
      REQUIRE(run.sim->stats().inverted_cells == 0);
    }
    const StepStats stats = run.sim->stats();
    CHECK(stats.kinetic_energy < 0.02f);  // of 0.24 J before the fall
    const ModelPart& ball = run.sim->model().host.parts[1];
    const std::vector<vec3> x = run.sim->positions();
    double low = 1;
    for (int v = ball.first_vertex; v < ball.first_vertex + ball.vertex_count; ++v)
      low = std::min(low, double(x[size_t(v)].y));
    CHECK(low > -0.08);  // it is carried
    CHECK(low < 0);
  }
}

}  // namespace weft::physics
