#include "sim/mesh/rest_shape.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/linear/level_rows.h"
#include "sim/mesh/bending/hinge_weights.h"
#include "sim/mesh/import/texture_rest.h"
#include "sim/scene/text/scene_file.h"
#include "sim/solvers/scene_elements.h"
#include "tests/garment/patterns.h"
#include "tests/support/text.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Two rectangles joined along a side, the second turned about the seam out of the plane of the first.
TriMesh joined(double degrees, double ratio = 1) {
  Panel lower = rectangle("lower", 0.3, 0.2), upper = rectangle("upper", 0.3 * ratio, 0.25, {0, 0.2, 0});
  upper.rotation.x = degrees;
  GarmentMesh g = make_garment(pattern_of({lower, upper}, {{"", {{0, 2, 0, 1}, {1, 0, 1, 0}}}}), "p");
  return std::move(g.mesh);
}

/// The same mesh with a rest shape of vertices: its positions.
TriMesh of_vertices(TriMesh mesh) {
  mesh.corners = {}, mesh.rest = mesh.positions;
  return mesh;
}

Topology topology_of(const TriMesh& mesh) { return build_topology({{"cloth", mesh}}); }

/// The largest difference of springs and bending between two sets of rows over the largest bending.
struct RowDifference {
  double rest = 0, stiffness = 0, bending = 0;
};
RowDifference difference(std::vector<std::vector<RowEntry>> a, std::vector<std::vector<RowEntry>> b) {
  RowDifference d;
  double most = 0;
  for (size_t r = 0; r < a.size(); ++r) {
    const auto by_neighbor = [](const RowEntry& x, const RowEntry& y) { return x.neighbor < y.neighbor; };
    std::sort(a[r].begin(), a[r].end(), by_neighbor), std::sort(b[r].begin(), b[r].end(), by_neighbor);
    REQUIRE(a[r].size() == b[r].size());
    for (size_t k = 0; k < a[r].size(); ++k) {
      const RowEntry &x = a[r][k], &y = b[r][k];
      REQUIRE(x.neighbor == y.neighbor);
      most = std::max(most, double(std::abs(y.bending)));
      d.bending = std::max(d.bending, double(std::abs(x.bending - y.bending)));
      d.stiffness = std::max(d.stiffness, double(std::abs(x.stiffness - y.stiffness)));
      if (y.stiffness > 0) d.rest = std::max(d.rest, double(std::abs(x.rest_length - y.rest_length)));
    }
  }
  d.bending /= most;
  return d;
}

constexpr double kLength = 3e-7;  // m: some units in the last place of coordinates up to 0.5 m
constexpr double kRounding =
    2e-4;  // of bending couplings: float32 positions to 1e-7 over edges of 0.02 m, squared and summed

}  // namespace

TEST_CASE("springs, plate and hinges of corners are those of vertices where the garment lies flat") {
  const TriMesh flat = joined(0);
  const Topology corners = topology_of(flat), vertices = topology_of(of_vertices(flat));
  const RowDifference plate = difference(plate_rows(corners, {0.3f}, {}), plate_rows(vertices, {0.3f}, {}));
  CHECK(plate.rest < kLength);
  CHECK(plate.stiffness < 1e-4);
  CHECK(plate.bending < kRounding);
  const HingeWeights a = fit_hinge_weights(corners), b = fit_hinge_weights(vertices);
  REQUIRE(a.dihedral.size() == b.dihedral.size());
  for (size_t h = 0; h < a.dihedral.size(); ++h) {
    CHECK(std::abs(a.dihedral[h] / b.dihedral[h] - 1) <
          0.05);  // the fit's frames are those of the relaxed garment
    CHECK(glm::length(a.stencil[h] - b.stencil[h]) < 1e-3f * glm::length(b.stencil[h]));
  }
}

TEST_CASE("a garment folded at its seam has the rest shape of the flat one, also across the seam") {
  const Topology folded = topology_of(joined(90)), flat = topology_of(of_vertices(joined(0)));
  const RowDifference plate = difference(plate_rows(folded, {0.3f}, {}), plate_rows(flat, {0.3f}, {}));
  CHECK(plate.rest < kLength);
  CHECK(plate.bending < kRounding);
  for (const float angle : fit_hinge_weights(folded).rest_angle) CHECK(angle == 0);
  const HingeWeights bent = fit_hinge_weights(topology_of(of_vertices(joined(90))));
  CHECK(*std::max_element(bent.rest_angle.begin(), bent.rest_angle.end(),
                          [](float a, float b) { return std::abs(a) < std::abs(b); }) != 0);
}

