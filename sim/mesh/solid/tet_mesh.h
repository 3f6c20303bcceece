// Meshes of tetrahedra on the host, their skin, and meshes of boxes.
#pragma once
#include <string>
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Tetrahedra in metres; (b - a) x (c - a) . (d - a) > 0 for each cell.
struct TetMesh {
  std::vector<vec3> positions;
  std::vector<ivec4> cells;
};

/// The faces that belong to one cell alone, turned outward. In the order of cells.
std::vector<ivec3> skin_of(const std::vector<ivec4>& cells);
/// The faces that two cells share, each once; and the edges of all cells, each once, as sort_edges has them.
std::vector<ivec3> inner_faces_of(const std::vector<ivec4>& cells);
std::vector<ivec2> edges_of(const std::vector<ivec4>& cells);

/// Turns cells that are inside out, and drops points that no cell has. Throws Error, which names `file`, if a
/// cell is flat or a face belongs to more than two cells.
TetMesh checked(TetMesh mesh, const std::string& file);

/// A box of these extents (m) about the origin, in cubes whose edges are about `edge` long (m), one at least
/// across each side; five cells to a cube, in turns, so that no direction is stiffer than its mirror image.
TetMesh box_cells(const vec3& size, float edge);

}  // namespace weft
