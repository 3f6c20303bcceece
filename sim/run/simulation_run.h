// The cloths and then the obstacles of a running scene as one list of vertices: the order of every export.
#pragma once
#include "sim/files/run.h"
#include "sim/run/simulation.h"

namespace weft {

RunInfo run_info_of(Simulation& simulation);
/// The present state: all cloth vertices, then each obstacle's as its motion has placed it, in world space.
void read_state(Simulation& simulation, RunFrame& out);

}  // namespace weft
