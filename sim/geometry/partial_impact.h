// Can a moving vertex and a moving triangle, or two moving edges, meet at all? Signs of dot products instead
// of times of impact, after Lan et al. 2024 (partial continuous collision detection): pure functions, float
// or double.
//
// All points move along straight lines during t in [0, 1]. A point p of the first side and a point q of the
// second have the difference d0 = p - q at the start and d1 at the end. Where they meet at t,
// (1 - t) d0 + t d1 = 0, so that d0 . d1 <= 0. Over the points of both sides
//
//   f(alpha, beta) = d0(alpha, beta) . d1(alpha, beta)
//
// is a quadratic polynomial of the place (alpha, beta): the weights of a triangle's second and third corner,
// or the shares of the way along both edges. f > 0 everywhere proves that they never meet; f <= 0 somewhere
// proves nothing.
// - Samples: f at 1, 3 or 6 places and, if given, at the closest points at the start. What lies between is
//   missed.
// - Bound: f is nowhere below the least of its Bernstein coefficients, 6 for a triangle, 9 for two edges.
//   With the rounding taken off, nothing is missed.
#pragma once
#include "sim/geometry/time_of_impact.h"

namespace weft {

namespace partial_impact {

using time_of_impact::Differences;

/// A place of both sides: weights of the triangle's second and third corner, or shares along the first and
/// second edge.
template <class R>
struct Place {
  R alpha, beta;
};

template <class R>
HD inline Differences<R> vertex_triangle_differences(const Vec<R> start[4], const Vec<R> end[4]) {
  Differences<R> d;
  for (int k = 1; k < 4; ++k) d.add(start[0], start[k], end[0], end[k]);
  return d;
}

template <class R>
HD inline Differences<R> edge_edge_differences(const Vec<R> start[4], const Vec<R> end[4]) {
  Differences<R> d;
  for (int i = 0; i < 2; ++i)
    for (int j = 2; j < 4; ++j) d.add(start[i], start[j], end[i], end[j]);
  return d;
}

/// f of a vertex and a triangle at a place, m².
template <class R>
HD inline R vertex_triangle_product(const Differences<R>& d, const Place<R>& at) {
  const R first = 1 - at.alpha - at.beta;
  return glm::dot(first * d.start[0] + at.alpha * d.start[1] + at.beta * d.start[2],
                  first * d.end[0] + at.alpha * d.end[1] + at.beta * d.end[2]);
}

/// f of two edges at a place, m².
template <class R>
HD inline R edge_edge_product(const Differences<R>& d, const Place<R>& at) {
  const R a = 1 - at.alpha, b = 1 - at.beta;
  const R w0 = a * b, w1 = a * at.beta, w2 = at.alpha * b, w3 = at.alpha * at.beta;
  return glm::dot(w0 * d.start[0] + w1 * d.start[1] + w2 * d.start[2] + w3 * d.start[3],
                  w0 * d.end[0] + w1 * d.end[1] + w2 * d.end[2] + w3 * d.end[3]);
}

/// The least of the numbers offered, and their sum, which is no finite number if one of them is none.
template <class R>
struct Smallest {
  R value, sum;
  HD explicit Smallest(R v) : value(v), sum(v) {}
  HD void offer(R v) {
    value = v < value ? v : value;
    sum += v;
  }
  HD void offer(const Differences<R>& d, int i, int j) {
    offer(R(0.5) * (glm::dot(d.start[i], d.end[j]) + glm::dot(d.start[j], d.end[i])));
  }
};

/// Raises each of `most` to the absolute value in d, without branches (glm::abs has them).
template <class R>
HD inline void raise(Vec<R>& most, const Vec<R>& d) {
  for (int c = 0; c < 3; ++c) {
    const R size = std::fabs(d[c]);
    most[c] = most[c] < size ? size : most[c];
  }
}

/// The least coefficient minus what rounding can amount to; minus infinity where a coordinate is no finite
/// number. Let u be half an ulp of 1, and S the sum over x, y and z of the largest |d0| times the largest
/// |d1| of all corners. In units of S,
/// - the two differences of each product are rounded once: 2 u;
/// - each product once, and twice in sums over x, y and z: 3 u (fused, they are rounded less often);
/// - the sums of two or four products twice (halves and quarters are exact): 2 u;
/// - the last subtraction: u.
/// Together 8 u and less than 50 u². The bound, 10 u S, is itself too small by at most 60 u². Underflow adds
/// less than the smallest normal number for each of at most 15 products.
template <class R>
HD inline R proven(const Smallest<R>& least, const Differences<R>& d) {
  constexpr R kRounding = sizeof(R) == 4 ? R(10 * 0.5 * FLT_EPSILON) : R(10 * 0.5 * DBL_EPSILON);
  constexpr R kTiny = sizeof(R) == 4 ? R(16 * FLT_MIN) : R(16 * DBL_MIN);
  if (!(least.sum - least.sum == 0)) return -R(INFINITY);
  Vec<R> most0(0), most1(0);
  for (int k = 0; k < d.count; ++k) {
    raise(most0, d.start[k]);
    raise(most1, d.end[k]);
  }
  return least.value - (kRounding * glm::dot(most0, most1) + kTiny);
}

}  // namespace partial_impact

/// Lower bound, m², of f over vertex 0 and all of triangle 1 2 3, rounding included. If it is above 0 the two
/// provably never meet during the step, ends included. If it is above gap² and both their distances, at the
/// start and at the end, are above the gap, they keep more than the gap: |(1 - t) d0 + t d1|² has the
/// Bernstein coefficients |d0|², d0 . d1 and |d1|² in t.
template <class R>
HD inline R vertex_triangle_product_bound(const Vec<R> start[4], const Vec<R> end[4]) {
  using namespace partial_impact;
  const Differences<R> d = vertex_triangle_differences(start, end);
  Smallest<R> least(glm::dot(d.start[0], d.end[0]));
  least.offer(glm::dot(d.start[1], d.end[1]));
  least.offer(glm::dot(d.start[2], d.end[2]));
  least.offer(d, 0, 1);
  least.offer(d, 1, 2);
  least.offer(d, 2, 0);
  return proven(least, d);
}

/// Edge 0 1 against edge 2 3, likewise.
template <class R>
HD inline R edge_edge_product_bound(const Vec<R> start[4], const Vec<R> end[4]) {
  using namespace partial_impact;
  const Differences<R> d = edge_edge_differences(start, end);  // 2 i + j: end i of the first, j of the second
  Smallest<R> least(glm::dot(d.start[0], d.end[0]));
  for (int k = 1; k < 4; ++k) least.offer(glm::dot(d.start[k], d.end[k]));
  least.offer(d, 0, 1);
  least.offer(d, 2, 3);
  least.offer(d, 0, 2);
  least.offer(d, 1, 3);
  const R rising = glm::dot(d.start[0], d.end[3]) + glm::dot(d.start[3], d.end[0]);
  const R falling = glm::dot(d.start[1], d.end[2]) + glm::dot(d.start[2], d.end[1]);
  least.offer(R(0.25) * (rising + falling));
  return proven(least, d);
}

/// Place k of 1, 3 or 6 samples of a triangle: its sides are cut in 1, 2 or 3, and of the parts that lie like
/// the whole these are the centres.
template <class R>
HD inline partial_impact::Place<R> vertex_triangle_sample(int count, int k) {
  const int cuts = count == 1 ? 1 : count == 3 ? 2 : 3;
  int row = 0;
  for (; k > row; ++row) k -= row + 1;
  const R centre = R(1) / R(3 * cuts);
  return {centre + R(row - k) / R(cuts), centre + R(k) / R(cuts)};
}

/// Place k of 1, 3 or 6 samples of two edges: the centre; the centres of the three smallest equal discs that
/// cover the square of places; the centres of 2 x 3 cells.
template <class R>
HD inline partial_impact::Place<R> edge_edge_sample(int count, int k) {
  if (count == 1) return {R(0.5), R(0.5)};
  if (count == 6) return {k < 3 ? R(0.25) : R(0.75), (R(k % 3) + R(0.5)) / 3};
  if (k == 0) return {R(0.0625), R(0.5)};
  return {R(0.5625), k == 1 ? R(0.25) : R(0.75)};
}

/// Sample intervals of 1, 3 or 6 samples: the largest distance, in alpha and beta, of any place from the next
/// sample. sqrt(5) / 3, / 6 and / 9; sqrt(1 / 2), sqrt(65) / 16 and sqrt(13) / 12.
HD inline float vertex_triangle_sample_interval(int count) {
  return 0.74535599f / (count == 1 ? 1.0f : count == 3 ? 2.0f : 3.0f);
}
HD inline float edge_edge_sample_interval(int count) {
  return count == 1 ? 0.70710678f : count == 3 ? 0.50389111f : 0.30046261f;
}

/// Least f, m², at 1, 3 or 6 samples of vertex 0 and triangle 1 2 3 and, unless null, at their closest points
/// at the start (closest_vertex_triangle). Above 0 they are taken to be apart, which is likely and not
/// proven.
template <class R>
HD inline R vertex_triangle_sampled_product(const Vec<R> start[4], const Vec<R> end[4], int count,
                                            const ClosestPair<R>* closest = nullptr) {
  using namespace partial_impact;
  const Differences<R> d = vertex_triangle_differences(start, end);
  Smallest<R> least(vertex_triangle_product(d, vertex_triangle_sample<R>(count, 0)));
  for (int k = 1; k < count; ++k) {
    least.offer(vertex_triangle_product(d, vertex_triangle_sample<R>(count, k)));
  }
  if (closest) least.offer(vertex_triangle_product(d, {-closest->weight[2], -closest->weight[3]}));
  return least.value;
}

/// Edge 0 1 against edge 2 3, likewise (closest_edge_edge).
template <class R>
HD inline R edge_edge_sampled_product(const Vec<R> start[4], const Vec<R> end[4], int count,
                                      const ClosestPair<R>* closest = nullptr) {
  using namespace partial_impact;
  const Differences<R> d = edge_edge_differences(start, end);
  Smallest<R> least(edge_edge_product(d, edge_edge_sample<R>(count, 0)));
  for (int k = 1; k < count; ++k) least.offer(edge_edge_product(d, edge_edge_sample<R>(count, k)));
  if (closest) least.offer(edge_edge_product(d, {closest->weight[1], -closest->weight[3]}));
  return least.value;
}

/// Largest sample interval with which some sample is at f <= 0 for every pair that meets within the share
/// `filter` of the step (equation 15). Where they meet, f is at most -(1 - filter) / filter least_distance²
/// (14), and the gradient is nowhere longer than 2 sqrt(2) longest_edge largest_difference (13). All in
/// metres: `least_distance` of the two sides at the start; `largest_difference` between any points of the
/// two, at the start or at the end; `longest_edge` likewise. 0 where the two touch at the start.
template <class R>
HD inline R largest_sample_interval(R least_distance, R largest_difference, R longest_edge, R filter) {
  const R depth = (1 - filter) * least_distance * least_distance;
  return depth > 0 ? depth / (R(2.82842712474619) * filter * longest_edge * largest_difference) : R(0);
}

}  // namespace weft
