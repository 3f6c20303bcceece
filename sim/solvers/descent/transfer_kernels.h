// Kernels between the levels of multilevel descent, and between its levels and the step.
#pragma once
#include "sim/device/launch.h"
#include "sim/linear/transfer_kernels.h"
#include "sim/solvers/descent/descent_kernels.h"

namespace weft::descent {

using linear::balancing_translation, linear::kChunk, linear::PiecesView, linear::TransferView;

/// coarse residual = Pᵀ fine residual; coarse anchors W_c = rows of Pᵀ W P lumped to the diagonal, which
/// keeps translations exact. A kinematic fine row acts as an anchor of weight `hold`.
struct Restrict {
  TransferView transposed;  // per coarse row: fine rows
  Span<const vec3> residual;
  Span<const float> fine_anchor;  // interleaved 6
  Span<const float> fine_free;
  Span<const float> fine_hold;  // N/m, isotropic stiffness with which a kinematic row holds
  Span<vec3> coarse_residual;
  Span<float> coarse_anchor;  // interleaved 6

  HD void operator()(int i) const { row<OneRow>(i); }
  template <class L>
  HD void row(int i) const {
    Vec3<float> r{0, 0, 0};
    float w[6] = {0, 0, 0, 0, 0, 0};
    const int end = transposed.start[i + 1];
    for (int o = transposed.start[i] + RowParts<L>::part(); o < end; o += RowParts<L>::kCount) {
      const int f = transposed.column[o];
      const float weight = transposed.weight[o];
      if (fine_free[f] > 0) {
        r = r + weight * L::rows(&residual[f]);
        for (int c = 0; c < 6; ++c) w[c] += weight * fine_anchor[interleaved(f, c, 6)];
      } else {
        const float hold = weight * fine_hold[f];
        w[0] += hold, w[3] += hold, w[5] += hold;
      }
    }
    L::store_rows(&coarse_residual[i], RowParts<L>::total(r));
    for (int c = 0; c < 6; ++c) L::store(&coarse_anchor[interleaved(i, c, 6)], RowParts<L>::total(w[c]));
  }
};

/// A turn that goes on with a correction begins where the first one did. `moved`: to where contact has moved
/// what the last turn `wrote`.
struct GoBack {
  Span<const vec3> moved, wrote;
  Span<vec3> entry, u;
  int first = 1;  // turn of its correction
  HD void operator()(int v) const {
    const vec3 at = first ? moved[v] : entry[v] + (moved[v] - wrote[v]);
    entry[v] = at;
    u[v] = at;
  }
};

/// Positions, displacements at entry and drift of a coarse level: those of the fine vertices that it consists
/// of.
struct Inject {
  Span<const int> fine_row;
  Span<const vec3> fine_position, fine_u, fine_drift;
  Span<vec3> position, u, drift;
  HD void operator()(int i) const {
    position[i] = fine_position[fine_row[i]];
    u[i] = fine_u[fine_row[i]];
    drift[i] = fine_drift[fine_row[i]];
  }
};

/// What a coarser level begins with: rows of both are its own.
struct GoCoarser {
  Restrict residual;
  Inject start;
  static constexpr bool kLongRows = true;
  HD void operator()(int i) const { row<OneRow>(i); }
  template <class L>
  HD void row(int i) const {
    residual.row<L>(i);
    if (RowParts<L>::part() == 0) start(i);
  }
};

/// direction = P coarse u; zero for kinematic rows.
struct Prolong {
  TransferView rows;  // per fine row: coarse rows
  Span<const vec3> coarse_u;
  Span<const float> free_row;
  Span<vec3> direction;
  HD void operator()(int i) const {
    vec3 sum(0);
    for (int o = rows.start[i]; o < rows.start[i + 1]; ++o) sum += rows.weight[o] * coarse_u[rows.column[o]];
    direction[i] = free_row[i] > 0 ? sum : vec3(0);
  }
};

/// u += alpha p with the alpha that lowers the finer level's quadratic model most, at most 1: the coarse
/// operator is not exactly the restriction of the fine one.
struct Correct {
  Span<const float> gain, cost;  // one element each
  Span<const vec3> direction;
  Span<vec3> u, before;
  HD void operator()(int i) const {
    const float alpha = gain[0] > 0 ? (gain[0] < cost[0] ? gain[0] / cost[0] : 1.0f) : 0.0f;
    u[i] += alpha * direction[i];
    before[i] = u[i];
  }
};

/// Sums of residual (3) and of D (6) over a chunk of rows. A kinematic row holds its piece.
struct SumChunks {
  PiecesView pieces;
  Span<const vec3> residual;
  Span<const float> diagonal;  // interleaved 6
  Span<const float> free_row, hold;
  Span<float> sums;  // 9 per chunk

  static constexpr bool kLongRows = true;
  HD void operator()(int chunk) const { row<OneRow>(chunk); }
  template <class L>
  HD void row(int chunk) const {
    float s[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    const int end = pieces.chunk_start[chunk + 1];
    for (int o = pieces.chunk_start[chunk] + RowParts<L>::part(); o < end; o += RowParts<L>::kCount) {
      const int i = pieces.row[o];
      if (!(free_row[i] > 0)) {
        s[3] += hold[i], s[6] += hold[i], s[8] += hold[i];
        continue;
      }
      const vec3 r = residual[i];
      s[0] += r.x, s[1] += r.y, s[2] += r.z;
      for (int c = 0; c < 6; ++c) s[3 + c] += diagonal[interleaved(i, c, 6)];
    }
    for (int k = 0; k < 9; ++k) L::store(&sums[9 * chunk + k], RowParts<L>::total(s[k]));
  }
};

/// The translation t of each piece that balances it as a whole: (sum of D) t = sum of residuals. Couplings do
/// not feel a translation, so this is exact, and all that free flight needs. A
/// step length of its own matters: in free flight the rest of a correction is rounding, which must not decide
/// it.
struct Translate {
  PiecesView pieces;
  Span<const float> sums;
  Span<vec3> translation;

  static constexpr bool kLongRows = true;
  HD void operator()(int piece) const { row<OneRow>(piece); }
  template <class L>
  HD void row(int piece) const {
    float s[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    const int end = pieces.piece_start[piece + 1];
    for (int chunk = pieces.piece_start[piece] + RowParts<L>::part(); chunk < end;
         chunk += RowParts<L>::kCount)
      for (int k = 0; k < 9; ++k) s[k] += sums[9 * chunk + k];
    for (float& v : s) v = RowParts<L>::total(v);
    if (RowParts<L>::part() == 0) translation[piece] = balancing_translation(s);
  }
};

/// Every free row moves with its piece.
struct AddTranslation {
  Span<const int> piece_of_row;
  Span<const vec3> translation;
  Span<const float> free_row;
  Span<vec3> u, before;
  HD void operator()(int i) const {
    if (free_row[i] > 0) u[i] += translation[piece_of_row[i]];
    before[i] = u[i];
  }
};

/// r . P⁻¹ r of each row, J.
struct LocalGain {
  Span<const vec3> residual;
  Span<const float> preconditioner;  // interleaved 6
  Span<float> gain;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }
  template <class L>
  HD void row(int i) const {
    const auto r = L::rows(&residual[i]);
    L::store(&gain[i], dot(r, times_sym3<L>(&preconditioner[interleaved(i, 0, 6)], r)));
  }
};

/// r . u of each row, J.
struct SolvedGain {
  Span<const vec3> residual, u;
  Span<float> gain;
  HD void operator()(int i) const { gain[i] = glm::dot(residual[i], u[i]); }
};

}  // namespace weft::descent
