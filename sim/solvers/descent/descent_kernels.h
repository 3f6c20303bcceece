// Kernels of multilevel descent. All levels share one operator form (rows.h):
//
//   A u|_i = D_i u_i + sum_j (n nᵀ + s I)(u_i - u_j),     D_i = m_i / h² I + W_i
//
// and one iteration (Wang and Yang 2016, eq. 6 and 9 to 12): u <- omega (gamma P⁻¹ (c - A u) + u - u_prev) +
// u_prev, with P a block-diagonal majoriser of A, so that the eigenvalues of P⁻¹A lie in (0, 1].
#pragma once
#include "sim/device/launch.h"
#include "sim/device/row_of_threads.h"
#include "sim/energies/thread_lock.h"
#include "sim/linear/block_inverse.h"
#include "sim/linear/rows.h"

namespace weft::descent {

using blocks::times_sym3;

constexpr float kSmallestTurn = 1e-4f;  // squared angle by which any spring may turn

/// What a row of a level is made of besides its couplings. Interleaved arrays have padded_rows entries.
struct LevelView {
  RowsView a;
  Span<const vec3> position;   // x_n, padded
  Span<float> constant;        // c, interleaved 3
  Span<float> diagonal;        // D, interleaved 6
  Span<float> preconditioner;  // P⁻¹, interleaved 6; zero rows stay where they are
};

/// Sets up rows of a level: couplings, c, D and P. On the fine level at its current u, and c holds all
/// forces. Coarser levels solve the linear problem of a correction, with their operator at entry and the
/// restricted residual as c.
struct LinearizeRows {
  LevelView level;
  Span<const vec3> u;               // displacement; on coarser levels at entry, not the correction
  Span<const vec3> drift;           // where inertia would take the row, m
  Span<const float> mass;           // per row, kg, padded
  Span<const vec3> source;          // fine: s, the inertial target; coarser: restricted residual. Padded
  Span<const float> anchor_weight;  // W, interleaved 6
  Span<const vec3> force;           // fine: anchors and elements other than row couplings. Padded
  Span<const float> element_bound;  // isotropic majoriser of those elements, N/m, padded; may be empty
  Span<const float> free_row;       // 1, or 0 for a kinematic row, padded
  // mean stiffness of P, N/m: how firmly a kinematic row holds on coarser levels
  Span<float> hold;
  float inv_h2 = 0;
  int fine = 1;
  int spring_forces = 1, bending_forces = 1;  // of the fine level

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  struct Sums {
    Vec3<typename L::Real> c;
    typename L::Real bound[6], lock;
  };

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    const RowsView& a = level.a;
    const Vec3<R> xi = L::rows(&level.position[i]), ui = L::rows(&u[i]), si = L::rows(&drift[i]);
    const R zero = L::splat(0);
    Sums<L> sums{{zero, zero, zero}, {zero, zero, zero, zero, zero, zero}, L::load(&a.lock[i])};
    const int slice = i / kLanes, lane = i % kLanes;
    int o = a.slice_start[slice] + lane;
    for (; o < a.spring_end[slice]; o += kLanes) spring<L>(o, xi, ui, si, sums);
    for (; o < a.slice_start[slice + 1]; o += kLanes) {
      const R bending = L::load(&a.bending[o]);
      const Vec3<R> x = L::gather(level.position.data, &a.neighbor[o]) - xi;
      const Vec3<R> du = L::gather(u.data, &a.neighbor[o]) - ui;
      add_bending<L>(bending, x, du, sums.c);  // its coefficient is `bending` itself
    }
    finish<L>(i, sums);
  }

