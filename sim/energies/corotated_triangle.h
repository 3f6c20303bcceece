// Co-rotated linear triangle: a membrane with Young's modulus and Poisson's ratio.
//
//   E = A ( mu |S - I|² + lambda/2 tr(S - I)² ),    F = R S,   F = [x1-x0, x2-x0] Dm⁻¹
//
//            x2                F    deformation gradient, 3x2: material to world
//            /\                R    3x2, orthonormal columns r1, r2: the nearest rotation of the rest triangle
//        e2 /  \               S    2x2 symmetric stretch
//          /____\              Dm   2x2, rest edges in the plane of the material
//        x0  e1  x1            A    rest area, m²
//
//   mu = Y / (2 (1 + nu)),  lambda = Y nu / (1 - nu²)  (plane stress), Y = Young's modulus times thickness, N/m
//
//   dE/dF = A P,  P = 2 mu (F - R) + lambda (tr S - 2) R;   dE/dx1 = A P b1, with b_i the row of Dm⁻¹ of corner i
//
// The co-rotated form of Müller and Gross 2004, written with singular values as in Stomakhin et al. 2012 (fixed
// co-rotated without the determinant). Polar decomposition without eigenvectors: with n the unit normal of (f1, f2),
//
//   R = (F + [f2 x n, n x f1]) / tr S,    tr S = sqrt(|f1|² + |f2|² + 2 |f1 x f2|),
//
// because S + det(S) S⁻¹ = tr(S) I (Cayley-Hamilton) and det(S) R S⁻¹ is the cofactor [f2 x n, n x f1]. It needs no
// division but by tr S. Where f1 and f2 are parallel any n at a right angle to them serves, and R is one of the
// nearest rotations; where F = 0, R is the x-y plane.
//
// Hessian (Smith, de Goes and Kim 2019 for the idea): with M = Rᵀ dF and w = nᵀ dF,
//
//   d²psi = 2 mu |sym M|² + lambda (tr M)² + t |skew M|² + w G wᵀ
//   t = 2 (mu + lambda) (tr S - 2) / tr S            the twist of F against R; negative under compression
//   G = 2 mu I + (lambda (tr S - 2) - 2 mu) S⁻¹      out of plane: geometric stiffness, negative under compression
//
// The projection clamps t and the two eigenvalues of G at zero; all other eigenvalues are positive.
#pragma once
#include "sim/energies/types.h"

