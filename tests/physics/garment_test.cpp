// Garments whose rest shape is their flat pattern, against theory.
#include <numeric>

#include "sim/garment/sewing_params.h"
#include "sim/mesh/rest_shape.h"
#include "sim/solvers/newton/newton_params.h"
#include "tests/garment/patterns.h"
#include "tests/physics/strips.h"

using namespace weft;
using namespace weft::physics;
using weft::testing::pattern_of;
using weft::testing::rectangle;

namespace {

Scene scene_of(const Pattern& pattern, ElasticModel model, const char* start = "placed") {
  Scene s = bare_scene();
  s.forces.gravity = vec3(0);
  s.step.elastic_model = int(model);
  s.of<SewingParams>().seam_bending = 1;
  Cloth& c = s.cloths[0];
  c.shape = ClothShape::garment;
  c.sewing_pattern = pattern;
  c.start = start;
  c.fabric.poisson_ratio = 0;
  return s;
}

/// A tube around the y axis of one panel, sewn to itself.
Pattern tube(double radius, double height, double edge, std::vector<Seam> more = {}) {
  Panel p = rectangle("a", 2 * M_PI * radius, height, {-M_PI * radius, 0, radius});
  p.bend_radius = radius, p.bend_center = {M_PI * radius, 0};
  p.grain = 0;
  more.push_back({"under", {{0, 1, 0, 1}, {0, 3, 1, 0}}});
  return pattern_of({p}, more, edge);
}

double mass_of(Simulation& sim) {
  const std::vector<float>& m = sim.model().host_mass;
  return std::accumulate(m.begin(), m.end(), 0.0);
}

}  // namespace

