// Stable neo-Hookean tetrahedron (Smith, de Goes and Kim 2018, in the form without a logarithm of Kim and
// Eberle, Dynamic Deformables, 2022), symbols of tetrahedron.h:
//
//   psi = mu/2 (|F|² - 3) - mu (J - 1) + lambda/2 (J - 1)²,     J = det F
//   P   = mu F + c cof F,                                       c = lambda (J - 1) - mu
//
// For small strains it is linear elasticity with Lamé's mu, and lambda = Lamé's lambda + mu (tetrahedron.h).
// It is finite and pulls back from every shape, also flat and inside out.
//
// Hessian in the frame of U and V, where F = diag(s): entries F_ij and F_ji (k the third index) have the
// eigenvalues mu + c s_k (twist) and mu - c s_k (flip); the diagonal has the matrix
//
//   mu I + c [0 s3 s2; s3 0 s1; s2 s1 0] + lambda g gᵀ,    g = (s2 s3, s1 s3, s1 s2)
//
// The projection clamps all of them at zero. At rest twists, which are rotations, have none.
#pragma once
#include "sim/energies/tetrahedron.h"

namespace weft {

struct StableTetrahedron : TetEnergy<StableTetrahedron> {
  template <class R>
  using Material = LameMaterial<R>;
  static Material<float> isotropic(float young, float poisson) {
    const LameMaterial<float> m = lame_constants(young, poisson);
    return {m.mu, m.lambda + m.mu};
  }
  template <class R>
  WEFT_INLINE static R stiffest(const Material<R>& m) {
    return larger_of<R>(3.0f * m.lambda - m.mu, 2.0f * m.mu);
  }
  /// psi, J/m³.
  template <class R>
  WEFT_INLINE static R density(const Mat3<R>& f, const Material<R>& m) {
    const R grown = dot(f.x, cross(f.y, f.z)) - 1.0f;
    const R stretched = dot(f.x, f.x) + dot(f.y, f.y) + dot(f.z, f.z) - 3.0f;
    return 0.5f * m.mu * stretched - m.mu * grown + 0.5f * m.lambda * grown * grown;
  }
  /// P, Pa.
  template <class R>
  WEFT_INLINE static Mat3<R> stress(const Mat3<R>& f, const Material<R>& m) {
    const R c = m.lambda * (dot(f.x, cross(f.y, f.z)) - 1.0f) - m.mu;
    return m.mu * f + c * cofactor(f);
  }

  /// The projected second derivative in the frame of U and V.
  template <class R>
  struct Curvature {
    TetStretches<R> frame;
    Symmetric3<R> stretch;  // of the diagonal
    Vec3<R> same, swapped;  // of F_ij with itself and with F_ji, by the third index
  };
  template <class R>
  WEFT_INLINE static Curvature<R> curvature(const Mat3<R>& f, const Material<R>& m) {
    Curvature<R> out;
    out.frame = tet_stretches(f);
    const Vec3<R>& s = out.frame.s;
    const R c = m.lambda * (s.x * s.y * s.z - 1.0f) - m.mu, zero = splat<R>(0);
    const R gx = s.y * s.z, gy = s.x * s.z, gz = s.x * s.y;
    out.stretch = without_negative<R>({m.mu + m.lambda * gx * gx, m.mu + m.lambda * gy * gy,
                                       m.mu + m.lambda * gz * gz, c * s.x + m.lambda * gy * gz,
                                       c * s.y + m.lambda * gx * gz, c * s.z + m.lambda * gx * gy});
    const auto pair = [&](const R& third, R& same, R& swapped) {
      const R twist = larger_of<R>(m.mu + c * third, zero), flip = larger_of<R>(m.mu - c * third, zero);
      same = 0.5f * (flip + twist), swapped = 0.5f * (flip - twist);
    };
    pair(s.x, out.same.x, out.swapped.x);
    pair(s.y, out.same.y, out.swapped.y);
    pair(s.z, out.same.z, out.swapped.z);
    return out;
  }
  /// Block of two points, per volume.
  template <class R>
  WEFT_INLINE static Mat3<R> pair_block(const Curvature<R>& c, const Material<R>&, const Vec3<R>& a,
                                        const Vec3<R>& b) {
    return frame_block<R>(c.frame, c.stretch, c.same, c.swapped, a, b);
  }
};

}  // namespace weft
