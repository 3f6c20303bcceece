// Meshes and sequences for tests of geometry processing.
#pragma once
#include <doctest/doctest.h>

#include <cmath>

#include "sim/mesh/shapes/shapes.h"
#include "tests/safety/crossings.h"

namespace weft::testing {

inline void append(TriMesh& mesh, TriMesh other, const vec3& offset) {
  for (ivec3& t : other.triangles) t += ivec3(mesh.vertex_count());
  for (const vec3& p : other.positions) mesh.positions.push_back(p + offset);
  mesh.triangles.insert(mesh.triangles.end(), other.triangles.begin(), other.triangles.end());
}

/// A level sheet with 10 mm edges, and above it, by `height` (m) at its middle, one that is tilted by 20
/// degrees: they cross below 34 mm.
inline TriMesh tilted_sheets(float height) {
  TriMesh mesh;
  append(mesh, make_grid({0.2f, 0.1f}, 0.01f), vec3(0));
  TriMesh upper = make_grid({0.2f, 0.1f}, 0.01f);
  for (vec3& p : upper.positions) p = {p.x * std::cos(0.349f), p.y, p.x * std::sin(0.349f)};
  append(mesh, upper, {0, 0, height});
  return mesh;
}

/// How far the upper one has come through the level one (m): the lowest of its vertices above or below that.
inline double depth_of_tilted_sheets(const TriMesh& sheets) {
  double depth = 0;
  for (int v = sheets.vertex_count() / 2; v < sheets.vertex_count(); ++v)
    if (const vec3 p = sheets.positions[size_t(v)]; std::abs(p.x) <= 0.1f)
      depth = std::max(depth, -double(p.z));
  return depth;
}

/// A level sheet, and 5 mm to its side, by `height` (m) above it, another one.
inline TriMesh level_sheets(float height) {
  TriMesh mesh;
  append(mesh, make_grid({0.1f, 0.1f}, 0.01f), vec3(0));
  append(mesh, make_grid({0.1f, 0.1f}, 0.01f), {0.005f, 0, height});
  return mesh;
}

/// A strip whose half x > 0 is bent over, around a quarter of its length in an arc; by more than about 200
/// degrees it runs through itself.
inline TriMesh folded_sheet(float degrees) {
  TriMesh mesh = make_grid({0.2f, 0.06f}, 0.01f);
  const float angle = glm::radians(degrees), arc = 0.05f;
  for (vec3& p : mesh.positions) {
    if (p.x <= 0) continue;
    const float in_arc = std::min(p.x, arc), turn = angle * in_arc / arc, rest = p.x - in_arc,
                radius = angle > 0 ? arc / angle : 0.0f;
    const vec2 end = angle > 0 ? radius * vec2(std::sin(turn), 1 - std::cos(turn)) : vec2(in_arc, 0);
    p = {end.x + rest * std::cos(turn), p.y, end.y + rest * std::sin(turn)};
  }
  return mesh;
}

/// How far the bent half has come through the other (m).
inline double depth_of_folded_sheet(const TriMesh& strip) {
  const TriMesh flat = folded_sheet(0);
  double depth = 0;
  for (int v = 0; v < strip.vertex_count(); ++v)
    if (const vec3 p = strip.positions[size_t(v)];
        flat.positions[size_t(v)].x > 0 && p.x <= 0 && p.x >= -0.1f)
      depth = std::max(depth, -double(p.z));
  return depth;
}

inline bool clean(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles) {
  return check::find_crossings(std::span<const vec3>(positions), {std::span<const ivec3>(triangles)}).clean();
}

}  // namespace weft::testing
