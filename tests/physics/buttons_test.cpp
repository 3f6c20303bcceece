// Buttons against the balance of forces.
#include "sim/garment/point_seam.h"
#include "sim/garment/sewing_params.h"
#include "sim/solvers/newton/newton_params.h"
#include "tests/garment/patterns.h"
#include "tests/physics/strips.h"

using namespace weft;
using namespace weft::physics;
using weft::testing::pattern_of;
using weft::testing::rectangle;

namespace {

constexpr double kDensity = 0.3, kHeight = 0.15, kWidth = 0.2;  // kg/m², m

/// A panel that is pinned at its top, and one that hangs from it by a button 2 cm from both edges, in front
/// of it.
Scene hanging_by_a_button() {
  Scene s = bare_scene();
  s.of<SewingParams>().seam_bending = 1;
  s.forces.air_damping = 4;
  Cloth& c = s.cloths[0];
  c.shape = ClothShape::garment;
  c.sewing_pattern = pattern_of(
      {rectangle("upper", kWidth, kHeight, {0, kHeight - 0.04, 0}), rectangle("lower", kWidth, kHeight)},
      {{"button", {point_side(0, {kWidth / 2, 0.02}), point_side(1, {kWidth / 2, kHeight - 0.02})}}});
  c.start = "placed";
  FabricParams& f = c.fabric;
  f.areal_density = float(kDensity), f.stretch_stiffness = 400, f.poisson_ratio = 0,
  f.internal_damping = 0.3f;
  s.pins.push_back(pin_where(s, [](const vec3& p) { return double(p.y) > 2 * kHeight - 0.04 - 1e-4; }));
  return s;
}

/// Vertices of the lower panel but the button, and the button.
struct Lower {
  std::vector<int> own;
  int button = -1;
};
Lower lower_of(const Scene& s) {
  const GarmentMesh g = make_garment(*s.cloths[0].sewing_pattern, "p");
  Lower out;
  out.button = g.seam_lines[0][0];
  for (const int v : g.vertex[1])
    if (v != out.button) out.own.push_back(v);
  return out;
}

/// Elastic forces (N) of all vertices in a state: what they gain in a short step without any other force.
std::vector<dvec3> elastic_forces(Scene s, const std::vector<vec3>& x) {
  std::vector<std::string> notices;
  GarmentMesh g = make_garment(*s.cloths[0].sewing_pattern, "p");
  g.mesh.positions = x;
  s.cloths[0].mesh = std::make_shared<TriMesh>(g.mesh);
  s.forces.gravity = vec3(0), s.forces.air_damping = 0, s.cloths[0].fabric.internal_damping = 0;
  s.pins.clear();
  s.step.dt = 2e-5f;
  s.of<NewtonParams>().tolerance = 0;
  Run run(s);
  run.sim->step();
  const std::vector<vec3> v = run.sim->state().velocity.download();
  std::vector<dvec3> force;
  for (size_t i = 0; i < v.size(); ++i)
    force.push_back(double(run.sim->model().host_mass[i]) * dvec3(v[i]) / double(s.step.dt));
  return force;
}

}  // namespace

TEST_SUITE("physics") {
  TEST_CASE("a button carries the weight of what hangs from it") {
    const Scene s = hanging_by_a_button();
    Run run(s);
    run.settle(1e-5f, 2000);
    const std::vector<dvec3> force = elastic_forces(s, run.sim->positions());
    const Lower lower = lower_of(s);
    double pull = 0, sideways = 0, mass = 0;
    for (const int v : lower.own)
      pull += force[size_t(v)].y, sideways += force[size_t(v)].x,
          mass += double(run.sim->model().host_mass[size_t(v)]);
    MESSAGE("the button pulls with " << pull << " N at " << mass * 9.81 << " N");
    CHECK(relative_error(pull, mass * 9.81) < 0.01);
    CHECK(std::abs(sideways) < 0.01 * mass * 9.81);
    CHECK(relative_error(mass, kDensity * kWidth * kHeight) < 0.02);  // but for the button's own share
  }

  TEST_CASE(
      "under ten times gravity a button stays closed, and the panel below falls no further than cloth "
      "stretches") {
    Scene s = hanging_by_a_button();
    s.cloths[0].fabric.stretch_stiffness = 4000;
    const double start = lowest(start_positions(s));
    s.forces.gravity *= 10;
    Run run(s);
    for (int k = 0; k < 300; ++k) run.sim->step();
    const std::vector<vec3> x = run.sim->positions();
    // The panel turns about the button, so that its lowest corner is at most half a diagonal below it.
    const Lower lower = lower_of(s);
    double farthest = 0;
    for (const int v : lower.own)
      farthest = std::max(farthest, double(glm::length(x[size_t(v)] - x[size_t(lower.button)])));
    const double diagonal = std::hypot(kWidth / 2, kHeight - 0.02);
    MESSAGE("lowest " << lowest(x) << " m, at the start " << start << "; farthest from the button "
                      << farthest << " of " << diagonal << " m");
    CHECK(farthest < 1.05 * diagonal);
    CHECK(lowest(x) > start - 0.1 * (2 * kHeight));
    CHECK(run.sim->stats().max_stretch < 1.3);  // one vertex carries 0.9 N
  }
}
