// Couplings of an operator that are no entries of its rows (rows.h).
#pragma once
#include <vector>

namespace weft {

/// With another row; `from`: where the coupling's numbers are, for whoever made the list.
struct RowJoin {
  int neighbor = 0, from = 0;
};
using RowJoins = std::vector<std::vector<RowJoin>>;  // of each row

}  // namespace weft
