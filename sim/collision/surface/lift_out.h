// Lifts cloth that is slightly inside bodies out of them, so that a method that separates them can be used.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Cloth and bodies as ContactSurface has them: points and triangles of the cloth first.
struct SurfaceCounts {
  int cloth_points = 0, cloth_triangles = 0;
};

/// Crossings that hang together: pairs with a vertex in common.
struct CrossingPlace {
  vec3 middle{0};     // of the cloth's triangles there, m
  int triangles = 0;  // of the cloth
};

/// Crossings of a state.
struct SurfaceCrossings {
  int own = 0, with_bodies = 0;              // triangles of the cloth that cross the cloth; a body. Each once
  ivec2 first_own{-1}, first_with_body{-1};  // the first pair of each, as numbers of `triangles`; -1: none
  // per point the crossings of its triangles: 1 of cloth with cloth, 2 of cloth with a body, or both; empty:
  // none
  std::vector<int> points;
  std::vector<CrossingPlace> places;  // those with most triangles first
};
/// Exact (see crossing_triangles). On the host, about a microsecond per vertex.
SurfaceCrossings surface_crossings(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                                   SurfaceCounts counts);

struct LiftOut {
  int triangles = 0;   // triangles of the cloth that crossed bodies before
  float farthest = 0;  // m that a vertex was moved
  bool moved = false;  // false: nothing crossed, or the cloth could not be lifted and is unchanged
};
/// Moves vertices of triangles that cross bodies outwards, along the normals of the crossed surface, in small
/// steps until nothing crosses and the distance is about `clearance` (m); layers above follow. Vertices move
/// by at most `most` (m). If that does not suffice, or would make the cloth cross itself elsewhere, positions
/// are unchanged. Bodies' triangles are counter-clockwise seen from outside. Ground and planes are ignored,
/// since they have no triangles.
LiftOut lift_out_of_bodies(std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                           SurfaceCounts counts, float clearance, float most);

}  // namespace weft
