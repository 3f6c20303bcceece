// Kernels of projective dynamics. A step minimises E(d) by iterations H delta = -dE/dd with the matrix
//
//   H = M / h² + K + W + e I
//
// K: springs as if each kept its direction, and quadratic bending, the same for x, y and z, constant. W:
// anchors, 3x3 per vertex. e: bounds of what K does not bound (locked threads, elements).
#pragma once
#include "sim/device/atomics.h"
#include "sim/device/launch.h"
#include "sim/device/row_of_threads.h"
#include "sim/energies/thread_lock.h"
#include "sim/linear/block_inverse.h"
#include "sim/linear/rows.h"
#include "sim/linear/transfer_kernels.h"

namespace weft::projective {

constexpr int kSums = 256;  // partial sums of a product with a mode; vectors of modes are padded to this
constexpr int kContactSums = 64;      // partial sums of an entry of the reduced matrix; divides kSums
constexpr float kLeastPivot = 1e-6f;  // over the diagonal

/// The matrix H and the residual r = -dE/dd. Padded to kSums rows; "3" and "6": interleaved components.
struct SystemView {
  RowsView a;
  Span<const float> coupling;    // k + bending of each entry, N/m
  Span<const float> mass;        // kg
  Span<const float> row_sum;     // of the couplings, N/m
  Span<const float> half_bound;  // half the sum of |K_ij| of a row, N/m
  Span<const float> free_row;    // 1, or 0 for a kinematic row
  Span<float> added;             // W + e, 6
  Span<float> own;       // m / h² + w + e, the share of the diagonal in sweeps; the number w bounds W
  Span<float> inverse;   // 1 / D of sweeps, 0 in kinematic rows
  Span<float> residual;  // 3
  float inv_h2 = 0;
};

/// Residual, W + e and D at d.
struct Gradient {
  SystemView s;
  Span<const vec3> position, d, target;  // x_n, d and z - x_n
  Span<const float> anchor_weight;       // 6
  Span<const vec3> force;                // of anchors and elements
  Span<const float> element_bound;       // may be empty
  int spring_forces = 1, bending_forces = 1;
  float damping = 0;  // omega of damped sweeps; 0: D is bounded by sums of rows

  static constexpr bool kLongRows = true;
  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    const RowsView& a = s.a;
    const Vec3<R> xi = L::rows(&position[i]), di = L::rows(&d[i]);
    const R zero = L::splat(0), begin = L::load(&a.lock[i]);
    Vec3<R> f{zero, zero, zero};
    R locked = zero;
    const int slice = i / kLanes;
    constexpr int kStep = kLanes * RowParts<L>::kCount;
    int o = a.slice_start[slice] + i % kLanes + kLanes * RowParts<L>::part();
    for (; o < a.spring_end[slice]; o += kStep) {
      const Vec3<R> e =
          (L::gather(position.data, &a.neighbor[o]) - xi) + (L::gather(d.data, &a.neighbor[o]) - di);
      const R k = L::load(&a.stiffness[o]), rest = L::load(&a.rest_length[o]);
      const R length = L::root(dot(e, e)), inv = 1.0f / (length + 1e-20f);
      // A thread that is about to lock, not only what it is now.
      const ThreadLock::Law<R> lock =
          ThreadLock::law<R>(length / rest, {rest}, {k, begin}, ThreadLock::kAhead);
      R pull = lock.force * inv;
      if (spring_forces)
        pull = pull + k * (1.0f - rest * inv);  // k (|e| - l0) n: the gradient at the projected target too
      if (bending_forces) pull = pull + L::load(&a.bending[o]);
      locked = locked + lock.tangent;
      f = f + pull * e;
    }
    if (bending_forces)
      for (; o < a.slice_start[slice + 1]; o += kStep) {
        const Vec3<R> e =
            (L::gather(position.data, &a.neighbor[o]) - xi) + (L::gather(d.data, &a.neighbor[o]) - di);
        f = f + L::load(&a.bending[o]) * e;
      }
    finish<L>(i, di, RowParts<L>::total(f), 2.0f * RowParts<L>::total(locked));
  }

