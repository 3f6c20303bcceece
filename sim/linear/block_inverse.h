// Inverse of the symmetric 3x3 blocks with which solvers precondition.
#pragma once
#include "sim/device/lanes.h"

namespace weft::blocks {

/// Product of a symmetric block, six components interleaved, with a vector.
template <class L>
HD inline Vec3<typename L::Real> times_sym3(const float* m, const Vec3<typename L::Real>& v) {
  const auto xx = L::load(m), xy = L::load(m + kLanes), xz = L::load(m + 2 * kLanes);
  const auto yy = L::load(m + 3 * kLanes), yz = L::load(m + 4 * kLanes), zz = L::load(m + 5 * kLanes);
  return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
}

// Bound on the determinant of a block of trace 1: below it, cofactors in float32 are wrong by more than five
// percent.
constexpr float kWeakDeterminant = 2.5e-7f;
// Stiffness added in all directions to a block of trace 1 with such a determinant: above the rounding of an
// elimination in float32 (a few 1e-7); and the least pivot that results.
constexpr float kLeastStiffness = 1e-6f, kLeastPivot = 2e-7f;

/// `scale` times the inverse (xx, xy, xz, yy, yz, zz) of a symmetric block of trace 1, by its cofactors.
template <class L>
HD inline void cofactor_inverse(const typename L::Real (&m)[6], const typename L::Real& scale,
                                typename L::Real (&out)[6], typename L::Real& det) {
  using R = typename L::Real;
  const R c00 = m[3] * m[5] - m[4] * m[4], c01 = m[2] * m[4] - m[1] * m[5], c02 = m[1] * m[4] - m[2] * m[3];
  det = m[0] * c00 + m[1] * c01 + m[2] * c02;
  const R f = scale / L::larger(det, L::splat(1e-12f));
  out[0] = f * c00, out[1] = f * c01, out[2] = f * c02;
  out[3] = f * (m[0] * m[5] - m[2] * m[2]), out[4] = f * (m[1] * m[2] - m[0] * m[4]),
  out[5] = f * (m[0] * m[3] - m[1] * m[1]);
}

/// Inverse by L D Lᵀ of a block that is made stiffer by a millionth of its trace in all directions: positive
/// definite for any eigenvalues.
template <class L>
HD inline void pivot_inverse(const typename L::Real (&m)[6], typename L::Real (&out)[6]) {
  using R = typename L::Real;
  const R least = L::splat(kLeastPivot), xx = m[0] + kLeastStiffness, yy = m[3] + kLeastStiffness,
          zz = m[5] + kLeastStiffness;
  const R r0 = 1.0f / L::larger(xx, least), l1 = m[1] * r0, l2 = m[2] * r0;
  const R r1 = 1.0f / L::larger(yy - l1 * m[1], least), e = m[4] - l2 * m[1], l3 = e * r1;
  const R r2 = 1.0f / L::larger(zz - l2 * m[2] - l3 * e, least), l13 = l1 * l3 - l2;
  out[0] = r0 + l1 * l1 * r1 + l13 * l13 * r2, out[1] = -l1 * r1 - l13 * l3 * r2, out[2] = l13 * r2;
  out[3] = r1 + l3 * l3 * r2, out[4] = -l3 * r2, out[5] = r2;
}

/// Inverse of a symmetric positive block in interleaved storage at `out`. The block is scaled by its trace
/// first, so that stiff and light rows stay within float32. Always positive definite. Zero where `active` is
/// not positive.
template <class L>
HD inline void store_inverse(float* out, const typename L::Real (&block)[6], const typename L::Real& active) {
  using R = typename L::Real;
  const R s = 1.0f / (block[0] + block[3] + block[5] + 1e-30f);
  R m[6], plain[6], careful[6], det;
  for (int c = 0; c < 6; ++c) m[c] = block[c] * s;
  cofactor_inverse<L>(m, s, plain, det);
  pivot_inverse<L>(m, careful);
  // Either, never a mixture: one may be a million times the other.
  const R weak = L::where(kWeakDeterminant - det, L::splat(1));
  for (int c = 0; c < 6; ++c)
    L::store(out + c * kLanes,
             L::where(active, L::where(1.0f - weak, plain[c]) + L::where(weak, s * careful[c])));
}

}  // namespace weft::blocks
