// What the renderer derives from meshes and numbers, without OpenGL.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <tuple>

#include "sim/mannequin/body_mesh.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/scene/text/scene_file.h"
#include "tests/garment/patterns.h"
#include "tests/grid/sheets.h"
#include "viewer/render/bodies.h"
#include "viewer/render/cloth_mesh.h"
#include "viewer/render/color_scale.h"

using namespace weft;

namespace {

std::vector<ivec2> edges_of(const std::vector<ivec3>& triangles) {
  std::set<std::pair<int, int>> edges;
  for (const ivec3& t : triangles)
    for (int k = 0; k < 3; ++k)
      edges.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
  std::vector<ivec2> result;
  for (const auto& [a, b] : edges) result.push_back({a, b});
  return result;
}

}  // namespace

TEST_CASE("the boundary of a sheet is one loop whose edges follow each other") {
  const TriMesh grid = make_grid({1, 0.5f}, 0.1f);
  const auto boundary = boundary_edges(grid.triangles, grid.vertex_count());
  float length = 0;
  std::set<int> starts;
  for (const BoundaryEdge& e : boundary) {
    length += glm::distance(grid.positions[size_t(e.first)], grid.positions[size_t(e.second)]);
    starts.insert(e.first);
  }
  CHECK(length == doctest::Approx(3).epsilon(1e-5));
  CHECK(starts.size() == boundary.size());
  for (const BoundaryEdge& e : boundary) {
    CHECK(starts.count(e.second) == 1);
    CHECK(e.before != e.second);
    CHECK(e.after != e.first);
  }
}

TEST_CASE("a closed body has no boundary") {
  CHECK(boundary_edges(make_sphere(1, 2).triangles, 162).empty());
}

TEST_CASE("distance from the boundary is what a ruler measures") {
  const TriMesh grid = make_grid({1, 1}, 0.05f);
  const auto boundary = boundary_edges(grid.triangles, grid.vertex_count());
  const auto distance = boundary_distance(grid.positions, edges_of(grid.triangles), boundary, 0.2f);
  for (int v = 0; v < grid.vertex_count(); ++v) {
    const vec2 uv = grid.uv[size_t(v)];
    const float exact = std::min(std::min(std::min(uv.x, 1 - uv.x), std::min(uv.y, 1 - uv.y)), 0.2f);
    CHECK(distance[size_t(v)] == doctest::Approx(exact).epsilon(1e-3));
  }
}

TEST_CASE("vertices of a seam are drawn once for each panel, with the panel's own material points") {
  const TriMesh mesh = testing::two_sewn_panels();
  SceneView scene;
  scene.triangles = mesh.triangles, scene.rest = mesh.positions;
  scene.edges = edges_of(mesh.triangles);
  scene.uv.assign(mesh.positions.size(), vec2(7));
  scene.parts.push_back({"cloth", 0, mesh.vertex_count(), 0, mesh.triangle_count(), vec2(2), mesh.corners});
  const DrawnVertices drawn = drawn_vertices(scene);
  REQUIRE(drawn.triangles.size() == mesh.triangles.size());
  CHECK(drawn.of.size() == mesh.positions.size() + 5);  // the seam has five vertices
  for (int v = 0; v < mesh.vertex_count(); ++v) CHECK(drawn.of[size_t(v)] == v);
  for (size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int d = drawn.triangles[t][k];
      CHECK(drawn.of[size_t(d)] == mesh.triangles[t][k]);
      CHECK(drawn.uv[size_t(d)] == 2.0f * mesh.corners.values[size_t(mesh.corners.of_triangle[t][k])]);
    }
  // an atlas is no rest shape, and vertices keep their own
  scene.parts[0].corners.is_rest = false;
  CHECK(drawn_vertices(scene).triangles == scene.triangles);
  CHECK(drawn_vertices(scene).uv == scene.uv);
}

TEST_CASE("panels of a garment are drawn in the colours of the fabrics that they name") {
  using namespace weft::testing;
  Pattern p = pattern_of({rectangle("a", 0.3, 0.2), rectangle("b", 0.3, 0.2, dvec3(0.4, 0, 0)),
                          rectangle("c", 0.3, 0.2, dvec3(0.8, 0, 0))},
                         {{"ab", {{0, 1, 0, 1}, {1, 3, 1, 0}}}}, 0.05);
  p.panels[1].fabric = "silk", p.panels[2].fabric = "red";
  Scene scene;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.shape = ClothShape::garment, cloth.sewing_pattern = SharedPattern(p);
  cloth.panel_fabrics["red"].front_color = {1, 0, 0};
  cloth.fabric.front_color = {0, 1, 0};
  scene.cloths.push_back({});
  const std::vector<ClothLooks> looks = looks_of(scene);
  REQUIRE(looks.size() == 2);
  CHECK(looks[0].of(0).front == vec3(0, 1, 0));
  CHECK(looks[0].of(1).front == to_linear(read_fabric("silk").front_color));
  CHECK(looks[0].of(1).weave == read_fabric("silk").weave);
  CHECK(looks[0].of(2).front == vec3(1, 0, 0));
  CHECK(looks[1].panels.empty());

  const GarmentMesh g = make_garment(p, "p");
  SceneView view;
  view.scene = scene;
  view.triangles = g.mesh.triangles;
  view.triangles.push_back({0, 1, 2});
  ModelPart range;
  range.triangle_count = g.mesh.triangle_count(), range.corners = g.mesh.corners;
  view.parts.push_back(range);
  range = {};
  range.first_triangle = g.mesh.triangle_count(), range.triangle_count = 1;
  view.parts.push_back(range);
  const std::vector<ClothMesh::Part> parts = parts_of(view);
  REQUIRE(parts.size() == 4);
  for (size_t i = 0; i < 3; ++i) {
    CHECK(parts[i].cloth == 0);
    for (int t = 0; t < parts[i].triangles; ++t)
      CHECK(g.panel_of_triangle[size_t(parts[i].first_triangle + t)] == parts[i].panel);
  }
  CHECK(parts[3].cloth == 1);
  CHECK(parts[3].triangles == 1);
}

