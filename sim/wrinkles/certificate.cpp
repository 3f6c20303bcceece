#include "sim/wrinkles/certificate.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>

namespace weft::wrinkles {
namespace {

/// Largest distance of a point of a triangle from its nearest corner: the circumradius, or less than half the
/// longest edge where it is obtuse.
float covering_radius(const vec3& a, const vec3& b, const vec3& c) {
  float x = glm::dot(b - a, b - a), y = glm::dot(c - b, c - b), z = glm::dot(a - c, a - c);
  if (x > z) std::swap(x, z);
  if (y > z) std::swap(y, z);
  const float doubled = glm::length(glm::cross(b - a, c - a));
  if (x + y <= z || !(doubled > 0)) return 0.5f * std::sqrt(z);
  return 0.5f * std::sqrt(x) * std::sqrt(y) * std::sqrt(z) / doubled;
}

/// Vertices in cells of a lattice, sorted by cell.
class Cells {
 public:
  Cells(const std::vector<vec3>& positions, const std::vector<int>& vertices, float size) : size_(size) {
    for (const int v : vertices) least_ = glm::min(least_, positions[v]);
    for (const int v : vertices) entries_.push_back({key(place(positions[v])), v});
    tbb::parallel_sort(entries_.begin(), entries_.end());
  }
  ivec3 place(const vec3& p) const {
    const vec3 q = (p - least_) / size_;
    // beyond two million cells from the corner all share the last: slower, but nothing is lost
    return ivec3(glm::clamp(q, vec3(0), vec3(float(kMost - 1))));
  }
  /// Calls take(v) for the vertices in the three cells around (x, y, z) along x.
  template <class Take>
  void row(const ivec3& c, const Take& take) const {
    if (c.y < 0 || c.z < 0 || c.y >= kMost || c.z >= kMost) return;
    const uint64_t from = key({std::max(c.x - 1, 0), c.y, c.z}),
                   to = key({std::min(c.x + 1, kMost - 1), c.y, c.z});
    for (auto it = std::lower_bound(entries_.begin(), entries_.end(), Entry{from, 0});
         it != entries_.end() && it->key <= to; ++it)
      take(it->vertex);
  }

 private:
  static constexpr int kMost = 1 << 21;
  struct Entry {
    uint64_t key;
    int vertex;
    bool operator<(const Entry& o) const { return key < o.key || (key == o.key && vertex < o.vertex); }
  };
  static uint64_t key(const ivec3& c) {
    return (uint64_t(c.z) << 42) | (uint64_t(c.y) << 21) | uint64_t(c.x);
  }
  float size_;
  vec3 least_{1e30f};
  std::vector<Entry> entries_;
};

/// What is asked for at each vertex, and the vertices beside it.
struct Surface {
  std::vector<int> vertices;  // of triangles
  std::vector<float> edge,
      radius;  // longest edge and largest covering radius at a vertex, m; 0: of no triangle
  std::vector<int> begin, beside;  // vertices with a common edge (some twice): [begin[v], begin[v + 1])

  Surface(const std::vector<vec3>& x, const std::vector<ivec3>& triangles)
      : edge(x.size(), 0), radius(x.size(), 0), begin(x.size() + 1, 0) {
    std::vector<char> used(x.size(), 0);
    for (const ivec3& t : triangles) {
      const vec3 a = x[t.x], b = x[t.y], c = x[t.z];
      const float lengths[3] = {glm::length(b - a), glm::length(c - b), glm::length(a - c)},
                  r = covering_radius(a, b, c);
      for (int k = 0; k < 3; ++k) {
        const size_t v = t[k];
        edge[v] = std::max(edge[v], std::max(lengths[k], lengths[(k + 2) % 3]));
        radius[v] = std::max(radius[v], r), used[v] = 1;
        begin[v + 1] += 2;
      }
    }
    for (size_t v = 0; v < x.size(); ++v) {
      begin[v + 1] += begin[v];
      if (used[v]) vertices.push_back(int(v));
    }
    beside.resize(begin.back());
    std::vector<int> next(begin.begin(), begin.end() - 1);
    for (const ivec3& t : triangles)
      for (int k = 0; k < 3; ++k)
        for (int o = 1; o < 3; ++o) beside[next[t[k]]++] = t[(k + o) % 3];
  }
  float needed(int i, int j) const {
    const auto one = [&](size_t a, size_t b) { return 0.25f * edge[a] * edge[a] + radius[b] * radius[b]; };
    return std::sqrt(std::max(one(size_t(i), size_t(j)), one(size_t(j), size_t(i))));
  }
  bool share_edge(int i, int j) const {
    const auto first = beside.begin() + begin[i], last = beside.begin() + begin[i + 1];
    return std::find(first, last, j) != last;
  }
};

}  // namespace

Certificate certify(const std::vector<vec3>& x, const std::vector<ivec3>& triangles) {
  const Surface s(x, triangles);
  Certificate out;
  for (const vec3& p : x) out.close_pairs += !std::isfinite(p.x + p.y + p.z);
  if (out.close_pairs > 0) return out;
  float edge = 0, radius = 0;
  for (const int v : s.vertices) edge = std::max(edge, s.edge[v]), radius = std::max(radius, s.radius[v]);
  out.most_needed = out.least =
      std::sqrt(0.25f * edge * edge + radius * radius) * (1 + 1e-6f);  // rounding of the square root
  if (!(out.most_needed > 0)) return out;
  const Cells cells(x, s.vertices, out.most_needed);
  const auto of_vertex = [&](int v, Certificate& sum) {
    const vec3 p = x[v];
    const ivec3 c = cells.place(p);
    for (int row = 0; row < 9; ++row)
      cells.row(c + ivec3(0, row % 3 - 1, row / 3 - 1), [&](int w) {
        if (w <= v) return;
        const float distance = glm::length(x[w] - p);
        if (distance >= out.most_needed || s.share_edge(v, w)) return;
        sum.least = std::min(sum.least, distance);
        if (distance <= s.needed(v, w) * (1 + 1e-6f)) ++sum.close_pairs;
      });
  };
  return tbb::parallel_reduce(
      tbb::blocked_range<size_t>(0, s.vertices.size(), 4096), out,
      [&](const tbb::blocked_range<size_t>& range, Certificate sum) {
        for (size_t k = range.begin(); k < range.end(); ++k) of_vertex(s.vertices[k], sum);
        return sum;
      },
      [](const Certificate& a, const Certificate& b) {
        return Certificate{a.close_pairs + b.close_pairs, a.most_needed, std::min(a.least, b.least)};
      });
}

}  // namespace weft::wrinkles
