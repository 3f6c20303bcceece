// One time step of a small sheet by several solvers, and what each has left of forces and energy.
#pragma once
#include <algorithm>

#include "sim/solvers/descent/descent_solver.h"
#include "sim/solvers/newton/newton_params.h"
#include "sim/solvers/newton/newton_solver.h"
#include "tests/physics/strips.h"
#include "tests/solvers/newton_fixture.h"

namespace weft::testing {

using physics::bare_scene;
using physics::pin_where;

/// Newton's method as a reference.
inline void converge(Scene& s) {
  s.set("step.solver", "newton");
  s.of<NewtonParams>().steps = 60;
  s.of<NewtonParams>().tolerance = 1e-5f;
  s.of<NewtonParams>().cg_iterations = 3000;
  s.of<NewtonParams>().cg_tolerance = 1e-3f;
}

inline double largest_difference(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, double(glm::length(a[i] - b[i])));
  return most;
}

/// A sheet pinned at two corners, that swings and folds.
inline Scene held_sheet(ElasticModel elastic, BendingModel bending, int vertices) {
  Scene s = bare_scene();
  s.step.elastic_model = int(elastic);
  s.step.bending_model = int(bending);
  Cloth& c = s.cloths[0];
  c.size = {0.3f, 0.3f};
  c.vertices = vertices;
  c.unevenness = 0.002f;
  c.placement.position = {0, 1, 0};
  c.placement.rotation = {-90, 0, 0};
  c.fabric.stretch_stiffness = 500;
  c.fabric.bending_rigidity = 2e-5f;
  s.pins.push_back(pin_where(s, [](const vec3& p) { return p.z < -0.1499f && std::abs(p.x) > 0.149f; }));
  return s;
}

/// The energy of a step from a simulation's state: no air, no contact.
struct OneStep {
  Bench b;
  std::vector<vec3> start_d;

  explicit OneStep(Simulation& sim) : b(sim.scene()) {
    b.state.position.upload(sim.state().position.download());
    b.c.dt = b.scene.step.dt;
    std::vector<int> kinematic(size_t(b.vertices()), 0);
    for (const int v : sim.pinned_vertices()) kinematic[size_t(v)] = 1;
    b.c.kinematic.upload(kinematic);
    start_d = sim.state().velocity.download();
    std::vector<vec3> target(start_d.size());
    for (size_t v = 0; v < start_d.size(); ++v) {
      start_d[v] = kinematic[v] ? vec3(0) : b.c.dt * start_d[v];
      target[v] = kinematic[v] ? vec3(0) : start_d[v] + b.c.dt * b.c.dt * b.scene.forces.gravity;
    }
    b.c.inertia.upload(target);
  }
  /// `look(k)` is called after iteration k.
  template <class Look>
  std::vector<vec3> solve(DynamicsSolver& solver, const Look& look) {
    b.c.displacement.upload(start_d);
    solver.prepare(b.c);
    solver.begin_step(b.c);
    for (int k = 0; k < solver.iterations(b.c); ++k) solver.iterate(b.c, k), look(k);
    return b.c.displacement.download();
  }
  std::vector<vec3> solve(DynamicsSolver& solver) {
    return solve(solver, [](int) {});
  }
  /// |r|_P of the forces left at d.
  double residual(const std::vector<vec3>& d) {
    b.forces(d);
    b.cg.start(b.system);
    return std::sqrt(double(*b.cg.measure().data));
  }
  /// E(to) - E(from), J.
  double energy_change(const std::vector<vec3>& from, const std::vector<vec3>& to) {
    const auto way = along(to, -1, from);
    const auto f = b.forces(from);
    return b.beyond_slope(way) - inner(f, way);
  }
};

}  // namespace weft::testing