  template <class L>
  HD void finish(int i, const Vec3<typename L::Real>& di, const Vec3<typename L::Real>& f,
                 const typename L::Real& locked) const {
    using R = typename L::Real;
    const R inertia = s.inv_h2 * L::load(&s.mass[i]), free = L::load(&s.free_row[i]);
    R e = locked, w[6];
    if (!element_bound.empty()) e = e + L::load(&element_bound[i]);
    for (int c = 0; c < 6; ++c) w[c] = L::load(&anchor_weight[interleaved(i, c, 6)]);
    const R own = inertia + e + bound<L>(w), sum = L::load(&s.row_sum[i]);
    for (int c = 0; c < 6; ++c)
      L::store(&s.added[interleaved(i, c, 6)], c == 0 || c == 3 || c == 5 ? free * (w[c] + e) : free * w[c]);
    L::store(&s.own[i], own);
    const R diagonal = damping > 0 ? (1 / damping) * (own + sum)
                                   : L::larger(own + sum, 0.5f * own + L::load(&s.half_bound[i]));
    L::store(&s.inverse[i], L::where(free, 1.0f / (diagonal + 1e-20f)));
    const Vec3<R> anchored = blocks::times_sym3<L>(&anchor_weight[interleaved(i, 0, 6)], di);
    const Vec3<R> r = f + L::rows(&force[i]) + inertia * (L::rows(&target[i]) - di) - anchored;
    L::store3(&s.residual[interleaved(i, 0, 3)], free * r);
  }

  /// At least the largest eigenvalue of W: exact for w n nᵀ and for w I.
  template <class L>
  HD static typename L::Real bound(const typename L::Real (&w)[6]) {
    using R = typename L::Real;
    const auto size = [](const R& v) { return L::larger(v, -v); };
    const R xy = size(w[1]), xz = size(w[2]), yz = size(w[4]);
    const R rows = L::larger(L::larger(w[0] + xy + xz, w[3] + xy + yz), w[5] + xz + yz);
    const R squares = w[0] * w[0] + w[3] * w[3] + w[5] * w[5] + 2.0f * (xy * xy + xz * xz + yz * yz);
    return L::smaller(rows, 1.000001f * L::root(squares));
  }
};

/// Which slices of 16 rows have anything in W + e, and whether any has: reduced[0]; reduced[1] says that
/// none has.
struct FindAdded {
  Span<const float> added;
  Span<int> slice, reduced;
  HD void operator()(int i) const {
    int any = 0;
    for (int l = 0; l < 6 * kLanes; ++l)
      if (added[6 * kLanes * i + l] != 0) any = 1;
    slice[i] = any;
    if (any) {
      atomic_write(&reduced[0], 1);
      atomic_write(&reduced[1], 0);
    }
  }
};
struct ClearAdded {
  Span<int> reduced;
  HD void operator()(int) const { reduced[0] = 0, reduced[1] = 1; }
};

/// Sums of r (3) and of M / h² + W (6) over a chunk of rows, and its kinematic rows.
struct SumPieces {
  linear::PiecesView pieces;
  SystemView s;
  Span<const float> anchor_weight;  // 6
  Span<float> sums;                 // 10 per chunk
  HD void operator()(int chunk) const {
    float sum[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (int o = pieces.chunk_start[chunk]; o < pieces.chunk_start[chunk + 1]; ++o) {
      const int i = pieces.row[o];
      if (!(s.free_row[i] > 0)) {
        sum[9] += 1;
        continue;
      }
      for (int c = 0; c < 3; ++c) sum[c] += s.residual[interleaved(i, c, 3)];
      for (int c = 0; c < 6; ++c) sum[3 + c] += anchor_weight[interleaved(i, c, 6)];
      const float inertia = s.inv_h2 * s.mass[i];
      sum[3] += inertia, sum[6] += inertia, sum[8] += inertia;
    }
    for (int k = 0; k < 10; ++k) sums[10 * chunk + k] = sum[k];
  }
};

/// The translation after which the forces on a connected piece of cloth sum to 0, exactly, for couplings do
/// not feel it; 0 where pins hold the piece.
struct BalancePieces {
  linear::PiecesView pieces;
  Span<const float> sums;
  Span<vec3> translation;
  HD void operator()(int piece) const {
    float s[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (int chunk = pieces.piece_start[piece]; chunk < pieces.piece_start[piece + 1]; ++chunk)
      for (int k = 0; k < 10; ++k) s[k] += sums[10 * chunk + k];
    const float nine[9] = {s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]};
    const vec3 t = linear::balancing_translation(nine);
    const bool finite = absolute(t.x) + absolute(t.y) + absolute(t.z) < 1e30f;
    translation[piece] = finite && !(s[9] > 0) ? t : vec3(0);
  }
  HD static float absolute(float v) { return v < 0 ? -v : v; }
};

/// Every free row moves with its piece.
struct Translate {
  SystemView s;
  Span<const int> piece_of_row;
  Span<const vec3> translation;
  Span<const float> anchor_weight;  // 6
  Span<vec3> d;
  HD void operator()(int i) const {
    if (!(s.free_row[i] > 0)) return;
    const vec3 t = translation[piece_of_row[i]];
    d[i] += t;
    float w[6];
    for (int c = 0; c < 6; ++c) w[c] = anchor_weight[interleaved(i, c, 6)];
    const vec3 anchored = Sym3{w[0], w[1], w[2], w[3], w[4], w[5]} * t + (s.inv_h2 * s.mass[i]) * t;
    for (int c = 0; c < 3; ++c) s.residual[interleaved(i, c, 3)] -= anchored[c];
  }
};

/// Partial sums of U_aᵀ r: item (a, c) takes rows c, c + kSums, ...
struct Project {
  Span<const float> modes;     // U, one mode of `stride` numbers after the other
  Span<const float> residual;  // 3
  int stride = 0;
  Span<vec3> partial;  // kSums per mode

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int item) const {
    using R = typename L::Real;
    const float* u = &modes[item / kSums * stride];
    Vec3<R> sum{L::splat(0), L::splat(0), L::splat(0)};
    for (int i = item % kSums; i < stride; i += kSums)
      sum = sum + L::load(u + i) * L::load3(&residual[interleaved(i, 0, 3)]);
    L::store_rows(&partial[item], sum);
  }
};

