// Coarse meshes and grids over them for tests.
#pragma once
#include <cmath>
#include <random>

#include "sim/grid/grid.h"

namespace weft::testing {

/// A rectangle of n x m squares of two triangles, from `low` on, in material space; its positions are in the
/// plane z = 0 with a shift of `at`.
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

/// A square of 21 x 20 mm whose halves touch along x = 10.5 mm and are one above y = 10.2 mm: a slit without
/// width below it.
/// `open` false: one everywhere.
inline TriMesh slit_square(bool open = true) {
  TriMesh mesh;
  const float xs[3] = {0, 0.0105f, 0.021f}, ys[3] = {0, 0.0102f, 0.02f};
  const auto add = [&](float x, float y) {
    mesh.uv.push_back({x, y});
    mesh.positions.push_back({x, y, 0});
    return mesh.vertex_count() - 1;
  };
  int at[3][3];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) at[j][i] = add(xs[i], ys[j]);
  const int split = open ? add(xs[1], ys[0]) : at[0][1];
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) {
      const int a = i == 1 && j == 0 ? split : at[j][i], b = at[j][i + 1], c = at[j + 1][i + 1],
                d = at[j + 1][i];
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  return mesh;
}

/// Two panels sewn along an edge; the second one is turned in material space, so that the lattices do not
/// match.
inline TriMesh two_sewn_panels() {
  TriMesh mesh;
  for (int j = 0; j <= 4; ++j)
    for (int i = 0; i <= 4; ++i) mesh.positions.push_back({0.0153f * float(i), 0.0151f * float(j), 0});
  mesh.corners.is_rest = true;
  const glm::mat2 turn(std::cos(0.5f), std::sin(0.5f), -std::sin(0.5f), std::cos(0.5f));
  const auto corner = [&](int v, bool right) {
    const vec2 p(mesh.positions[size_t(v)]);
    mesh.corners.values.push_back(right ? turn * p : p);
    return int(mesh.corners.values.size()) - 1;
  };
  // material points of the left panel, then of the right one
  std::vector<int> left(mesh.positions.size(), -1), right = left;
  for (int v = 0; v < 25; ++v) {
    if (v % 5 <= 2) left[size_t(v)] = corner(v, false);
    if (v % 5 >= 2) right[size_t(v)] = corner(v, true);
  }
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) {
      const int a = 5 * j + i;
      const std::vector<int>& place = i < 2 ? left : right;
      for (const ivec3& t : {ivec3(a, a + 1, a + 6), ivec3(a, a + 6, a + 5)}) {
        mesh.triangles.push_back(t);
        mesh.corners.of_triangle.push_back({place[size_t(t.x)], place[size_t(t.y)], place[size_t(t.z)]});
      }
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
