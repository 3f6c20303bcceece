// St. Venant-Kirchhoff triangle with the three directions of a weave: stiff along warp and weft, soft in
// shear (symbols of triangle.h).
//
//   psi = C11 w(E11) + C22 w(E22) + C12 E11 E22 + G w(|g|),     E = 1/2 (FᵀF - I),  g = 2 E12
//
//   E    Green strain, which any rotation leaves as it is: no polar decomposition is needed
//   S    second Piola-Kirchhoff stress, dpsi/dE
//   C    N/m: Young's moduli times thickness over 1 - nu², see `orthotropic`
//   w    1/2 e² for moduli that do not depend on strain. Threads straighten before they stretch: each modulus may
//        grow with the strain e > 0, linearly up to a factor at the knee e*, and is constant beyond (Wang,
//        O'Brien,
//        Ramamoorthi 2011 measure such curves; Tang 2018 uses them). C12 stays.
//
//   w'' = 1 + (factor - 1) min(e / e*, 1)
//
//             w''  factor |      ______
//                         |    /
//                       1 |__/______________ e
//                         0      e*
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
    R c11, c22, c12, shear;                                                        // N/m
    R warp_more = splat<R>(0), weft_more = splat<R>(0), shear_more = splat<R>(0);  // factors - 1
    R knee = splat<R>(1);                                                          // e*
  };
  /// w' and w'' at a strain.
  template <class R>
  struct Slope {
    R force, modulus;
  };
  template <class R>
  WEFT_INLINE static Slope<R> slope(const R& strain, const R& more, const R& knee) {
    const R e = larger_of<R>(strain, splat<R>(0)), t = smaller_of<R>(e, knee), share = t / knee;
    return {strain + more * share * (e - 0.5f * t), 1.0f + more * share};
  }
  template <class R>
  WEFT_INLINE static R stored(const R& strain, const R& more, const R& knee) {
    const R e = larger_of<R>(strain, splat<R>(0)), t = smaller_of<R>(e, knee), past = e - t;
    // up to the knee t³ / (6 e*); then the force t² / (2 e*) and what grows on top of it
    const R grown = (t * t * (1.0f / 6.0f) + 0.5f * past * t) * (t / knee) + 0.5f * past * past;
    return 0.5f * strain * strain + more * grown;
  }
  /// Of a sheet with Young's moduli (times thickness, N/m) along warp and weft. `poisson` is the geometric
  /// mean of the two ratios nu12 and nu21, so that C is positive definite for every pair of moduli. `shear`
  /// 0: that of an isotropic sheet of the mean modulus.
  template <class T>
  static Material<T> orthotropic(T warp, T weft, T shear, T poisson) {
    const T inv = 1 / (1 - poisson * poisson), mean = square_root(warp * weft);
    return {warp * inv, weft * inv, poisson * mean * inv, shear > 0 ? shear : mean / (2 * (1 + poisson))};
  }
  /// The same, whose moduli along warp, weft and in shear grow by these factors (>= 1) up to the strain
  /// `knee`.
  template <class T>
  static Material<T> stiffened(Material<T> m, T warp, T weft, T shear, T knee) {
    m.warp_more = warp - 1, m.weft_more = weft - 1, m.shear_more = shear - 1, m.knee = knee;
    return m;
  }
  /// C11, C22, C12, G (sim/energies/bounding_springs.h), N/m.
  static glm::dvec4 plane_stress(const Material<float>& m) { return {m.c11, m.c22, m.c12, m.shear}; }

  /// Deformation gradient, strain and stress.
  template <class R>
  struct Stress {
    Vec3<R> f1, f2;
    R e11, e22, g;    // E11, E22, 2 E12
    R s11, s22, s12;  // N/m
    R k11, k22, k12;  // N/m: moduli of warp, weft and shear at this strain
  };
  template <class R>
  WEFT_INLINE static Stress<R> stress(const Edges<R, 3>& x, const TriangleRest<R>& rest,
                                      const Material<R>& m) {
    const DeformationGradient<R> f = deformation_gradient(x, rest);
    const R e11 = 0.5f * (dot(f.f1, f.f1) - 1.0f), e22 = 0.5f * (dot(f.f2, f.f2) - 1.0f), g = dot(f.f1, f.f2);
    const Slope<R> warp = slope<R>(e11, m.warp_more, m.knee), weft = slope<R>(e22, m.weft_more, m.knee);
    const R size = absolute<R>(g);
    const Slope<R> shear = slope<R>(size, m.shear_more, m.knee);
    return {f.f1,
            f.f2,
            e11,
            e22,
            g,
            m.c11 * warp.force + m.c12 * e22,
            m.c12 * e11 + m.c22 * weft.force,
            m.shear * choose(g, shear.force, -shear.force),
            m.c11 * warp.modulus,
            m.c22 * weft.modulus,
            m.shear * shear.modulus};
  }
  template <class R>
  HD static R energy(const Edges<R, 3>& x, const TriangleRest<R>& rest, const Material<R>& m) {
    const Stress<R> s = stress(x, rest, m);
    return rest.area *
           (m.c11 * stored<R>(s.e11, m.warp_more, m.knee) + m.c22 * stored<R>(s.e22, m.weft_more, m.knee) +
            m.c12 * s.e11 * s.e22 + m.shear * stored<R>(absolute<R>(s.g), m.shear_more, m.knee));
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
  /// Stiffened by tension, twice over, and by its curves a quarter of their knee ahead: with room for what
  /// the coming iterations stretch it further.
  template <class R>
  HD static R bound(const Edges<R, 3>& x, const TriangleRest<R>& rest, const Material<R>& m, int corner) {
    const Stress<R> s = stress(x, rest, m);
    const R stiffer = 1.0f + 2.0f * (stiffening(s) - 1.0f), ahead = 0.25f * m.knee;
    const R warp = m.c11 * slope<R>(s.e11 + ahead, m.warp_more, m.knee).modulus;
    const R weft = m.c22 * slope<R>(s.e22 + ahead, m.weft_more, m.knee).modulus;
    const R shear = m.shear * slope<R>(absolute<R>(s.g) + ahead, m.shear_more, m.knee).modulus;
    return corner_bound<R>(rest, stiffer * (larger_of<R>(warp, weft) + shear), corner);
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
    const R a11 = s.k11 * uu + s.k12 * vv, a22 = s.k22 * vv + s.k12 * uu;
    const R a12 = m.c12 * uv + s.k12 * vu, a21 = m.c12 * vu + s.k12 * uv;
    return outer(a11 * s.f1 + a21 * s.f2, s.f1) + outer(a12 * s.f1 + a22 * s.f2, s.f2) +
           scaled_identity<R>(s.s11 * uu + s.s22 * vv + s.s12 * (uv + vu));
  }
};

}  // namespace weft
