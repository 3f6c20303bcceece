// Mass of a rigid body: its volume, and points inside that carry what its surface does not.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

/// Six points inside of a body, which with the points of its surface have its mass, its centre and its
/// moments of inertia exactly, though the surface's have a share of it by their areas alone. The first
/// four are the corners of a tetrahedron, positive as in Topology::cells: how the body moves and changes
/// its shape as a whole is how that does.
struct RigidFrame {
  static constexpr int kPoints = 6;
  std::vector<vec3> points;
  std::vector<float>
      share;          // of the body's mass: of each point of the surface, then of the six; they sum to 1
  double volume = 0;  // m³
};

/// Of a closed surface (m), turned outward. Throws Error, which names `what`, if it has no volume.
RigidFrame rigid_frame(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                       const std::string& what);

}  // namespace weft
