// Closed surfaces that look outwards, as the sign of a body's distance needs them.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

/// Turns the triangles of closed parts (connected by edges) that enclose a negative volume, with all that they enclose: a cavity keeps looking inwards.
/// What is open stays as it is. `notices` tells of both, with `owner` in front.
void turn_outward(TriMesh& mesh, const std::string& owner, std::vector<std::string>& notices);

}  // namespace weft
