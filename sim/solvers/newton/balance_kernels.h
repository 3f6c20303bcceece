// Kernels that balance cloth as a whole: sums of forces over connected pieces, and over islands of pieces
// that contact joins.
//
// A translation t of an island changes no elastic energy and none of its contact, so that after a step u of
// the solver (sum of D) t = sum of r - D u is what it left of the island's balance, exactly. D is what holds
// vertices where they are: inertia, anchors, contact with bodies.
#pragma once
#include "sim/device/atomics.h"
#include "sim/device/row_of_threads.h"
#include "sim/energies/types.h"
#include "sim/linear/stencil.h"
#include "sim/linear/transfer_kernels.h"
#include "sim/solvers/newton/assemble_kernels.h"

namespace weft::newton {

constexpr int kBalanceSums = 10;  // r - D u (3), D (6), kinematic rows

/// In every thread of a row, the sums of all of them.
template <class L>
HD inline void total_balance(float (&s)[kBalanceSums]) {
  for (int k = 0; k < 9; k += 3) {
    const Vec3<float> t = RowParts<L>::total(Vec3<float>{s[k], s[k + 1], s[k + 2]});
    s[k] = t.x, s[k + 1] = t.y, s[k + 2] = t.z;
  }
  s[9] = RowParts<L>::total(Vec3<float>{s[9], 0, 0}).x;
}

/// Share of row i in D beyond the system's own: of stencils that bodies take part in.
HD inline Sym3 body_contact(const StencilsView& s, int i) {
  Sym3 sum;
  if (s.empty()) return sum;
  for (int o = s.start[i]; o < s.start[i + 1]; ++o) {
    const ContactStencil& c = s.stencil[s.entry[o] / 4];
    float whole = 0;
    for (int k = 0; k < 4; ++k)
      if (c.vertex[k] >= 0) whole += c.weight[k];
    // Weights of cloth against cloth sum to 0, but for their rounding.
    if (absolute(whole) > 1e-5f) sum += (c.weight[s.entry[o] % 4] * whole) * c.stiffness;
  }
  return sum;
}

struct SumForBalance {
  linear::PiecesView pieces;
  Span<const vec3> residual, u;
  Span<const float> diagonal;  // interleaved 6
  Span<const float> free_row;
  StencilsView stencils;
  Span<float> sums;  // kBalanceSums per chunk

  static constexpr bool kLongRows = true;
  HD void operator()(int chunk) const { row<OneRow>(chunk); }
  template <class L>
  HD void row(int chunk) const {
    float s[kBalanceSums] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const int end = pieces.chunk_start[chunk + 1];
    for (int o = pieces.chunk_start[chunk] + RowParts<L>::part(); o < end; o += RowParts<L>::kCount) {
      const int i = pieces.row[o];
      if (!(free_row[i] > 0)) {
        s[9] += 1;
        continue;
      }
      float held[6];
      for (int c = 0; c < 6; ++c) held[c] = diagonal[interleaved(i, c, 6)];
      Sym3 own{held[0], held[1], held[2], held[3], held[4], held[5]};
      own += body_contact(stencils, i);
      const vec3 r = residual[i] - own * u[i];
      const float sums_of_row[9] = {r.x, r.y, r.z, own.xx, own.xy, own.xz, own.yy, own.yz, own.zz};
      for (int c = 0; c < 9; ++c) s[c] += sums_of_row[c];
    }
    total_balance<L>(s);
    for (int k = 0; k < kBalanceSums; ++k) L::store(&sums[kBalanceSums * chunk + k], s[k]);
  }
};

/// Each piece an island of its own; the largest number of a piece names an island.
struct StartIslands {
  Span<int> island;
  Span<int> changed;
  HD void operator()(int p) const {
    island[p] = p;
    if (p == 0) changed[0] = 1;
  }
};

struct BeginRound {
  Span<int> changed;
  HD void operator()(int) const { changed[0] = 0; }
};

/// Pieces that a stencil joins are of one island. In rounds, until nothing changes; where they end does not
/// depend on the order of threads.
struct JoinIslands {
  StencilsView stencils;
  Span<const int> piece_of_row;
  Span<int> island, changed;
  HD void operator()(int i) const {
    const ContactStencil& s = stencils.stencil[i];
    int name = -1;
    for (int k = 0; k < 4; ++k)
      if (s.vertex[k] >= 0) name = larger(name, atomic_read(&island[piece_of_row[s.vertex[k]]]));
    for (int k = 0; k < 4; ++k)
      if (s.vertex[k] >= 0 && atomic_max(&island[piece_of_row[s.vertex[k]]], name) < name)
        atomic_write(&changed[0], 1);
  }
  HD static int larger(int a, int b) { return a > b ? a : b; }
};

/// Keys for sorting pieces by island.
struct IslandKeys {
  Span<const int> island;
  Span<uint32_t> key;
  Span<int> piece;
  HD void operator()(int p) const {
    key[p] = uint32_t(island[p]);
    piece[p] = p;
  }
};

/// The translation of each island, kept at the piece that names it; of pieces in the order of their islands.
/// None where a row is kinematic.
struct BalanceIslands {
  linear::PiecesView pieces;
  Span<const uint32_t> key;
  Span<const int> piece;
  Span<const float> sums;
  Span<vec3> translation;
  static constexpr bool kLongRows = true;
  HD void operator()(int i) const { row<OneRow>(i); }
  template <class L>
  HD void row(int i) const {
    if (i > 0 && key[i - 1] == key[i]) return;
    float s[kBalanceSums] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (int k = i; k < key.size && key[k] == key[i]; ++k) {
      const int end = pieces.piece_start[piece[k] + 1];
      for (int chunk = pieces.piece_start[piece[k]] + RowParts<L>::part(); chunk < end;
           chunk += RowParts<L>::kCount)
        for (int c = 0; c < kBalanceSums; ++c) s[c] += sums[kBalanceSums * chunk + c];
    }
    total_balance<L>(s);
    const float nine[9] = {s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]};
    const vec3 t = linear::balancing_translation(nine);
    // Forces that are no numbers stay with their vertex.
    const bool finite = absolute(t.x) + absolute(t.y) + absolute(t.z) < 1e30f;
    const vec3 moved = finite && !(s[9] > 0) ? t : vec3(0);
    L::store_rows(&translation[int(key[i])], {moved.x, moved.y, moved.z});
  }
};

/// Every free row moves with its island; `r` (may be empty) changes by what holds it.
struct TranslateIslands {
  Span<const int> piece_of_row, island;
  Span<const vec3> translation;
  Span<const float> diagonal, free_row;
  StencilsView stencils;
  Span<vec3> u, r;
  HD void operator()(int i) const {
    if (!(free_row[i] > 0)) return;
    const vec3 t = translation[island[piece_of_row[i]]];
    u[i] += t;
    if (r.empty()) return;
    const Sym3 own{diagonal[interleaved(i, 0, 6)], diagonal[interleaved(i, 1, 6)],
                   diagonal[interleaved(i, 2, 6)], diagonal[interleaved(i, 3, 6)],
                   diagonal[interleaved(i, 4, 6)], diagonal[interleaved(i, 5, 6)]};
    r[i] -= own * t + body_contact(stencils, i) * t;
  }
};

}  // namespace weft::newton
