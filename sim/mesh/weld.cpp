#include "sim/mesh/weld.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace weft {
namespace {

/// Groups of numbers; each is known by its least.
class Groups {
 public:
  explicit Groups(size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int least(int i) {
    while (parent_[size_t(i)] != i) i = parent_[size_t(i)] = parent_[size_t(parent_[size_t(i)])];
    return i;
  }
  void join(int a, int b) {
    a = least(a), b = least(b);
    parent_[size_t(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

std::vector<ivec2> boundary_edges(const std::vector<ivec3>& triangles) {
  std::vector<ivec2> edges;
  edges.reserve(3 * triangles.size());
  for (const ivec3& t : triangles)
    for (int k = 0; k < 3; ++k)
      edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
  std::sort(edges.begin(), edges.end(),
            [](const ivec2& a, const ivec2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<ivec2> of_one;
  for (size_t i = 0; i < edges.size();) {
    size_t end = i + 1;
    while (end < edges.size() && edges[end] == edges[i]) ++end;
    if (end == i + 1) of_one.push_back(edges[i]);
    i = end;
  }
  return of_one;
}

void group_same_places(const std::vector<vec3>& positions, std::vector<int> vertices, Groups& places) {
  const auto key = [&](int v) {
    const vec3& p = positions[size_t(v)];
    return std::make_tuple(p.x, p.y, p.z, v);
  };
  std::sort(vertices.begin(), vertices.end(), [&](int a, int b) { return key(a) < key(b); });
  for (size_t i = 1; i < vertices.size(); ++i)
    if (positions[size_t(vertices[i])] == positions[size_t(vertices[i - 1])])
      places.join(vertices[i], vertices[i - 1]);
}

using Cell = glm::vec<3, int64_t>;
uint64_t hash_of(const Cell& c) {
  return uint64_t(c.x) * 0x9e3779b97f4a7c15ull ^ uint64_t(c.y) * 0xc2b2ae3d27d4eb4full ^
         uint64_t(c.z) * 0x165667b19e3779f9ull;
}

/// Vertices of one edge are never joined because of their own distance: an edge may be shorter than the weld
/// distance.
void group_near_places(const std::vector<vec3>& positions, const std::vector<int>& vertices,
                       const std::vector<ivec2>& edges, float distance, Groups& places) {
  std::unordered_map<uint64_t, std::vector<int>> cells;
  const auto cell_of = [&](int v) {
    return Cell(glm::floor(dvec3(positions[size_t(v)]) / double(distance)));
  };
  for (const int v : vertices) cells[hash_of(cell_of(v))].push_back(v);
  const auto is_edge = [&](int a, int b) {
    const ivec2 e(std::min(a, b), std::max(a, b));
    const auto at = std::lower_bound(edges.begin(), edges.end(), e, [](const ivec2& p, const ivec2& q) {
      return p.x != q.x ? p.x < q.x : p.y < q.y;
    });
    return at != edges.end() && *at == e;
  };
  for (const int v : vertices)
    for (int k = 0; k < 27; ++k) {
      const auto found = cells.find(hash_of(cell_of(v) + Cell(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1)));
      if (found == cells.end()) continue;
      for (const int w : found->second)
        if (w < v && glm::distance(positions[size_t(v)], positions[size_t(w)]) <= distance && !is_edge(v, w))
          places.join(v, w);
    }
}

}  // namespace

std::vector<int> welded_vertices(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                                 float distance) {
  std::vector<int> becomes(positions.size());
  std::iota(becomes.begin(), becomes.end(), 0);
  if (distance < 0) return becomes;
  std::vector<ivec2> edges = boundary_edges(triangles);
  std::vector<int> vertices;
  for (const ivec2& e : edges) vertices.push_back(e.x), vertices.push_back(e.y);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  Groups places(positions.size()), joined(positions.size());
  group_same_places(positions, vertices, places);
  if (distance > 0) group_near_places(positions, vertices, edges, distance, places);
  for (ivec2& e : edges)
    if (places.least(e.x) > places.least(e.y)) std::swap(e.x, e.y);
  const auto place = [&](const ivec2& e) {
    return std::make_tuple(places.least(e.x), places.least(e.y), e.x, e.y);
  };
  std::sort(edges.begin(), edges.end(), [&](const ivec2& a, const ivec2& b) { return place(a) < place(b); });
  for (size_t i = 1; i < edges.size(); ++i) {
    const ivec2 &a = edges[i - 1], &b = edges[i];
    const bool same = places.least(a.x) == places.least(b.x) && places.least(a.y) == places.least(b.y);
    if (same && places.least(a.x) != places.least(a.y)) joined.join(a.x, b.x), joined.join(a.y, b.y);
  }
  for (const int v : vertices) becomes[size_t(v)] = joined.least(v);
  return becomes;
}

}  // namespace weft
