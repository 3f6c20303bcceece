// Lists of neighbours, 16 rows side by side.
#pragma once
#include "sim/base/math.h"
#include "sim/base/span.h"
#include "sim/device/lanes.h"

namespace weft {

/// Row i has count[i] neighbours; number k of them is neighbor[at(i, k)]. Places beyond the count name the
/// row itself.
struct NeighborLists {
  Span<const int> count;  // padded to whole slices
  Span<const int> neighbor;
  int width = 0;  // places per row
  HD int at(int row, int k) const { return (row / kLanes * width + k) * kLanes + row % kLanes; }
};

/// Largest of 16 consecutive ints, for loops that run 16 rows at a time; the value itself for one row.
template <class L>
HD inline int most(const int* count) {
  if constexpr (sizeof(typename L::Real) == sizeof(float)) {
    return *count;
  } else {
    int m = 0;
    for (int l = 0; l < kLanes; ++l) m = count[l] > m ? count[l] : m;
    return m;
  }
}

}  // namespace weft
