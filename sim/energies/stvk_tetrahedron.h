// St. Venant-Kirchhoff tetrahedron, as in Wang et al. 2023 (section 6.2), symbols of tetrahedron.h:
//
//   psi = mu |E|² + lambda/2 (tr E)²,    E = (FᵀF - I) / 2      Green's strain
//   P   = F S,                           S = 2 mu E + lambda tr(E) I
//
// with Lamé's mu and lambda (tetrahedron.h), Pa. Compressed to 0.58 of its length it has no more
// stiffness, and beyond it turns inside out: for moderate strains only.
//
// Hessian of two points with the gradients a and b:  (aᵀ S b) I + mu ((a . b) F Fᵀ + (F b)(F a)ᵀ) + lambda (F a)(F b)ᵀ.
// The projection leaves negative principal stresses out of the first term; the others are positive.
#pragma once
#include "sim/energies/tetrahedron.h"

namespace weft {

struct StvkTetrahedron : TetEnergy<StvkTetrahedron> {
  template <class R>
  using Material = LameMaterial<R>;
  static Material<float> isotropic(float young, float poisson) { return lame_constants(young, poisson); }
  template <class R>
  WEFT_INLINE static R stiffest(const Material<R>& m) {
    return lame_stiffest(m);
  }
  template <class R>
  WEFT_INLINE static Symmetric3<R> strain(const Mat3<R>& f) {
    return {0.5f * (dot(f.x, f.x) - 1.0f), 0.5f * (dot(f.y, f.y) - 1.0f), 0.5f * (dot(f.z, f.z) - 1.0f),
            0.5f * dot(f.y, f.z),          0.5f * dot(f.x, f.z),          0.5f * dot(f.x, f.y)};
  }
  /// S, Pa.
  template <class R>
  WEFT_INLINE static Symmetric3<R> second_stress(const Mat3<R>& f, const Material<R>& m) {
    const Symmetric3<R> e = strain(f);
    const R two = 2.0f * m.mu, same = m.lambda * (e.xx + e.yy + e.zz);
    return {two * e.xx + same, two * e.yy + same, two * e.zz + same, two * e.yz, two * e.xz, two * e.xy};
  }
  /// psi, J/m³.
  template <class R>
  WEFT_INLINE static R density(const Mat3<R>& f, const Material<R>& m) {
    const Symmetric3<R> e = strain(f);
    const R trace = e.xx + e.yy + e.zz;
    return m.mu *
               (e.xx * e.xx + e.yy * e.yy + e.zz * e.zz + 2.0f * (e.yz * e.yz + e.xz * e.xz + e.xy * e.xy)) +
           0.5f * m.lambda * trace * trace;
  }
  /// P, Pa.
  template <class R>
  WEFT_INLINE static Mat3<R> stress(const Mat3<R>& f, const Material<R>& m) {
    const Symmetric3<R> s = second_stress(f, m);
    return {times(f, Vec3<R>{s.xx, s.xy, s.xz}), times(f, Vec3<R>{s.xy, s.yy, s.yz}),
            times(f, Vec3<R>{s.xz, s.yz, s.zz})};
  }

  template <class R>
  struct Curvature {
    Mat3<R> f, squared;     // F, and F Fᵀ
    Symmetric3<R> tension;  // S without its negative eigenvalues
  };
  template <class R>
  WEFT_INLINE static Curvature<R> curvature(const Mat3<R>& f, const Material<R>& m) {
    return {f, outer(f.x, f.x) + outer(f.y, f.y) + outer(f.z, f.z), without_negative(second_stress(f, m))};
  }
  /// Block of two points, per volume.
  template <class R>
  WEFT_INLINE static Mat3<R> pair_block(const Curvature<R>& c, const Material<R>& m, const Vec3<R>& a,
                                        const Vec3<R>& b) {
    const Symmetric3<R>& s = c.tension;
    const R pull = a.x * (s.xx * b.x + s.xy * b.y + s.xz * b.z) +
                   a.y * (s.xy * b.x + s.yy * b.y + s.yz * b.z) +
                   a.z * (s.xz * b.x + s.yz * b.y + s.zz * b.z);
    const Vec3<R> fa = times(c.f, a), fb = times(c.f, b);
    return scaled_identity<R>(pull) + (m.mu * dot(a, b)) * c.squared + m.mu * outer(fb, fa) +
           m.lambda * outer(fa, fb);
  }
};

}  // namespace weft
