// When do a moving vertex and a moving triangle, or two moving edges, come within a gap of each other? A
// lower bound that is never late, in float or double: pure functions.
//
// All four points move along straight lines during t in [0, 1]. For a fixed direction n each n . (p_i(t) -
// q_j(t)), p_i a corner of the one side and q_j of the other, is linear in t. Where all of them exceed gap
// |n| at both ends of a piece of time, the two sides keep their distance throughout it. Time is walked
// through in such pieces from 0 on; n is the direction between the closest points in the middle of the piece.
// A piece that has no such direction is halved; one halved `halvings` times is where they meet.
// Every rounding error is bounded and taken off, so that "apart" is proven and "meet" may be a near miss.
#pragma once
#include <cfloat>

#include "sim/base/absolute.h"
#include "sim/geometry/primitive_distance.h"

namespace weft {

/// Result of the tests for pairs that never come within the gap; any time in [0, 1] is one before which they
/// provably do not.
constexpr int kNoImpact = 2;

template <class R>
struct ImpactOptions {
  R gap = 0;  // m
  // the shortest piece is 2^-halvings of the step; at most 22 for float
  int halvings = sizeof(R) == 4 ? 20 : 43;
  int most_pieces = 256;  // tries; after them the time reached so far is the answer
};

namespace time_of_impact {

/// Differences of the two sides' corners at the start and the end of the step: x0 - x1, x0 - x2, x0 - x3, or
/// x0 - x2, x0 - x3, x1 - x2, x1 - x3.
template <class R>
struct Differences {
  Vec<R> start[4], end[4];
  int count = 0;
  HD void add(const Vec<R>& p0, const Vec<R>& q0, const Vec<R>& p1, const Vec<R>& q1) {
    start[count] = p0 - q0;
    end[count++] = p1 - q1;
  }
};

/// True if n . d exceeds the gap for all differences d at the times t0 and t1, and so between them. A
/// difference is rounded once, each of its products with n and their two sums once more, the interpolation in
/// t four times: less than eight units of half an ulp of the sum of the products' absolute values. Underflow
/// adds less than the smallest normal number each.
template <class R>
HD inline bool separates(const Vec<R>& direction, const Differences<R>& d, R t0, R t1, R gap) {
  constexpr R kRounding = sizeof(R) == 4 ? R(8 * 0.5 * FLT_EPSILON) : R(8 * 0.5 * DBL_EPSILON);
  constexpr R kTiny = sizeof(R) == 4 ? R(16 * FLT_MIN) : R(16 * DBL_MIN);
  const Vec<R> size = absolute(direction);
  const R largest =
      size.x > size.y ? (size.x > size.z ? size.x : size.z) : (size.y > size.z ? size.y : size.z);
  if (!(largest > 0)) return false;
  const Vec<R> n = direction / largest, m = absolute(n);
  const R least = gap > 0 ? gap * glm::length(n) * (1 + kRounding) : R(0);
  for (int k = 0; k < d.count; ++k) {
    const R f0 = glm::dot(n, d.start[k]), f1 = glm::dot(n, d.end[k]);
    const R e0 = kRounding * glm::dot(m, absolute(d.start[k])),
            e1 = kRounding * glm::dot(m, absolute(d.end[k]));
    if (!((1 - t0) * f0 + t0 * f1 > least + kTiny + (1 - t0) * e0 + t0 * e1)) return false;
    if (!((1 - t1) * f0 + t1 * f1 > least + kTiny + (1 - t1) * e0 + t1 * e1)) return false;
  }
  return true;
}

/// Tries the direction between the closest points halfway, and where they lie inside a face or two edges,
/// their normal too: it keeps its digits where the points nearly touch.
template <class R>
HD inline bool apart(const Vec<R> start[4], const Vec<R> end[4], bool edges, const Differences<R>& d, R t0,
                     R t1, R gap) {
  const R t = R(0.5) * (t0 + t1);
  Vec<R> x[4];
  for (int k = 0; k < 4; ++k) x[k] = (1 - t) * (start[k] - start[0]) + t * (end[k] - end[0]);
  const ClosestPair<R> c =
      edges ? closest_edge_edge(x[0], x[1], x[2], x[3]) : closest_vertex_triangle(x[0], x[1], x[2], x[3]);
  if (separates(c.offset, d, t0, t1, gap)) return true;
  if (c.support != 15) return false;
  const Vec<R> n = edges ? glm::cross(x[1] - x[0], x[3] - x[2]) : glm::cross(x[2] - x[1], x[3] - x[1]);
  return separates(glm::dot(n, c.offset) < 0 ? -n : n, d, t0, t1, gap);
}

/// Walks from 0 in pieces whose ends are multiples of their length, a power of two: exact in R.
template <class R>
HD inline R walk(const Vec<R> start[4], const Vec<R> end[4], bool edges, const Differences<R>& d,
                 const ImpactOptions<R>& options) {
  int64_t at = 0;  // in units of the piece
  int halvings = 0;
  R piece = 1;
  for (int tries = 0; tries < options.most_pieces; ++tries) {
    if (apart(start, end, edges, d, R(at) * piece, R(at + 1) * piece, options.gap)) {
      ++at;
      for (; halvings > 0 && at % 2 == 0; --halvings) at /= 2, piece *= 2;
      if (halvings == 0 && at == 1) return R(kNoImpact);
    } else {
      if (halvings == options.halvings) break;
      ++halvings, at *= 2, piece *= R(0.5);
    }
  }
  return R(at) * piece;
}

}  // namespace time_of_impact

/// Vertex 0 against triangle 1 2 3, positions at the start and the end of the step. A time in [0, 1] up to
/// which they provably keep more than the gap, or kNoImpact. Pairs within the gap at the start: 0.
template <class R>
HD inline R vertex_triangle_impact(const Vec<R> start[4], const Vec<R> end[4],
                                   const ImpactOptions<R>& options = {}) {
  time_of_impact::Differences<R> d;
  for (int k = 1; k < 4; ++k) d.add(start[0], start[k], end[0], end[k]);
  return time_of_impact::walk(start, end, false, d, options);
}

/// Edge 0 1 against edge 2 3, likewise.
template <class R>
HD inline R edge_edge_impact(const Vec<R> start[4], const Vec<R> end[4],
                             const ImpactOptions<R>& options = {}) {
  time_of_impact::Differences<R> d;
  for (int i = 0; i < 2; ++i)
    for (int j = 2; j < 4; ++j) d.add(start[i], start[j], end[i], end[j]);
  return time_of_impact::walk(start, end, true, d, options);
}

}  // namespace weft
