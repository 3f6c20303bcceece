// Kernels that balance cloth as a whole: sums of forces over connected pieces, and over islands of pieces
// that contact joins.
//
// A translation t of an island changes no elastic energy and none of its contact, so that after a step u of
// the solver (sum of D) t = sum of r - D u is what it left of the island's balance, exactly. D is what holds
// vertices where they are: inertia, anchors, contact with bodies.
#pragma once
#include "sim/device/atomics.h"
#include "sim/energies/types.h"
#include "sim/linear/rigid_motion_kernels.h"
#include "sim/solvers/newton/assemble_kernels.h"

namespace weft::newton {
using linear::holding;

constexpr int kBalanceSums = 10;  // r - D u (3), D (6), kinematic rows

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
      const Sym3 own = holding(diagonal, stencils, i);
      const vec3 r = residual[i] - own * u[i];
      const float sums_of_row[9] = {r.x, r.y, r.z, own.xx, own.xy, own.xz, own.yy, own.yz, own.zz};
      for (int c = 0; c < 9; ++c) s[c] += sums_of_row[c];
    }
    linear::total_sums<L>(s);
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
  linear::IslandsView islands;
  Span<const float> sums;
  Span<vec3> translation;
  static constexpr bool kLongRows = true;
  HD void operator()(int i) const { row<OneRow>(i); }
  template <class L>
  HD void row(int i) const {
    if (!islands.first(i)) return;
    float s[kBalanceSums];
    islands.add<L>(i, sums, s);
    const float nine[9] = {s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]};
    const vec3 t = linear::balancing_translation(nine);
    // Forces that are no numbers stay with their vertex.
    const bool finite = absolute(t.x) + absolute(t.y) + absolute(t.z) < 1e30f;
    const vec3 moved = finite && !(s[9] > 0) ? t : vec3(0);
    L::store_rows(&translation[int(islands.key[i])], {moved.x, moved.y, moved.z});
  }
};

/// Every free row moves with its island; `r` (may be empty) changes by what holds it.
struct TranslateIslands {
  linear::IslandsView islands;
  Span<const vec3> translation;
  Span<const float> diagonal, free_row;
  StencilsView stencils;
  Span<vec3> u, r;
  HD void operator()(int i) const {
    if (!(free_row[i] > 0)) return;
    const vec3 t = translation[islands.of_row(i)];
    u[i] += t;
    if (r.empty()) return;
    r[i] -= holding(diagonal, stencils, i) * t;
  }
};

}  // namespace weft::newton
