// Distance of two primitives out of points, edges and triangles, with the weights of their closest points:
// pure functions in float or double, safe for primitives without length or area.
//
//   vertex-triangle  x0 | x1 x2 x3        edge-edge  x0 x1 | x2 x3        vertex-edge  x0 | x1 x2        vertex-vertex  x0 | x1
//
// In each, offset = sum of weight[k] x[k]: from the closest point of the second primitive to that of the
// first. Weights of the first are positive and sum to 1, those of the second are negative and sum to -1.
#pragma once
#include "sim/base/math.h"

namespace weft {

template <class R>
using Vec = glm::vec<3, R>;

template <class R>
struct ClosestPair {
  R weight[4] = {1, -1, 0, 0};
  Vec<R> offset{0};
  R squared = 0;  // |offset|²
  // bit k: point k carries weight. Which features are closest follows from it: 15 is a face or two crossing
  // edges
  int support = 3;
};

/// Number of points with weight: 4 face or crossing edges, 3 vertex and edge, 2 two vertices.
HD inline int support_size(int support) {
  return (support & 1) + (support >> 1 & 1) + (support >> 2 & 1) + (support >> 3 & 1);
}

/// Share t in [0, 1] of the point of segment a + t (b - a) that is nearest to the origin. Measured from the
/// nearer end, so that a short distance to it keeps its digits.
template <class R>
HD inline R nearest_share(const Vec<R>& a, const Vec<R>& b) {
  const Vec<R> d = b - a;
  const R along_a = -glm::dot(a, d), along_b = glm::dot(b, d), sum = along_a + along_b;  // sum = |d|²
  if (!(along_a > 0) || !(sum > 0)) return glm::dot(a, a) <= glm::dot(b, b) ? R(0) : R(1);
  if (!(along_b > 0)) return R(1);
  return along_a / sum;
}

namespace primitive_distance {

/// Keeps the closest of the candidates offered. `offset` from the actual weights: no candidate is closer than
/// the primitives are.
template <class R>
struct Least {
  ClosestPair<R> best;
  bool any = false;
  HD void offer(const Vec<R>& offset, R w0, R w1, R w2, R w3) {
    const R squared = glm::dot(offset, offset);
    if (any && !(squared < best.squared)) return;
    any = true;
    best.weight[0] = w0, best.weight[1] = w1, best.weight[2] = w2, best.weight[3] = w3;
    best.offset = offset;
    best.squared = squared;
    best.support = (w0 != 0 ? 1 : 0) | (w1 != 0 ? 2 : 0) | (w2 != 0 ? 4 : 0) | (w3 != 0 ? 8 : 0);
  }
};

/// a + t (b - a), from the nearer end.
template <class R>
HD inline Vec<R> between(const Vec<R>& a, const Vec<R>& b, R t) {
  return t < R(0.5) ? a + t * (b - a) : b + (R(1) - t) * (a - b);
}

}  // namespace primitive_distance

template <class R>
HD inline ClosestPair<R> closest_vertex_vertex(const Vec<R>& x0, const Vec<R>& x1) {
  primitive_distance::Least<R> least;
  least.offer(x0 - x1, R(1), R(-1), R(0), R(0));
  return least.best;
}

template <class R>
HD inline ClosestPair<R> closest_vertex_edge(const Vec<R>& x0, const Vec<R>& x1, const Vec<R>& x2) {
  primitive_distance::Least<R> least;
  const Vec<R> a = x1 - x0, b = x2 - x0;
  const R t = nearest_share(a, b);
  least.offer(-primitive_distance::between(a, b, t), R(1), t - R(1), -t, R(0));
  return least.best;
}

/// The least of the three edges and, where the foot of the perpendicular lies inside, the face.
template <class R>
HD inline ClosestPair<R> closest_vertex_triangle(const Vec<R>& x0, const Vec<R>& x1, const Vec<R>& x2,
                                                 const Vec<R>& x3) {
  using primitive_distance::between;
  primitive_distance::Least<R> least;
  const Vec<R> a = x1 - x0, b = x2 - x0, c = x3 - x0;
  const R ab = nearest_share(a, b), bc = nearest_share(b, c), ca = nearest_share(c, a);
  least.offer(-between(a, b, ab), R(1), ab - R(1), -ab, R(0));
  least.offer(-between(b, c, bc), R(1), R(0), bc - R(1), -bc);
  least.offer(-between(c, a, ca), R(1), -ca, R(0), ca - R(1));
  // Areas of the three parts that the foot cuts the triangle into, as multiples of the squared normal.
  const Vec<R> n = glm::cross(b - a, c - a);
  const R wa = glm::dot(glm::cross(b, c), n), wb = glm::dot(glm::cross(c, a), n),
          wc = glm::dot(glm::cross(a, b), n), sum = wa + wb + wc;
  if (wa > 0 && wb > 0 && wc > 0 && sum > 0) {
    const R u = wb / sum, v = wc / sum, w = R(1) - u - v;
    if (u > 0 && v > 0 && w > 0) {
      const Vec<R> offset = -(a + u * (b - a) + v * (c - a));
      least.offer(offset, R(1), -w, -u, -v);
    }
  }
  return least.best;
}

/// The least of five candidates: each end against the other edge, and the common perpendicular where it meets
/// both inside.
/// Where edges are nearly parallel the perpendicular is vague, but then an end is as close.
template <class R>
HD inline ClosestPair<R> closest_edge_edge(const Vec<R>& x0, const Vec<R>& x1, const Vec<R>& x2,
                                           const Vec<R>& x3) {
  using primitive_distance::between;
  primitive_distance::Least<R> least;
  const Vec<R> u = x1 - x0, v = x3 - x2;
  const Vec<R> d02 = x2 - x0, d03 = x3 - x0, d12 = x2 - x1, d13 = x3 - x1;
  const R t0 = nearest_share(d02, d03), t1 = nearest_share(d12, d13), s2 = nearest_share(-d02, -d12),
          s3 = nearest_share(-d03, -d13);
  least.offer(-between(d02, d03, t0), R(1), R(0), t0 - R(1), -t0);
  least.offer(-between(d12, d13, t1), R(0), R(1), t1 - R(1), -t1);
  least.offer(between(-d02, -d12, s2), R(1) - s2, s2, R(-1), R(0));
  least.offer(between(-d03, -d13, s3), R(1) - s3, s3, R(0), R(-1));
  const Vec<R> n = glm::cross(u, v);
  const R nn = glm::dot(n, n);
  const R s = glm::dot(glm::cross(d02, v), n) / nn;  // NaN or infinite for parallel edges, and then refused
  if (s > 0 && s < 1) {
    const Vec<R> a = d02 - s * u, b = d03 - s * u;
    const R t = nearest_share(a, b);
    if (t > 0 && t < 1) least.offer(-between(a, b, t), R(1) - s, s, t - R(1), -t);
  }
  return least.best;
}

}  // namespace weft
