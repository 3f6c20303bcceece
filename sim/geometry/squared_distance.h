// Distances and closest features of primitives, without branches, for one pair or 16 side by side
// (sim/device/lanes.h), for searches with many pairs. Each result is the distance between points of the
// primitives, so it is never too small; it is too large by less than kDistanceRounding times the size, the
// root of the sum of squared distances between points of the two. If a position is not finite, neither is the
// size.
#pragma once
#include "sim/device/lanes.h"

namespace weft {

constexpr float kDistanceRounding = 1e-6f;

/// `support`: 1, 2, 4 and 8 for those of the four points that carry weight, added up (ClosestPair in
/// primitive_distance.h).
template <class R>
struct PairDistance {
  R squared, support, size_squared;
};

namespace squared_distance {

constexpr float kTiny = 1e-37f;

template <class R>
HD inline Vec3<R> cross_product(const Vec3<R>& a, const Vec3<R>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class L>
HD inline typename L::Real clamp(const typename L::Real& v, const typename L::Real& high) {
  return L::smaller(L::larger(v, L::splat(0)), high);
}

/// `bit` where v > 0, else 0.
template <class L>
HD inline typename L::Real bit_where(const typename L::Real& v, float bit) {
  return L::where(v, L::splat(bit));
}

/// Fraction from a to b of the point nearest to the origin.
template <class L>
HD inline typename L::Real share(const Vec3<typename L::Real>& a, const Vec3<typename L::Real>& d) {
  return clamp<L>(-dot(a, d) / L::larger(dot(d, d), L::splat(kTiny)), L::splat(1));
}

/// The closest so far.
template <class L>
struct Least {
  using R = typename L::Real;
  R squared, support;
  HD void offer(const R& d, const R& s) {
    support = d < squared ? s : support;
    squared = d < squared ? d : squared;
  }
  /// The origin, which represents the points `others`, and segment ab.
  HD void segment(const Vec3<R>& a, const Vec3<R>& b, float others, float at_a, float at_b) {
    const Vec3<R> d = b - a;
    const R t = share<L>(a, d);
    const Vec3<R> o = a + t * d;
    offer(dot(o, o), L::splat(others) + bit_where<L>(L::splat(1) - t, at_a) + bit_where<L>(t, at_b));
  }
};

}  // namespace squared_distance

/// Point x0 and triangle x1 x2 x3: three edges, and the foot of the perpendicular drawn into the triangle.
template <class L>
HD inline PairDistance<typename L::Real> vertex_triangle_distance(const Vec3<typename L::Real> x[4]) {
  using namespace squared_distance;
  using R = typename L::Real;
  const Vec3<R> a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0], ab = b - a, ac = c - a,
                n = cross_product(ab, ac);
  Least<L> least{L::splat(3e38f), L::splat(0)};
  least.segment(a, b, 1, 2, 4);
  least.segment(b, c, 1, 4, 8);
  least.segment(c, a, 1, 8, 2);
  const R wa = dot(cross_product(b, c), n), wb = dot(cross_product(c, a), n),
          wc = dot(cross_product(a, b), n);
  const R inverse = L::splat(1) / L::larger(wa + wb + wc, L::splat(kTiny));
  const R u = clamp<L>(wb * inverse, L::splat(1)), v = clamp<L>(wc * inverse, L::splat(1) - u),
          w = L::splat(1) - u - v;
  const Vec3<R> o = a + u * ab + v * ac;
  least.offer(dot(o, o), L::splat(1) + bit_where<L>(w, 2) + bit_where<L>(u, 4) + bit_where<L>(v, 8));
  return {least.squared, least.support, dot(a, a) + dot(b, b) + dot(c, c)};
}

/// Edges x0 x1 and x2 x3: four ends, and the common perpendicular drawn into both.
template <class L>
HD inline PairDistance<typename L::Real> edge_edge_distance(const Vec3<typename L::Real> x[4]) {
  using namespace squared_distance;
  using R = typename L::Real;
  const Vec3<R> u = x[1] - x[0], v = x[3] - x[2];
  const Vec3<R> d20 = x[0] - x[2], d30 = x[0] - x[3], d21 = x[1] - x[2], d31 = x[1] - x[3];
  Least<L> least{L::splat(3e38f), L::splat(0)};
  least.segment(d20, d30, 1, 4, 8);
  least.segment(d21, d31, 2, 4, 8);
  least.segment(d20, d21, 4, 1, 2);
  least.segment(d30, d31, 8, 1, 2);
  const Vec3<R> n = cross_product(u, v);
  const R s = clamp<L>(dot(cross_product(v, d20), n) / L::larger(dot(n, n), L::splat(kTiny)), L::splat(1));
  const Vec3<R> from = d20 + s * u;  // the point on the first edge, relative to x2
  const R t = clamp<L>(dot(from, v) / L::larger(dot(v, v), L::splat(kTiny)), L::splat(1));
  const Vec3<R> o = from - t * v;
  const R ends = bit_where<L>(L::splat(1) - s, 1) + bit_where<L>(s, 2) + bit_where<L>(L::splat(1) - t, 4) +
                 bit_where<L>(t, 8);
  least.offer(dot(o, o), ends);
  return {least.squared, least.support, dot(d20, d20) + dot(d30, d30) + dot(d21, d21) + dot(d31, d31)};
}

}  // namespace weft