/// U_aᵀ r of each mode.
struct SumProjected {
  Span<const vec3> partial;
  Span<vec3> projected;
  static constexpr bool kLongRows = true;
  HD void operator()(int mode) const { row<OneRow>(mode); }
  template <class L>
  HD void row(int mode) const {
    Vec3<float> sum{0, 0, 0};
    for (int c = RowParts<L>::part(); c < kSums; c += RowParts<L>::kCount)
      sum = sum + L::rows(&partial[mode * kSums + c]);
    L::store_rows(&projected[mode], RowParts<L>::total(sum));
  }
};

/// q = (Uᵀ (M / h² + K) U)⁻¹ Uᵀ r.
struct SolveFree {
  Span<const float> inverse;  // symmetric
  Span<const vec3> projected;
  Span<vec3> q;
  static constexpr bool kLongRows = true;
  HD void operator()(int a) const { row<OneRow>(a); }
  template <class L>
  HD void row(int a) const {
    Vec3<float> sum{0, 0, 0};
    for (int b = RowParts<L>::part(); b < projected.size; b += RowParts<L>::kCount)
      sum = sum + inverse[b * projected.size + a] * L::rows(&projected[b]);
    L::store_rows(&q[a], RowParts<L>::total(sum));
  }
};

/// Two modes a <= b, an entry of the upper triangle of a reduced matrix.
struct Pair {
  int a = 0, b = 0;
};

/// Products u_a u_b of all rows, for ProjectAdded: item pair * stride + row.
struct StoreProducts {
  Span<const float> modes;
  Span<const Pair> pair;
  int stride = 0;
  Span<float> product;
  HD void operator()(int item) const { row<OneRow>(item); }
  void sixteen(int first) const { row<SixteenRows>(first); }
  template <class L>
  HD void row(int item) const {
    const Pair p = pair[item / stride];
    const int i = item % stride;
    L::store(&product[item], L::load(&modes[p.a * stride + i]) * L::load(&modes[p.b * stride + i]));
  }
};

