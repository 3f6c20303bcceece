// Conjugate gradients with a block-Jacobi preconditioner P (Hestenes and Stiefel 1952), one row per thread:
//
//   alpha = r.z / p.Hp,   u += alpha p,   r -= alpha Hp,   z = P⁻¹ r,   beta = r'.z' / r.z,   p = z + beta p
//
// Inner products and the number k of the iteration stay in device memory: rz[k] is the product before
// iteration k. Where that is at its limit, or k is, iterations change nothing.
#pragma once
#include "sim/device/row_of_threads.h"
#include "sim/methods/solve_end.h"
#include "sim/solvers/newton/assemble_kernels.h"

namespace weft::newton {

/// H p|_i without stencils.
template <class L, bool blocks>
HD inline Vec3<typename L::Real> row_product(const SystemView& system, const vec3* p, int i) {
  using R = typename L::Real;
  const RowsView& a = system.a;
  const Vec3<R> pi = L::rows(p + i);
  const R zero = L::splat(0);
  Vec3<R> q{zero, zero, zero};
  if (RowParts<L>::part() == 0) q = blocks::times_sym3<L>(&system.diagonal[interleaved(i, 0, 6)], pi);
  constexpr int kStep = kLanes * RowParts<L>::kCount;
  const int slice = i / kLanes, springs = a.spring_end[slice], end = a.slice_start[slice + 1];
  int o = a.slice_start[slice] + i % kLanes + kLanes * RowParts<L>::part();
  for (; o < springs; o += kStep) {
    const Vec3<R> dp = pi - L::gather(p, &a.neighbor[o]);
    if constexpr (blocks) {
      const float* b = &system.block[entry_place(o, 9)];
      q = q + dp.x * L::load3(b) + dp.y * L::load3(b + 3 * kLanes) + dp.z * L::load3(b + 6 * kLanes);
    } else {
      const float* c = &a.coefficient[entry_place(o, 4)];
      const Vec3<R> n = L::load3(c);
      q = q + dot(n, dp) * n + L::load(c + 3 * kLanes) * dp;
    }
  }
  for (; o < end; o += kStep) q = q + L::load(&a.bending[o]) * (pi - L::gather(p, &a.neighbor[o]));
  return L::load(&system.free_row[i]) * RowParts<L>::total(q);
}

/// q = H p, and p . H p of each row.
template <bool blocks>
struct Multiply {
  static constexpr bool kLongRows = true;
  SystemView system;
  Span<const vec3> p;
  Span<vec3> q;
  Span<float> inner;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    const auto q_i = row_product<L, blocks>(system, p.data, i);
    L::store_rows(&q[i], q_i);
    L::store(&inner[i], dot(L::rows(&p[i]), q_i));
  }
};

/// u = 0, r = the residual.
struct StartCg {
  Span<const vec3> residual;
  Span<vec3> u, r;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    const R zero = L::splat(0);
    L::store_rows(&u[i], Vec3<R>{zero, zero, zero});
    L::store_rows(&r[i], L::rows(&residual[i]));
  }
};

/// z = P⁻¹ r, and r . z of each row.
struct BlockJacobi {
  Span<const float> preconditioner;
  Span<const vec3> r;
  Span<vec3> z;
  Span<float> inner;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    const auto f = L::rows(&r[i]);
    const auto out = blocks::times_sym3<L>(&preconditioner[interleaved(i, 0, 6)], f);
    L::store_rows(&z[i], out);
    L::store(&inner[i], dot(f, out));
  }
};

/// How far d is from solved, from r . P⁻¹ r (J), which is that of the error in the energy's norm: `unit` is h
/// g sqrt(M), so that the result bounds the mean error of d (root of its mean square, by mass) over g h²,
/// what gravity moves in a step.
HD inline float residual_of(float rz, float unit) { return rz > 0 ? sqrtf(rz) / unit : rz == 0 ? 0.0f : NAN; }

/// How far the iterations have come, on the device.
struct CgProgress {
  int k = 0;
  int go_on = 0;
};

/// What conjugate gradients found out about the preconditioned operator M H, on the device.
struct Spectrum {
  float lowest = 1;  // its smallest eigenvalue, as far as they have seen
  float left = 0;    // r . z after the last solve
  float seen = 1;    // as `lowest`, by that solve
};

