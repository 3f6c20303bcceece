// Squared distances of primitives, without branches, for one pair or for 16 side by side (sim/device/lanes.h): for searches that have
// many pairs to look at and few to keep. Each result is the distance to points that belong to the primitives, so that it is never too
// small; it is too large by less than kDistanceRounding times `size`, the largest distance between points of the two.
#pragma once
#include "sim/device/lanes.h"

namespace weft {

constexpr float kDistanceRounding = 1e-6f;

template <class L>
struct SquaredDistance {
  using R = typename L::Real;
  R squared, size_squared;
};

namespace squared_distance {

constexpr float kTiny = 1e-37f;

template <class R>
HD inline Vec3<R> cross(const Vec3<R>& a, const Vec3<R>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class L>
HD inline typename L::Real clamp(const typename L::Real& v, const typename L::Real& high) {
  return L::smaller(L::larger(v, L::splat(0)), high);
}

/// From the origin to segment ab.
template <class L>
HD inline typename L::Real to_segment(const Vec3<typename L::Real>& a, const Vec3<typename L::Real>& b) {
  const auto d = b - a;
  const auto t = clamp<L>(-dot(a, d) / L::larger(dot(d, d), L::splat(kTiny)), L::splat(1));
  const auto o = a + t * d;
  return dot(o, o);
}

template <class L>
HD inline typename L::Real most(const typename L::Real& a, const typename L::Real& b, const typename L::Real& c) {
  return L::larger(L::larger(a, b), c);
}

}  // namespace squared_distance

/// Point x0 and triangle x1 x2 x3: three edges, and the foot of the perpendicular drawn into the triangle.
template <class L>
HD inline SquaredDistance<L> squared_vertex_triangle(const Vec3<typename L::Real> x[4]) {
  using namespace squared_distance;
  using R = typename L::Real;
  const Vec3<R> a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0], ab = b - a, ac = c - a, n = cross(ab, ac);
  const R wa = dot(cross(b, c), n), wb = dot(cross(c, a), n), wc = dot(cross(a, b), n);
  const R inverse = L::splat(1) / L::larger(wa + wb + wc, L::splat(kTiny));
  const R u = clamp<L>(wb * inverse, L::splat(1)), v = clamp<L>(wc * inverse, L::splat(1) - u);
  const Vec3<R> face = a + u * ab + v * ac;
  const R edges = L::smaller(L::smaller(to_segment<L>(a, b), to_segment<L>(b, c)), to_segment<L>(c, a));
  return {L::smaller(dot(face, face), edges), most<L>(dot(a, a), dot(b, b), dot(c, c))};
}

/// Edges x0 x1 and x2 x3: four ends, and the common perpendicular drawn into both.
template <class L>
HD inline SquaredDistance<L> squared_edge_edge(const Vec3<typename L::Real> x[4]) {
  using namespace squared_distance;
  using R = typename L::Real;
  const Vec3<R> zero{L::splat(0), L::splat(0), L::splat(0)};
  const Vec3<R> u = x[1] - x[0], v = x[3] - x[2], d02 = x[2] - x[0], d03 = x[3] - x[0], d12 = x[2] - x[1], d13 = x[3] - x[1];
  const Vec3<R> n = cross(u, v);
  const R s = clamp<L>(dot(cross(d02, v), n) / L::larger(dot(n, n), L::splat(kTiny)), L::splat(1));
  R least = to_segment<L>(d02 - s * u, d03 - s * u);
  least = L::smaller(least, L::smaller(to_segment<L>(d02, d03), to_segment<L>(d12, d13)));
  least = L::smaller(least, L::smaller(to_segment<L>(zero - d02, zero - d12), to_segment<L>(zero - d03, zero - d13)));
  return {least, L::larger(L::larger(dot(d02, d02), dot(d03, d03)), L::larger(dot(d12, d12), dot(d13, d13)))};
}

}  // namespace weft
