// What the springs of a step are made of. Shared by the solvers, so that they lower the same energy.
#pragma once
#include "sim/step_context.h"

namespace weft {

/// Modulus (N/m) of the spring between vertices v and w. `stands_in`: next to finite elements springs bring no force of their own; they
/// lock where the strain limit asks for it, and on the full mesh bound the elements' tangent.
float spring_modulus(const StepContext& c, int v, int w, bool stands_in);
/// Stretch (length over rest length) at which the springs at vertex v begin to lock.
float lock_begin(const StepContext& c, int v);

}  // namespace weft
