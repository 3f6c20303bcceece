// St. Venant-Kirchhoff triangle with the three directions of a weave: stiff along warp and weft, soft in shear.
//
//   psi = 1/2 (C11 E11² + C22 E22²) + C12 E11 E22 + 1/2 G g²,     E = 1/2 (FᵀF - I),  g = 2 E12
//
//        v (weft)             F    deformation gradient, 3x2, columns f1 (along warp) and f2 (along weft)
//        ^   x2               E    Green strain, which any rotation leaves as it is: no polar decomposition is needed
//        |  /\                S    second Piola-Kirchhoff stress, S = C : E
//        | /  \               C    N/m: Young's moduli times thickness over 1 - nu², see `orthotropic`
//        |/____\ ---> u (warp)
//        x0     x1
//
//   dE/dF = A P,  P = [S11 f1 + S12 f2, S12 f1 + S22 f2];   dE/dx1 = A P b1, with b_i the row of Dm⁻¹ of corner i
//
// The stiffness along a fibre of stretch s is C (3 s² - 1) / 2: it grows under tension and vanishes at s = 0.58, so that the
// material folds up under strong compression (a property of the law, not of the code).
//
//   d²psi = dE : C : dE + S : dFᵀdF;     the projection drops the part of S with negative eigenvalues
#pragma once
#include "sim/energies/corotated_triangle.h"

namespace weft {

/// C11, C22, C12, G (N/m) of a sheet with Young's moduli (times thickness) along warp and weft. `poisson` is the geometric mean of the
/// two ratios nu12 and nu21, so that C is positive definite for every pair of moduli. `shear` 0: that of an isotropic sheet
/// of the mean modulus.
template <class T>
HD inline glm::vec<4, T> orthotropic(T warp, T weft, T shear, T poisson) {
  const T inv = T(1) / (T(1) - poisson * poisson), mean = square_root(warp * weft);
  return {warp * inv, weft * inv, poisson * mean * inv, shear > T(0) ? shear : mean / (T(2) * (T(1) + poisson))};
}

/// Deformation gradient and stress.
template <class T>
struct GreenStress {
  Point3<T> f1, f2;
  T e11, e22, g;       // E11, E22, 2 E12
  T s11, s22, s12;     // N/m
};

template <class T>
HD inline GreenStress<T> green_stress(const Point3<T>& e1, const Point3<T>& e2, const glm::vec<4, T>& inverse,
                                      const glm::vec<4, T>& c) {
  GreenStress<T> s;
  s.f1 = inverse.x * e1 + inverse.y * e2;
  s.f2 = inverse.z * e1 + inverse.w * e2;
  s.e11 = T(0.5) * (glm::dot(s.f1, s.f1) - T(1));
  s.e22 = T(0.5) * (glm::dot(s.f2, s.f2) - T(1));
  s.g = glm::dot(s.f1, s.f2);
  s.s11 = c.x * s.e11 + c.z * s.e22;
  s.s22 = c.z * s.e11 + c.y * s.e22;
  s.s12 = c.w * s.g;
  return s;
}

/// J. `area`: rest area, m².
template <class T>
HD inline T stvk_energy(const Point3<T>& e1, const Point3<T>& e2, const glm::vec<4, T>& inverse, T area, const glm::vec<4, T>& c) {
  const GreenStress<T> s = green_stress(e1, e2, inverse, c);
  return T(0.5) * area * (s.s11 * s.e11 + s.s22 * s.e22 + s.s12 * s.g);
}

/// Gradients of corners 1 and 2 in N; that of corner 0 is the negative of their sum. About 70 flops.
template <class T>
HD inline void stvk_gradient(const Point3<T>& e1, const Point3<T>& e2, const glm::vec<4, T>& inverse, T area,
                             const glm::vec<4, T>& c, Point3<T>& g1, Point3<T>& g2) {
  const GreenStress<T> s = green_stress(e1, e2, inverse, c);
  const Point3<T> p1 = area * (s.s11 * s.f1 + s.s12 * s.f2);
  const Point3<T> p2 = area * (s.s12 * s.f1 + s.s22 * s.f2);
  g1 = inverse.x * p1 + inverse.z * p2;
  g2 = inverse.y * p1 + inverse.w * p2;
}

/// By how much tension stiffens the triangle: (3 s² - 1) / 2 for its largest principal stretch s, at least 1.
template <class T>
HD inline T stvk_stiffening(const GreenStress<T>& s) {
  const T a = T(2) * s.e11 + T(1), b = T(2) * s.e22 + T(1);  // FᵀF = [a g; g b]
  const T half = T(0.5) * (a - b), largest = T(0.5) * (a + b) + square_root(half * half + s.g * s.g);
  return larger_of(T(1), T(0.5) * (T(3) * largest - T(1)));
}

/// d²E/dx_i dx_j. `positive`: positive semidefinite, without the geometric stiffness of compression.
template <class T>
HD inline ElementHessian<T, 3> stvk_hessian(const Point3<T>& e1, const Point3<T>& e2, const glm::vec<4, T>& inverse, T area,
                                            const glm::vec<4, T>& c, bool positive) {
  GreenStress<T> s = green_stress(e1, e2, inverse, c);
  if (positive) {
    const T mean = T(0.5) * (s.s11 + s.s22), half = T(0.5) * (s.s11 - s.s22);
    const T radius = square_root(half * half + s.s12 * s.s12);
    if (mean + radius <= T(0)) {
      s.s11 = s.s22 = s.s12 = T(0);
    } else if (mean - radius < T(0)) {
      const T scale = T(0.5) * (mean + radius) / radius;
      s.s11 = scale * (radius + half), s.s22 = scale * (radius - half), s.s12 = scale * s.s12;
    }
  }
  ElementHessian<T, 3> h;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const glm::vec<2, T> bi = triangle_shape_gradient(inverse, i), bj = triangle_shape_gradient(inverse, j);
      // Gradients of E11, E22 and 2 E12.
      const Point3<T> ui = bi.x * s.f1, vi = bi.y * s.f2, wi = bi.y * s.f1 + bi.x * s.f2;
      const Point3<T> uj = bj.x * s.f1, vj = bj.y * s.f2, wj = bj.y * s.f1 + bj.x * s.f2;
      const T geometric = s.s11 * bi.x * bj.x + s.s22 * bi.y * bj.y + s.s12 * (bi.x * bj.y + bi.y * bj.x);
      h.block[i][j] = area * (c.x * glm::outerProduct(ui, uj) + c.y * glm::outerProduct(vi, vj) +
                              c.z * (glm::outerProduct(ui, vj) + glm::outerProduct(vi, uj)) + c.w * glm::outerProduct(wi, wj) +
                              geometric * Block3<T>(T(1)));
    }
  return h;
}

}  // namespace weft
