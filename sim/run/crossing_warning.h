// Crossings in states of a method that prevents only new ones.
#pragma once
#include <string>
#include <vector>

#include "sim/methods/collision_handler.h"
#include "sim/run/simulation.h"

namespace weft {

/// Crossings that a method rules out: cloth with itself (1), cloth with a body (2).
enum : unsigned { kCrossesItself = 1, kCrossesBodies = 2 };
unsigned promise_bits(const Guarantee& guarantee);

/// Number of the cloth's triangles that cross each other and bodies, of the kinds in `bits`.
struct StateCrossings {
  int own = 0, with_bodies = 0;  // triangles of the cloth, each once
  // a pair that crosses and where, in words: "triangle 3 of sheet and triangle 9 of sheet, near (0, 1, 0) m"
  std::string first = {};
  // where they are, if in several places: "in 3 places, most triangles near (0, 1, 0), (0.2, 1, 0) and (0,
  // 0.5, 0) m"
  std::string places = {};
  std::string repair = {};  // what else repairs a start in a body, in words
  // vertices of boundary edges that lie within kSplit of other such edges of the same cloth, where triangles
  // of the cloth cross
  int split = 0;
  std::vector<std::string> parts = {};  // sentences about parts within each other (part_starts.h)
};
/// Planes are left out. Waits for the device; about a microsecond per vertex.
StateCrossings state_crossings(Simulation& simulation, unsigned bits);

/// A message about the crossings and what to do; empty if there are none.
std::string crossing_warning(const StateCrossings& crossings, bool at_start = true);
/// Replaces the statement of the guarantee for a state that crossed when the method began; empty if there are
/// no crossings.
std::string crossing_remark(const StateCrossings& crossings);

}  // namespace weft
