// Triangle meshes to search in: cloth and obstacles, and who is near whom by brute force.
#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "sim/collision/proximity/triangle_search.h"
#include "sim/geometry/primitive_distance.h"

namespace weft::testing {

/// Edges of the triangles, each once.
inline void derive_edges(SearchSurface& s) {
  std::set<std::pair<int, int>> edges;
  for (const ivec3& t : s.triangles)
    for (int k = 0; k < 3; ++k) edges.insert(std::minmax(int(t[k]), int(t[(k + 1) % 3])));
  s.edges.clear();
  for (const auto& [a, b] : edges) s.edges.push_back({a, b});
}

/// A sheet of n x n vertices in the xz-plane of the given side (m), its points moved by `shape`.
template <class Shape>
void add_sheet(SearchSurface& s, int n, float side, const Shape& shape) {
  const int first = int(s.positions.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      s.positions.push_back(
          shape(vec3(side * (float(j) / float(n - 1) - 0.5f), 0, side * (float(i) / float(n - 1) - 0.5f))));
  for (int i = 0; i + 1 < n; ++i)
    for (int j = 0; j + 1 < n; ++j) {
      const int a = first + i * n + j, b = a + 1, c = a + n, d = c + 1;
      s.triangles.push_back({a, c, b});
      s.triangles.push_back({b, c, d});
    }
}

/// A ball of rings and sectors; towards the poles its edges become many times shorter.
inline void add_ball(SearchSurface& s, const vec3& centre, float radius, int rings, int sectors) {
  const int first = int(s.positions.size());
  for (int r = 0; r <= rings; ++r)
    for (int k = 0; k < sectors; ++k) {
      const float polar = kPi * (float(r) + 0.02f) / (float(rings) + 0.04f),
                  around = 2 * kPi * float(k) / float(sectors);
      s.positions.push_back(
          centre + radius * vec3(sinf(polar) * cosf(around), cosf(polar), sinf(polar) * sinf(around)));
    }
  for (int r = 0; r < rings; ++r)
    for (int k = 0; k < sectors; ++k) {
      const int a = first + r * sectors + k, b = first + r * sectors + (k + 1) % sectors, c = a + sectors,
                d = b + sectors;
      s.triangles.push_back({a, b, c});
      s.triangles.push_back({b, d, c});
    }
}

/// Triangles of no common shape: corners within `size` of points within `side`; sizes vary by a factor of
/// ten. Some share corners.
inline void add_soup(SearchSurface& s, int triangles, float side, float size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> at(-1, 1);
  const auto point = [&] {
    const float x = at(random), y = at(random);
    return vec3(x, y, at(random));
  };
  const int first = int(s.positions.size());
  for (int t = 0; t < triangles; ++t) {
    const vec3 centre = 0.5f * side * point();
    const float own = size * std::pow(10.0f, 0.5f * (at(random) - 1));
    const int have = int(s.positions.size());
    for (int k = 0; k < 3; ++k) s.positions.push_back(centre + own * point());
    ivec3 corners(have, have + 1, have + 2);
    if (t % 4 == 1) corners.x = first + int(random() % unsigned(have - first));
    s.triangles.push_back(corners);
  }
}

using Pair = std::pair<int, int>;
struct NearPairs {
  // vertex and triangle, edge and edge as the search names them; distance (m)
  std::map<Pair, double> triangles, edges;
};

/// All pairs up to `radius`, in double, each primitive against each other.
inline NearPairs all_pairs(const SearchSurface& s, const std::vector<vec3>& at, double radius) {
  NearPairs found;
  const auto x = [&](int v) { return dvec3(at[size_t(v)]); };
  const auto far = [&](const dvec3& lo, const dvec3& hi, const dvec3& lo2, const dvec3& hi2) {
    for (int a = 0; a < 3; ++a)
      if (lo[a] > hi2[a] + radius || lo2[a] > hi[a] + radius) return true;
    return false;
  };
  for (int v = 0; v < int(at.size()); ++v)
    for (int t = 0; t < int(s.triangles.size()); ++t) {
      const ivec3 c = s.triangles[size_t(t)];
      if (c.x == v || c.y == v || c.z == v || (v >= s.obstacle_from && c.x >= s.obstacle_from)) continue;
      if (far(x(v), x(v), glm::min(glm::min(x(c.x), x(c.y)), x(c.z)),
              glm::max(glm::max(x(c.x), x(c.y)), x(c.z))))
        continue;
      const double d = std::sqrt(closest_vertex_triangle(x(v), x(c.x), x(c.y), x(c.z)).squared);
      if (d <= radius) found.triangles[{v, t}] = d;
    }
  for (int e = 0; e < int(s.edges.size()); ++e)
    for (int f = 0; f < int(s.edges.size()); ++f) {
      const ivec2 p = s.edges[size_t(e)], q = s.edges[size_t(f)];
      const bool e_body = p.x >= s.obstacle_from, f_body = q.x >= s.obstacle_from;
      if (e_body || (f <= e && !f_body) || p.x == q.x || p.x == q.y || p.y == q.x || p.y == q.y) continue;
      if (far(glm::min(x(p.x), x(p.y)), glm::max(x(p.x), x(p.y)), glm::min(x(q.x), x(q.y)),
              glm::max(x(q.x), x(q.y))))
        continue;
      const double d = std::sqrt(closest_edge_edge(x(p.x), x(p.y), x(q.x), x(q.y)).squared);
      if (d <= radius) found.edges[{e, f}] = d;
    }
  return found;
}

}  // namespace weft::testing