  /// A spring k/2 (|e| - l0)^2 with e = x + du: its force, and its tangent k (n nᵀ + t (I - n nᵀ)). The exact
  /// t = 1 - l0 /
  /// |e| is negative in a compressed spring; its absolute value keeps the operator positive and steps along
  /// the unstable direction short. A spring that has turned by an angle a in this step, or would by its
  /// inertia, may turn as far again, and then pushes back with k a²/2 more: t is at least a².
  template <class L>
  HD void spring(int o, const Vec3<typename L::Real>& xi, const Vec3<typename L::Real>& ui,
                 const Vec3<typename L::Real>& si, Sums<L>& sums) const {
    using R = typename L::Real;
    const RowsView& a = level.a;
    const R k = L::load(&a.stiffness[o]), bending = L::load(&a.bending[o]);
    const Vec3<R> x = L::gather(level.position.data, &a.neighbor[o]) - xi;
    const Vec3<R> du = L::gather(u.data, &a.neighbor[o]) - ui;
    const R rest = L::load(&a.rest_length[o]);
    const Vec3<R> e = x + du;  // coarser levels: u at entry
    const Length<R> length = length_and_inverse(e);
    const R inv = length.inverse;
    const R tension = 1.0f - rest * inv;
    const Vec3<R> ds = L::gather(drift.data, &a.neighbor[o]) - si;
    const R along = dot(e, du) * inv, drifted = dot(e, ds) * inv;
    const R turned =
        4.0f * L::larger(dot(du, du) - along * along, dot(ds, ds) - drifted * drifted) * inv * inv +
        kSmallestTurn;
    const R t = L::smaller(L::larger(L::larger(tension, -tension), turned), L::splat(1));
    const R stretch = 1.0f / (rest * inv + 1e-20f);
    const ThreadLock::Law<R> locked = ThreadLock::law<R>(stretch, {rest}, {k, sums.lock}, ThreadLock::kAhead);
    const R pull = locked.force * inv;  // a thread under tension resists turning
    const R across = k * t + pull;
    const Vec3<R> n = (L::root(k * (1.0f - t) + L::larger(locked.tangent - pull, L::splat(0))) * inv) * e;
    if (fine) {
      if (spring_forces) sums.c = sums.c + Spring::axial<R>(length, {rest}, {k}).pull * e;
      sums.c = sums.c + (locked.force * inv) * e;
      sums.c = sums.c - dot(n, du) * n - across * du;  // A u, so that c - A u is the force at this u
    }
    add_bending<L>(bending, x, du, sums.c);
    const Vec3<R> n2 = L::splat(2.0f) * n;
    sums.bound[0] = sums.bound[0] + n2.x * n.x + 2.0f * across;
    sums.bound[1] = sums.bound[1] + n2.x * n.y;
    sums.bound[2] = sums.bound[2] + n2.x * n.z;
    sums.bound[3] = sums.bound[3] + n2.y * n.y + 2.0f * across;
    sums.bound[4] = sums.bound[4] + n2.y * n.z;
    sums.bound[5] = sums.bound[5] + n2.z * n.z + 2.0f * across;
    store_coefficient<L>(o, n, across + bending);
  }

  /// Quadratic bending is linear in u, so that its A u cancels against its force and only the part of x_n
  /// stays. Where elements bring the bending force, the row only serves as its approximate Hessian.
  template <class L>
  HD void add_bending(const typename L::Real& bending, const Vec3<typename L::Real>& x,
                      const Vec3<typename L::Real>& du, Vec3<typename L::Real>& c) const {
    if (!fine) return;
    c = bending_forces ? c + bending * x : c - bending * du;
  }

  template <class L>
  HD void store_coefficient(int o, const Vec3<typename L::Real>& n, const typename L::Real& s) const {
    float* q = &level.a.coefficient[(o / kLanes) * (4 * kLanes) + o % kLanes];
    L::store3(q, n);
    L::store(q + 3 * kLanes, s);
  }

  template <class L>
  HD void finish(int i, Sums<L>& sums) const {
    using R = typename L::Real;
    const R inertia = inv_h2 * L::load(&mass[i]);
    const Vec3<R> source_i = L::rows(&source[i]);
    sums.c = fine ? sums.c + inertia * source_i + L::rows(&force[i]) : sums.c + source_i;
    L::store3(&level.constant[interleaved(i, 0, 3)], sums.c);
    R bound = inertia + L::load(&level.a.bending_bound[i]);
    if (!element_bound.empty()) bound = bound + L::load(&element_bound[i]);
    R p[6];
    for (int c = 0; c < 6; ++c) {
      const bool on_diagonal = c == 0 || c == 3 || c == 5;
      const R w = L::load(&anchor_weight[interleaved(i, c, 6)]);
      L::store(&level.diagonal[interleaved(i, c, 6)], on_diagonal ? w + inertia : w);
      p[c] = on_diagonal ? sums.bound[c] + w + bound : sums.bound[c] + w;
    }
    L::store(&hold[i], (1.0f / 3.0f) * (p[0] + p[3] + p[5]));
    blocks::store_inverse<L>(&level.preconditioner[interleaved(i, 0, 6)], p, L::load(&free_row[i]));
  }
};

/// c_i - A u|_i, or without c.
template <class L, bool with_constant = true>
HD inline Vec3<typename L::Real> row_residual(const LevelView& level, const vec3* u, int i) {
  using R = typename L::Real;
  const RowsView& a = level.a;
  const Vec3<R> ui = L::rows(u + i);
  const R zero = L::splat(0);
  Vec3<R> r{zero, zero, zero};
  if (RowParts<L>::part() == 0) {
    r = L::splat(-1) * times_sym3<L>(&level.diagonal[interleaved(i, 0, 6)], ui);
    if (with_constant) r = r + L::load3(&level.constant[interleaved(i, 0, 3)]);
  }
  constexpr int kStep = kLanes * RowParts<L>::kCount;
  const int slice = i / kLanes, springs = a.spring_end[slice], end = a.slice_start[slice + 1];
  int o = a.slice_start[slice] + i % kLanes + kLanes * RowParts<L>::part();
  for (; o < springs; o += kStep) {
    const float* q = &a.coefficient[(o / kLanes) * (4 * kLanes) + o % kLanes];
    const Vec3<R> du = L::gather(u, &a.neighbor[o]) - ui;
    const Vec3<R> n = L::load3(q);
    const R along = dot(n, du), s = L::load(q + 3 * kLanes);
    r.x = r.x + n.x * along + s * du.x;
    r.y = r.y + n.y * along + s * du.y;
    r.z = r.z + n.z * along + s * du.z;
  }
  // most couplings are of bending alone, and what is read here decides the speed
  for (; o < end; o += kStep) {
    const Vec3<R> du = L::gather(u, &a.neighbor[o]) - ui;
    const R s = L::load(&a.bending[o]);
    r.x = r.x + s * du.x;
    r.y = r.y + s * du.y;
    r.z = r.z + s * du.z;
  }
  return RowParts<L>::total(r);
}