/// Partial sums of u_a u_b (W + e) over vertices, 6 components: item (pair, c) takes rows c, c +
/// kContactSums, ... (Lan 2024, eq. 19). The products u_jᵀ u_j are those that were stored, or formed from U.
struct ProjectAdded {
  Span<const float> modes;
  Span<const float> product;  // StoreProducts; empty: formed here
  Span<const float> added;    // 6
  Span<const int> slice;      // per 16 rows: whether there is anything in `added`
  Span<const Pair> pair;
  int stride = 0;
  Span<float> partial;  // pairs x kContactSums for each component, one after the other

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int item) const {
    using R = typename L::Real;
    const Pair p = pair[item / kContactSums];
    const float *u = &modes[p.a * stride], *v = &modes[p.b * stride];
    R sum[6];
    for (R& s : sum) s = L::splat(0);
    for (int i = item % kContactSums; i < stride; i += kContactSums) {
      if (!slice[i / kLanes]) continue;
      const R uv = product.empty() ? L::load(u + i) * L::load(v + i)
                                   : L::load(&product[item / kContactSums * stride + i]);
      for (int c = 0; c < 6; ++c) sum[c] = sum[c] + uv * L::load(&added[interleaved(i, c, 6)]);
    }
    for (int c = 0; c < 6; ++c) L::store(&partial[c * pair.size * kContactSums + item], sum[c]);
  }
};

/// Reduced system of 3 r_c unknowns (number of the component times r_c, plus that of the mode), columns one
/// after the other. On the right of the matrix: the right-hand side, or for its inverse the columns of s I.
struct ReducedView {
  int size = 0, stride = 0;  // 3 r_c, padded to whole slices
  int columns = 0;           // size + 1, or 2 size + 1 with the inverse
  Span<float> matrix;        // `columns` columns
  Span<float> diagonal;
  HD float& at(int row, int column) const { return matrix[column * stride + row]; }
};

/// Sums the parts of an entry for one of 6 components: item pair * 6 + component.
struct FillReduced {
  ReducedView reduced;
  Span<const Pair> pair;
  Span<const float> partial;
  Span<const float> free_matrix;  // Uᵀ (M / h² + K) U of all modes, `modes` in a row
  Span<const vec3> projected;
  int modes = 0, reused = 0;

  static constexpr bool kLongRows = true;
  HD void operator()(int item) const { row<OneRow>(item); }
  template <class L>
  HD void row(int item) const {
    const Pair p = pair[item / 6];
    const int c = item % 6;
    float sum = 0;
    for (int k = RowParts<L>::part(); k < kContactSums; k += RowParts<L>::kCount)
      sum += partial[(c * pair.size + item / 6) * kContactSums + k];
    sum = RowParts<L>::total(sum);
    if (RowParts<L>::part() != 0) return;
    const int x = c < 3 ? 0 : c < 5 ? 1 : 2, y = c < 3 ? c : c < 5 ? c - 2 : 2;  // xx, xy, xz, yy, yz, zz
    if (x == y) sum += free_matrix[p.b * modes + p.a];
    const int xa = x * reused + p.a, xb = x * reused + p.b, ya = y * reused + p.a, yb = y * reused + p.b;
    reduced.at(xa, yb) = sum, reduced.at(yb, xa) = sum;
    reduced.at(xb, ya) = sum, reduced.at(ya, xb) = sum;
    if (x == y && p.a == p.b) {
      reduced.diagonal[xa] = sum;
      reduced.at(xa, reduced.size) = projected[p.a][x];
    }
  }
};

/// The columns of s I (Lan 2024, eq. 25): item (i, j).
struct FillScaled {
  ReducedView reduced;
  Span<const float> scale;
  HD void operator()(int item) const {
    const int i = item % reduced.size, j = item / reduced.size;
    reduced.at(i, reduced.size + 1 + j) = i == j ? scale[0] : 0.0f;
  }
};

/// s, the mean of |A_ij|.
struct MeanEntry {
  ReducedView reduced;
  Span<float> scale;
  static constexpr bool kLongRows = true;
  HD void operator()(int item) const { row<OneRow>(item); }
  template <class L>
  HD void row(int) const {
    float sum = 0;
    const int entries = reduced.size * reduced.size;
    for (int e = RowParts<L>::part(); e < entries; e += RowParts<L>::kCount) {
      const float a = reduced.at(e % reduced.size, e / reduced.size);
      sum += a < 0 ? -a : a;
    }
    L::store(&scale[0], RowParts<L>::total(sum) / float(entries));
  }
};

/// Gauss-Jordan elimination without exchanges, which a positive definite matrix does not need: iteration k
/// clears column k in every row but k. Nobody changes row k in iteration k.
struct Eliminate {
  ReducedView reduced;
  Span<const float> other;  // 2 stride numbers: 0 at `stride`, else 1

  static constexpr bool kLongRows = true;
  HD void operator()(int i, int k) const { row<OneRow>(i, k); }
  void sixteen(int first, int k) const { row<SixteenRows>(first, k); }