namespace weft {

/// F = R S of a triangle.
template <class T>
struct TrianglePolar {
  Point3<T> f1{0}, f2{0};              // columns of F
  Point3<T> r1{1, 0, 0}, r2{0, 1, 0};  // columns of R
  Point3<T> normal{0, 0, 1};           // unit, r1 x r2
  T trace = 0;                         // tr S, sum of the singular values
  T det = 0;                           // det S >= 0
};

/// Polar decomposition from edge vectors e1 = x1 - x0, e2 = x2 - x0 and the columns of Dm⁻¹ (xy the first, zw the
/// second; 1/m).
template <class T>
HD inline TrianglePolar<T> triangle_polar(const Point3<T>& e1, const Point3<T>& e2, const glm::vec<4, T>& inverse) {
  TrianglePolar<T> p;
  p.f1 = inverse.x * e1 + inverse.y * e2;
  p.f2 = inverse.z * e1 + inverse.w * e2;
  const T s1 = glm::dot(p.f1, p.f1), s2 = glm::dot(p.f2, p.f2);
  const Point3<T> c = glm::cross(p.f1, p.f2);
  p.det = length_of(c);
  p.trace = square_root(s1 + s2 + T(2) * p.det);
  if (p.det > T(1e-7) * (s1 + s2)) {
    p.normal = c * (T(1) / p.det);
  } else if (s1 + s2 > T(1e-16)) {
    // Collapsed to a line: any plane through the line is as near as any other.
    const Point3<T> longer = s1 > s2 ? p.f1 : p.f2;
    p.normal = any_perpendicular<T>(longer * (T(1) / length_of(longer)));
  } else {
    return p;
  }
  const T inv = T(1) / p.trace;
  p.r1 = inv * (p.f1 + glm::cross(p.f2, p.normal));
  p.r2 = inv * (p.f2 + glm::cross(p.normal, p.f1));
  return p;
}

/// J. `material`: rest area in m², mu, lambda in N/m.
template <class T>
HD inline T triangle_energy(const Point3<T>& e1, const Point3<T>& e2, const glm::vec<4, T>& inverse,
                            const Point3<T>& material) {
  const TrianglePolar<T> p = triangle_polar(e1, e2, inverse);
  const Point3<T> u1 = p.f1 - p.r1, u2 = p.f2 - p.r2;  // |F - R| = |S - I|
  const T dilation = p.trace - T(2);
  return material.x * (material.y * (glm::dot(u1, u1) + glm::dot(u2, u2)) + T(0.5) * material.z * dilation * dilation);
}

/// Gradients of corners 1 and 2 in N; that of corner 0 is the negative of their sum. About 90 flops and two roots.
template <class T>
HD inline void triangle_gradient(const Point3<T>& e1, const Point3<T>& e2, const glm::vec<4, T>& inverse,
                                 const Point3<T>& material, Point3<T>& g1, Point3<T>& g2) {
  const TrianglePolar<T> p = triangle_polar(e1, e2, inverse);
  const T two_mu = T(2) * material.x * material.y, pull = material.x * material.z * (p.trace - T(2));
  const Point3<T> p1 = two_mu * (p.f1 - p.r1) + pull * p.r1;
  const Point3<T> p2 = two_mu * (p.f2 - p.r2) + pull * p.r2;
  g1 = inverse.x * p1 + inverse.z * p2;
  g2 = inverse.y * p1 + inverse.w * p2;
}

/// Second derivative of the energy per area in the frame (R, n): see the equation above.
template <class T>
struct TriangleCurvature {
  T twist = 0;                  // t
  T g11 = 0, g12 = 0, g22 = 0;  // G
};

template <class T>
HD inline TriangleCurvature<T> triangle_curvature(const TrianglePolar<T>& p, T mu, T lambda, bool positive) {
  TriangleCurvature<T> c;
  // A triangle collapsed to less than a millionth has no finite out-of-plane stiffness; the bound keeps it finite.
  const T trace = larger_of(p.trace, T(1e-6));
  const T det = larger_of(p.det, T(1e-6) * trace * trace);
  c.twist = T(2) * (mu + lambda) * (p.trace - T(2)) / trace;
  const T s11 = glm::dot(p.r1, p.f1), s22 = glm::dot(p.r2, p.f2);
  const T s12 = T(0.5) * (glm::dot(p.r1, p.f2) + glm::dot(p.r2, p.f1));
  const T q = (lambda * (p.trace - T(2)) - T(2) * mu) / det;  // times det(S) S⁻¹ = [s22 -s12; -s12 s11]
  c.g11 = T(2) * mu + q * s22, c.g12 = -q * s12, c.g22 = T(2) * mu + q * s11;
  if (!positive) return c;
  c.twist = larger_of(T(0), c.twist);
  const T mean = T(0.5) * (c.g11 + c.g22), half = T(0.5) * (c.g11 - c.g22);
  const T radius = square_root(half * half + c.g12 * c.g12);
  if (mean - radius >= T(0)) return c;
  if (mean + radius <= T(0)) {
    c.g11 = c.g12 = c.g22 = T(0);
    return c;
  }
  // One positive eigenvalue: G+ = (mean + radius) v vᵀ with v vᵀ = (I + [half g12; g12 -half] / radius) / 2.
  const T scale = T(0.5) * (mean + radius) / radius;
  const T g12 = c.g12;
  c.g11 = scale * (radius + half), c.g22 = scale * (radius - half), c.g12 = scale * g12;
  return c;
}

/// Block (i, j) of the Hessian per area and shape gradients b_i, b_j (2-vectors, 1/m).
template <class T>
HD inline Block3<T> triangle_block(const TrianglePolar<T>& p, const TriangleCurvature<T>& c, T mu, T lambda,
                                   const glm::vec<2, T>& bi, const glm::vec<2, T>& bj) {
  const T along = T(2) * mu + lambda, same = mu + T(0.5) * c.twist, swapped = mu - T(0.5) * c.twist;
  const T xx = bi.x * bj.x, yy = bi.y * bj.y, xy = bi.x * bj.y, yx = bi.y * bj.x;
  const T a11 = along * xx + same * yy, a22 = along * yy + same * xx;
  const T a12 = lambda * xy + swapped * yx, a21 = lambda * yx + swapped * xy;
  const T ann = c.g11 * xx + c.g22 * yy + c.g12 * (xy + yx);
  return glm::outerProduct(a11 * p.r1 + a21 * p.r2, p.r1) + glm::outerProduct(a12 * p.r1 + a22 * p.r2, p.r2) +
         glm::outerProduct(ann * p.normal, p.normal);
}

/// Rows of Dm⁻¹: the gradient of each corner's shape function.
template <class T>
HD inline glm::vec<2, T> triangle_shape_gradient(const glm::vec<4, T>& inverse, int corner) {
  const glm::vec<2, T> b1(inverse.x, inverse.z), b2(inverse.y, inverse.w);
  return corner == 1 ? b1 : corner == 2 ? b2 : -(b1 + b2);
}

/// d²E/dx_i dx_j. `positive`: each element's nearest positive semidefinite matrix instead of the exact one.
template <class T>
HD inline ElementHessian<T, 3> triangle_hessian(const Point3<T>& e1, const Point3<T>& e2, const glm::vec<4, T>& inverse,
                                                const Point3<T>& material, bool positive) {
  const TrianglePolar<T> p = triangle_polar(e1, e2, inverse);
  const TriangleCurvature<T> c = triangle_curvature(p, material.y, material.z, positive);
  ElementHessian<T, 3> h;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      h.block[i][j] = material.x * triangle_block(p, c, material.y, material.z, triangle_shape_gradient(inverse, i),
                                                  triangle_shape_gradient(inverse, j));
  return h;
}

/// Diagonal block of one corner, for block-Jacobi preconditioners.
template <class T>
HD inline Block3<T> triangle_corner_hessian(const Point3<T>& e1, const Point3<T>& e2, const glm::vec<4, T>& inverse,
                                            const Point3<T>& material, int corner, bool positive) {
  const TrianglePolar<T> p = triangle_polar(e1, e2, inverse);
  const TriangleCurvature<T> c = triangle_curvature(p, material.y, material.z, positive);
  const glm::vec<2, T> b = triangle_shape_gradient(inverse, corner);
  return material.x * triangle_block(p, c, material.y, material.z, b, b);
}

}  // namespace weft
