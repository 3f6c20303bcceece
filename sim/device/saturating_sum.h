// Sums of counts that may exceed an int.
#pragma once
#include <cstdint>

#include "sim/base/math.h"

namespace weft {

/// Sum of counts, limited to 2^31 - 1, so that a list that would need more is not mistaken for one that fits.
HD inline int saturating_sum(int a, int b) { return a > INT32_MAX - b ? INT32_MAX : a + b; }

}  // namespace weft