TEST_CASE("springs of two triangles with different rest lengths along a gathered seam act as one") {
  const TriMesh mesh = joined(0, 1.5);
  const Topology t = topology_of(mesh);
  const RestShape shape(mesh);
  const EdgeSprings springs = edge_springs(shape, t.triangles, t.edges);
  int gathered = 0;
  for (size_t e = 0; e < t.edges.size(); ++e) {
    if (t.edge_triangles[e].y < 0) continue;
    double force = 0, stiffness = 0, length[2];
    for (int k = 0; k < 2; ++k) {
      const int i = t.edge_triangles[e][k];
      for (int c = 0; c < 3; ++c)
        if (t.triangles[size_t(i)][(c + 2) % 3] != t.edges[e].x &&
            t.triangles[size_t(i)][(c + 2) % 3] != t.edges[e].y)
          length[k] = glm::length(shape.side(i, c));
      const double own = shape.area(i) / (length[k] * length[k]);
      stiffness += own, force += own * (0.021 - length[k]);  // pulled to 21 mm
    }
    CHECK(force == doctest::Approx(stiffness * (0.021 - double(springs.rest[e]))).epsilon(1e-4));
    gathered += std::abs(length[0] / length[1] - 1.5) < 1e-4 || std::abs(length[1] / length[0] - 1.5) < 1e-4;
  }
  CHECK(gathered >= 15);
}

TEST_CASE(
    "triangles are at rest in their pattern, with the warp along the grain, and weigh what the pattern "
    "weighs") {
  GarmentMesh g = make_garment(pattern_of({rectangle("a", 0.3, 0.2), rectangle("b", 0.3, 0.2, {0, 0.5, 0})},
                                          {{"", {{0, 2, 0, 1}, {1, 0, 1, 0}}}}),
                               "p");
  Scene scene;
  scene.cloths = {Cloth{}};
  const Topology t = topology_of(g.mesh);
  scene.step.elastic_model = int(ElasticModel::finite_elements);
  const auto list = element_list<CorotatedTriangle>(t, scene);
  double area = 0;
  for (size_t i = 0; i < t.triangles.size(); ++i) {
    const auto& r = list.rest[i];
    area += double(r.area);
    const PanelMesh& panel = g.panels[size_t(g.panel_of_triangle[i])];
    // corners of the triangle in its panel: those of its vertices
    dvec2 x[3];
    for (int k = 0; k < 3; ++k)
      for (size_t v = 0; v < panel.points.size(); ++v)
        if (g.vertex[size_t(g.panel_of_triangle[i])][v] == t.triangles[i][k]) x[k] = panel.points[v];
    const dvec2 a = x[1] - x[0], b = x[2] - x[0];
    // gradient of the map from material to panel: its columns are the directions of warp (up) and weft (to
    // the left)
    const dvec2 warp = a * double(r.u1) + b * double(r.u2), weft = a * double(r.v1) + b * double(r.v2);
    CHECK(glm::length(warp - dvec2(0, 1)) < 1e-3);
    CHECK(glm::length(weft - dvec2(-1, 0)) < 1e-3);
  }
  CHECK(area == doctest::Approx(2 * 0.3 * 0.2).epsilon(1e-5));
}

TEST_CASE("texture coordinates of a garment's file are its rest shape, in metres or scaled by one factor") {
  for (const float units : {1.0f, 4.0f}) {
    CAPTURE(units);
    TriMesh mesh = joined(90);
    mesh.positions = mesh.rest, mesh.rest.clear();
    mesh.corners.is_rest = false;
    for (vec2& v : mesh.corners.values) v /= units;
    std::vector<std::string> notices;
    take_texture_as_rest(mesh, "cloth shirt", notices);
    CHECK(notices.size() == (units == 1 ? 0u : 1u));
    double area = 0;
    for (const float a : rest_areas(topology_of(mesh))) area += double(a);
    CHECK(area == doctest::Approx(0.3 * 0.45).epsilon(units == 1 ? 1e-5 : 0.03));
  }
  TriMesh bare = of_vertices(joined(0)), crooked = joined(0);
  std::vector<std::string> notices;
  CHECK(contains(fault_of([&] { take_texture_as_rest(bare, "cloth shirt", notices); }),
                 "cloth shirt: it has no texture coordinates"));
  crooked.positions = crooked.rest;
  for (vec2& v : crooked.corners.values) v = {v.x * 3, v.y};
  CHECK(contains(fault_of([&] { take_texture_as_rest(crooked, "cloth shirt", notices); }),
                 "are no flat pattern of it"));
}
