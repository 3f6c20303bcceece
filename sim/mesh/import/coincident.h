// Vertices in the places of others, to rounding.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Vertices, ascending, that lie within coincident_distance (weld.h) of one with a lower number.
std::vector<int> coincident_vertices(const std::vector<vec3>& positions);

}  // namespace weft