TEST_CASE("normals are smooth on a ball and sharp on a box") {
  std::vector<vec3> positions, normals;
  creased_normals(make_sphere(2, 3), 40, positions, normals);
  float worst = 1;
  for (size_t i = 0; i < positions.size(); ++i)
    worst = std::min(worst, glm::dot(normals[i], glm::normalize(positions[i])));
  CHECK(worst > 0.999f);
  creased_normals(make_box({1, 2, 3}), 40, positions, normals);
  CHECK(positions.size() == 36);
  for (const vec3& n : normals)
    CHECK(std::max(std::abs(n.x), std::max(std::abs(n.y), std::abs(n.z))) > 0.9999f);
}

TEST_CASE("a mannequin's coarse fingers and toes are shaded smooth, and a box is not") {
  MannequinParams params;
  params.edge = 0.02f;
  const TriMesh mesh = make_body_mesh(params)->mesh;
  Obstacle mannequin, box;
  mannequin.shape = ObstacleShape::mannequin, box.shape = ObstacleShape::box;
  std::vector<vec3> positions, normals;
  const auto sharp_places = [&](const Obstacle& obstacle) {  // with more than one normal
    creased_normals(mesh, crease_of(obstacle), positions, normals);
    std::map<std::tuple<float, float, float>, vec3> first;
    int count = 0;
    for (size_t i = 0; i < positions.size(); ++i) {
      const vec3& p = positions[i];
      count += glm::dot(first.try_emplace({p.x, p.y, p.z}, normals[i]).first->second, normals[i]) < 0.999f;
    }
    return count;
  };
  CHECK(sharp_places(mannequin) == 0);
  CHECK(sharp_places(box) > 10);  // so that the mesh does have such edges
}

TEST_CASE(
    "a body stands behind its place by half an edge of the cloth, and by no more than a quarter of its "
    "size") {
  const Bounds box{{0, 0, 0}, {1, 0.04f, 1}};
  CHECK(std::abs(depth_behind_cloth(box, 0.014f) - 0.007f) < 1e-6f);
  CHECK(std::abs(depth_behind_cloth(box, 0.2f) - 0.01f) < 1e-6f);
  CHECK(depth_behind_cloth(Bounds{}, 0.014f) == 0);
}

TEST_CASE("a legend ends at a round number that holds the values") {
  CHECK(round_up_nice(0.013f) == doctest::Approx(0.02));
  CHECK(round_up_nice(2.0f) == doctest::Approx(2));
  CHECK(round_up_nice(37) == doctest::Approx(50));
  CHECK(round_up_nice(99) == doctest::Approx(100));
  CHECK(round_up_nice(0) > 0);
  FittedRange range;
  CHECK(range.update(4) == doctest::Approx(5));
  CHECK(range.update(2) == doctest::Approx(5));  // no flicker while the values still fill a good part
  CHECK(range.update(6) == doctest::Approx(10));
  CHECK(range.update(1) == doctest::Approx(1));
}

TEST_CASE("the colour scales grow lighter throughout") {
  for (const ColorMap map : {ColorMap::green, ColorMap::fire, ColorMap::grey}) {
    CAPTURE(int(map));
    float before = -1;
    for (int i = 0; i <= 20; ++i) {
      const float light = glm::dot(scale_color(map, float(i) / 20), vec3(0.2126f, 0.7152f, 0.0722f));
      CHECK(light > before);
      before = light;
    }
  }
}

TEST_CASE("a percentile counts the values above the low end alone") {
  std::vector<float> values(1000, 0.0f);
  for (int i = 1; i <= 100; ++i) values.push_back(float(i));
  values.push_back(1e6f);
  CHECK(percentile_above(values, 0, 98) == doctest::Approx(99).epsilon(0.02));
  CHECK(percentile_above(values, 0, 100) == 1e6f);
  CHECK(percentile_above(values, 0, 50) == doctest::Approx(51).epsilon(0.02));
  CHECK(percentile_above(std::vector<float>(10, 1.0f), 1, 98) == 0);
  CHECK(percentile_above({}, 0, 98) == 0);
}
