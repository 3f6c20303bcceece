#pragma once
#include <utility>

#include "sim/grid/sewn_surface.h"

namespace weft::grid {

/// Without outlines: the planar triangles of the lattice alone.
inline SewnSurface unsewn(const Grid& grid) {
  Grid::Published p = grid.published();
  SewnSurface out;
  out.vertices = std::move(p.vertices), out.triangles = std::move(p.triangles),
  out.material = std::move(p.material);
  out.lattice_triangles = int(out.triangles.size());
  return out;
}

}  // namespace weft::grid
