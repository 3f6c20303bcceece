// Coarse meshes and grids over them for tests.
#pragma once
#include <cmath>
#include <random>

#include "sim/grid/grid.h"

namespace weft::testing {

/// A rectangle of n x m squares of two triangles, from `low` on, in material space; its positions are in the plane z = 0
/// with a shift of `at`.
inline TriMesh rectangle(const vec2& low, const vec2& size, int n, int m, const vec3& at = vec3(0)) {
  TriMesh mesh;
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i <= n; ++i) {
      const vec2 p = low + size * vec2(float(i) / float(n), float(j) / float(m));
      mesh.uv.push_back(p);
      mesh.positions.push_back(vec3(p, 0) + at);
    }
  const int row = n + 1;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * row + i;
      mesh.triangles.push_back({a, a + 1, a + row + 1});
      mesh.triangles.push_back({a, a + row + 1, a + row});
    }
  return mesh;
}

inline double cross_of(const dvec2& a, const dvec2& b) { return a.x * b.y - a.y * b.x; }

/// Barycentric weights of p in triangle t of a material mesh.
inline dvec3 weights_in(const grid::MaterialMesh& mesh, size_t t, const dvec2& p) {
  const dvec2 a = mesh.point[size_t(mesh.corners[t].x)], b = mesh.point[size_t(mesh.corners[t].y)],
              c = mesh.point[size_t(mesh.corners[t].z)];
  const double all = cross_of(b - a, c - a);
  return {cross_of(b - p, c - p) / all, cross_of(c - p, a - p) / all, cross_of(a - p, b - p) / all};
}

}  // namespace weft::testing
