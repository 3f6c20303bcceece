#include "sim/scene/model/cloth_mesh.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/mesh/uniform/uniformity.h"

using namespace weft;

namespace {
std::vector<std::string> notices;
}

TEST_CASE("every shape of cloth has about as many vertices as asked") {
  for (const ClothShape shape : {ClothShape::grid, ClothShape::disc, ClothShape::tube, ClothShape::strip})
    for (int vertices : {500, 10000}) {
      Cloth cloth;
      cloth.shape = shape;
      cloth.size = {0.5f, 0.8f};
      cloth.vertices = vertices;
      const int got = build_cloth_mesh(cloth, "", notices).vertex_count();
      CAPTURE(int(shape));
      // Rows and columns are whole: half of one more or less, each way.
      CHECK(std::abs(got - vertices) < 2 * std::sqrt(double(vertices)));
    }
}

TEST_CASE("an edge length takes precedence over a number of vertices") {
  Cloth cloth;
  cloth.edge = 0.1f;
  CHECK(build_cloth_mesh(cloth, "", notices).vertex_count() == make_grid({1, 1}, 0.1f).vertex_count());
}

TEST_CASE("a placed cloth keeps its unplaced shape as rest shape, scaled") {
  Cloth cloth;
  cloth.edge = 0.2f;
  cloth.placement = {{1, 2, 3}, {90, 0, 0}, 2};
  cloth.unevenness = 0;
  const TriMesh m = build_cloth_mesh(cloth, "", notices), plain = make_grid({1, 1}, 0.2f);
  REQUIRE(m.rest.size() == m.positions.size());
  for (int v = 0; v < m.vertex_count(); ++v) {
    const vec3 p = plain.positions[v];
    CHECK(m.rest[v] == 2.0f * p);
    CHECK(m.uv[v] == 2.0f * plain.uv[v]);
    CHECK(glm::length(m.positions[v] - vec3(1 + 2 * p.x, 2, 3 + 2 * p.y)) < 1e-6f);
  }
}

TEST_CASE("a flat cloth starts a little off its plane, and rests flat") {
  Cloth cloth;
  cloth.edge = 0.01f;
  const TriMesh m = build_cloth_mesh(cloth, "", notices);
  float least = 0, most = 0;
  for (int v = 0; v < m.vertex_count(); ++v) {
    CHECK(m.rest[v].z == 0);
    least = std::min(least, m.positions[v].z);
    most = std::max(most, m.positions[v].z);
  }
  // Four waves, each of half the share of an edge.
  CHECK(most <= 4 * 0.5f * cloth.unevenness * 0.0105f);
  CHECK(most > 0.25f * cloth.unevenness * 0.01f);
  CHECK(least < -0.25f * cloth.unevenness * 0.01f);
}

TEST_CASE("a strip has its rows along the longer side and faces forward") {
  Cloth cloth;
  cloth.shape = ClothShape::strip;
  cloth.size = {0.1f, 1.0f};
  cloth.edge = 0.02f;
  cloth.unevenness = 0;
  const TriMesh m = build_cloth_mesh(cloth, "", notices);
  const Bounds b = bounds_of(m.positions);
  CHECK(b.min == vec3(-0.05f, -0.5f, 0));
  CHECK(b.max == vec3(0.05f, 0.5f, 0));
  int lengthwise = 0;
  for (const ivec3& t : m.triangles) {
    REQUIRE(glm::cross(m.positions[t.y] - m.positions[t.x], m.positions[t.z] - m.positions[t.x]).z > 0);
    for (int k = 0; k < 3; ++k)
      lengthwise += std::abs(m.positions[t[k]].x - m.positions[t[(k + 1) % 3]].x) < 1e-6f;
  }
  CHECK(lengthwise >= m.triangle_count());  // every triangle has a side along the strip
  for (int v = 0; v < m.vertex_count(); ++v)
    REQUIRE(glm::length(m.uv[v] - vec2(m.positions[v].x + 0.05f, m.positions[v].y + 0.5f)) < 1e-6f);
}

