// What the energies share: vectors and blocks of either precision, and scalar functions for host and device.
//
// Every energy is a set of pure functions of edge vectors (differences of positions), not of positions: a float32
// position a metre from the origin is good to 6e-8 m, a difference that the caller forms as
// (x_n difference) + (displacement difference) is good to 1e-7 of itself.
#pragma once
#include "sim/base/math.h"

namespace weft {

template <class T>
using Point3 = glm::vec<3, T>;
template <class T>
using Block3 = glm::mat<3, 3, T>;

HD inline float square_root(float v) { return sqrtf(v); }
HD inline double square_root(double v) { return ::sqrt(v); }
HD inline float arc_tangent(float y, float x) { return atan2f(y, x); }
HD inline double arc_tangent(double y, double x) { return ::atan2(y, x); }
template <class T>
HD inline T absolute(T v) {
  return v < T(0) ? -v : v;
}
template <class T>
HD inline T larger_of(T a, T b) {
  return a > b ? a : b;
}
template <class T>
HD inline T length_of(const Point3<T>& v) {
  return square_root(glm::dot(v, v));
}

/// Hessian of an element of N vertices: block[i][j] = d²E / dx_i dx_j (N/m), block[j][i] its transpose.
template <class T, int N>
struct ElementHessian {
  Block3<T> block[N][N];
};

/// Any unit vector at a right angle to the unit vector `n`; continuous except at two directions.
template <class T>
HD inline Point3<T> any_perpendicular(const Point3<T>& n) {
  const Point3<T> other = absolute(n.x) < T(0.6) ? Point3<T>(1, 0, 0) : Point3<T>(0, 1, 0);
  const Point3<T> p = glm::cross(n, other);
  return p * (T(1) / length_of(p));
}

}  // namespace weft
