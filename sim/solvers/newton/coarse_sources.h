// What the couplings of a coarse operator P^T A P are made of (newton/coarse_kernels.h).
#pragma once
#include <vector>

#include "sim/linear/coarsen.h"
#include "sim/linear/joins.h"
#include "sim/linear/rows.h"

namespace weft {

/// One share in a coupling: `weight` times a coupling of the finer operator, or times the diagonal term of
/// one of its rows.
struct CoarseSource {
  int from = 0;  // entry of the finer rows; entry_of_bending(o) beyond the springs; a row for diagonal terms
  float weight = 0;
};
/// Entries beyond the springs have no block, only a number.
constexpr int entry_of_bending(int entry) { return -1 - entry; }

/// Compressed rows over the entries of the coarse rows.
struct CoarseSourceLists {
  std::vector<int> start;  // entries + 1
  std::vector<int> from;
  std::vector<float> weight;
};

/// The coarse operator's structure. With interpolation u_i = sum_I w_iI U_I, whose weights sum to 1 in each
/// row,
///
///   K_IJ = sum_i w_iI (sum_j (w_jJ - w_iJ) K_ij  -  w_iJ D_i),     D_I = sum_i w_iI D_i
///
/// is P^T A P in the form of couplings and diagonal terms that A has.
struct CoarseStructure {
  std::vector<std::vector<RowEntry>> rows;  // all of them blocks; numbers unused
  /// Per coarse row in the order of `rows`: shares of couplings and of diagonal terms, with the entry's place
  /// in its row.
  struct Share {
    int column = 0;
    CoarseSource source;
  };
  using Shares = std::vector<std::vector<Share>>;  // sorted by column
  Shares couplings, diagonals;
  std::vector<Shares> joined;  // of each list of joins
};

/// `joins`: lists of further couplings of the finer operator.
CoarseStructure coarse_structure(const Rows& finer, const Coarsening& c,
                                 const std::vector<RowJoins>& joins = {});
/// The shares in the order of `coarse`'s entries, `coarse` being made from structure.rows.
CoarseSourceLists source_lists(const std::vector<std::vector<CoarseStructure::Share>>& shares,
                               const Rows& coarse);

}  // namespace weft