TEST_SUITE("physics") {
  TEST_CASE("a disc without a wedge of 60 degrees becomes a cone of half-angle 56.4 degrees") {
    constexpr double kRadius = 0.1, kWedge = M_PI / 3, kTurn = (2 * M_PI - kWedge) / 3;
    Panel sector;
    sector.name = "sector";
    const auto rim = [&](int k) {
      const double a = 0.5 * kWedge + k * kTurn;
      return dvec2(kRadius * std::cos(a), kRadius * std::sin(a));
    };
    const double bulge = std::tan(kTurn / 4);
    sector.loops = {{{.start = {0, 0}},
                     {.kind = PanelEdge::Kind::arc, .start = rim(0), .bulge = bulge},
                     {.kind = PanelEdge::Kind::arc, .start = rim(1), .bulge = bulge},
                     {.kind = PanelEdge::Kind::arc, .start = rim(2), .bulge = bulge},
                     {.start = rim(3)}}};
    const Pattern pattern = pattern_of({sector}, {{"cut", {{0, 0, 0, 1}, {0, 4, 1, 0}}}}, 0.008);
    // It starts as a cone of nine tenths of that height, from which it must rise.
    const double theory = kRadius * std::sqrt(1 - std::pow(5.0 / 6, 2));
    const GarmentMesh g = make_garment(pattern, "p");
    TriMesh cone = g.mesh;
    for (size_t i = 0; i < g.panels[0].points.size(); ++i) {
      const dvec2& p = g.panels[0].points[i];
      double angle = std::atan2(p.y, p.x);
      if (angle < 0) angle += 2 * M_PI;
      const double around = (angle - 0.5 * kWedge) * 6 / 5, out = glm::length(p);
      cone.positions[size_t(g.vertex[0][i])] = vec3(
          5.0 / 6 * out * std::cos(around), -0.9 * theory * out / kRadius, 5.0 / 6 * out * std::sin(around));
    }
    Scene s = scene_of(pattern, ElasticModel::springs);
    s.cloths[0].mesh = std::make_shared<TriMesh>(cone);
    s.cloths[0].fabric.bending_rigidity = 1e-7f;
    s.cloths[0].fabric.internal_damping = 0.5f;
    s.forces.air_damping = 10;
    Run run(s);
    run.settle(1e-4f, 300);
    const std::vector<vec3> x = run.sim->positions();
    const Topology& t = run.sim->model().host;
    std::vector<char> boundary(x.size(), 0);
    for (size_t e = 0; e < t.edges.size(); ++e)
      if (t.edge_triangles[e].y < 0) boundary[size_t(t.edges[e].x)] = boundary[size_t(t.edges[e].y)] = 1;
    dvec3 centre(0);
    int count = 0;
    for (size_t v = 0; v < x.size(); ++v)
      if (boundary[v]) centre += dvec3(x[v]), ++count;
    centre /= count;
    double height = 0, farthest = 0;  // of the apex, which is the farthest from the rim of all vertices
    for (const vec3& p : x) {
      double from_rim = 1e9;
      for (size_t v = 0; v < x.size(); ++v)
        if (boundary[v]) from_rim = std::min(from_rim, double(glm::length(p - x[v])));
      if (from_rim > farthest) farthest = from_rim, height = glm::length(dvec3(p) - centre);
    }
    const std::vector<float> rest = run.sim->model().edge_rest.download();
    double strain = 0;
    for (size_t e = 0; e < rest.size(); ++e) {
      const double l = glm::length(dvec3(x[size_t(t.edges[e].y)]) - dvec3(x[size_t(t.edges[e].x)]));
      strain += std::pow(l / double(rest[e]) - 1, 2) / double(rest.size());
    }
    MESSAGE("height " << height << " m, theory " << theory << ", strain " << std::sqrt(strain));
    CHECK(relative_error(height, theory) < 0.01);
    CHECK(std::sqrt(strain) < 1e-3);
  }

  TEST_CASE("a hanging sleeve stretches by w g L / 2Y, and weighs density times pattern area") {
    constexpr double kLength = 0.4, kRadius = 0.06;
    {  // by finite elements: springs on such meshes are a sheet on average only
      const ElasticModel model = ElasticModel::finite_elements;
      Scene s =
          scene_of(tube(kRadius, kLength, 0.014), model, "sewn");  // its pinned end is not pressed together
      s.forces.gravity = {0, -9.81f, 0};
      s.forces.air_damping = 4;
      FabricParams& f = s.cloths[0].fabric;
      f.areal_density = 0.3f, f.stretch_stiffness = 60, f.bending_rigidity = 0, f.internal_damping = 0.3f;
      s.pins.push_back(pin_where(s, [&](const vec3& p) { return double(p.y) > kLength - 4e-3; }));
      const double low = double(lowest(start_positions(s)));
      Run run(s);
      CHECK(relative_error(mass_of(*run.sim), 0.3 * 2 * M_PI * kRadius * kLength) < 1e-4);
      run.settle(1e-5f, 3000);
      const double stretch = (low - double(lowest(run.sim->positions()))) / kLength;
      const double theory = 0.3 * 9.81 * kLength / (2 * 60);
      MESSAGE("stretch " << stretch << ", theory " << theory << ", ratio " << stretch / theory);
      CHECK(relative_error(stretch, theory) < 0.01);
    }
  }

  TEST_CASE(
      "elastic at a strain e around a cylinder presses with Y e / R, and weighs what its pattern weighs") {
    // One row of triangles, all of them elastic. From rest, what it gains in a short step is its force
    // inwards.
    constexpr double kRadius = 0.1, kWidth = 0.016, kRatio = 0.8, kStiffness = 1000;
    {  // by finite elements: springs on such meshes are a sheet on average only
      const ElasticModel model = ElasticModel::finite_elements;
      Seam hem{"elastic", {{0, 0, 0, 1}}};
      hem.elastic = kRatio;
      Scene s = scene_of(tube(kRadius, kWidth, kWidth, {hem}), model);
      s.step.dt = 2e-5f;
      s.of<NewtonParams>().tolerance = 0;
      FabricParams& f = s.cloths[0].fabric;
      f.areal_density = 0.2f, f.stretch_stiffness = float(kStiffness), f.bending_rigidity = 0;
      Run run(s);
      CHECK(relative_error(mass_of(*run.sim), 0.2 * 2 * M_PI * kRadius * kWidth) < 1e-4);
      const std::vector<vec3> x = run.sim->positions();
      run.sim->step();
      const std::vector<vec3> v = run.sim->state().velocity.download();
      double force = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        const dvec3 out = glm::normalize(dvec3(x[i].x, 0, x[i].z));
        force -= double(run.sim->model().host_mass[i]) * glm::dot(dvec3(v[i]), out) / double(s.step.dt);
      }
      const double pressure = force / (2 * M_PI * kRadius * kWidth),
                   theory = kStiffness * (1 / kRatio - 1) / kRadius;
      MESSAGE("pressure " << pressure << " Pa, theory " << theory << ", ratio " << pressure / theory);
      CHECK(relative_error(pressure, theory) < 0.03);
    }
  }
}
