// Bending of two triangles about their common edge, in two forms.
//
//            x2                    e = x1 - x0,  a = x2 - x0,  b = x3 - x0
//           /  \      A = (x0 x1 x2)
//          /  A \                  nA = e x a,  nB = b x e   (not unit; equal in direction where the sheet is flat)
//        x0 --e-- x1
//          \  B /                  tA, tB: where the heights of x2 and x3 meet the edge, as shares of it from x0
//           \  /      B = (x1 x0 x3)
//            x3
//
// Quadratic (Bergou, Wardetzky, Harmon, Zorin and Grinspun 2006):
//
//   E = k/2 |v|²,   v = sum c_i x_i = c1 e + c2 a + c3 b      (sum c_i = 0)
//   dE/dx_i = k c_i v,   d²E/dx_i dx_j = k c_i c_j I          constant, positive semidefinite
//
// v is the mean curvature vector integrated over the hinge. Exact for isometric deformation of a flat rest shape.
//
// Dihedral (Grinspun, Hirani, Desbrun and Schröder 2003; derivatives after Tamstorf and Grinspun 2013):
//
//   E = k/2 (theta - theta0)²,   theta = atan2(ê . (nA x nB), nA . nB) in (-pi, pi]
//   dtheta/dx2 = -|e| nA / |nA|²,   dtheta/dx3 = -|e| nB / |nB|²,
//   dtheta/dx1 = -tA dtheta/dx2 - tB dtheta/dx3,   dtheta/dx0 = -(1 - tA) dtheta/dx2 - (1 - tB) dtheta/dx3
//
// theta is positive where x2 and x3 bend towards the side that nA and nB point away from (a ridge seen from the front).
// acos would lose half of float32's digits on flat cloth; atan2 does not.
//
// Where a triangle's height falls below a thousandth of the edge, |nA|² is bounded from below, so that the gradient
// stays bounded; an edge without length has no angle (theta = 0, derivatives 0).
#pragma once
#include "sim/energies/types.h"

namespace weft {

/// v of the quadratic form. `stencil`: c0..c3.
template <class T>
HD inline Point3<T> hinge_vector(const Point3<T>& e, const Point3<T>& a, const Point3<T>& b,
                                 const glm::vec<4, T>& stencil) {
  return stencil.y * e + stencil.z * a + stencil.w * b;
}
/// J. k in N/m: B times the fitted weight.
template <class T>
HD inline T quadratic_hinge_energy(const Point3<T>& e, const Point3<T>& a, const Point3<T>& b,
                                   const glm::vec<4, T>& stencil, T k) {
  const Point3<T> v = hinge_vector(e, a, b, stencil);
  return T(0.5) * k * glm::dot(v, v);
}
/// dE/dx_i in N for the four vertices.
template <class T>
HD inline void quadratic_hinge_gradient(const Point3<T>& e, const Point3<T>& a, const Point3<T>& b,
                                        const glm::vec<4, T>& stencil, T k, Point3<T> (&gradient)[4]) {
  const Point3<T> v = k * hinge_vector(e, a, b, stencil);
  for (int i = 0; i < 4; ++i) gradient[i] = stencil[i] * v;
}
/// d²E/dx_i dx_j is this number times the identity, N/m.
template <class T>
HD inline T quadratic_hinge_hessian(const glm::vec<4, T>& stencil, T k, int i, int j) {
  return k * stencil[i] * stencil[j];
}

/// Angle and first derivatives of a hinge, and what the second need.
template <class T>
struct HingeAngle {
  T theta = 0;                                                                       // rad
  Point3<T> gradient[4] = {Point3<T>(0), Point3<T>(0), Point3<T>(0), Point3<T>(0)};  // 1/m
  Point3<T> normal_a{0}, normal_b{0};                                                // unit
  T length = 0;                                                                      // |e|, 0 where there is no angle
  T inv_a = 0, inv_b = 0;                                                            // 1 / |nA|, 1 / |nB|, bounded
  T share_a = 0, share_b = 0;                                                        // tA, tB
};

template <class T>
HD inline HingeAngle<T> hinge_angle(const Point3<T>& e, const Point3<T>& a, const Point3<T>& b) {
  HingeAngle<T> h;
  const T ee = glm::dot(e, e);
  if (!(ee > T(1e-20))) return h;
  h.length = square_root(ee);
  const Point3<T> na = glm::cross(e, a), nb = glm::cross(b, e);
  h.theta = arc_tangent(glm::dot(e, glm::cross(na, nb)) / h.length, glm::dot(na, nb));
  const T least = T(1e-3) * ee;  // |nA| of a triangle whose height is a thousandth of the edge
  h.inv_a = T(1) / larger_of(length_of(na), least);
  h.inv_b = T(1) / larger_of(length_of(nb), least);
  h.normal_a = h.inv_a * na;
  h.normal_b = h.inv_b * nb;
  h.share_a = glm::dot(a, e) / ee;
  h.share_b = glm::dot(b, e) / ee;
  h.gradient[2] = (-h.length * h.inv_a) * h.normal_a;
  h.gradient[3] = (-h.length * h.inv_b) * h.normal_b;
  h.gradient[1] = -h.share_a * h.gradient[2] - h.share_b * h.gradient[3];
  h.gradient[0] = -(h.gradient[1] + h.gradient[2] + h.gradient[3]);
  return h;
}

/// theta - theta0, the short way round.
template <class T>
HD inline T angle_change(T theta, T rest) {
  constexpr T kTurn = T(6.283185307179586);
  const T d = theta - rest;
  return d > T(0.5) * kTurn ? d - kTurn : d < T(-0.5) * kTurn ? d + kTurn : d;
}

/// J. k in N m: B times the fitted weight.
template <class T>
HD inline T dihedral_energy(const Point3<T>& e, const Point3<T>& a, const Point3<T>& b, T k, T rest) {
  const T d = angle_change(hinge_angle(e, a, b).theta, rest);
  return T(0.5) * k * d * d;
}
/// dE/dx_i in N.
template <class T>
HD inline void dihedral_gradient(const Point3<T>& e, const Point3<T>& a, const Point3<T>& b, T k, T rest,
                                 Point3<T> (&gradient)[4]) {
  const HingeAngle<T> h = hinge_angle(e, a, b);
  const T moment = k * angle_change(h.theta, rest);
  for (int i = 0; i < 4; ++i) gradient[i] = moment * h.gradient[i];
}
/// k grad(theta) grad(theta)ᵀ: positive semidefinite, and the exact Hessian at rest.
template <class T>
HD inline ElementHessian<T, 4> dihedral_gauss_newton(const Point3<T>& e, const Point3<T>& a, const Point3<T>& b, T k) {
  const HingeAngle<T> h = hinge_angle(e, a, b);
  ElementHessian<T, 4> r;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) r.block[i][j] = k * glm::outerProduct(h.gradient[i], h.gradient[j]);
  return r;
}

