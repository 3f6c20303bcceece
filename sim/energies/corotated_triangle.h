// Co-rotated linear triangle: a membrane with Young's modulus and Poisson's ratio (symbols of triangle.h).
//
//   E = A ( mu |S - I|² + lambda/2 tr(S - I)² ),    F = R S
//
//   R    3x2, orthonormal columns r1, r2: the nearest rotation of the rest triangle
//   S    2x2 symmetric stretch
//
//   mu = Y / (2 (1 + nu)),  lambda = Y nu / (1 - nu²)  (plane stress), Y = Young's modulus times thickness,
//   N/m
//
//   P = 2 mu (F - R) + lambda (tr S - 2) R
//
// The co-rotated form of Müller and Gross 2004, written with singular values as in Stomakhin et al. 2012
// (fixed co-rotated without the determinant).
//
// Hessian (Smith, de Goes and Kim 2019 for the idea): with M = Rᵀ dF and w = nᵀ dF,
//
//   d²psi = 2 mu |sym M|² + lambda (tr M)² + t |skew M|² + w G wᵀ
//   t = 2 (mu + lambda) (tr S - 2) / tr S            the twist of F against R; negative under compression
//   G = 2 mu I + (lambda (tr S - 2) - 2 mu) S⁻¹      out of plane: geometric stiffness, negative under compression
//
// The projection clamps t and the two eigenvalues of G at zero; all other eigenvalues are positive.
#pragma once
#include "sim/energies/triangle.h"

namespace weft {

struct CorotatedTriangle : TriangleEnergy<CorotatedTriangle> {
  static constexpr bool kBoundMoves = false;
  template <class R>
  struct Material {
    R mu, lambda;  // N/m
  };
  /// Of Young's modulus times thickness (N/m) and Poisson's ratio, in plane stress.
  static Material<float> isotropic(float young, float poisson) {
    return {young / (2 * (1 + poisson)), young * poisson / (1 - poisson * poisson)};
  }
  /// C11, C22, C12, G at rest (sim/energies/bounding_springs.h), N/m.
  static glm::dvec4 plane_stress(const Material<float>& m) {
    const double mu = double(m.mu), lambda = double(m.lambda);
    return {2 * mu + lambda, 2 * mu + lambda, lambda, mu};
  }
  template <class R>
  HD static R energy(const Edges<R, 3>& x, const TriangleRest<R>& rest, const Material<R>& m) {
    const TrianglePolar<R> p = triangle_polar(deformation_gradient(x, rest));
    const Vec3<R> u1 = p.f1 - p.r1, u2 = p.f2 - p.r2;  // |F - R| = |S - I|
    const R dilation = p.trace - 2.0f;
    return rest.area * (m.mu * (dot(u1, u1) + dot(u2, u2)) + 0.5f * m.lambda * dilation * dilation);
  }
  template <class R>
  HD static Edges<R, 3> gradient(const Edges<R, 3>& x, const TriangleRest<R>& rest, const Material<R>& m) {
    const TrianglePolar<R> p = triangle_polar(deformation_gradient(x, rest));
    const R two_mu = 2.0f * rest.area * m.mu, pull = rest.area * m.lambda * (p.trace - 2.0f);
    return corner_gradients<R>(rest, two_mu * (p.f1 - p.r1) + pull * p.r1,
                               two_mu * (p.f2 - p.r2) + pull * p.r2);
  }
  template <class R>
  WEFT_INLINE static R bound(const Edges<R, 3>&, const TriangleRest<R>& rest, const Material<R>& m,
                             int corner) {
    return corner_bound<R>(rest, 2.0f * m.mu + m.lambda, corner);
  }

  /// The projected second derivative of the energy per area in the frame (R, n): see the equation above.
  template <class R>
  struct Curvature {
    TrianglePolar<R> polar;
    R twist;          // t
    R g11, g12, g22;  // G
  };
  template <class R>
  WEFT_INLINE static Curvature<R> curvature(const Edges<R, 3>& x, const TriangleRest<R>& rest,
                                            const Material<R>& m) {
    Curvature<R> c;
    const TrianglePolar<R> p = c.polar = triangle_polar(deformation_gradient(x, rest));
    // A triangle collapsed to less than a millionth has no finite out-of-plane stiffness; the bound keeps it
    // finite.
    const R trace = larger_of<R>(p.trace, splat<R>(1e-6)), det = larger_of<R>(p.det, 1e-6f * trace * trace);
    c.twist = larger_of<R>(2.0f * (m.mu + m.lambda) * (p.trace - 2.0f) / trace, splat<R>(0));
    const R s11 = dot(p.r1, p.f1), s22 = dot(p.r2, p.f2), s12 = 0.5f * (dot(p.r1, p.f2) + dot(p.r2, p.f1));
    const R q = (m.lambda * (p.trace - 2.0f) - 2.0f * m.mu) / det;  // times det(S) S⁻¹ = [s22 -s12; -s12 s11]
    c.g11 = 2.0f * m.mu + q * s22, c.g12 = -q * s12, c.g22 = 2.0f * m.mu + q * s11;
    drop_negative<R>(c.g11, c.g12, c.g22);
    return c;
  }
  /// Block of two corners, per area.
  template <class R>
  WEFT_INLINE static Mat3<R> pair_block(const Curvature<R>& c, const Material<R>& m,
                                        const ShapeGradient<R>& i, const ShapeGradient<R>& j) {
    const TrianglePolar<R>& p = c.polar;
    const R along = 2.0f * m.mu + m.lambda, same = m.mu + 0.5f * c.twist, swapped = m.mu - 0.5f * c.twist;
    const R uu = i.u * j.u, vv = i.v * j.v, uv = i.u * j.v, vu = i.v * j.u;
    const R a11 = along * uu + same * vv, a22 = along * vv + same * uu;
    const R a12 = m.lambda * uv + swapped * vu, a21 = m.lambda * vu + swapped * uv;
    const R ann = c.g11 * uu + c.g22 * vv + c.g12 * (uv + vu);
    return outer(a11 * p.r1 + a21 * p.r2, p.r1) + outer(a12 * p.r1 + a22 * p.r2, p.r2) +
           outer(ann * p.normal, p.normal);
  }
};

}  // namespace weft
