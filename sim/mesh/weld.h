// Vertices that a file has several times: programs for games split them along sharp edges and texture seams,
// STL at every triangle.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// In place of a distance: no welding.
constexpr float kNoWeld = -1;

/// Per vertex the one that replaces it: itself, or the first of those that it is joined with. Two boundary
/// edges (of one triangle each) whose ends are at most `distance` apart (in the units of the positions; 0:
/// exactly coincident) become one edge; more than two coincident edges become one as well. Vertices that
/// touch at a corner only, and interior vertices, are not joined, since they may be separate layers.
/// Deterministic.
std::vector<int> welded_vertices(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                                 float distance);

}  // namespace weft
