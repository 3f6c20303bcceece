// Vertices that a file has several times: programs for games split them along sharp edges and texture seams, STL at every triangle.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Instead of a distance: nothing is joined.
constexpr float kNoWeld = -1;

/// Per vertex the one that it becomes: itself, or the first of those that it is joined with. Two boundary edges (of one triangle each) whose ends
/// are no further than `distance` (in the units of the positions; 0: at exactly the same place) apart become one edge; all that lie in one place
/// do. What touches at a corner alone, and vertices inside of a surface, stay apart: those may be layers. Deterministic.
std::vector<int> welded_vertices(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles, float distance);

}  // namespace weft
