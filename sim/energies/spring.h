// Spring.
//
//   E = k/2 (|d| - l0)²,   d = x1 - x0
//
//        x0 o-----/\/\/\-----o x1          n = d / |d|
//
//   k   stiffness, N/m        l0   rest length, m
//
//   dE/dx1 = k (|d| - l0) n,   dE/dx0 = -dE/dx1
//   H = d²E/dx1² = k ( n nᵀ + (1 - l0/|d|) (I - n nᵀ) ),   H00 = H11 = H, H01 = H10 = -H
//
// A compressed spring (|d| < l0) has two negative eigenvalues; the projection drops them. This is the fast mass-spring
// form of Liu, Bargteil, O'Brien and Kavan 2013, section 3. At |d| = 0 the energy has a cone's tip and no derivative:
// the gradient is then 0 and both Hessians are k I, that of a spring without rest length.
#pragma once
#include "sim/energies/types.h"

namespace weft {

/// Below this share of the rest length a spring has no direction.
template <class T>
HD inline T spring_shortest(T rest_length) {
  return T(1e-6) * rest_length + T(1e-30);
}

/// J; d in m.
template <class T>
HD inline T spring_energy(const Point3<T>& d, T stiffness, T rest_length) {
  const T change = length_of(d) - rest_length;
  return T(0.5) * stiffness * change * change;
}

/// dE/dx1 in N; that of x0 is the negative.
template <class T>
HD inline Point3<T> spring_gradient(const Point3<T>& d, T stiffness, T rest_length) {
  const T length = length_of(d);
  if (!(length > spring_shortest(rest_length))) return Point3<T>(0);
  return (stiffness * (length - rest_length) / length) * d;
}

/// d²E/dx1², N/m; d²E/dx0dx1 is the negative.
template <class T>
HD inline Block3<T> spring_hessian(const Point3<T>& d, T stiffness, T rest_length) {
  const T length = length_of(d);
  if (!(length > spring_shortest(rest_length))) return Block3<T>(stiffness);
  const Point3<T> n = d / length;
  const T across = T(1) - rest_length / length;
  return stiffness * (Block3<T>(across) + (T(1) - across) * glm::outerProduct(n, n));
}

/// The same without its negative eigenvalues: the nearest positive semidefinite matrix.
template <class T>
HD inline Block3<T> spring_hessian_psd(const Point3<T>& d, T stiffness, T rest_length) {
  const T length = length_of(d);
  if (!(length > spring_shortest(rest_length))) return Block3<T>(stiffness);
  const Point3<T> n = d / length;
  const T across = larger_of(T(0), T(1) - rest_length / length);
  return stiffness * (Block3<T>(across) + (T(1) - across) * glm::outerProduct(n, n));
}

}  // namespace weft
