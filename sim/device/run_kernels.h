// Runs of equal keys in a sorted list.
#pragma once
#include "sim/device/launch.h"

namespace weft {

/// First place of each key in a sorted list, and one beyond its last; both 0 before, and so where a key does
/// not occur. Keys for which `begin` has no element are left out.
struct KeyRuns {
  Span<const uint32_t> key;  // ascending
  Span<int> begin, end;      // per key
  HD void operator()(int k) const {
    const uint32_t own = key[k];
    if (own >= uint32_t(begin.size)) return;
    if (k == 0 || key[k - 1] != own) begin[int(own)] = k;
    if (k + 1 == key.size || key[k + 1] != own) end[int(own)] = k + 1;
  }
};

}  // namespace weft