  template <class L>
  HD void row(int i, int k) const {
    // It would write what is there, while others read it.
    if (sizeof(typename L::Real) == sizeof(float) && i == k) return;
    const float pivot = reduced.at(k, k), least = kLeastPivot * reduced.diagonal[k];
    const float inverse = 1.0f / (pivot > least ? pivot : least);
    const auto factor = (L::load(&other[reduced.stride + i - k]) * inverse) * L::load(&reduced.at(i, k));
    for (int column = k + 1 + RowParts<L>::part(); column < reduced.columns; column += RowParts<L>::kCount) {
      float* at = &reduced.at(i, column);
      RowParts<L>::store_own(at, L::load(at) - factor * L::splat(reduced.at(k, column)));
    }
  }
};

/// The solution, by mode.
struct TakeReduced {
  ReducedView reduced;
  int reused = 0;
  Span<vec3> q;
  HD void operator()(int a) const {
    for (int c = 0; c < 3; ++c) {
      const int i = c * reused + a;
      const float pivot = reduced.at(i, i), least = kLeastPivot * reduced.diagonal[i];
      q[a][c] = reduced.at(i, reduced.size) / (pivot > least ? pivot : least);
    }
  }
};

/// A⁻¹ Uᵀ r, by mode, with the inverse X / s.
struct TakeInverse {
  ReducedView reduced;
  Span<const float> scale;
  Span<const vec3> projected;
  int reused = 0;
  Span<vec3> q;
  HD void operator()(int i) const {
    const float pivot = reduced.at(i, i), least = kLeastPivot * reduced.diagonal[i];
    float sum = 0;
    for (int j = 0; j < reduced.size; ++j)
      sum += reduced.at(i, reduced.size + 1 + j) * projected[j % reused][j / reused];
    q[i % reused][i / reused] = sum / ((pivot > least ? pivot : least) * scale[0]);
  }
};

/// U q.
struct Expand {
  Span<const float> modes;
  Span<const vec3> q;
  int count = 0, stride = 0;
  Span<vec3> step;

  static constexpr bool kLongRows = true;
  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    Vec3<R> sum{L::splat(0), L::splat(0), L::splat(0)};
    for (int a = RowParts<L>::part(); a < count; a += RowParts<L>::kCount) {
      const R u = L::load(&modes[a * stride + i]);
      const vec3 qa = q[a];
      sum = sum + Vec3<R>{qa.x * u, qa.y * u, qa.z * u};
    }
    L::store_rows(&step[i], RowParts<L>::total(sum));
  }
};

/// sum_j K_ij (u_i - u_j).
template <class L>
HD inline Vec3<typename L::Real> coupled(const SystemView& s, const vec3* u, int i,
                                         const Vec3<typename L::Real>& ui) {
  using R = typename L::Real;
  Vec3<R> sum{L::splat(0), L::splat(0), L::splat(0)};
  const int end = s.a.slice_start[i / kLanes + 1];
  for (int o = s.a.slice_start[i / kLanes] + i % kLanes + kLanes * RowParts<L>::part(); o < end;
       o += kLanes * RowParts<L>::kCount)
    sum = sum + L::load(&s.coupling[o]) * (ui - L::gather(u, &s.a.neighbor[o]));
  return RowParts<L>::total(sum);
}

/// What the subspace left: r - H step, in place of r.
struct Remainder {
  SystemView s;
  Span<const vec3> step;

  static constexpr bool kLongRows = true;
  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    const Vec3<R> ui = L::rows(&step[i]);
    const R inertia = s.inv_h2 * L::load(&s.mass[i]), free = L::load(&s.free_row[i]);
    float* r = &s.residual[interleaved(i, 0, 3)];
    const Vec3<R> product = coupled<L>(s, step.data, i, ui) + inertia * ui +
                            blocks::times_sym3<L>(&s.added[interleaved(i, 0, 6)], ui);
    L::store3(r, free * (L::load3(r) - product));
  }
};

/// The first sweep, from 0.
struct StartSweeps {
  SystemView s;
  Span<vec3> u;
  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }
  template <class L>
  HD void row(int i) const {
    L::store_rows(&u[i], L::load(&s.inverse[i]) * L::load3(&s.residual[interleaved(i, 0, 3)]));
  }
};

/// Sweeps of Jacobi's method: u <- u + D⁻¹ (r - H u); sweep k reads u[k % 2] and writes the other.
struct Sweep {
  SystemView s;
  Span<vec3> u[2];

