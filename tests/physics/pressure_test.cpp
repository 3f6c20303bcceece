// Pressure inside of closed cloth, against Laplace's law and the balance of momentum.
#include "sim/mesh/shapes/shapes.h"
#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;

namespace {

constexpr float kRadius = 0.2f, kStiffness = 500;

/// A balloon without weight.
Scene balloon(ElasticModel model, float pressure) {
  Scene s = bare_scene();
  s.forces.gravity = vec3(0);
  s.forces.air_damping = 4;
  s.step.dt = 1 / 60.0f;
  s.step.elastic_model = int(model);
  Cloth& c = s.cloths[0];
  c.shape = ClothShape::obj;
  c.mesh = std::make_shared<const TriMesh>(make_sphere(kRadius, 3));
  c.remesh = Remesh::never;
  c.fabric.stretch_stiffness = kStiffness;
  c.fabric.poisson_ratio = 0.3f;
  c.fabric.internal_damping = 0.3f;
  c.fabric.inner_pressure = pressure;
  return s;
}

double mean_radius(const Simulation& sim) {
  double sum = 0;
  for (const vec3& x : sim.positions()) sum += double(glm::length(x));
  return sum / double(sim.positions().size());
}

}  // namespace

TEST_SUITE("physics") {
  TEST_CASE("a balloon grows until its tension holds its pressure, by Laplace's law") {
    // p = 2 T / R. Of a sheet that stretches alike in all directions T = Y / (1 - nu) (R / R0 - 1) per width
    // at rest, which is R0 / R of it per width as it is.
    for (const auto& [model, nu] :
         {std::pair{ElasticModel::finite_elements, 0.3}, std::pair{ElasticModel::springs, 1 / 3.0}})
      for (const float dt : {1 / 30.0f, 1 / 60.0f, 1 / 120.0f}) {
        CAPTURE(int(model));
        CAPTURE(dt);
        const double pressure = 150;
        Scene s = balloon(model, float(pressure));
        s.step.dt = dt;
        Run run(s, 1);
        while (run.sim->state().time < 2) run.sim->step();
        const double r = mean_radius(*run.sim),
                     tension = double(kStiffness) / (1 - nu) * (r / kRadius - 1) * kRadius / r;
        MESSAGE("model " << int(model) << ", dt " << dt << ": radius " << 1e3 * r << " mm, pressure "
                         << 2 * tension / r << " Pa of " << pressure << ", fastest "
                         << run.sim->stats().max_speed << " m/s");
        CHECK(relative_error(2 * tension / r, pressure) < 0.01);
        CHECK(run.sim->stats().max_speed < 1e-3f);
      }
  }

  TEST_CASE("pressure inside of closed cloth does not move it as a whole") {
    Scene s = balloon(ElasticModel::springs, 400);
    s.forces.air_damping = 0;
    Run run(s, 1);
    for (int i = 0; i < 60; ++i) run.sim->step();
    glm::dvec3 momentum(0);
    double mass = 0;
    const std::vector<vec3> v = run.sim->state().velocity.download();
    for (size_t i = 0; i < v.size(); ++i) {
      const double m = run.sim->model().host_mass[i];
      momentum += m * glm::dvec3(v[i]), mass += m;
    }
    CHECK(mean_radius(*run.sim) > 1.02 * kRadius);
    CHECK(glm::length(momentum) / mass < 1e-4);  // m/s
  }

  TEST_CASE("pressure can be changed while cloth moves, up to none") {
    Run run(balloon(ElasticModel::springs, 150), 1);
    while (run.sim->state().time < 1) run.sim->step();
    const double full = mean_radius(*run.sim);
    run.sim->apply(SetParam{"cloth.inner_pressure", "0"});
    while (run.sim->state().time < 3) run.sim->step();
    CHECK(full > 1.01 * kRadius);
    CHECK(mean_radius(*run.sim) == doctest::Approx(kRadius).epsilon(1e-3));
  }
}
