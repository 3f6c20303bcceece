// Cloth at rest: Newton's method against descent, and both against theory.
#include "sim/solvers/newton/newton_params.h"
#include "tests/physics/strips.h"

using namespace weft;
using namespace weft::physics;

namespace {

void use_newton(Scene& s) {
  s.set("step.solver", "newton");
  s.of<NewtonParams>().steps = 6;
  s.of<NewtonParams>().cg_iterations = 400;
  s.of<NewtonParams>().cg_tolerance = 0.01f;
}

/// A strip of length 6 cm, clamped at x = 0 along its first two rows of vertices, that bends under its weight
/// at Gamma = w g L³ / B.
Scene cantilever(float gamma, BendingModel bending) {
  Scene s = bare_scene();
  Cloth& c = s.cloths[0];
  const float length = 0.06f;
  c.shape = ClothShape::strip;
  c.size = {0.03f, length};
  c.edge = 0.004f;
  c.placement.rotation = {-90, 0, 0};
  c.fabric.areal_density = 0.15f;
  c.fabric.bending_rigidity = 0.15f * 9.81f * length * length * length / gamma;
  c.fabric.stretch_stiffness = 4000;
  c.fabric.internal_damping = 0.1f;
  s.step.dt = 0.02f;
  s.step.bending_model = int(bending);
  s.forces.air_damping = 4;
  s.pins.push_back(pin_where(s, [&](const vec3& p) { return p.z > 0.5f * length - 0.0045f; }));
  return s;
}

/// A strip between two points half a metre apart, longer by the factor `ratio`.
Scene catenary(double ratio) {
  Scene s = bare_scene();
  Cloth& c = s.cloths[0];
  const double d = 0.5, length = ratio * d;
  c.shape = ClothShape::strip;
  c.size = {float(length), 0.05f};
  c.edge = 0.0125f;
  c.placement.rotation = {-90, 0, 0};
  c.fabric.bending_rigidity = 0;
  c.fabric.stretch_stiffness = 20000;
  c.fabric.internal_damping = 0.3f;
  s.forces.air_damping = 4;  // against its swinging, which internal damping leaves alone
  const float end = float(length / 2) - 1e-4f;
  for (const float side : {-1.0f, 1.0f}) {
    Pin pin = pin_where(s, [&](const vec3& p) { return side * p.x > end; });
    pin.motion.keys = {{0, {}, {}}, {1, vec3(-side * float(length - d) / 2, 0, 0), {}}};
    s.pins.push_back(pin);
  }
  return s;
}

struct Pair {
  double newton, descent, apart;
};

/// Lowest points at rest, m, and how far vertices are apart.
Pair both(Scene scene, int at_least, float speed, int most) {
  std::vector<vec3> rest[2];
  for (const int solver : {0, 1}) {
    Scene s = scene;
    if (solver == 1) use_newton(s);
    else s.set("step.solver", "descent");
    Run run(s);
    for (int i = 0; i < at_least; ++i) run.sim->step();
    run.settle(speed, most);
    rest[solver] = run.sim->positions();
  }
  double apart = 0;
  for (size_t v = 0; v < rest[0].size(); ++v)
    apart = std::max(apart, double(glm::length(rest[0][v] - rest[1][v])));
  return {lowest(rest[1]), lowest(rest[0]), apart};
}

}  // namespace

TEST_SUITE("solvers") {
  TEST_CASE("a hanging strip is as long with Newton's method as with descent and in theory") {
    for (const ElasticModel model : {ElasticModel::springs, ElasticModel::finite_elements}) {
      const float stiffness = 50;
      const Pair p = both(hanging_strip(model, stiffness, 0.04f), 200, 1e-5f, 2000);
      const double theory = 0.15 * 9.81 * 1.0 / (2 * stiffness);
      MESSAGE("elastic model " << int(model) << ": stretch " << -p.newton - 1 << ", by descent "
                               << -p.descent - 1 << ", theory " << theory << "; vertices " << 1e3 * p.apart
                               << " mm apart");
      CHECK(p.apart < 0.005 * 1.0);
      CHECK(relative_error(-p.newton - 1, theory) < 0.01);
    }
  }

  TEST_CASE("a cantilever bends as far with Newton's method as with descent") {
    for (const BendingModel bending :
         {BendingModel::quadratic, BendingModel::dihedral, BendingModel::meshless}) {
      const Pair p = both(cantilever(10, bending), 0, 2e-4f, 600);
      MESSAGE("bending model " << int(bending) << ": lowest " << 1e3 * p.newton << " mm, by descent "
                               << 1e3 * p.descent << " mm; vertices " << 1e3 * p.apart << " mm apart");
      CHECK(p.apart < 0.005 * 0.06);
    }
  }

  TEST_CASE("a strip between two points sags as far with Newton's method as with descent and as a catenary") {
    const Pair p = both(catenary(1.5), 100, 1e-3f, 600);
    MESSAGE("sag " << -1e3 * p.newton << " mm, by descent " << -1e3 * p.descent
                   << " mm, theory 251.3 mm; vertices " << 1e3 * p.apart << " mm apart");
    CHECK(p.apart < 0.005 * 0.75);
    CHECK(relative_error(-p.newton, 0.5026 * 0.5) < 0.01);
  }
}
