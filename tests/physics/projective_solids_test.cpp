// Solids by projective dynamics: theory, and Newton's method with the same energy on the same mesh.
#include <algorithm>

#include "tests/physics/solids.h"

using namespace weft;
using namespace weft::physics;

namespace {

/// The co-rotated energy, by one of the two solvers that take it.
Scene corotated(const char* solver, int iterations = 60) {
  Scene s = bare_solids();
  s.set("step.solid_model", "corotated");
  s.set("step.solver", solver);
  s.set("projective.iterations", std::to_string(iterations));
  return s;
}

double farthest(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  double most = 0;
  for (size_t v = 0; v < a.size(); ++v) most = std::max(most, double(glm::distance(a[v], b[v])));
  return most;
}

/// A beam that is held at one end.
Scene cantilever(const char* solver, float dt, float poisson) {
  const float length = 0.8f, side = 0.1f;
  SolidParams solid = box({length, side, side}, side / 2);
  solid.material.poisson = poisson, solid.material.density = 100, solid.material.young = 1e5f;
  Scene s = corotated(solver);
  s.step.dt = dt;
  add(s, solid);
  pin(s, [&](const vec3& p) { return p.x < -length / 2 + 1e-4f; });
  return s;
}

/// It hangs, at rest.
std::vector<vec3> bent(const char* solver, float dt, float poisson) {
  Scene s = cantilever(solver, dt, poisson);
  s.set("forces.air_damping", "10");
  Run run(s);
  CHECK(run.settle(2e-5f, 800) < 800);
  return run.sim->positions();
}

/// After some steps in which it falls.
std::vector<vec3> falling(Scene s, int steps) {
  Run run(std::move(s));
  for (int i = 0; i < steps; ++i) run.sim->step();
  return run.sim->positions();
}

}  // namespace

TEST_CASE("a solid beam bent by projective dynamics is that of Newton's method") {
  for (const float poisson : {0.0f, 0.3f, 0.45f})
    for (const float dt : {1 / 30.0f, 1 / 100.0f}) {
      CAPTURE(poisson);
      CAPTURE(dt);
      const std::vector<vec3> newton = bent("newton", dt, poisson);
      const std::vector<vec3> start = start_positions(cantilever("newton", dt, poisson));
      CHECK(farthest(newton, start) > 0.3);  // of 0.8 m: far from small strains
      // Both still move at 2e-5 m/s, in a mode of 5.3 1/s damped by 10 1/s, which has 7e-6 m to go; what
      // their residuals (4e-5 of g h²) add up to until it is there is 5e-6 m in the mean. Four times that.
      CHECK(farthest(newton, bent("projective", dt, poisson)) < 5e-5);
    }
}

TEST_CASE("every variant of projective dynamics solves a step of a solid as Newton's method does") {
  const std::vector<vec3> start = start_positions(cantilever("newton", 0.01f, 0.3f));
  const std::vector<vec3> newton = falling(cantilever("newton", 0.01f, 0.3f), 4);
  CHECK(farthest(newton, start) > 0.005);
  using Choice = std::pair<std::string, std::string>;
  for (const auto& [key, value] :
       {Choice("projective.rank", "1"), Choice("projective.rank", "2"), Choice("projective.modes", "0"),
        Choice("projective.jacobi", "4"), Choice("projective.acceleration", "off"),
        Choice("projective.acceleration", "chebyshev"), Choice("projective.reduced", "inverse"),
        Choice("projective.products", "stored"), Choice("projective.start", "inertia")}) {
    CAPTURE(key);
    CAPTURE(value);
    Scene s = cantilever("projective", 0.01f, 0.3f);
    s.set("projective.iterations", "400");
    s.set(key, value);
    const double apart = farthest(newton, falling(s, 4));
    MESSAGE(key, " ", value, " ", apart);
    // a thousandth of g h², 1e-3 m, in each of four steps
    CHECK(apart < 4e-6);
  }
}

TEST_CASE("a bar that hangs by projective dynamics is longer by half its weight over its stiffness") {
  const float length = 1, side = 0.1f;
  SolidParams solid = box({side, length, side}, 0.05f);
  solid.material.poisson = 0, solid.material.density = 100, solid.material.young = 100 * 9.81f / 0.005f;
  Scene s = corotated("projective", 20);
  s.step.dt = 1 / 60.0f;
  s.set("forces.air_damping", "20");
  add(s, solid);
  pin(s, [&](const vec3& p) { return p.y > length / 2 - 1e-4f; });
  const std::vector<vec3> start = start_positions(s);
  Run run(s);
  run.settle(1e-5f, 1200);
  double sunk = 0, points = 0;
  const std::vector<vec3> x = run.sim->positions();
  for (size_t v = 0; v < x.size(); ++v)
    if (start[v].y < -length / 2 + 1e-4f) sunk += double(start[v].y - x[v].y), ++points;
  CHECK(relative_error(sunk / points, 0.005 * double(length) / 2) < 0.01);
}

TEST_CASE("a solid thrown by projective dynamics flies on its parabola and keeps its momentum") {
  solid_flies(
      {{"step.solid_model", "corotated"}, {"step.solver", "projective"}, {"projective.iterations", "20"}});
}

TEST_CASE("a solid at rest stays at rest by projective dynamics whatever the step") {
  for (const float dt : {1 / 30.0f, 1 / 60.0f, 1 / 120.0f})
    for (const char* pinned : {"no", "yes"}) {
      SolidParams solid = box({0.3f, 0.2f, 0.1f}, 0.05f);
      solid.placement.rotation = {20, 30, 40};
      solid.placement.position = {0.3f, 1, -0.2f};
      Scene s = corotated("projective", 20);
      s.step.dt = dt;
      s.forces.gravity = vec3(0);
      add(s, solid);
      if (*pinned == 'y') pin(s, [](const vec3& p) { return p.y < 0.95f; });
      const std::vector<vec3> start = start_positions(s);
      // Rounding of rest edges is 1e-7 of a metre over 5 cm, a strain of 2e-6 that it may settle into.
      CHECK(farthest(falling(s, int(std::lround(1 / dt))), start) < 1e-6);
    }
}

TEST_CASE("a solid by projective dynamics ends in the same bits for any number of threads and snapshots") {
  Scene s = corotated("projective", 20);
  SolidParams solid = box({0.2f, 0.1f, 0.2f}, 0.05f);
  solid.spin = {100, 50, 0};
  add(s, solid);
  Run run(s), alone(s, 1);
  for (int i = 0; i < 5; ++i) run.sim->step(), alone.sim->step();
  const Snapshot kept = run.sim->snapshot();
  for (int i = 0; i < 5; ++i) run.sim->step(), alone.sim->step();
  const std::vector<vec3> first = run.sim->positions();
  CHECK(alone.sim->positions() == first);
  run.sim->restore(kept);
  for (int i = 0; i < 5; ++i) run.sim->step();
  CHECK(run.sim->positions() == first);
}

TEST_CASE("a soft ball by projective dynamics rests on a held cloth without turning a cell inside out") {
  ball_rests_on_cloth({{"step.solid_model", "corotated"}, {"step.solver", "projective"}});
}
