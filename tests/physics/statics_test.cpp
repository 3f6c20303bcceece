// Cloth at rest against the theory of strips and chains.
#include "tests/physics/strips.h"

using namespace weft;
using namespace weft::physics;

namespace {

/// A strip of length L between two points d apart, hanging in the x-y plane; width along z. Returns its sag.
double catenary_sag(double ratio, double d) {
  Scene s = bare_scene();
  Cloth& c = s.cloths[0];
  const double length = ratio * d;
  c.shape = ClothShape::strip;
  c.size = {float(length), 0.05f};
  c.edge = 0.0125f;
  c.placement.rotation = {-90, 0, 0};  // lies in x-z
  c.fabric.bending_rigidity = 0;
  c.fabric.stretch_stiffness = 20000;
  c.fabric.internal_damping = 0.3f;
  s.forces.air_damping = 4;  // against its swinging, which internal damping leaves alone
  const float end = float(length / 2) - 1e-4f;
  // The ends move together from their distance L to d, then wait.
  for (const float side : {-1.0f, 1.0f}) {
    Pin pin = pin_where(s, [&](const vec3& p) { return side * p.x > end; });
    pin.motion.keys = {{0, {}, {}}, {1, vec3(-side * float(length - d) / 2, 0, 0), {}}};
    s.pins.push_back(pin);
  }
  Run run(s);
  for (int i = 0; i < 100; ++i) run.sim->step();
  run.settle(2e-4f, 2500);
  return -lowest(run.sim->positions());
}

}  // namespace

TEST_SUITE("physics") {
  TEST_CASE("a hanging strip stretches by w g L / 2Y") {
    for (const ElasticModel model : {ElasticModel::springs, ElasticModel::finite_elements}) {
      for (const float stiffness : {50.0f, 500.0f}) {
        CAPTURE(int(model));
        CAPTURE(stiffness);
        Run run(hanging_strip(model, stiffness));
        run.settle(1e-5f, 3000);
        const double stretch = -lowest(run.sim->positions()) - 1.0;
        const double theory = 0.15 * 9.81 * 1.0 / (2 * stiffness);
        MESSAGE("stretch " << stretch << ", theory " << theory << ", ratio " << stretch / theory);
        CHECK(relative_error(stretch, theory) < 0.01);
      }
    }
  }

  TEST_CASE("a strip between two points sags like a catenary") {
    // sag / d for L / d = 1.1, 1.5, 2 of an inextensible chain.
    const double expected[3][2] = {{1.1, 0.2003}, {1.5, 0.5026}, {2.0, 0.7964}};
    for (auto& [ratio, sag] : expected) {
      CAPTURE(ratio);
      const double measured = catenary_sag(ratio, 0.5) / 0.5;
      MESSAGE("L/d " << ratio << ": sag/d " << measured << ", theory " << sag);
      CHECK(relative_error(measured, sag) < 0.01);
    }
  }
}
