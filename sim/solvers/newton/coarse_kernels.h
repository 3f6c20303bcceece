// The multilevel preconditioner of conjugate gradients: coarse operators P^T A P, and a V-cycle over them.
//
// Coarse operators have the form of the fine one (assemble_kernels.h), K_IJ (U_I - U_J) and D_I U_I, so that
// translations stay exact in float32 on every level. Smoothing is by damped block Jacobi and by Chebyshev
// iterations whose block diagonal bounds the operator, so that none of its eigenvalues lies outside the
// interval that they are made for.
#pragma once
#include "sim/linear/transfer_kernels.h"
#include "sim/solvers/host_kernels.h"
#include "sim/solvers/newton/cg_kernels.h"

namespace weft::newton {

/// Shares in what a level gathers from the finer one (coarse_sources.h).
struct CoarseSourcesView {
  Span<const int> start, from;
  Span<const float> weight;
};

/// What coarse meshes see of the full mesh's rows: D with the diagonal of stencils, and with all that couples
/// a kinematic row, which so holds them.
struct PinnedDiagonal {
  SystemView system;
  Span<const float> stencil_diagonal;  // interleaved 6; may be empty
  Span<const float> joined;            // the same with that of elements that are no entries of rows
  int blocks = 0;
  Span<float> diagonal;  // interleaved 6

  HD void operator()(int i) const {
    float d[6];
    const bool kinematic = !(system.free_row[i] > 0);
    const Span<const float> own = kinematic ? joined : stencil_diagonal;
    for (int c = 0; c < 6; ++c) {
      d[c] = system.diagonal[interleaved(i, c, 6)];
      if (!own.empty()) d[c] += own[interleaved(i, c, 6)];
    }
    if (kinematic) add_couplings(i, d);
    for (int c = 0; c < 6; ++c) diagonal[interleaved(i, c, 6)] = d[c];
  }
  HD void add_couplings(int i, float (&d)[6]) const {
    const RowsView& a = system.a;
    const int slice = i / kLanes;
    for (int o = a.slice_start[slice] + i % kLanes; o < a.slice_start[slice + 1]; o += kLanes) {
      float s = 0;  // a third of the trace: kinematic rows are few and hold in all directions
      if (o >= a.spring_end[slice]) {
        s = a.bending[o];
      } else if (blocks) {
        const float* b = &system.block[entry_place(o, 9)];
        s = (b[0] + b[4 * kLanes] + b[8 * kLanes]) / 3;
      } else {
        const float* q = &a.coefficient[entry_place(o, 4)];
        s = (q[0] * q[0] + q[kLanes] * q[kLanes] + q[2 * kLanes] * q[2 * kLanes]) / 3 + q[3 * kLanes];
      }
      for (const int c : {0, 3, 5}) d[c] += s;
    }
  }
};

/// K of one coarse entry. `blocks`: whether the finer rows are in block form.
template <bool blocks>
struct GatherCoarse {
  SystemView finer;
  Span<const float> diagonal;  // D of the finer rows, interleaved 6
  CoarseSourcesView couplings, diagonals;
  Span<float> block;  // interleaved 9

  HD void operator()(int entry) const {
    float k[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (int s = couplings.start[entry]; s < couplings.start[entry + 1]; ++s) {
      const int o = couplings.from[s];
      const float w = couplings.weight[s];
      if (o < 0) {
        const float v = w * finer.a.bending[-1 - o];
        k[0] += v, k[4] += v, k[8] += v;
      } else {
        add(o, w, k);
      }
    }
    for (int s = diagonals.start[entry]; s < diagonals.start[entry + 1]; ++s) {
      const float* d = &diagonal[interleaved(diagonals.from[s], 0, 6)];
      const float w = diagonals.weight[s];
      constexpr int place[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
      for (int c = 0; c < 9; ++c) k[c] += w * d[place[c] * kLanes];
    }
    float* b = &block[entry_place(entry, 9)];
    for (int c = 0; c < 9; ++c) b[c * kLanes] = k[c];
  }
  HD void add(int o, float w, float (&k)[9]) const {
    if constexpr (blocks) {
      const float* b = &finer.block[entry_place(o, 9)];
      for (int c = 0; c < 9; ++c) k[c] += w * b[c * kLanes];
    } else {
      const float* q = &finer.a.coefficient[entry_place(o, 4)];
      const float n[3] = {q[0], q[kLanes], q[2 * kLanes]}, s = w * q[3 * kLanes];
      for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) k[3 * c + r] += (w * n[c]) * n[r];
        k[4 * c] += s;
      }
    }
  }
};

/// Adds to K of one coarse entry what elements bring that are no entries of the finer rows: K_ij = -H_ij.
struct AddCoarseElements {
  host::ElementsView elements;
  CoarseSourcesView sources;  // `from`: where the block H_ij begins in the elements' Hessians
  Span<float> block;          // interleaved 9

