// Closed surfaces that look outwards, as the sign of a body's distance needs them.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

/// Turns the triangles of closed parts (connected by edges) that enclose a negative volume, with all that they enclose: a cavity keeps looking inwards.
/// Open parts are turned by what they would enclose with their holes closed, where these are small against the part (a third of its area): sleeves and torsos,
/// not bowls and sheets, which look where they look. `notices` tells of what was turned, with `owner` in front, and, if somebody `asks_for_inside`,
/// of what is open.
void turn_outward(TriMesh& mesh, const std::string& owner, std::vector<std::string>& notices, bool asks_for_inside = true);

}  // namespace weft
