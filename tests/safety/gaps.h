// Numbers of interest beside the yes or no: how close the cloth comes to itself, and how deep it lies in a
// body.
#pragma once
#include <span>

#include "tests/safety/crossings.h"

namespace weft::check {

struct VertexGap {
  int a = -1, b = -1;   // vertices; -1: there are no two that are far enough apart in the mesh
  double distance = 0;  // metres
};
/// The two cloth vertices that are closest in space among those more than two edges apart in the mesh.
VertexGap smallest_gap(std::span<const dvec3> positions, const Surface& surface);

struct BodyDepth {
  bool closed = false;  // every edge has a neighbour of opposite direction; else the rest is not filled in
  int inside = 0;       // vertices within the body, exactly; one on its surface may count as either
  int vertex = -1;      // the deepest; -1: none
  double depth = 0;     // its distance from the surface in metres, in double precision
};
/// How deep cloth vertices lie in one body. `triangles`: of the body, closed, with either side out.
/// `vertices`: what is asked about.
/// Throws Error for positions that are no numbers and indices out of range.
BodyDepth deepest_inside(std::span<const dvec3> positions, std::span<const ivec3> triangles,
                         std::span<const int> vertices);

}  // namespace weft::check
