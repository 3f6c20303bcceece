// Parts that start within each other: a strand in a rigid body, grains that overlap.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/topology.h"

namespace weft {

/// A sentence for each two parts that are within each other at `x` (m), in ways that crossings of triangles
/// do not show: points inside of a solid, lines that cross triangles, grains nearer to what they meet than
/// their radius. It names how much, where, and what to do. At most ten.
std::vector<std::string> parts_within_parts(const Topology& parts, const std::vector<vec3>& x);

}  // namespace weft
