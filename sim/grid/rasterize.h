// Which lattice points lie inside of panels, on the host.
#pragma once
#include "sim/grid/grid.h"

namespace weft::grid {

/// Blocks of all panels, in the order of their panels and rows.
struct Layout {
  std::vector<Panel> panels;
  std::vector<int> table;  // as GridView::table
  std::vector<Block> blocks;
  std::vector<int> panel_of;  // per triangle
  int64_t inside = 0;
};

/// Vertices of a layout.
struct Rasterized {
  std::vector<int> triangle;  // per slot; -1: not inside
  std::vector<vec2> barycentric;
  std::vector<Flags> flags;
  std::vector<Ghost> ghosts;
};

/// The panel of each triangle, numbered in the order of their first triangles: connected parts of the
/// material.
std::vector<int> panels_of(const MaterialMesh& mesh, int& count);

/// Throws Error as Grid's constructor does.
Layout lay_out(const MaterialMesh& mesh, const GridOptions& options);
Rasterized rasterize(const MaterialMesh& mesh, const GridOptions& options, const Layout& layout);
/// Nine per block: blocks around each, GridView::around.
std::vector<int> blocks_around(const Layout& layout);

}  // namespace weft::grid
