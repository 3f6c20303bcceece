// The linear system of one Newton step, H u = -dE/dd, in rows of couplings:
//
//   H u|_i = D_i u_i + sum_j K_ij (u_i - u_j),     D_i = m_i / h² I + W_i,     K_ij = -H_ij
//
// Elastic energies do not change with translation, so that rows of their Hessians sum to 0, also after
// projection; differences of u keep float32's digits where K is 10^5 times as large as D. K_ij is
//
//   n nᵀ + s I          between springs and quadratic or meshless bending (4 floats),
//   a 3x3 block         where finite elements or dihedral hinges take part (9 floats).
#pragma once
#include "sim/device/launch.h"
#include "sim/energies/thread_lock.h"
#include "sim/linear/block_inverse.h"
#include "sim/linear/rows.h"

namespace weft::newton {

/// The system in device memory. Interleaved arrays have padded_rows entries.
struct SystemView {
  RowsView a;  // its coefficients: n, s
  // K per entry among the springs, columns one after the other, interleaved 9; empty in the other form
  Span<float> block;
  Span<float> diagonal;        // D, interleaved 6
  Span<float> preconditioner;  // inverse of the diagonal block of H, interleaved 6; zero in kinematic rows
  Span<const float> free_row;  // 1, or 0 for a kinematic row, padded
};

/// Place of component 0 of entry o where n components are interleaved.
HD inline int entry_place(int o, int n) { return (o / kLanes) * (n * kLanes) + o % kLanes; }

/// Couplings, D, preconditioner and forces -dE/dd at d. In block form `block` holds what the elements bring.
template <bool blocks>
struct AssembleRows {
  SystemView system;
  Span<const vec3> position, d, target;  // x_n, d and s (the inertial target), padded
  Span<const float> mass;                // kg, padded
  Span<const float> anchor_weight;       // W, interleaved 6
  Span<const vec3> force;                // anchors, stencils and elements, padded
  Span<const float> stencil_diagonal;    // interleaved 6; may be empty
  Span<vec3> residual;                   // -dE/dd, 0 in kinematic rows, padded
  float inv_h2 = 0;
  int spring_forces = 1, bending_forces = 1;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class R>
  struct Sums {
    Vec3<R> force;
    R hessian[6];  // of the couplings, on the diagonal
  };

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    const RowsView& a = system.a;
    const Vec3<R> xi = L::rows(&position[i]), di = L::rows(&d[i]);
    const R zero = L::splat(0), begin = L::load(&a.lock[i]);
    Sums<R> sums{{zero, zero, zero}, {zero, zero, zero, zero, zero, zero}};
    const int slice = i / kLanes;
    int o = a.slice_start[slice] + i % kLanes;
    for (; o < a.spring_end[slice]; o += kLanes) {
      const Vec3<R> e =
          (L::gather(position.data, &a.neighbor[o]) - xi) + (L::gather(d.data, &a.neighbor[o]) - di);
      couple<L>(o, e, begin, sums);
    }
    for (; o < a.slice_start[slice + 1]; o += kLanes) {
      const R bending = L::load(&a.bending[o]);
      if (bending_forces) {
        const Vec3<R> e =
            (L::gather(position.data, &a.neighbor[o]) - xi) + (L::gather(d.data, &a.neighbor[o]) - di);
        sums.force = sums.force + bending * e;
      }
      for (const int c : {0, 3, 5}) sums.hessian[c] = sums.hessian[c] + bending;
    }
    finish<L>(i, di, sums);
  }

