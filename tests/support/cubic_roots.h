// Roots of cubics in [0, 1], after Yuksel 2022, and the time of impact that follows from them: pure
// functions, float or double.
//
// Between the roots of its derivative a cubic is monotone, so that a change of sign encloses exactly one
// root, which Newton's method finds; its steps never leave the enclosure, because those that would are
// replaced by halving it.
//
// The times of impact are for comparison with time_of_impact.h and bound no step: coefficients are
// differences of products and lose digits, a root that the cubic only touches, a cubic that is 0 throughout
// (all four points stay in one plane) and roots at an edge of the triangle can be missed.
#pragma once
#include "sim/geometry/time_of_impact.h"

namespace weft {

/// c[0] + c[1] t + c[2] t² + c[3] t³.
template <class R>
struct Cubic {
  R c[4];
  HD R operator()(R t) const { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }
  HD R slope(R t) const { return c[1] + t * (2 * c[2] + t * (3 * c[3])); }
};

namespace cubic_roots {

/// The root in [low, high], where p is monotone and of opposite signs at the ends, to half an ulp or two of
/// high.
template <class R>
HD inline R enclosed_root(const Cubic<R>& p, R low, R high) {
  constexpr int kMostSteps = 100;  // halving alone needs as many as R has bits, and 30 more for roots near 0
  constexpr R kNarrow = sizeof(R) == 4 ? R(0.5 * FLT_EPSILON) : R(0.5 * DBL_EPSILON);
  const bool rises = p(low) < 0;
  R t = R(0.5) * (low + high);
  for (int k = 0; k < kMostSteps; ++k) {
    const R value = p(t);
    if (value == 0) return t;
    ((value < 0) == rises ? low : high) = t;
    R next = t - value / p.slope(t);
    if (!(next > low && next < high)) next = R(0.5) * (low + high);
    const R step = next > t ? next - t : t - next;
    t = next;
    if (!(step > kNarrow * high)) break;
  }
  return t;
}

/// Ends of the monotone pieces of p over [0, 1], ascending; returns their number, 2 to 4.
template <class R>
HD inline int pieces(const Cubic<R>& p, R ends[4]) {
  int count = 0;
  ends[count++] = 0;
  const R a = 3 * p.c[3], b = p.c[2], c = p.c[1], square = b * b - a * c;  // a t² + 2 b t + c
  if (square > 0) {
    const R root = std::sqrt(square), q = b < 0 ? root - b : -(root + b);
    const R r0 = q / a, r1 = c / q;  // infinite where a is 0, and then refused
    const R first = r0 < r1 ? r0 : r1, last = r0 < r1 ? r1 : r0;
    if (first > 0 && first < 1) ends[count++] = first;
    if (last > 0 && last < 1 && last != first) ends[count++] = last;
  }
  ends[count++] = 1;
  return count;
}

struct AcceptAny {
  template <class R>
  HD bool operator()(R) const {
    return true;
  }
};

}  // namespace cubic_roots

/// The first root of p in [0, 1] that `accept` (a bool of a root) takes, or kNoImpact.
template <class R, class Accept>
HD inline R first_root(const Cubic<R>& p, const Accept& accept) {
  R ends[4];
  const int count = cubic_roots::pieces(p, ends);
  R value = p(ends[0]);
  for (int k = 0; k + 1 < count; ++k) {
    const R next = p(ends[k + 1]);
    if (value == 0 && accept(ends[k])) return ends[k];
    if ((value < 0 && next > 0) || (value > 0 && next < 0)) {
      const R root = cubic_roots::enclosed_root(p, ends[k], ends[k + 1]);
      if (accept(root)) return root;
    }
    value = next;
  }
  return value == 0 && accept(R(1)) ? R(1) : R(kNoImpact);
}

/// The first root of p in [0, 1], or kNoImpact.
template <class R>
HD inline R first_root(const Cubic<R>& p) {
  return first_root(p, cubic_roots::AcceptAny{});
}

namespace cubic_roots {

/// Writes all roots of p in [0, 1], ascending; returns their number, at most 4 (0 and 1 for p = 0).
template <class R>
struct Collect {
  R* roots;
  int* count;
  HD bool operator()(R t) const {
    roots[(*count)++] = t;
    return false;
  }
};

/// Three vectors from point 0 to points 1, 2 and 3, linear in t.
template <class R>
struct Sides {
  Vec<R> start[3], motion[3];
  HD Sides(const Vec<R> from[4], const Vec<R> to[4]) {
    for (int k = 0; k < 3; ++k) {
      start[k] = from[k + 1] - from[0];
      motion[k] = (to[k + 1] - to[0]) - start[k];
    }
  }
  HD Vec<R> at(int k, R t) const { return start[k] + t * motion[k]; }
  /// Six times the volume of the four points.
  HD Cubic<R> volume() const {
    const Vec<R>&a = start[0], &b = start[1], &c = start[2], &u = motion[0], &v = motion[1], &w = motion[2];
    const Vec<R> bc = glm::cross(b, c), mixed = glm::cross(b, w) + glm::cross(v, c), vw = glm::cross(v, w);
    return {{glm::dot(a, bc), glm::dot(u, bc) + glm::dot(a, mixed), glm::dot(u, mixed) + glm::dot(a, vw),
             glm::dot(u, vw)}};
  }
};

/// Whether the foot of the perpendicular from vertex to triangle lies inside at t.
template <class R>
struct InsideTriangle {
  const Sides<R>& x;
  R slack;
  HD bool operator()(R t) const {
    const Vec<R> a = x.at(0, t), b = x.at(1, t), c = x.at(2, t), n = glm::cross(b - a, c - a);
    const R wa = glm::dot(glm::cross(b, c), n), wb = glm::dot(glm::cross(c, a), n);
    const R wc = glm::dot(glm::cross(a, b), n);
    const R sum = wa + wb + wc, least = -slack * sum;
    return sum > 0 && wa >= least && wb >= least && wc >= least;
  }
};

/// Whether the common perpendicular of the two lines meets both edges at t.
template <class R>
struct InsideEdges {
  const Sides<R>& x;
  R slack;
  HD bool operator()(R t) const {
    const Vec<R> u = x.at(0, t), d = x.at(1, t), v = x.at(2, t) - d, n = glm::cross(u, v);
    const R nn = glm::dot(n, n), r = glm::dot(glm::cross(d, v), n), s = glm::dot(glm::cross(d, u), n);
    const R low = -slack * nn, high = (1 + slack) * nn;
    return nn > 0 && r >= low && r <= high && s >= low && s <= high;
  }
};

}  // namespace cubic_roots

/// All roots of p in [0, 1], ascending; returns their number, at most 4 (for p = 0 the ends 0 and 1).
template <class R>
HD inline int roots_in_unit_interval(const Cubic<R>& p, R roots[4]) {
  int count = 0;
  first_root(p, cubic_roots::Collect<R>{roots, &count});
  return count;
}

/// Vertex 0 against triangle 1 2 3, positions at the start and the end of the step: the first time at which
/// the four points lie in one plane and the vertex inside the triangle, or kNoImpact. `slack`: how far
/// outside still counts, in barycentric weights. May be missed or late: not for limiting steps.
template <class R>
HD inline R vertex_triangle_root_impact(const Vec<R> start[4], const Vec<R> end[4], R slack = 0) {
  const cubic_roots::Sides<R> x(start, end);
  return first_root(x.volume(), cubic_roots::InsideTriangle<R>{x, slack});
}

/// Edge 0 1 against edge 2 3, likewise; `slack` as a share of the edges.
template <class R>
HD inline R edge_edge_root_impact(const Vec<R> start[4], const Vec<R> end[4], R slack = 0) {
  const cubic_roots::Sides<R> x(start, end);
  return first_root(x.volume(), cubic_roots::InsideEdges<R>{x, slack});
}

}  // namespace weft
