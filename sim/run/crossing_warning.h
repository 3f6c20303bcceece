// States that cross although their collision method keeps from crossing only what does not cross yet.
#pragma once
#include <string>

#include "sim/methods/collision_handler.h"
#include "sim/run/simulation.h"

namespace weft {

/// What a method rules out: triangles of the cloth that cross each other (1), or a body (2).
enum : unsigned { kCrossesItself = 1, kCrossesBodies = 2 };
unsigned promise_bits(const Guarantee& guarantee);

/// How many triangles of the cloth are crossed now, by each other and by bodies, of the kinds in `bits`.
struct StateCrossings {
  int own = 0, with_bodies = 0;  // triangles of the cloth, each once
  std::string first = {};        // a pair that crosses and where, in words: "triangle 3 of sheet and triangle 9 of sheet, near (0, 1, 0) m"
  int split = 0;                 // vertices of boundary edges that lie within kSplit of other such edges of the same cloth, where triangles of the cloth cross
};
/// Planes are left out. Waits for the device; about a microsecond per vertex.
StateCrossings state_crossings(Simulation& simulation, unsigned bits);

/// What people should know of them, and can do; empty where nothing crosses.
std::string crossing_warning(const StateCrossings& crossings, bool at_start = true);
/// Instead of what the method promises, for a state that crossed when it began; empty where nothing crosses.
std::string crossing_remark(const StateCrossings& crossings);

}  // namespace weft
