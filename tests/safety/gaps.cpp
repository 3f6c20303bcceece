#include "tests/safety/gaps.h"

#include <algorithm>
#include <limits>

#include "sim/base/error.h"
#include "tests/safety/box_tree.h"
#include "tests/safety/predicates.h"

namespace weft::check {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Neighbours of each vertex: of v `list[first[v]]` to `list[first[v + 1]]`, some of them twice.
struct Neighbours {
  std::vector<int> first, list;
  Neighbours(std::span<const ivec3> triangles, size_t vertices)
      : first(vertices + 2, 0), list(6 * triangles.size()) {
    for (const ivec3& t : triangles)
      for (int k = 0; k < 3; ++k) first[size_t(t[k]) + 2] += 2;
    for (size_t v = 2; v < first.size(); ++v) first[v] += first[v - 1];
    for (const ivec3& t : triangles)
      for (int k = 0; k < 3; ++k)
        for (int other = 1; other < 3; ++other) list[size_t(first[size_t(t[k]) + 1]++)] = t[(k + other) % 3];
  }
  std::span<const int> of(int v) const {
    return {list.data() + first[size_t(v)], list.data() + first[size_t(v) + 1]};
  }
};

/// Squared distance of p from the triangle: the plane where p's foot is inside, else the nearest edge.
double distance2(const dvec3& p, const dvec3& a, const dvec3& b, const dvec3& c) {
  const dvec3 n = glm::cross(b - a, c - a);
  const double nn = glm::dot(n, n);
  const auto inner = [&](const dvec3& u, const dvec3& v) {
    return glm::dot(glm::cross(v - u, p - u), n) >= 0;
  };
  if (nn > 0 && inner(a, b) && inner(b, c) && inner(c, a)) {
    const double h = glm::dot(p - a, n);
    return h * h / nn;
  }
  double best = kInfinite;
  for (const auto& [u, v] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
    const dvec3 e = v - u;
    const double ee = glm::dot(e, e), t = ee > 0 ? glm::clamp(glm::dot(p - u, e) / ee, 0.0, 1.0) : 0;
    const dvec3 d = p - (u + t * e);
    best = std::min(best, glm::dot(d, d));
  }
  return best;
}

bool is_closed(std::span<const ivec3> triangles) {
  std::vector<std::pair<int, int>> forth, back;
  for (const ivec3& t : triangles)
    for (int k = 0; k < 3; ++k) {
      forth.emplace_back(t[k], t[(k + 1) % 3]);
      back.emplace_back(t[(k + 1) % 3], t[k]);
    }
  std::sort(forth.begin(), forth.end());
  std::sort(back.begin(), back.end());
  return !triangles.empty() && forth == back;
}

/// Does the line through p along x pass through the triangle, as seen along x? p counts as moved by a little
/// in y and by far less in z, so that it lies on no edge and an edge's two triangles agree on which of them
/// has it. Returns the triangle's direction in that view, 0: it does not.
int passes(const dvec3& p, const dvec3& a, const dvec3& b, const dvec3& c) {
  bool odd = false;
  for (const auto& [u, v] : {std::pair(&a, &b), std::pair(&b, &c), std::pair(&c, &a)}) {
    const dvec3 &low = u->y < v->y ? *u : *v, &high = u->y < v->y ? *v : *u;
    // below the edge, in z
    if (low.y <= p.y && p.y < high.y && orientation_along(0, low, high, p) < 0) odd = !odd;
  }
  return odd ? orientation_along(0, a, b, c) : 0;
}

/// How often the surface winds around p: 0 is outside. Exact; a point on the surface may count as either.
int winding(const dvec3& p, std::span<const dvec3> x, std::span<const ivec3> triangles, const BoxTree& tree) {
  int turns = 0;
  const auto ahead = [&](const Box& b) {
    return b.min.y <= p.y && p.y <= b.max.y && b.min.z <= p.z && p.z <= b.max.z && p.x <= b.max.x;
  };
  tree.search(
      ahead, [](const Box&) { return 0; },
      [&](int t) {
        const ivec3& i = triangles[size_t(t)];
        const dvec3 &a = x[size_t(i.x)], &b = x[size_t(i.y)], &c = x[size_t(i.z)];
        const int direction = passes(p, a, b, c);
        if (direction == 0) return;
        const int side = orientation(a, b, c, p);
        if (side * direction < 0) turns += direction;  // the triangle lies ahead of p
      });
  return turns;
}

}  // namespace

VertexGap smallest_gap(std::span<const dvec3> positions, const Surface& surface) {
  check_input(positions, surface);
  const auto triangles = surface.triangles.subspan(0, size_t(surface.cloth_count()));
  const Neighbours neighbours(triangles, positions.size());
  std::vector<int> used;
  for (size_t v = 0; v < positions.size(); ++v)
    if (!neighbours.of(int(v)).empty()) used.push_back(int(v));
  std::vector<Box> boxes(used.size());
  for (size_t i = 0; i < used.size(); ++i) boxes[i].add(positions[size_t(used[i])]);
  const BoxTree tree(std::move(boxes));
  std::vector<int> near(positions.size(), -1);  // the vertex that this one was last found within two edges of
  VertexGap best{-1, -1, kInfinite};
  double best2 = kInfinite;
  for (const int v : used) {
    near[size_t(v)] = v;
    for (const int w : neighbours.of(v)) {
      near[size_t(w)] = v;
      for (const int u : neighbours.of(w)) near[size_t(u)] = v;
    }
    const dvec3& p = positions[size_t(v)];
    const auto distance = [&](const Box& b) { return b.distance2(p); };
    tree.search([&](const Box& b) { return distance(b) < best2; }, distance,
                [&](int i) {
                  const int w = used[size_t(i)];
                  if (near[size_t(w)] != v)
                    best2 = distance(tree.box(i)), best = {std::min(v, w), std::max(v, w), 0};
                });
  }
  best.distance = best.a < 0 ? 0 : std::sqrt(best2);
  return best;
}

BodyDepth deepest_inside(std::span<const dvec3> positions, std::span<const ivec3> triangles,
                         std::span<const int> vertices) {
  check_input(positions, {triangles});
  BodyDepth out;
  out.closed = is_closed(triangles);
  if (!out.closed) return out;
  std::vector<Box> boxes(triangles.size());
  for (size_t t = 0; t < boxes.size(); ++t)
    for (int k = 0; k < 3; ++k) boxes[t].add(positions[size_t(triangles[t][k])]);
  const BoxTree tree(std::move(boxes));
  for (const int v : vertices) {
    const dvec3& p = positions[size_t(v)];
    if (tree.bounds().distance2(p) > 0 || winding(p, positions, triangles, tree) == 0) continue;
    ++out.inside;
    double best2 = kInfinite;
    const auto distance = [&](const Box& b) { return b.distance2(p); };
    tree.search([&](const Box& b) { return distance(b) < best2; }, distance,
                [&](int t) {
                  const ivec3& i = triangles[size_t(t)];
                  best2 = std::min(best2, distance2(p, positions[size_t(i.x)], positions[size_t(i.y)],
                                                    positions[size_t(i.z)]));
                });
    if (out.vertex < 0 || std::sqrt(best2) > out.depth) out.vertex = v, out.depth = std::sqrt(best2);
  }
  return out;
}

}  // namespace weft::check
