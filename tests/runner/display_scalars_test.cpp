// Quantities per vertex that the picture shows, against theory.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/garment/sewing_params.h"
#include "tests/garment/patterns.h"
#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;
using weft::testing::pattern_of;
using weft::testing::rectangle;

namespace {

std::vector<float> scalars(Simulation& sim, const char* field) {
  const Span<const float> on_device = sim.device_field(field);
  std::vector<float> out(size_t(on_device.size));
  sim.device().copy(out.data(), on_device.data, out.size() * sizeof(float));
  sim.device().synchronize();
  return out;
}

double mean(const std::vector<float>& values) {
  double sum = 0;
  for (const float v : values) sum += double(v);
  return sum / double(values.size());
}

}  // namespace

TEST_CASE("stretch along warp and weft is that of a uniformly stretched panel, whatever its grain") {
  for (const double grain : {90.0, 0.0, 30.0}) {
    CAPTURE(grain);
    Panel panel = rectangle("a", 0.3, 0.2);
    panel.grain = grain;
    Scene s = bare_scene();
    s.cloths[0].shape = ClothShape::garment, s.cloths[0].start = "placed";
    s.cloths[0].sewing_pattern = pattern_of({panel});
    GarmentMesh g = make_garment(*s.cloths[0].sewing_pattern, "p");
    for (vec3& p : g.mesh.positions) p *= vec3(1.2f, 0.9f, 1);  // x by 1.2, y by 0.9
    s.cloths[0].mesh = std::make_shared<TriMesh>(g.mesh);
    Run run(s, 1);
    const double c = std::cos(glm::radians(grain)), n = std::sin(glm::radians(grain));
    const double warp = std::hypot(1.2 * c, 0.9 * n), weft = std::hypot(1.2 * n, 0.9 * c);
    for (const float v : scalars(*run.sim, "warp")) CHECK(std::abs(double(v) - warp) < 1e-4);
    for (const float v : scalars(*run.sim, "weft")) CHECK(std::abs(double(v) - weft) < 1e-4);
  }
}

TEST_CASE("the pressure of cloth that lies on a box is its weight per area") {
  for (const std::string solver : {"newton", "descent"}) {
    CAPTURE(solver);
    Scene s = bare_scene();
    s.set("step.solver", solver);
    s.set("step.collision", "two_way");
    s.forces.air_damping = 5;
    Cloth& c = s.cloths[0];
    c.size = {0.2f, 0.2f}, c.edge = 0.02f, c.placement = {{0, 0.002f, 0}, {-90, 0, 0}, 1};
    c.fabric.areal_density = 0.3f, c.fabric.internal_damping = 0.3f;
    Obstacle& o = s.obstacles.emplace_back();
    o.name = "table", o.shape = ObstacleShape::box, o.size = {0.4f, 0.1f, 0.4f},
    o.placement.position = {0, -0.05f, 0};
    Run run(s);
    CHECK(mean(scalars(*run.sim, "pressure")) == 0);  // before the first step
    double sum = 0;
    for (int k = 0; k < 150; ++k) {
      run.sim->step();
      if (k >= 100) sum += mean(scalars(*run.sim, "pressure")) / 50;
    }
    MESSAGE(solver << ": " << sum << " Pa, weight " << 0.3 * 9.81);
    CHECK(relative_error(sum, 0.3 * 9.81) < 0.1);
  }
}