  static constexpr bool kLongRows = true;
  HD void operator()(int i, int k) const { row<OneRow>(i, k); }
  void sixteen(int first, int k) const { row<SixteenRows>(first, k); }

  template <class L>
  HD void row(int i, int k) const {
    using R = typename L::Real;
    const vec3* now = u[k % 2].data;
    const Vec3<R> ui = L::rows(now + i);
    const Vec3<R> left =
        L::load3(&s.residual[interleaved(i, 0, 3)]) - L::load(&s.own[i]) * ui - coupled<L>(s, now, i, ui);
    L::store_rows(&u[1 - k % 2][i], ui + L::load(&s.inverse[i]) * left);
  }
};

/// Products of couplings over two edges, and what two sweeps make of them. Entries in slices as in RowsView;
/// a column is an entry of each of a slice's 16 rows. Products in columns as well, 16 side by side.
struct SquareView {
  Span<const int> slice_start, neighbor;  // m of each entry (i, m); i itself among them
  Span<const int> column_slice;           // slice of each column
  Span<const float> own;                  // 1 of entries (i, i), else 0
  Span<const float> direct;               // K_im where the two are coupled, else 0
  Span<const int> product_start;          // first product of each column, of its first row; columns + 1
  Span<const int> middle;                 // j of each product
  Span<const float> product;              // K_ij K_jm
  Span<float> coefficient;                // of R², R = D⁻¹ (D - H); 0 of padding
};

/// Rows whose D has changed since coefficients were made of it, and whether there is any.
struct FindChanged {
  Span<const float> inverse, own, last_inverse, last_own;
  Span<int> row, any;
  HD void operator()(int i) const {
    row[i] = inverse[i] != last_inverse[i] || own[i] != last_own[i];
    if (row[i]) atomic_write(&any[0], 1);
  }
};
/// The D that coefficients are of, once they are made: a step may be interrupted before.
struct KeepDiagonals {
  Span<const float> inverse, own;
  Span<float> last_inverse, last_own;
  HD void operator()(int i) const { last_inverse[i] = inverse[i], last_own[i] = own[i]; }
};
struct ClearChanged {
  Span<int> slice, any;
  HD void operator()(int i) const {
    slice[i] = 0;
    if (i == 0) any[0] = 0;
  }
};

/// Slices with a coefficient that has changed: those of row i are made of D of i and of its neighbours.
struct FindStaleSlices {
  RowsView a;
  Span<const int> changed;  // per row
  Span<int> slice;
  HD void operator()(int i) const {
    int any = changed[i];
    const int end = a.slice_start[i / kLanes + 1];
    for (int o = a.slice_start[i / kLanes] + i % kLanes; o < end && !any; o += kLanes)
      any = changed[a.neighbor[o]];
    if (any) atomic_write(&slice[i / kLanes], 1);
  }
};

/// Coefficients of stale slices, an entry each:
///   c_im = D_i⁻¹ (sum_j K_ij D_j⁻¹ K_jm + K_im (R_ii + R_mm)) + [i = m] R_ii².
struct Coefficients {
  SystemView s;
  SquareView square;
  Span<const int> stale;  // per slice

  HD void operator()(int e) const { row<OneRow>(e); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int e) const {
    using R = typename L::Real;
    const int column = e / kLanes, slice = square.column_slice[column], lane = e % kLanes;
    if (!stale[slice]) return;
    R sum = L::splat(0);
    for (int o = square.product_start[column] + lane; o < square.product_start[column + 1]; o += kLanes)
      sum = sum + L::load(&square.product[o]) * L::pick(s.inverse.data, &square.middle[o]);
    const int i = slice * kLanes + lane, *m = &square.neighbor[e];
    const R inverse = L::load(&s.inverse[i]);
    const R on_i = kept<L>(inverse, L::load(&s.own[i]), L::load(&s.row_sum[i]));
    const R on_m = kept<L>(L::pick(s.inverse.data, m), L::pick(s.own.data, m), L::pick(s.row_sum.data, m));
    L::store(&square.coefficient[e], inverse * (sum + L::load(&square.direct[e]) * (on_i + on_m)) +
                                         L::load(&square.own[e]) * on_i * on_i);
  }
  /// R_ii.
  template <class L>
  HD static typename L::Real kept(const typename L::Real& inverse, const typename L::Real& own,
                                  const typename L::Real& row_sum) {
    return L::where(inverse, 1.0f - inverse * (own + row_sum));
  }
};

