#include "render_scene.h"

#include <set>

namespace weft::testing {
namespace {

std::vector<ivec2> unique_edges(const std::vector<ivec3>& triangles) {
  std::set<std::pair<int, int>> edges;
  for (const ivec3& t : triangles)
    for (int k = 0; k < 3; ++k)
      edges.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
  std::vector<ivec2> result;
  for (const auto& [a, b] : edges) result.push_back({a, b});
  return result;
}

StillLife sheet(const TriMesh& grid) {
  StillLife s;
  s.scene.model_id = 1;
  s.scene.triangles = grid.triangles;
  s.scene.edges = unique_edges(grid.triangles);
  s.scene.uv = grid.uv;
  s.scene.rest = grid.positions;
  s.scene.parts = {{"cloth", 0, grid.vertex_count(), 0, grid.triangle_count()}};
  Cloth cloth;
  cloth.fabric.front_color = {0.75f, 0.22f, 0.20f};
  cloth.fabric.back_color = {0.86f, 0.78f, 0.66f};
  s.scene.scene.cloths = {cloth};
  s.frame.id = 1;
  s.frame.model_id = 1;
  s.frame.vertex_count = grid.vertex_count();
  return s;
}

void add_body(StillLife& s, ObstacleShape shape, const TriMesh& mesh, const vec3& at, const vec3& color) {
  Obstacle obstacle;
  obstacle.shape = shape;
  obstacle.placement.position = at;
  obstacle.color = color;
  s.scene.scene.obstacles.push_back(obstacle);
  s.scene.obstacle_meshes.push_back(mesh);
  s.frame.obstacles.push_back({int(s.frame.obstacles.size()), glm::translate(mat4(1), at)});
}

/// Where the sheet's point (u, v), each 0 to 1, hangs: pinned at the two upper corners, sagging between them
/// into folds that widen downwards.
vec3 hang(float u, float v) {
  const float drop = 1 - v, x = 2 * u - 1;
  const float sag = 0.20f * (1 - x * x) * (0.55f + 0.45f * std::exp(-3 * drop));
  const float phase = 2 * kPi * (2.6f * u + 0.25f * drop * std::sin(5 * u));
  const float depth =
      (0.02f + 0.075f * drop) * std::sin(phase) + 0.03f * std::sin(2.3f * phase + 4 * drop) * drop;
  return {0.44f * x * (1 - 0.10f * drop), 1.62f - sag - 0.97f * drop + 0.03f * x * x * drop,
          depth * (0.3f + 0.7f * (1 - x * x * x * x))};
}

}  // namespace

std::vector<vec3> vertex_normals(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles) {
  std::vector<vec3> normals(positions.size(), vec3(0));
  for (const ivec3& t : triangles) {
    const vec3 a = positions[size_t(t.x)];
    const vec3 n = glm::cross(positions[size_t(t.y)] - a, positions[size_t(t.z)] - a);
    for (int k = 0; k < 3; ++k) normals[size_t(t[k])] += n;
  }
  for (vec3& n : normals) n = glm::normalize(n);
  return normals;
}

StillLife make_still_life(int vertices) {
  const TriMesh grid = make_grid({1, 1}, edge_for_vertices({1, 1}, vertices));
  StillLife s = sheet(grid);
  for (const vec2& uv : grid.uv) s.frame.positions.push_back(hang(uv.x, uv.y));
  s.frame.normals = vertex_normals(s.frame.positions, grid.triangles);
  for (size_t v = 0; v < grid.uv.size(); ++v)
    s.frame.scalar.push_back(1 + 0.08f * grid.uv[v].y * grid.uv[v].y);
  s.frame.field = "stretch";
  for (int v = 0; v < grid.vertex_count(); ++v)
    if (grid.uv[size_t(v)].y > 0.9999f && std::abs(grid.uv[size_t(v)].x - 0.5f) > 0.4999f)
      s.frame.pinned.push_back(v);
  const vec3 wood{0.62f, 0.46f, 0.32f};
  add_body(s, ObstacleShape::plane, make_plane_quad(4), vec3(0), vec3(0.5f));
  add_body(s, ObstacleShape::box, make_box({0.70f, 0.04f, 0.50f}), {0.95f, 0.55f, -0.05f}, wood);
  for (float x : {0.65f, 1.25f})
    for (float z : {-0.25f, 0.15f})
      add_body(s, ObstacleShape::box, make_box({0.04f, 0.53f, 0.04f}), {x, 0.265f, z}, wood);
  add_body(s, ObstacleShape::sphere, make_sphere(0.14f, 4), {0.88f, 0.71f, -0.03f}, {0.20f, 0.42f, 0.55f});
  add_body(s, ObstacleShape::sphere, make_sphere(0.22f, 4), {-0.85f, 0.22f, 0.25f}, {0.88f, 0.86f, 0.82f});
  return s;
}

StillLife make_flat_sheet(int vertices) {
  const TriMesh grid = make_grid({1, 1}, edge_for_vertices({1, 1}, vertices));
  StillLife s = sheet(grid);
  for (const vec3& p : grid.positions) s.frame.positions.push_back(p + vec3(0, 1, 0));
  s.frame.normals.assign(grid.positions.size(), vec3(0, 0, 1));
  return s;
}

}  // namespace weft::testing