  /// Forces and projected Hessians of a spring and its thread lock: along n nᵀ + across (I - n nᵀ).
  template <class L>
  HD void couple(int o, const Vec3<typename L::Real>& e, const typename L::Real& begin,
                 Sums<typename L::Real>& sums) const {
    using R = typename L::Real;
    const RowsView& a = system.a;
    const R k = L::load(&a.stiffness[o]), rest = L::load(&a.rest_length[o]), bending = L::load(&a.bending[o]);
    const Length<R> length = length_and_inverse(e);
    Axial<R> law = ThreadLock::axial<R>(length, {rest}, {k, begin});
    if (spring_forces) {
      const Axial<R> spring = Spring::axial<R>(length, {rest}, {k});
      law = {law.pull + spring.pull, law.along + spring.along, law.across + spring.across};
    }
    const R pull = bending_forces ? law.pull + bending : law.pull;
    sums.force = sums.force + pull * e;
    const R s = law.across + bending;
    const Vec3<R> n = (L::root(L::larger(law.along - law.across, L::splat(0))) * length.inverse) * e;
    if constexpr (blocks) add_block<L>(o, n, s, sums);
    else store_coupling<L>(o, n, s, sums);
  }

  template <class L>
  HD void store_coupling(int o, const Vec3<typename L::Real>& n, const typename L::Real& s,
                         Sums<typename L::Real>& sums) const {
    float* q = &system.a.coefficient[entry_place(o, 4)];
    L::store3(q, n);
    L::store(q + 3 * kLanes, s);
    add_outer(n, s, sums.hessian);
  }

  template <class R>
  HD static void add_outer(const Vec3<R>& n, const R& s, R (&h)[6]) {
    h[0] = h[0] + n.x * n.x + s, h[1] = h[1] + n.x * n.y, h[2] = h[2] + n.x * n.z;
    h[3] = h[3] + n.y * n.y + s, h[4] = h[4] + n.y * n.z, h[5] = h[5] + n.z * n.z + s;
  }

  template <class L>
  HD void add_block(int o, const Vec3<typename L::Real>& n, const typename L::Real& s,
                    Sums<typename L::Real>& sums) const {
    using R = typename L::Real;
    float* b = &system.block[entry_place(o, 9)];
    const Vec3<R> x = L::load3(b), y = L::load3(b + 3 * kLanes), z = L::load3(b + 6 * kLanes);
    R own[6] = {L::splat(0), L::splat(0), L::splat(0), L::splat(0), L::splat(0), L::splat(0)};
    add_outer(n, s, own);
    L::store3(b, Vec3<R>{x.x + own[0], x.y + own[1], x.z + own[2]});
    L::store3(b + 3 * kLanes, Vec3<R>{y.x + own[1], y.y + own[3], y.z + own[4]});
    L::store3(b + 6 * kLanes, Vec3<R>{z.x + own[2], z.y + own[4], z.z + own[5]});
    // The blocks of a row need not be symmetric, their sum is.
    const R elements[6] = {x.x, 0.5f * (x.y + y.x), 0.5f * (x.z + z.x), y.y, 0.5f * (y.z + z.y), z.z};
    for (int c = 0; c < 6; ++c) sums.hessian[c] = sums.hessian[c] + own[c] + elements[c];
  }

  template <class L>
  HD void finish(int i, const Vec3<typename L::Real>& di, Sums<typename L::Real>& sums) const {
    using R = typename L::Real;
    const R inertia = inv_h2 * L::load(&mass[i]), free = L::load(&system.free_row[i]);
    R p[6];
    for (int c = 0; c < 6; ++c) {
      const R w = L::load(&anchor_weight[interleaved(i, c, 6)]);
      const R own = c == 0 || c == 3 || c == 5 ? w + inertia : w;
      L::store(&system.diagonal[interleaved(i, c, 6)], own);
      p[c] = sums.hessian[c] + own;
      if (!stencil_diagonal.empty()) p[c] = p[c] + L::load(&stencil_diagonal[interleaved(i, c, 6)]);
    }
    const Vec3<R> anchored = blocks::times_sym3<L>(&anchor_weight[interleaved(i, 0, 6)], di);
    const Vec3<R> f = sums.force + L::rows(&force[i]) + inertia * (L::rows(&target[i]) - di) - anchored;
    L::store_rows(&residual[i], free * f);
    blocks::store_inverse<L>(&system.preconditioner[interleaved(i, 0, 6)], p, free);
  }
};

}  // namespace weft::newton
