// Sums of counts that may be more than an int can tell.
#pragma once
#include <cstdint>

#include "sim/base/math.h"

namespace weft {

/// Sum of counts; 2^31 - 1 stands for all that is more, so that a list which is to have as many is told from one that fits.
HD inline int saturating_sum(int a, int b) { return a > INT32_MAX - b ? INT32_MAX : a + b; }

}  // namespace weft