TEST_CASE("an OBJ cloth is looked up beside the scene and its notices are passed on") {
  const auto folder = std::filesystem::temp_directory_path() / "weft_cloth_mesh_test";
  std::filesystem::create_directories(folder);
  write_text_file((folder / "a.obj").string(), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\n");
  Cloth cloth;
  cloth.shape = ClothShape::obj;
  cloth.file = "a.obj";
  std::vector<std::string> told;
  const TriMesh m = build_cloth_mesh(cloth, folder.string(), told);
  CHECK(m.vertex_count() == 3);
  REQUIRE(told.size() == 1);
  CHECK(told[0] == (folder / "a.obj").string() +
                       ":4: 1 vertex that no face uses: left out of the simulation; written files have it");
  cloth.file = "b.obj";
  CHECK_THROWS_AS(build_cloth_mesh(cloth, folder.string(), told), Error);
  std::filesystem::remove_all(folder);
}

TEST_CASE("obstacles are scaled and stay at the origin") {
  Obstacle o;
  o.size = {0.3f, 0.5f, 0.7f};
  o.placement = {{9, 9, 9}, {45, 0, 0}, 2};
  o.shape = ObstacleShape::sphere;
  CHECK(bounds_of(build_obstacle_mesh(o, "", notices).positions).max.y == doctest::Approx(0.6));
  o.shape = ObstacleShape::box;
  CHECK(bounds_of(build_obstacle_mesh(o, "", notices).positions).max == vec3(0.3f, 0.5f, 0.7f));
  o.shape = ObstacleShape::capsule;
  CHECK(bounds_of(build_obstacle_mesh(o, "", notices).positions).max.y == doctest::Approx(1.1));
  o.shape = ObstacleShape::plane;
  CHECK(bounds_of(build_obstacle_mesh(o, "", notices).positions).max == vec3(2, 0, 2));
}

TEST_CASE("a capsule that bends has a thousand rows at most, however thin and long it is") {
  Obstacle o;
  o.shape = ObstacleShape::capsule;
  o.size = {1e-6f, 1e4f, 0};
  o.bones.emplace_back();
  CHECK(build_obstacle_mesh(o, "", notices).vertex_count() < 32 * 1100);
}

TEST_CASE("missing files are named with their owner") {
  Obstacle o;
  o.shape = ObstacleShape::mesh;
  CHECK_THROWS_WITH_AS(build_obstacle_mesh(o, "", notices),
                       "obstacle obstacle: names no file — add file = \"mesh.obj\"", Error);
}

TEST_CASE(
    "a cloth from a file is made uniform when asked, or when its edges are uneven and the collision method "
    "minds") {
  const std::string path = (std::filesystem::temp_directory_path() / "weft_remesh_scene.obj").string();
  const TriMesh grid = make_grid({0.2f, 0.1f}, 0.01f);  // ratio 0.5
  write_obj(path, {{"grid", &grid.positions, &grid.triangles}});
  Cloth cloth;
  cloth.shape = ClothShape::obj, cloth.file = path, cloth.placement.scale = 2;
  const auto build = [&](bool uniform) {
    return notices.clear(), build_cloth_mesh(cloth, "", notices, uniform);
  };
  CHECK(build(false).vertex_count() == grid.vertex_count());
  CHECK(notices.empty());
  CHECK(uniformity_of(build(true)).ratio() >= kUniformEnough);
  REQUIRE(notices.size() == 1);
  CHECK(notices[0].find("remeshed: ") != notices[0].npos);
  CHECK(notices[0].find("remesh = \"never\"") != notices[0].npos);
  cloth.remesh = Remesh::never;
  CHECK(build(true).vertex_count() == grid.vertex_count());
  CHECK(notices.size() == 1);
  cloth.remesh = Remesh::always;
  CHECK(uniformity_of(build(false)).ratio() >= kUniformEnough);
  cloth.remesh_edge = 0.015f;  // of the scaled cloth
  const TriMesh fine = build(false);
  CHECK(uniformity_of(fine).mean == doctest::Approx(0.015).epsilon(0.12));
  CHECK(glm::length(bounds_of(fine.rest).max - vec3(0.2f, 0.1f, 0)) < 1e-6f);
  std::filesystem::remove(path);
}

TEST_CASE("a cloth that cannot be made uniform is an error only where that was asked for") {
  const std::string path = (std::filesystem::temp_directory_path() / "weft_remesh_fan.obj").string();
  write_text_file(path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 0.2\nf 1 2 3\nf 2 1 4\nf 1 2 5\n");
  Cloth cloth;
  cloth.shape = ClothShape::obj, cloth.file = path;
  notices.clear();
  cloth.remesh = Remesh::automatic;
  CHECK(build_cloth_mesh(cloth, "", notices, true).triangle_count() == 3);
  CHECK(notices.back().find("stays uneven") != notices.back().npos);
  cloth.remesh = Remesh::always;
  CHECK_THROWS_AS(build_cloth_mesh(cloth, "", notices, false), Error);
  std::filesystem::remove(path);
}
