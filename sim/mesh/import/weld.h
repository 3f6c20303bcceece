// Vertices that a file has several times: programs for games split them along sharp edges and texture seams,
// STL at every triangle.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// In place of a distance: no welding.
constexpr float kNoWeld = -1;

/// How far apart coincident points may be, in their unit: numbers that come from different formulas, or
/// through another program's float32, differ in their last digits.
///
///   max(1e-6 d, 2^-22 m)    d   diagonal of their bounds        m   largest coordinate
///
/// The second term is two units in the last place of float32, for meshes far from the origin.
float coincident_distance(const std::vector<vec3>& positions);

/// Per vertex the one that replaces it: itself, or the first of those that it is joined with. Two boundary
/// edges (of one triangle each) whose ends are at most `distance` apart (in the units of the positions; at
/// least coincident_distance) become one edge; more than two coincident edges become one as well. Vertices
/// that touch at a corner only, and interior vertices, are not joined, since they may be separate layers.
/// Deterministic.
std::vector<int> welded_vertices(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                                 float distance);

/// Boundary edges that run along others without being joined with them.
struct NearEdges {
  int count = 0;
  double length = 0;  // of all, in the units of the positions
  ivec2 first{0};     // one of them
};
/// Counts boundary edges that lie along others: at their ends and their middle no further than `distance` and
/// half an edge from one that shares no vertex with them and has nearly their direction (45 degrees).
NearEdges near_boundary_edges(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                              float distance);

}  // namespace weft