/// The smallest eigenvalue of M H that k iterations have seen (the smallest Ritz value, from above): that of
/// the tridiagonal matrix of Lanczos, which their numbers make up,
///
///   T_jj = 1 / alpha_j + beta_j-1 / alpha_j-1,   T_j,j+1 = sqrt(beta_j) / alpha_j,   beta_j = rz_j+1 / rz_j,
///
/// by bisection: T - x has as many negative pivots as eigenvalues below x. At most 1; 1 where an
/// iteration went nowhere, or its numbers are none.
HD inline float lowest_ritz(const float* alpha, const float* rz, int k) {
  for (int j = 0; j < k; ++j)
    if (!(alpha[j] > 0 && alpha[j] < 1e30f && rz[j] > 0 && rz[j] < 1e30f)) return 1;
  const auto none_below = [&](float x) {
    float pivot = 1;
    for (int j = 0; j < k; ++j) {
      const float turn = j > 0 ? rz[j] / rz[j - 1] / alpha[j - 1] : 0.0f;  // beta_j-1 / alpha_j-1
      pivot = 1 / alpha[j] + turn - x - (j > 0 ? turn / alpha[j - 1] / pivot : 0.0f);
      if (!(pivot > 0)) return false;
    }
    return true;
  };
  float low = 1e-6f, high = 1;
  for (int i = 0; i < 16; ++i) {  // to a fifth of a thousandth
    const float middle = sqrtf(low * high);
    (none_below(middle) ? low : high) = middle;
  }
  return high;
}

/// What the iterations share.
struct CgView {
  Span<const float> rz;    // r . z before each iteration
  Span<const float> left;  // what decides the end, before each iteration: r . z, or what a caller makes of it
  Span<const float> pq, next;  // one element: p . H p, and r . z after this iteration
  Span<const CgProgress> at;
  int iterations = 0;         // at most
  float tolerance = 0;        // the end as a share of the start, squared below
  float least = 0;            // the end itself
  Span<const float> forcing;  // one element: a larger tolerance; or empty
  /// Not where r . z is 0, by which beta divides. Where rounding makes it negative iterations still help what
  /// regions have left: without them the steps of `wang2023/hair_small` end a fifth further from solved.
  HD bool active(int k) const {
    const float share = forcing.empty() || forcing[0] < tolerance ? tolerance : forcing[0];
    return k < iterations && absolute(rz[k]) > 1e-30f && left[k] > least &&
           (left[k] > share * share * left[0] || rz[k] > share * share * rz[0]);
  }
  HD float alpha() const {
    const int k = at[0].k;
    return active(k) && pq[0] > 0 ? rz[k] / pq[0] : 0.0f;
  }
  HD float beta() const {
    const int k = at[0].k;
    return active(k) ? next[0] / rz[k] : 0.0f;
  }
};

struct BeginCg {
  CgView cg;
  Span<const float> now;  // one element
  Span<float> left;
  Span<CgProgress> at;
  HD void operator()(int) const {
    left[0] = now[0];
    at[0] = {0, cg.active(0)};
  }
};

/// Ends an iteration, if it was one.
struct EndCg {
  CgView cg;
  Span<const float> now;  // one element: as `left`, after it
  Span<float> rz, left, alpha;
  Span<CgProgress> at;
  Span<Spectrum> spectrum;  // one element
  Span<SolveEnd> limit;
  HD void operator()(int) const {
    const int k = at[0].k;
    if (!cg.active(k)) {
      at[0].go_on = 0;
      return;
    }
    alpha[k] = cg.alpha();
    rz[k + 1] = cg.next[0];
    left[k + 1] = now[0];
    if (cg.active(k + 1) && !may_go_on(limit)) left[k + 1] = 0;  // as if nothing were left
    at[0] = {k + 1, cg.active(k + 1)};
    if (at[0].go_on) return;
    spectrum[0].left = rz[k + 1];
    const float ritz = lowest_ritz(alpha.data, rz.data, k + 1);
    spectrum[0].seen = ritz;
    if (ritz < spectrum[0].lowest) spectrum[0].lowest = ritz;
  }
};

/// u and r a step further; `jacobi`: also z = P⁻¹ r and r . z of each row.
template <bool jacobi>
struct StepCg {
  CgView cg;
  Span<const float> preconditioner;
  Span<const vec3> p, q;
  Span<vec3> u, r, z;
  Span<float> inner;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    const R alpha = L::splat(cg.alpha());
    L::store_rows(&u[i], L::rows(&u[i]) + alpha * L::rows(&p[i]));
    const Vec3<R> r_i = L::rows(&r[i]) - alpha * L::rows(&q[i]);
    L::store_rows(&r[i], r_i);
    if constexpr (jacobi) {
      const Vec3<R> z_i = blocks::times_sym3<L>(&preconditioner[interleaved(i, 0, 6)], r_i);
      L::store_rows(&z[i], z_i);
      L::store(&inner[i], dot(r_i, z_i));
    }
  }
};

struct TurnCg {
  CgView cg;
  Span<const vec3> z;
  Span<vec3> p;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    L::store_rows(&p[i], L::rows(&z[i]) + L::splat(cg.beta()) * L::rows(&p[i]));
  }
};

}  // namespace weft::newton
