#include "sim/mesh/import/weld.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "sim/mesh/sides.h"

namespace weft {
namespace {

/// Groups of numbers; each is known by its least.
class Groups {
 public:
  explicit Groups(size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int least(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) {
    a = least(a), b = least(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

std::vector<ivec2> boundary_edges(const std::vector<ivec3>& triangles) {
  std::vector<ivec2> of_one;
  for_each_edge(triangles, [&](auto sides) {
    if (sides.size() == 1) of_one.push_back({sides[0].edge.first, sides[0].edge.second});
  });
  return of_one;
}

void group_same_places(const std::vector<vec3>& positions, std::vector<int> vertices, Groups& places) {
  const auto key = [&](int v) {
    const vec3& p = positions[v];
    return std::make_tuple(p.x, p.y, p.z, v);
  };
  std::sort(vertices.begin(), vertices.end(), [&](int a, int b) { return key(a) < key(b); });
  for (size_t i = 1; i < vertices.size(); ++i)
    if (positions[vertices[i]] == positions[vertices[i - 1]]) places.join(vertices[i], vertices[i - 1]);
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
  constexpr double kCell = 8;  // size of a cell in distances: most vertices look into one
  std::unordered_map<uint64_t, std::vector<int>> cells;
  const auto cell_of = [&](const vec3& p) { return Cell(glm::floor(dvec3(p) / (kCell * double(distance)))); };
  std::vector<int> firsts;  // of the vertices in one place
  for (const int v : vertices)
    if (places.least(v) == v) firsts.push_back(v), cells[hash_of(cell_of(positions[v]))].push_back(v);
  for (const int v : firsts) {
    const vec3& p = positions[v];
    const Cell low = cell_of(p - distance), high = cell_of(p + distance);
    for (int64_t x = low.x; x <= high.x; ++x)
      for (int64_t y = low.y; y <= high.y; ++y)
        for (int64_t z = low.z; z <= high.z; ++z) {
          const auto found = cells.find(hash_of({x, y, z}));
          if (found == cells.end()) continue;
          for (const int w : found->second)
            if (w < v && glm::distance(p, positions[w]) <= distance && find_edge(edges, v, w) < 0)
              places.join(v, w);
        }
  }
}

/// Edges by the cells of a grid in which points on them lie, half a cell apart.
class EdgeGrid {
 public:
  EdgeGrid(const std::vector<vec3>& positions, const std::vector<ivec2>& edges, double cell) : cell_(cell) {
    for (size_t e = 0; e < edges.size(); ++e) {
      const dvec3 a(positions[edges[e].x]), b(positions[edges[e].y]);
      const int steps = 1 + int(std::min(1e6, 2 * glm::distance(a, b) / cell));
      for (int s = 0; s <= steps; ++s) {
        std::vector<int>& here = cells_[hash_of(cell_of(glm::mix(a, b, double(s) / steps)))];
        if (here.empty() || here.back() != int(e)) here.push_back(int(e));
      }
    }
  }
  /// True if `holds` is for an edge no further than `distance` from `p`; it is asked for others too.
  template <class Holds>
  bool any_near(const vec3& p, double distance, const Holds& holds) const {
    const double reach = distance + 0.25 * cell_;
    const Cell low = cell_of(dvec3(p) - reach), high = cell_of(dvec3(p) + reach);
    for (int64_t x = low.x; x <= high.x; ++x)
      for (int64_t y = low.y; y <= high.y; ++y)
        for (int64_t z = low.z; z <= high.z; ++z)
          if (const auto found = cells_.find(hash_of({x, y, z})); found != cells_.end())
            if (std::any_of(found->second.begin(), found->second.end(), holds)) return true;
    return false;
  }

 private:
  Cell cell_of(const dvec3& p) const { return Cell(glm::floor(p / cell_)); }
  double cell_;
  std::unordered_map<uint64_t, std::vector<int>> cells_;
};

float distance_to_segment(const vec3& p, const vec3& a, const vec3& b) {
  const vec3 d = b - a;
  const float square = glm::dot(d, d);
  const float t = square > 0 ? glm::clamp(glm::dot(p - a, d) / square, 0.0f, 1.0f) : 0.0f;
  return glm::distance(p, a + t * d);
}

/// True where `b` has nearly the direction of `a` and no vertex in common with it.
bool runs_along(const std::vector<vec3>& x, const ivec2& a, const ivec2& b) {
  if (a.x == b.x || a.x == b.y || a.y == b.x || a.y == b.y) return false;
  const vec3 u = x[a.y] - x[a.x], v = x[b.y] - x[b.x];
  return std::abs(glm::dot(u, v)) > 0.7f * glm::length(u) * glm::length(v);
}

}  // namespace

float coincident_distance(const std::vector<vec3>& positions) {
  vec3 low(1e30f), high(-1e30f);
  float largest = 0;
  for (const vec3& p : positions) {
    low = glm::min(low, p), high = glm::max(high, p);
    for (int k = 0; k < 3; ++k) largest = std::max(largest, std::abs(p[k]));
  }
  return positions.empty() ? 0 : std::max(1e-6f * glm::distance(low, high), std::ldexp(largest, -22));
}

NearEdges near_boundary_edges(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                              float distance) {
  const std::vector<ivec2> edges = boundary_edges(triangles);
  const auto length = [&](const ivec2& e) { return glm::distance(positions[e.x], positions[e.y]); };
  double mean = 0;
  for (const ivec2& e : edges) mean += double(length(e)) / double(edges.size());
  NearEdges found;
  if (!(mean > 0) || !(distance > 0)) return found;
  const EdgeGrid grid(positions, edges, std::max(double(distance), mean));
  for (const ivec2& e : edges) {
    const float own = length(e), reach = std::min(distance, 0.5f * own);
    const auto beside = [&](float t) {
      const vec3 p = glm::mix(positions[e.x], positions[e.y], t);
      return grid.any_near(p, double(reach), [&](int other) {
        const ivec2& o = edges[other];
        return runs_along(positions, e, o) && distance_to_segment(p, positions[o.x], positions[o.y]) <= reach;
      });
    };
    if (!beside(0.5f) || !beside(0.1f) || !beside(0.9f)) continue;
    if (found.count++ == 0) found.first = e;
    found.length += double(own);
  }
  return found;
}

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
  std::vector<vec3> ends;
  for (const int v : vertices) ends.push_back(positions[v]);
  distance = std::max(distance, coincident_distance(ends));
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
  for (const int v : vertices) becomes[v] = joined.least(v);
  return becomes;
}

}  // namespace weft
