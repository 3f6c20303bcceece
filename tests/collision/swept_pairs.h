// Cases for SweptSearch, and the pairs that it must find by brute force.
#pragma once
#include <array>
#include <random>
#include <set>
#include <vector>

#include "sim/collision/swept_search/swept_search.h"
#include "tests/collision/pair_lists.h"

namespace weft::testing {

constexpr SweptMethod kSweptMethods[] = {SweptMethod::forest, SweptMethod::hash};

struct SweptCase {
  SearchSurface s;  // s.positions: x0
  std::vector<vec3> x1;
  float margin = 0;        // m
  std::vector<int> moved;  // per point; empty: all
  std::vector<int> marks;  // per point; empty: no pair is left out
};

/// 0 for a vertex and a triangle, 1 for two edges (the lower first); their numbers.
using SweptPair = std::array<int, 3>;

/// Pairs that are found with any rounding, and those that are found with some.
struct SweptPairs {
  std::set<SweptPair> surely, at_most;
};

struct DoubleBox {
  dvec3 lower{INFINITY}, upper{-INFINITY};
  bool whole = true;
  void add(const DoubleBox& b) {
    whole &= b.whole;
    lower = glm::min(lower, b.lower), upper = glm::max(upper, b.upper);
  }
  /// Largest of the distances along the axes, negative where all overlap.
  double gap(const DoubleBox& b) const {
    const dvec3 g = glm::max(lower - b.upper, b.lower - upper);
    return std::max({g.x, g.y, g.z});
  }
};

inline bool all_finite(const vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Boxes of the points over their paths, without the mean displacement of the cloth.
inline std::vector<DoubleBox> point_boxes(const SweptCase& c) {
  const int points = int(c.s.positions.size()), cloth = std::min(c.s.obstacle_from, points);
  dvec3 mean(0);
  for (int v = 0; v < cloth; ++v)
    if (all_finite(c.x1[size_t(v)] - c.s.positions[size_t(v)]))
      mean += (dvec3(c.x1[size_t(v)]) - dvec3(c.s.positions[size_t(v)])) / double(cloth);
  std::vector<DoubleBox> boxes(static_cast<size_t>(points));
  for (size_t v = 0; v < boxes.size(); ++v) {
    const vec3 from = c.s.positions[v], to = c.x1[v];
    boxes[v].lower = glm::min(dvec3(from), dvec3(to) - mean);
    boxes[v].upper = glm::max(dvec3(from), dvec3(to) - mean);
    boxes[v].whole = all_finite(from) && all_finite(to);
  }
  return boxes;
}

/// Every primitive against every other, in double.
inline SweptPairs all_swept_pairs(const SweptCase& c) {
  const std::vector<DoubleBox> point = point_boxes(c);
  double size = 0;
  for (const DoubleBox& b : point)
    if (b.whole)
      for (int a = 0; a < 3; ++a) size = std::max({size, std::abs(b.lower[a]), std::abs(b.upper[a])});
  for (size_t v = 0; v < point.size(); ++v)
    if (const vec3 d = c.x1[v] - c.s.positions[v]; all_finite(d))
      for (int a = 0; a < 3; ++a) size = std::max(size, double(std::abs(d[a])));
  const double slack = 2e-6 * size + 1e-6 * double(c.margin);
  SweptPairs found;
  const auto consider = [&](const SweptPair& name, const DoubleBox& a, const DoubleBox& b, const ivec4& p) {
    bool moved = c.moved.empty();
    int common = c.marks.empty() ? 0 : ~0;
    for (int k = 0; k < 4; ++k) {
      if (!c.moved.empty()) moved |= c.moved[size_t(p[k])] != 0;
      if (!c.marks.empty()) common &= c.marks[size_t(p[k])];
    }
    if (!moved || common != 0 || !a.whole || !b.whole) return;
    const double gap = a.gap(b);
    if (gap <= double(c.margin) + slack) found.at_most.insert(name);
    if (gap <= double(c.margin)) found.surely.insert(name);
  };
  const auto is_body = [&](int v) { return v >= c.s.obstacle_from; };
  for (int t = 0; t < int(c.s.triangles.size()); ++t) {
    const ivec3 k = c.s.triangles[size_t(t)];
    DoubleBox box = point[size_t(k.x)];
    box.add(point[size_t(k.y)]), box.add(point[size_t(k.z)]);
    for (int v = 0; v < int(point.size()); ++v)
      if (v != k.x && v != k.y && v != k.z && !(is_body(v) && is_body(k.x)))
        consider({0, v, t}, point[size_t(v)], box, {v, k.x, k.y, k.z});
  }
  std::vector<DoubleBox> edges;
  for (const ivec2& e : c.s.edges) {
    edges.push_back(point[size_t(e.x)]);
    edges.back().add(point[size_t(e.y)]);
  }
  for (int e = 0; e < int(edges.size()); ++e)
    for (int f = e + 1; f < int(edges.size()); ++f) {
      const ivec2 a = c.s.edges[size_t(e)], b = c.s.edges[size_t(f)];
      if (a.x == b.x || a.x == b.y || a.y == b.x || a.y == b.y || (is_body(a.x) && is_body(b.x))) continue;
      consider({1, e, f}, edges[size_t(e)], edges[size_t(f)], {a.x, a.y, b.x, b.y});
    }
  return found;
}

/// Both lists of a search on the host.
struct SweptLists {
  Listed triangle, edge;
  SweptLists(Device& device, const SweptSearch& search)
      : triangle(device, search.vertex_triangle()), edge(device, search.edge_edge()) {}
  bool operator==(const SweptLists& o) const {
    return triangle.points == o.triangle.points && triangle.primitives == o.triangle.primitives &&
           edge.points == o.edge.points && edge.primitives == o.edge.primitives;
  }
  size_t size() const { return triangle.points.size() + edge.points.size(); }
  /// Whether each pair names the points of its primitives, and of an edge of cloth and one of a body the
  /// former comes first.
  bool names_its_points(const SearchSurface& s) const {
    for (size_t i = 0; i < triangle.points.size(); ++i) {
      const ivec3 c = s.triangles[size_t(triangle.primitives[i].y)];
      if (triangle.points[i] != ivec4(triangle.primitives[i].x, c.x, c.y, c.z)) return false;
    }
    for (size_t i = 0; i < edge.points.size(); ++i) {
      const ivec2 e = s.edges[size_t(edge.primitives[i].x)], f = s.edges[size_t(edge.primitives[i].y)];
      if (edge.points[i] != ivec4(e.x, e.y, f.x, f.y) || e.x >= s.obstacle_from) return false;
    }
    return true;
  }
  std::set<SweptPair> pairs() const {
    std::set<SweptPair> all;
    for (const ivec2& p : triangle.primitives) all.insert({0, p.x, p.y});
    for (const ivec2& p : edge.primitives) all.insert({1, std::min(p.x, p.y), std::max(p.x, p.y)});
    return all;
  }
};

/// One search with its own positions on the device.
class SweptTrial {
 public:
  SweptTrial(Device& device, const SweptCase& c, SweptMethod method)
      : device_(device),
        growing(device),
        search(growing, c.s, method),
        x0_(device, "points", c.s.positions),
        x1_(device, "points", c.x1) {
    search.leave_out(c.marks);
  }
  /// Once, whether lists have room or not.
  void find_once(const SweptCase& c) {
    x0_.upload(c.s.positions), x1_.upload(c.x1);
    moved_ = c.moved.empty() ? Buffer<int>() : Buffer<int>(device_, "moved", c.moved);
    find_again(c);
  }
  /// With the positions of the last time.
  void find_again(const SweptCase& c) { search.find_moved(x0_.span(), x1_.span(), c.margin, moved_.span()); }
  /// Until lists have room, as a step does. Returns how often they had none.
  int find(const SweptCase& c) {
    int short_lists = 0;
    for (find_once(c); !growing.fit(); find_once(c)) ++short_lists;
    return short_lists;
  }
  SweptLists lists() const { return SweptLists(device_, search); }

 private:
  Device& device_;

 public:
  GrowingLists growing;
  SweptSearch search;

 private:
  Buffer<vec3> x0_, x1_;
  Buffer<int> moved_;
};

/// Moves every point by its own share of `way` and by `common`.
inline void move_points(SweptCase& c, std::mt19937& random, float way, const vec3& common = vec3(0)) {
  std::normal_distribution<float> any(0, 1);
  c.x1.clear();
  for (const vec3& x : c.s.positions) {
    const float p = any(random), q = any(random);
    c.x1.push_back(x + common + way * vec3(p, q, any(random)));
  }
}

/// Folded cloth over a floor whose triangles are a hundred times as large, and a post in between.
inline SweptCase cloth_on_floor(int n) {
  SweptCase c;
  c.s = folded_cloth(n);
  const float side = 0.1f / float(n - 1) * 100;
  const int first = int(c.s.positions.size());
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      c.s.positions.push_back(side * vec3(float(j) - 0.8f, 0, float(i) - 1.1f) - vec3(0, 0.0025f, 0));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const int a = first + 3 * i + j;
      c.s.triangles.push_back({a, a + 3, a + 1});
      c.s.triangles.push_back({a + 1, a + 3, a + 4});
    }
  add_ball(c.s, vec3(0.03f, 0.011f, 0), 0.01f, 8, 12);
  derive_edges(c.s);
  return c;
}

}  // namespace weft::testing