/// Accelerated iterations: iteration k reads u[k % 2], and u[1 - k % 2] holds the u before on entry and the
/// new one on return. Without the constant they smooth a field instead: towards 0 where the field costs most.
template <bool with_constant>
struct Relax {
  static constexpr bool kLongRows = true;
  LevelView level;
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
    const Vec3<R> r = row_residual<L, with_constant>(level, now, i);
    const Vec3<R> step = times_sym3<L>(&level.preconditioner[interleaved(i, 0, 6)], r);
    const Vec3<R> ui = L::rows(now + i), last = L::rows(before + i);
    const R g = L::splat(gamma), w = L::splat(omega[k]);
    return w * (g * step + ui - last) + last;
  }
};
using RelaxRows = Relax<true>;
using SmoothRows = Relax<false>;

/// How far a turn went at each vertex, as an energy (J): its forces by the stiffness of P.
struct TurnSize {
  Span<const vec3> reached, u;
  Span<const float> hold;
  Span<float> size;
  HD void operator()(int v) const {
    const vec3 displacement = reached[v] - u[v];
    size[v] = hold[v] * glm::dot(displacement, displacement);
  }
};

/// A turn that went this many times as far (in energy) as the one before: what is left to do grows.
constexpr float kGrowth = 4;

/// Whether momentum between turns goes on. Once what is left grows it does not, until it begins anew, and
/// `stopped` counts the turns without it.
struct WatchMomentum {
  Span<const float> size;
  int first = 1;  // momentum begins anew
  Span<float> last, stopped;
  Span<int> on;
  HD void operator()(int) const {
    if (first) on[0] = 1;
    else if (!(size[0] <= kGrowth * last[0])) on[0] = 0;
    if (!on[0]) stopped[0] += 1;
    last[0] = size[0];
  }
};

/// Ends a turn, which came from u to `reached` (both displacements, m): u takes in the momentum of the turn
/// before.
///
///   u_k+1 = omega (reached_k - u_k-1) + u_k-1
struct TakeOver {
  Span<const vec3> reached;
  Span<vec3> u, before;  // u_k, u_k-1
  float omega = 1;       // 1: the first turn, before which there is nothing
  Span<const int> on;    // 0: as if omega were 1

  HD void operator()(int v) const {
    const vec3 now = reached[v], last = before[v];
    before[v] = u[v];
    u[v] = omega > 1 && on[0] ? now + (omega - 1) * (now - last) : now;
  }
};

struct ResidualRows {
  LevelView level;
  Span<const vec3> u;
  Span<const float> free_row;
  Span<vec3> out;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    L::store_rows(&out[i], L::load(&free_row[i]) * row_residual<L>(level, u.data, i));
  }
};

/// Per row the two inner products that give the best step along a direction p: r . p and p . A p. Rows have
/// the stiffness of elements at rest; what stretched ones have beyond it counts as springs to the neighbours.
struct StepTerms {
  LevelView level;
  Span<const vec3> direction, residual;
  Span<const float> element_bound;  // N/m, as LinearizeRows has it; empty: elements are as stiff as at rest
  Span<float> gain, cost;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    const Vec3<R> p = L::rows(&direction[i]);
    const Vec3<R> minus_ap = row_residual<L, false>(level, direction.data, i);
    L::store(&gain[i], dot(p, L::rows(&residual[i])));
    R spent = -dot(p, minus_ap);
    if (!element_bound.empty()) spent = spent + beyond_rest<L>(i, p);
    L::store(&cost[i], spent);
  }
  /// sum_j (b_i + b_j) / 24 |p_j - p_i|². A bound b of a vertex is twice the sum of its six springs, and each
  /// spring is counted at both of its ends: (b_i + b_j) / 48, times a safety factor of 2 for what the step
  /// stretches further.
  template <class L>
  HD typename L::Real beyond_rest(int i, const Vec3<typename L::Real>& p) const {
    using R = typename L::Real;
    const RowsView& a = level.a;
    const R own = L::load(&element_bound[i]);
    R sum = L::splat(0);
    for (int o = a.slice_start[i / kLanes] + i % kLanes; o < a.spring_end[i / kLanes]; o += kLanes) {
      const Vec3<R> apart = L::gather(direction.data, &a.neighbor[o]) - p;
      sum = sum + (own + L::pick(element_bound.data, &a.neighbor[o])) * dot(apart, apart);
    }
    return (0.25f / kEdgesOfVertex) * sum;
  }
  static constexpr float kEdgesOfVertex = 6;
};

}  // namespace weft::descent
