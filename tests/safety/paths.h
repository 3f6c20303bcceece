// What touches on the path from one state to the next, when every vertex moves in a straight line.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "tests/safety/crossings.h"

namespace weft::check {

struct PathContact {
  bool edges = false;  // two edges; else a vertex and a triangle
  // vertex and the triangle's corners, or the ends of the one edge and of the other
  std::array<int, 4> vertices;
  double time = 0;    // share of the path, 0 to 1, before which this pair provably does not touch
  bool body = false;  // one of the two belongs to a body
};

/// Every vertex and triangle, and every two edges, without a common vertex, that touch. None that touches is
/// left out; which others may be reported, see path_pairs.h. `start`, `end`: positions in metres, one per
/// vertex. Vertices of no triangle are not tested, and bodies not against bodies. Ordered by time. Throws
/// Error as find_crossings does, and for lists of different length.
/// Lines meet as edges do, and the edges of triangles; their ends meet triangles.
/// A path is safe if it starts in a state without crossings and this finds nothing.
std::vector<PathContact> find_path_contacts(std::span<const dvec3> start, std::span<const dvec3> end,
                                            const Surface& surface);
std::vector<PathContact> find_path_contacts(std::span<const vec3> start, std::span<const vec3> end,
                                            const Surface& surface);

}  // namespace weft::check