/// [v]x, the matrix with [v]x w = v x w.
template <class T>
HD inline Block3<T> cross_matrix(const Point3<T>& v) {
  return Block3<T>(0, v.z, -v.y, -v.z, 0, v.x, v.y, -v.x, 0);
}

/// d²theta/dx_i dx_j (1/m²): the derivatives of gradients 1, 2 and 3 by e, a and b; x0 by translation.
template <class T>
HD inline ElementHessian<T, 4> hinge_angle_hessian(const Point3<T>& e, const Point3<T>& a, const Point3<T>& b) {
  const HingeAngle<T> h = hinge_angle(e, a, b);
  ElementHessian<T, 4> r;
  for (auto& row : r.block)
    for (auto& block : row) block = Block3<T>(0);
  if (!(h.length > T(0))) return r;
  const Point3<T> unit = e / h.length;
  // d(n / |n|²) = (I - 2 n̂ n̂ᵀ) dn / |n|²
  const Block3<T> mirror_a =
      (h.length * h.inv_a * h.inv_a) * (Block3<T>(1) - T(2) * glm::outerProduct(h.normal_a, h.normal_a));
  const Block3<T> mirror_b =
      (h.length * h.inv_b * h.inv_b) * (Block3<T>(1) - T(2) * glm::outerProduct(h.normal_b, h.normal_b));
  auto& m = r.block;
  m[2][2] = -mirror_a * cross_matrix(e);
  m[2][1] = mirror_a * cross_matrix(a) - h.inv_a * glm::outerProduct(h.normal_a, unit);
  m[3][3] = mirror_b * cross_matrix(e);
  m[3][1] = -(mirror_b * cross_matrix(b)) - h.inv_b * glm::outerProduct(h.normal_b, unit);
  const T inv_ee = T(1) / (h.length * h.length);
  const Point3<T> slope_a = inv_ee * (a - (T(2) * h.share_a) * e), slope_b = inv_ee * (b - (T(2) * h.share_b) * e);
  m[1][1] = -(glm::outerProduct(h.gradient[2], slope_a) + glm::outerProduct(h.gradient[3], slope_b) +
              h.share_a * m[2][1] + h.share_b * m[3][1]);
  m[1][2] = glm::transpose(m[2][1]);
  m[1][3] = glm::transpose(m[3][1]);
  for (int i = 1; i < 4; ++i) {
    m[i][0] = -(m[i][1] + m[i][2] + m[i][3]);
    m[0][i] = glm::transpose(m[i][0]);
  }
  m[0][0] = -(m[0][1] + m[0][2] + m[0][3]);
  return r;
}

/// Exact d²E/dx_i dx_j: Gauss-Newton part plus moment times the curvature of theta; indefinite away from rest.
template <class T>
HD inline ElementHessian<T, 4> dihedral_hessian(const Point3<T>& e, const Point3<T>& a, const Point3<T>& b, T k,
                                                T rest) {
  const HingeAngle<T> h = hinge_angle(e, a, b);
  const T moment = k * angle_change(h.theta, rest);
  ElementHessian<T, 4> r = hinge_angle_hessian(e, a, b);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      r.block[i][j] = moment * r.block[i][j] + k * glm::outerProduct(h.gradient[i], h.gradient[j]);
  return r;
}

}  // namespace weft
