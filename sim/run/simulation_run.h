// The parts and then the obstacles of a running scene as one list of vertices: the order of every export.
#pragma once
#include "sim/files/run.h"
#include "sim/run/simulation.h"

namespace weft {

RunInfo run_info_of(Simulation& simulation);
/// A run of `steps` from the scene `start`, as a recording: with the parameters that differ from its file,
/// and without budgets, since what those did is in the commands and a repetition reads no clock.
HandRecording recording_of(Scene start, int steps, std::vector<TimedCommand> commands);
/// Gives a group the cells and lines of its part, out of those of all parts; strands and grains are
/// `thickness` wide (m). The one cell of a rigid body is none of its shape and is left out.
void add_elements(const ModelPart& part, const std::vector<ivec4>& cells, const std::vector<ivec2>& lines,
                  float thickness, RunGroup& group);
/// The present state: all cloth vertices, then each obstacle's as its motion has placed it, in world space.
void read_state(Simulation& simulation, RunFrame& out);

}  // namespace weft
