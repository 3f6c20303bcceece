// The triangles of one panel, in its plane.
#pragma once
#include <string>
#include <vector>

#include "sim/garment/boundary_samples.h"

namespace weft {

/// Counter-clockwise triangles; the boundary's samples come first, in their order.
struct PanelMesh {
  std::vector<dvec2> points;  // m
  std::vector<ivec3> triangles;
  int boundary = 0;
  std::vector<int> held = {};  // of each point that was asked for: its number
};

/// Meshes a panel between the samples of its boundary, which stay as they are: samples inside
/// (planar_sampling.h), Delaunay, even edges (evening.h). No inner edge joins two vertices that are both
/// sewn, so that welding joins boundary edges only. Returns in `too_long` the boundary lines that Delaunay
/// would cut across, which must be halved first; the mesh is then empty. `held`: points inside that are to be
/// vertices, and are sewn. Throws Error, with `where` in front, for boundaries that cross or touch and for
/// held points within about an edge length of each other or of the boundary. Deterministic.
PanelMesh mesh_panel(const PanelBoundary& boundary, const std::vector<char>& sewn, double edge,
                     const std::string& where, std::vector<int>& too_long,
                     const std::vector<dvec2>& held = {});

}  // namespace weft
