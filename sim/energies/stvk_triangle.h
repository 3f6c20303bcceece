// St. Venant-Kirchhoff triangle with the three directions of a weave: stiff along warp and weft, soft in
// shear (symbols of triangle.h).
//
//   psi = 1/2 (C11 E11² + C22 E22²) + C12 E11 E22 + 1/2 G g²,     E = 1/2 (FᵀF - I),  g = 2 E12
//
//   E    Green strain, which any rotation leaves as it is: no polar decomposition is needed
//   S    second Piola-Kirchhoff stress, S = C : E
//   C    N/m: Young's moduli times thickness over 1 - nu², see `orthotropic`
//
//   P = [S11 f1 + S12 f2, S12 f1 + S22 f2]
//
// The stiffness along a fibre of stretch s is C (3 s² - 1) / 2: it grows under tension and vanishes at s =
// 0.58, so that the material folds up under strong compression (a property of the law, not of the code).
//
//   d²psi = dE : C : dE + S : dFᵀdF;     the projection drops the part of S with negative eigenvalues
#pragma once
#include "sim/energies/triangle.h"

namespace weft {

struct StvkTriangle : TriangleEnergy<StvkTriangle> {
  static constexpr bool kBoundMoves = true;
  template <class R>
  struct Material {
    R c11, c22, c12, shear;  // N/m
  };
  /// Of a sheet with Young's moduli (times thickness, N/m) along warp and weft. `poisson` is the geometric
  /// mean of the two ratios nu12 and nu21, so that C is positive definite for every pair of moduli. `shear`
  /// 0: that of an isotropic sheet of the mean modulus.
  template <class T>
  static Material<T> orthotropic(T warp, T weft, T shear, T poisson) {
    const T inv = 1 / (1 - poisson * poisson), mean = square_root(warp * weft);
    return {warp * inv, weft * inv, poisson * mean * inv, shear > 0 ? shear : mean / (2 * (1 + poisson))};
  }
  /// C11, C22, C12, G (sim/energies/bounding_springs.h), N/m.
  static glm::dvec4 plane_stress(const Material<float>& m) { return {m.c11, m.c22, m.c12, m.shear}; }

  /// Deformation gradient, strain and stress.
  template <class R>
  struct Stress {
    Vec3<R> f1, f2;
    R e11, e22, g;    // E11, E22, 2 E12
    R s11, s22, s12;  // N/m
  };
  template <class R>
  WEFT_INLINE static Stress<R> stress(const Edges<R, 3>& x, const TriangleRest<R>& rest,
                                      const Material<R>& m) {
    const DeformationGradient<R> f = deformation_gradient(x, rest);
    const R e11 = 0.5f * (dot(f.f1, f.f1) - 1.0f), e22 = 0.5f * (dot(f.f2, f.f2) - 1.0f), g = dot(f.f1, f.f2);
    return {f.f1, f.f2, e11, e22, g, m.c11 * e11 + m.c12 * e22, m.c12 * e11 + m.c22 * e22, m.shear * g};
  }
  template <class R>
  HD static R energy(const Edges<R, 3>& x, const TriangleRest<R>& rest, const Material<R>& m) {
    const Stress<R> s = stress(x, rest, m);
    return 0.5f * rest.area * (s.s11 * s.e11 + s.s22 * s.e22 + s.s12 * s.g);
  }
  template <class R>
  HD static Edges<R, 3> gradient(const Edges<R, 3>& x, const TriangleRest<R>& rest, const Material<R>& m) {
    const Stress<R> s = stress(x, rest, m);
    return corner_gradients<R>(rest, rest.area * (s.s11 * s.f1 + s.s12 * s.f2),
                               rest.area * (s.s12 * s.f1 + s.s22 * s.f2));
  }
  /// By how much tension stiffens the triangle: (3 s² - 1) / 2 for its largest principal stretch s, at least
  /// 1.
  template <class R>
  WEFT_INLINE static R stiffening(const Stress<R>& s) {
    const R a = 2.0f * s.e11 + 1.0f, b = 2.0f * s.e22 + 1.0f;  // FᵀF = [a g; g b]
    const R half = 0.5f * (a - b), largest = 0.5f * (a + b) + square_root(half * half + s.g * s.g);
    return larger_of<R>(splat<R>(1), 0.5f * (3.0f * largest - 1.0f));
  }
  /// Stiffened by tension, twice over: with room for what the coming iterations stretch it further.
  template <class R>
  HD static R bound(const Edges<R, 3>& x, const TriangleRest<R>& rest, const Material<R>& m, int corner) {
    const R stiffer = 1.0f + 2.0f * (stiffening(stress(x, rest, m)) - 1.0f);
    return corner_bound<R>(rest, stiffer * (larger_of<R>(m.c11, m.c22) + m.shear), corner);
  }

  /// The stress without its negative eigenvalues.
  template <class R>
  WEFT_INLINE static Stress<R> curvature(const Edges<R, 3>& x, const TriangleRest<R>& rest,
                                         const Material<R>& m) {
    Stress<R> s = stress(x, rest, m);
    drop_negative<R>(s.s11, s.s12, s.s22);
    return s;
  }
  /// Block of two corners, per area.
  template <class R>
  WEFT_INLINE static Mat3<R> pair_block(const Stress<R>& s, const Material<R>& m, const ShapeGradient<R>& i,
                                        const ShapeGradient<R>& j) {
    const R uu = i.u * j.u, vv = i.v * j.v, uv = i.u * j.v, vu = i.v * j.u;
    const R a11 = m.c11 * uu + m.shear * vv, a22 = m.c22 * vv + m.shear * uu;
    const R a12 = m.c12 * uv + m.shear * vu, a21 = m.c12 * vu + m.shear * uv;
    return outer(a11 * s.f1 + a21 * s.f2, s.f1) + outer(a12 * s.f1 + a22 * s.f2, s.f2) +
           scaled_identity<R>(s.s11 * uu + s.s22 * vv + s.s12 * (uv + vu));
  }
};

}  // namespace weft