  HD void operator()(int entry) const {
    const int n = 3 * elements.points;
    float k[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (int s = sources.start[entry]; s < sources.start[entry + 1]; ++s)
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
          k[3 * c + r] -= sources.weight[s] * elements.hessian[sources.from[s] + r * n + c];
    float* b = &block[entry_place(entry, 9)];
    for (int c = 0; c < 9; ++c) b[c * kLanes] += k[c];
  }
};

/// Twice the negative part of a symmetric 3x3 matrix (xx, xy, xz, yy, yz, zz), or a little more: what must be
/// added to make its absolute value. The lowest eigenvalue by its closed form, good to 1e-3 of the matrix
/// where two of them meet, and along its eigenvector; where the next one is negative too, or that vector
/// cannot be told, in all directions left.
HD inline void add_negative_twice(const float (&m)[6], float (&out)[6]) {
  const float mean = (m[0] + m[3] + m[5]) / 3;
  float xx = m[0] - mean, yy = m[3] - mean, zz = m[5] - mean;
  const float xy = m[1], xz = m[2], yz = m[4];
  const float p = sqrtf((xx * xx + yy * yy + zz * zz + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
  float lowest = mean, middle = mean;
  vec3 v(0);
  if (p > 0) {
    const float f = 1 / p, a = f * xx, b = f * yy, c = f * zz, d = f * xy, e = f * xz, g = f * yz;
    const float half = 0.5f * (a * (b * c - g * g) - d * (d * c - g * e) + e * (d * g - b * e));
    const float angle = acosf(half < -1 ? -1.0f : half > 1 ? 1.0f : half) / 3;
    const float low = 2 * p * cosf(angle + 2.0943951f), high = 2 * p * cosf(angle);
    lowest = mean + low;
    middle = mean - low - high;
    xx -= low, yy -= low, zz -= low;
    const vec3 r0(xx, xy, xz), r1(xy, yy, yz), r2(xz, yz, zz);
    const vec3 c01 = glm::cross(r0, r1), c02 = glm::cross(r0, r2), c12 = glm::cross(r1, r2);
    const float s01 = glm::dot(c01, c01), s02 = glm::dot(c02, c02), s12 = glm::dot(c12, c12);
    const float s = s01 > s02 ? (s01 > s12 ? s01 : s12) : (s02 > s12 ? s02 : s12);
    // |cross| is the product of the distances to the other eigenvalues.
    if (s > 1e-4f * p * p * p * p) v = (s == s01 ? c01 : s == s02 ? c02 : c12) / sqrtf(s);
    else middle = lowest;
  }
  const float all = middle < 0 ? -2 * middle : 0.0f, along = (lowest < 0 ? -2 * lowest : 0.0f) - all;
  out[0] += all + along * v.x * v.x, out[1] += along * v.x * v.y, out[2] += along * v.x * v.z;
  out[3] += all + along * v.y * v.y, out[4] += along * v.y * v.z, out[5] += all + along * v.z * v.z;
}

/// D and the inverse block of a coarse row in a block diagonal B with A <= 2 B: the absolute values of the
/// couplings' symmetric parts, and the size of the rest in all directions.
struct CoarseDiagonal {
  SystemView level;
  linear::TransferView transposed;  // per coarse row: finer rows
  Span<const float> diagonal;       // of the finer rows, interleaved 6

  HD void operator()(int i) const {
    float d[6] = {0, 0, 0, 0, 0, 0}, p[6];
    for (int o = transposed.start[i]; o < transposed.start[i + 1]; ++o)
      for (int c = 0; c < 6; ++c)
        d[c] += transposed.weight[o] * diagonal[interleaved(transposed.column[o], c, 6)];
    for (int c = 0; c < 6; ++c) p[c] = level.diagonal[interleaved(i, c, 6)] = d[c];
    const int slice = i / kLanes;
    for (int o = level.a.slice_start[slice] + i % kLanes; o < level.a.slice_start[slice + 1]; o += kLanes)
      add_coupling(o, p);
    blocks::store_inverse<OneRow>(&level.preconditioner[interleaved(i, 0, 6)], p, 1.0f);
  }
  HD void add_coupling(int o, float (&p)[6]) const {
    const float* b = &level.block[entry_place(o, 9)];
    const float xy = b[kLanes], yx = b[3 * kLanes], xz = b[2 * kLanes], zx = b[6 * kLanes],
                yz = b[5 * kLanes], zy = b[7 * kLanes];
    const float k[6] = {b[0],          0.5f * (xy + yx), 0.5f * (xz + zx),
                        b[4 * kLanes], 0.5f * (yz + zy), b[8 * kLanes]};
    for (int c = 0; c < 6; ++c) p[c] += k[c];
    add_negative_twice(k, p);
    const float skew = 0.5f * sqrtf((xy - yx) * (xy - yx) + (xz - zx) * (xz - zx) + (yz - zy) * (yz - zy));
    for (const int c : {0, 3, 5}) p[c] += skew;
  }
};

/// x = omega P⁻¹ r: the first smoothing of a level, from 0.
struct FirstSmoothing {
  Span<const float> preconditioner;
  Span<const vec3> r;
  float omega = 0;
  Span<vec3> x;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }
  template <class L>
  HD void row(int i) const {
    L::store_rows(&x[i], L::splat(omega) *
                             blocks::times_sym3<L>(&preconditioner[interleaved(i, 0, 6)], L::rows(&r[i])));
  }
};

/// out = r - A x.
template <bool blocks>
struct LevelResidual {
  static constexpr bool kLongRows = true;
  SystemView system;
  Span<const vec3> r, x;
  Span<vec3> out;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }
  template <class L>
  HD void row(int i) const {
    L::store_rows(&out[i], L::rows(&r[i]) - row_product<L, blocks>(system, x.data, i));
  }
};

/// out = x + momentum (x - before) + omega P⁻¹ (r - A x): one smoothing. `before` may be `out`, or empty for
/// 0.
/// On the full mesh also r . out per row.
template <bool blocks>
struct Smoothing {
  static constexpr bool kLongRows = true;
  SystemView system;
  Span<const vec3> r, x, before;
  float momentum = 0, omega = 0;
  Span<vec3> out;
  Span<float> inner;  // may be empty

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }
  template <class L>
  HD void row(int i) const {
    const auto r_i = L::rows(&r[i]), x_i = L::rows(&x[i]);
    const auto left = r_i - row_product<L, blocks>(system, x.data, i);
    auto moved = x_i;
    if (!before.empty()) moved = moved - L::rows(&before[i]);
    const auto z =
        x_i + L::splat(momentum) * moved +
        L::splat(omega) * blocks::times_sym3<L>(&system.preconditioner[interleaved(i, 0, 6)], left);
    L::store_rows(&out[i], z);
    if (!inner.empty()) L::store(&inner[i], dot(r_i, z));
  }
};

/// coarse r = Pᵀ finer r.
struct RestrictResidual {
  linear::TransferView transposed;  // per coarse row: finer rows
  Span<const vec3> finer;
  Span<vec3> coarse;
  Span<vec3> start[2];  // of CoarsestSolve, which begins at 0; else empty
  static constexpr bool kLongRows = true;
  HD void operator()(int i) const { row<OneRow>(i); }
  template <class L>
  HD void row(int i) const {
    Vec3<float> sum{0, 0, 0};
    for (const Span<vec3>& u : start)
      if (!u.empty()) L::store_rows(&u[i], sum);
    for (int o = transposed.start[i] + RowParts<L>::part(); o < transposed.start[i + 1];
         o += RowParts<L>::kCount)
      sum = sum + transposed.weight[o] * L::rows(&finer[transposed.column[o]]);
    L::store_rows(&coarse[i], RowParts<L>::total(sum));
  }
};

/// x += P coarse x, not in kinematic rows.
struct AddProlonged {
  linear::TransferView rows;  // per finer row: coarse rows
  Span<const vec3> coarse;
  Span<const float> free_row;
  Span<vec3> x;
  HD void operator()(int i) const {
    vec3 sum(0);
    for (int o = rows.start[i]; o < rows.start[i + 1]; ++o) sum += rows.weight[o] * coarse[rows.column[o]];
    x[i] += free_row[i] * sum;
  }
};

/// Chebyshev iterations on A u = r, both u 0 on entry: iteration k reads u[k % 2] and writes the other one.
struct CoarsestSolve {
  static constexpr bool kLongRows = true;
  SystemView system;
  Span<const vec3> r;
  Span<vec3> u[2];
  Span<const float> omega;  // per iteration
  float gamma = 1;

  HD void operator()(int i, int k) const { row<OneRow>(i, k); }
  void sixteen(int first, int k) const { row<SixteenRows>(first, k); }
  template <class L>
  HD void row(int i, int k) const {
    L::store_rows(&u[1 - k % 2][i], moved<L>(i, k, u[k % 2].data, u[1 - k % 2].data));
  }
  /// For a GPU that keeps both copies of u closer at hand than in its memory (resident.cuh).
  HD vec3 moved(int i, int k, const vec3* now, const vec3* before) const {
    const Vec3<float> m = moved<OneRow>(i, k, now, before);
    return {m.x, m.y, m.z};
  }

  template <class L>
  HD Vec3<typename L::Real> moved(int i, int k, const vec3* now, const vec3* before) const {
    using R = typename L::Real;
    const Vec3<R> left = L::rows(&r[i]) - row_product<L, true>(system, now, i);
    const Vec3<R> step = blocks::times_sym3<L>(&system.preconditioner[interleaved(i, 0, 6)], left);
    const Vec3<R> ui = L::rows(now + i), last = L::rows(before + i);
    const R g = L::splat(gamma), w = L::splat(omega[k]);
    return w * (g * step + ui - last) + last;
  }
};

}  // namespace weft::newton
