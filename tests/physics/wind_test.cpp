// Cloth that the wind takes along.
#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;

namespace {
/// Of the centre of mass, m/s.
double speed(Simulation& sim) {
  glm::dvec3 momentum(0);
  double mass = 0;
  const std::vector<vec3> velocity = sim.state().velocity.download();
  for (size_t v = 0; v < velocity.size(); ++v)
    momentum += double(sim.model().host_mass[v]) * glm::dvec3(velocity[v]),
        mass += double(sim.model().host_mass[v]);
  return glm::length(momentum) / mass;
}
}  // namespace

TEST_SUITE("physics") {
  TEST_CASE(
      "a sheet in steady wind never gets faster than the wind, however light the sheet and long the step") {
    struct Case {
      float density, wind, drag, dt;
    };
    for (const Case c : {Case{0.06f, 15, 1, 0.01f}, Case{0.06f, 7, 5, 0.01f}, Case{0.15f, 50, 1, 0.01f},
                         Case{0.05f, 20, 1, 1.0f / 30}, Case{0.001f, 3, 1, 0.01f}}) {
      Scene s = bare_scene();
      s.forces.gravity = vec3(0);
      s.forces.wind = {0, 0, c.wind};
      s.forces.wind_gusts = 0;
      s.forces.drag = c.drag;
      s.step.dt = c.dt;
      s.cloths[0].vertices = 400;
      s.cloths[0].size = {0.3f, 0.3f};
      s.cloths[0].fabric.areal_density = c.density;
      Run run(s, 1);
      double fastest = 0;
      for (int i = 0; i < 30; ++i) run.sim->step(), fastest = std::max(fastest, speed(*run.sim));
      CAPTURE(c.density);
      CAPTURE(c.wind);
      CAPTURE(c.drag);
      CAPTURE(c.dt);
      // What single vertices do beyond that is the fabric's own trembling.
      CHECK(fastest < 1.01 * double(c.wind));  // half a percent is what the solver leaves
      CHECK(fastest > 0.5 * double(c.wind));
    }
  }
}
