// A handle as it is drawn.
#pragma once
#include "sim/step/handle_view.h"

namespace weft {

/// The newest state lags behind the mouse by a step and more, and its target by what the speed limit leaves:
/// the mark is drawn where the hand is.
struct ShownHandle {
  HandleView simulated;  // target and force as of the newest state
  vec3 hand{0};          // where the mouse pulls it; of a scripted handle its target
  bool known = true;     // the simulator has it. Else `simulated` has no force, and its target is its point
  bool operator==(const ShownHandle&) const = default;
};

}  // namespace weft
