// What the energies share: number types, vectors and blocks of them, and scalar functions.
//
// An energy is a set of pure functions of edge vectors (differences of positions), not of positions: a
// float32 position a metre from the origin is good to 6e-8 m, a difference that the caller forms as (x_n
// difference) + (displacement difference) is good to 1e-7 of itself.
//
// They are templates over the number R: float for one element, double for one element, Pack for sixteen
// (lanes.h).
#pragma once
#include <type_traits>

#include "sim/base/math.h"
#include "sim/device/lanes.h"

namespace weft {

template <class T>
using Point3 = glm::vec<3, T>;

HD inline float square_root(float v) { return sqrtf(v); }
HD inline double square_root(double v) { return ::sqrt(v); }
HD inline float arc_tangent(float y, float x) { return atan2f(y, x); }
HD inline double arc_tangent(double y, double x) { return ::atan2(y, x); }
/// a where condition > 0, else b.
HD inline float choose(float condition, float a, float b) { return condition > 0 ? a : b; }
HD inline double choose(double condition, double a, double b) { return condition > 0 ? a : b; }
#ifndef __CUDACC__
WEFT_INLINE Pack square_root(const Pack& v) { return SixteenRows::root(v); }
WEFT_INLINE Pack choose(const Pack& condition, const Pack& a, const Pack& b) {
  return condition > 0.0f ? a : b;
}
inline Pack arc_tangent(const Pack& y, const Pack& x) {
  Pack r;
  for (int l = 0; l < kLanes; ++l) r[l] = atan2f(y[l], x[l]);
  return r;
}
#endif

/// The same number in every lane.
template <class R>
WEFT_INLINE R splat(double v) {
  if constexpr (std::is_floating_point_v<R>) return R(v);
  else return R{} + float(v);
}
template <class R>
WEFT_INLINE R larger_of(const R& a, const R& b) {
  return a > b ? a : b;
}
template <class R>
WEFT_INLINE R smaller_of(const R& a, const R& b) {
  return a < b ? a : b;
}
template <class R>
WEFT_INLINE R absolute(const R& v) {
  return larger_of<R>(v, -v);
}
template <class T>
HD inline T length_of(const Point3<T>& v) {
  return square_root(glm::dot(v, v));
}

template <class T>
HD inline Vec3<T> lane_vector(const Point3<T>& v) {
  return {v.x, v.y, v.z};
}
template <class R>
WEFT_INLINE Vec3<R> operator-(const Vec3<R>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class R>
WEFT_INLINE Vec3<R> cross(const Vec3<R>& a, const Vec3<R>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class R>
WEFT_INLINE R length_of(const Vec3<R>& v) {
  return square_root(dot(v, v));
}
template <class R>
WEFT_INLINE Vec3<R> choose(const R& condition, const Vec3<R>& a, const Vec3<R>& b) {
  return {choose(condition, a.x, b.x), choose(condition, a.y, b.y), choose(condition, a.z, b.z)};
}
template <class R>
WEFT_INLINE Vec3<R> zero_vector() {
  return {splat<R>(0), splat<R>(0), splat<R>(0)};
}

/// A 3x3 block by its columns.
template <class R>
struct Mat3 {
  Vec3<R> x, y, z;
  HD friend Mat3 operator+(const Mat3& a, const Mat3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  HD friend Mat3 operator*(const R& s, const Mat3& a) { return {s * a.x, s * a.y, s * a.z}; }
};
/// a bᵀ
template <class R>
WEFT_INLINE Mat3<R> outer(const Vec3<R>& a, const Vec3<R>& b) {
  return {b.x * a, b.y * a, b.z * a};
}
template <class R>
WEFT_INLINE Mat3<R> transposed(const Mat3<R>& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}
/// s I
template <class R>
WEFT_INLINE Mat3<R> scaled_identity(const R& s) {
  const R o = splat<R>(0);
  return {{s, o, o}, {o, s, o}, {o, o, s}};
}

/// A unit vector at a right angle to the unit vector `n`; continuous except at two directions.
template <class R>
WEFT_INLINE Vec3<R> any_perpendicular(const Vec3<R>& n) {
  const R zero = splat<R>(0), one = splat<R>(1), is_x = choose(0.6f - absolute<R>(n.x), one, zero);
  const Vec3<R> p = cross(n, Vec3<R>{is_x, one - is_x, zero});
  return (1.0f / length_of(p)) * p;
}

}  // namespace weft
