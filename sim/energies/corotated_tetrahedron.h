// Co-rotated tetrahedron, the energy of projective dynamics (Bouaziz et al. 2014) for solids: the squared
// distances of F from two sets, symbols of tetrahedron.h.
//
//   psi = mu |F - R|² + lambda/2 (s1 + s2 + s3 - 3)²,     R = U Vᵀ
//   P   = 2 mu (F - R) + lambda (s1 + s2 + s3 - 3) R
//
// with Lamé's mu and lambda (tetrahedron.h), Pa. R, the polar factor, is the nearest rotation,
// weighted with 2 mu. The nearest matrix whose stretches sum to 3, the linear form of a volume that is kept,
// is D = F - (s1 + s2 + s3 - 3) R / 3, weighted with 3 lambda. With both held fixed psi is quadratic with the
// matrix 2 mu + 3 lambda, and P is its gradient. That matrix bounds the Hessian as long as D is not inside
// out: s1 + s2 + s3 - 3 <= 3/2 (s2 + s3).
//
// Hessian in the frame of U and V, where F = diag(s): the diagonal has the matrix 2 mu I + lambda 1 1ᵀ;
// entries F_ij and F_ji have the eigenvalues 2 mu (flip) and, against turning,
//
//   2 mu + 2 (lambda (s1 + s2 + s3 - 3) - 2 mu) / (s_i + s_j)     (twist)
//
// which the projection clamps at zero. It is finite and pulls back from every shape, but a cell that is
// inside out by more than it is thick finds its way back only along its shortest stretch.
#pragma once
#include "sim/energies/tetrahedron.h"

namespace weft {

struct CorotatedTetrahedron : TetEnergy<CorotatedTetrahedron> {
  template <class R>
  using Material = LameMaterial<R>;
  static Material<float> isotropic(float young, float poisson) { return lame_constants(young, poisson); }
  template <class R>
  WEFT_INLINE static R stiffest(const Material<R>& m) {
    return lame_stiffest(m);
  }
  /// psi, J/m³.
  template <class R>
  WEFT_INLINE static R density(const Mat3<R>& f, const Material<R>& m) {
    const Vec3<R> s = tet_stretches(f).s;
    const Vec3<R> e{s.x - 1.0f, s.y - 1.0f, s.z - 1.0f};
    const R grown = e.x + e.y + e.z;
    return m.mu * dot(e, e) + 0.5f * m.lambda * grown * grown;
  }
  /// P, Pa.
  template <class R>
  WEFT_INLINE static Mat3<R> stress(const Mat3<R>& f, const Material<R>& m) {
    const TetStretches<R> t = tet_stretches(f);
    const Vec3<R>&u = t.u.x, &v = t.u.y, &w = t.u.z;
    // of the stretches alone, in which nothing cancels that is not a strain
    const R grown = m.lambda * ((t.s.x - 1.0f) + (t.s.y - 1.0f) + (t.s.z - 1.0f)), two = 2.0f * m.mu;
    return outer((two * (t.s.x - 1.0f) + grown) * u, t.v.x) +
           outer((two * (t.s.y - 1.0f) + grown) * v, t.v.y) +
           outer((two * (t.s.z - 1.0f) + grown) * w, t.v.z);
  }

  /// The projected second derivative in the frame of U and V.
  template <class R>
  struct Curvature {
    TetStretches<R> frame;
    Vec3<R> same, swapped;  // of F_ij with itself and with F_ji, by the third index
  };
  template <class R>
  WEFT_INLINE static Curvature<R> curvature(const Mat3<R>& f, const Material<R>& m) {
    Curvature<R> out;
    out.frame = tet_stretches(f);
    const Vec3<R>& s = out.frame.s;
    const R two = 2.0f * m.mu, pull = 2.0f * m.lambda * (s.x + s.y + s.z - 3.0f) - 2.0f * two;
    const auto pair = [&](const R& sum, R& same, R& swapped) {
      // Stretches are in order, so that no sum is negative.
      const R twist = larger_of<R>(two + pull / larger_of<R>(sum, splat<R>(1e-3)), splat<R>(0));
      same = 0.5f * (two + twist), swapped = 0.5f * (two - twist);
    };
    pair(s.y + s.z, out.same.x, out.swapped.x);
    pair(s.x + s.z, out.same.y, out.swapped.y);
    pair(s.x + s.y, out.same.z, out.swapped.z);
    return out;
  }
  /// Block of two points, per volume.
  template <class R>
  WEFT_INLINE static Mat3<R> pair_block(const Curvature<R>& c, const Material<R>& m, const Vec3<R>& a,
                                        const Vec3<R>& b) {
    const R most = 2.0f * m.mu + m.lambda;
    return frame_block<R>(c.frame, {most, most, most, m.lambda, m.lambda, m.lambda}, c.same, c.swapped, a, b);
  }
};

}  // namespace weft
