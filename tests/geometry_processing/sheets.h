// Meshes and sequences for tests of geometry processing.
#pragma once
#include <doctest/doctest.h>

#include <cmath>

#include "sim/mesh/shapes.h"
#include "tests/safety/crossings.h"

namespace weft::test {

inline void append(TriMesh& mesh, TriMesh other, const vec3& offset) {
  for (ivec3& t : other.triangles) t += ivec3(mesh.vertex_count());
  for (const vec3& p : other.positions) mesh.positions.push_back(p + offset);
  mesh.triangles.insert(mesh.triangles.end(), other.triangles.begin(), other.triangles.end());
}

/// A level sheet with 10 mm edges, and above it, by `height` (m) at its middle, one that is tilted by 20 degrees: they cross below 34 mm.
inline TriMesh tilted_sheets(float height) {
  TriMesh mesh;
  append(mesh, make_grid({0.2f, 0.1f}, 0.01f), vec3(0));
  TriMesh upper = make_grid({0.2f, 0.1f}, 0.01f);
  for (vec3& p : upper.positions) p = {p.x * std::cos(0.349f), p.y, p.x * std::sin(0.349f)};
  append(mesh, upper, {0, 0, height});
  return mesh;
}

/// A strip whose half x > 0 is bent over, around a quarter of its length in an arc; by more than about 200 degrees it runs through itself.
inline TriMesh folded_sheet(float degrees) {
  TriMesh mesh = make_grid({0.2f, 0.06f}, 0.01f);
  const float angle = glm::radians(degrees), arc = 0.05f;
  for (vec3& p : mesh.positions) {
    if (p.x <= 0) continue;
    const float in_arc = std::min(p.x, arc), turn = angle * in_arc / arc, rest = p.x - in_arc, radius = angle > 0 ? arc / angle : 0.0f;
    const vec2 end = angle > 0 ? radius * vec2(std::sin(turn), 1 - std::cos(turn)) : vec2(in_arc, 0);
    p = {end.x + rest * std::cos(turn), p.y, end.y + rest * std::sin(turn)};
  }
  return mesh;
}

inline bool clean(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles) {
  return check::find_crossings(std::span<const vec3>(positions), {std::span<const ivec3>(triangles)}).clean();
}

}  // namespace weft::test
