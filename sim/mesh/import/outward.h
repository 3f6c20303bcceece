// Orientation of closed surfaces: outwards, as the sign of a body's distance needs it.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

/// Flips closed parts (connected by edges) that enclose a negative volume, with all parts inside them, so
/// that cavities keep facing inwards. Open parts are flipped according to the volume with their holes closed,
/// if the holes are small (up to a third of the part's area): sleeves and torsos, not bowls and sheets.
/// `notices` receives what was flipped, with `owner` in front, and with `asks_for_inside` the open parts.
void turn_outward(TriMesh& mesh, const std::string& owner, std::vector<std::string>& notices,
                  bool asks_for_inside = true);

}  // namespace weft
