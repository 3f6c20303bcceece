// Vertex repulsion leaves the momentum of cloth in flight as it is, however uneven its mesh.
#include "sim/scene/assets.h"
#include "tests/physics/scenes.h"
#include "tests/physics/uneven_sheet.h"

using namespace weft;
using namespace weft::physics;

namespace {

/// Nothing but cloth.
Scene empty_space() {
  Scene s;
  s.set("step.collision", "repulsion");
  s.forces.lift = s.forces.drag = s.forces.air_damping = 0;
  s.contact.ground = false;
  return s;
}

dvec3 middle(const Run& run, const std::vector<float>& mass) {
  dvec3 sum(0);
  double all = 0;
  const std::vector<vec3> x = run.sim->positions();
  for (size_t v = 0; v < x.size(); ++v) sum += double(mass[v]) * dvec3(x[v]), all += double(mass[v]);
  return sum / all;
}

}  // namespace

TEST_SUITE("physics") {
  TEST_CASE("two uneven sheets that meet in flight keep their momentum under vertex repulsion" *
            doctest::test_suite("full")) {
    for (const bool as_published : {false, true}) {
      for (const float moved : {0.0f, 0.3f}) {
        CAPTURE(as_published);
        CAPTURE(moved);
        Scene s = empty_space();
        s.forces.gravity = vec3(0);
        if (as_published)
          for (const auto& [key, value] : paper_preset("wu2020").settings) s.set(key, value);
        Cloth lower = uneven_cloth(moved), upper = lower;
        lower.name = "lower", upper.name = "upper";
        upper.placement.position = {0.03f, 0.16f, 0.02f};
        upper.placement.rotation = {0, 25, 0};
        s.cloths = {lower, upper};
        Pin pin = pin_of_all();
        pin.cloth = "upper";
        pin.release_time = 0.03f;
        pin.motion.keys = {{0, vec3(0), vec3(0)}, {1, vec3(0.3f, -1, 0), vec3(0)}};
        s.pins.push_back(pin);
        Run run(s);
        const std::vector<float> mass = run.sim->model().mass.download();
        while (run.sim->stats().time < 0.035) run.sim->step();
        const dvec3 start = middle(run, mass);
        run.sim->step();
        const double h = double(s.step.dt);
        const dvec3 speed = (middle(run, mass) - start) / h;
        const int n = 40;
        float fastest = 0;
        for (int i = 1; i < n; ++i) {
          run.sim->step();
          fastest = std::max(fastest, run.sim->stats().max_speed);
        }
        const double off = glm::length(middle(run, mass) - (start + n * h * speed));
        MESSAGE(as_published << " " << moved << ": " << 1e6 * off << " um off after " << n * h
                             << " s, moving at " << glm::length(speed) << " m/s; fastest " << fastest
                             << " m/s");
        // Means of 882 positions of up to 0.2 m round by less than 1.2e-8 m in each of 40 steps, velocities
        // by 3e-8 m/s, which later steps carry on, and the speed at the start is that of one step: 0.5 + 0.3
        // + 0.5 um. As published, y still moves where its last iteration ends, and x follows by a step of D:
        // 4 um measured.
        CHECK(off < (as_published ? 1e-5 : 1.3e-6));
        CHECK(fastest < 1.6f);  // the upper sheet comes with 1.04 m/s
      }
    }
  }
}