/// Sweeps of aggregated Jacobi of rank 2: u <- R² u + g, where g is what two sweeps from 0 reach.
struct SquareSweep {
  SquareView square;
  Span<const vec3> g;
  Span<vec3> u[2];

  static constexpr bool kLongRows = true;
  HD void operator()(int i, int k) const { row<OneRow>(i, k); }
  void sixteen(int first, int k) const { row<SixteenRows>(first, k); }

  template <class L>
  HD void row(int i, int k) const {
    using R = typename L::Real;
    const vec3* now = u[k % 2].data;
    Vec3<R> sum = RowParts<L>::once(L::rows(&g[i]));
    const int end = square.slice_start[i / kLanes + 1];
    for (int o = square.slice_start[i / kLanes] + i % kLanes + kLanes * RowParts<L>::part(); o < end;
         o += kLanes * RowParts<L>::kCount)
      sum = sum + L::load(&square.coefficient[o]) * L::gather(now, &square.neighbor[o]);
    L::store_rows(&u[1 - k % 2][i], RowParts<L>::total(sum));
  }
};

/// Whether anything holds cloth in this step: weights that grow are not those of one map, of which
/// acceleration could learn.
struct FindAnchored {
  Span<const Sym3> anchor;  // N/m
  Span<int> anchored;       // one element
  HD void operator()(int i) const {
    if (anchor[i].trace() > 0) atomic_write(&anchored[0], 1);
  }
};

/// r . D⁻¹ r of each row, J.
struct LocalGain {
  SystemView s;
  Span<float> gain;
  HD void operator()(int i) const {
    float sum = 0;
    for (int c = 0; c < 3; ++c) sum += s.residual[interleaved(i, c, 3)] * s.residual[interleaved(i, c, 3)];
    gain[i] = s.inverse[i] * sum;
  }
};

/// Begins a step at the target of inertia.
struct StartAtTarget {
  Span<const int> kinematic;
  Span<const vec3> target;
  Span<vec3> d;
  HD void operator()(int i) const {
    if (!kinematic[i]) d[i] = target[i];
  }
};

/// Weight of Chebyshev's method for the next iteration. state: omega, r . D⁻¹ r before, iterations without
/// momentum that should have had it.
struct ChooseMomentum {
  Span<const float> size;
  float rho = 0;
  int first = 0;
  Span<float> state, stopped;
  HD void operator()(int) const {
    const bool grew = !first && !(size[0] <= state[1]);
    if (first || grew) state[0] = 1;
    else state[0] = state[0] == 1 ? 2 / (2 - rho * rho) : 4 / (4 - rho * rho * state[0]);
    if (grew) stopped[0] += 1;
    state[1] = size[0];
  }
};

/// d <- omega (d + step + u - before) + before, without acceleration d + step + u; `before` takes the
/// present d.
struct Move {
  Span<const float> free_row;
  Span<const vec3> step, u;
  Span<const float> state;  // ChooseMomentum; empty: no acceleration
  Span<vec3> d, before;
  HD void operator()(int i) const {
    if (!(free_row[i] > 0)) return;
    const vec3 now = d[i], reached = now + (step[i] + u[i]), last = before[i];
    before[i] = now;
    d[i] = !state.empty() && state[0] > 1 ? reached + (state[0] - 1) * (reached - last) : reached;
  }
};

/// What the modes see of the forces left, r . U A⁻¹ Uᵀ r, what each vertex sees and what each rigid body, as
/// StepContext::solver_residual has it.
struct SumGains {
  Span<const vec3> projected, q;
  Span<const float> local, body;  // J
  float unit = 1;
  Span<float> residual;
  HD void operator()(int) const {
    float sum = local[0];
    for (int a = 0; a < projected.size; ++a) sum += glm::dot(projected[a], q[a]);
    for (int b = 0; b < body.size; ++b) sum += body[b];
    residual[0] = sqrtf(sum > 0 || sum != sum ? sum : 0.0f) / unit;
  }
};

struct Negate {
  Span<const float> residual;  // 3
  Span<vec3> out;
  HD void operator()(int i) const {
    for (int c = 0; c < 3; ++c) out[i][c] = -residual[interleaved(i, c, 3)];
  }
};

}  // namespace weft::projective
