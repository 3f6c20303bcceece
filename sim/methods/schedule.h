// How a collision method divides the solver's iterations of a time step. The stepper drives it.
#pragma once
#include <vector>

#include "sim/base/span.h"

namespace weft {

/// Free iterations, then rounds of iterations with contact. Flags are one element each on the device, so that
/// loops end there.
struct Schedule {
  int free = 0;           // iterations without contact, which are a round of their own
  std::vector<int> ends;  // ascending, from `free` on: iterations after which a round ends
  // 0: nothing is left to do in this round's iterations; they are left out, but for the step's first and
  // last. Empty: none is.
  Span<const int> iterate = {};
  // 0: what stands at the end of a round is left out. Empty: never. At the end of the free iterations never.
  Span<const int> goes_on = {};
};

}  // namespace weft
