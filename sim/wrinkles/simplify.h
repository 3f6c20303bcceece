// What is published of a fine surface: all of it, or fewer triangles (Wang 2021, section 6.4).
#pragma once
#include "sim/grid/sewn_surface.h"
#include "sim/mesh/algorithms/quadtree.h"

namespace weft::wrinkles {

/// Simplifies a frame of a surface: the lattice of each panel. Triangles along outlines stay as they are, and
/// so
/// do the lattice's vertices that they touch, so that seams stay closed. The surface must outlive it.
class Simplifier {
 public:
  Simplifier(const grid::Grid& grid, const grid::SewnSurface& surface);
  struct Result {
    std::vector<int> vertices;     // numbers in the surface, increasing
    std::vector<ivec3> triangles;  // numbers in `vertices`, oriented like the coarse mesh
    std::vector<ivec3> corners;    // per triangle, numbers in SewnSurface::points; empty where that has none
  };
  /// `positions`: one per vertex of the surface, m. Guarantees of `simplified`
  /// (sim/mesh/algorithms/quadtree.h) within each panel.
  Result run(const std::vector<vec3>& positions, float tolerance) const;

 private:
  struct Panel {
    GridSurface surface;      // positions are filled in by `run`
    std::vector<int> number;  // of the surface's vertex per entry, -1: none
    bool mirrored = false;
  };
  const grid::SewnSurface* surface_;
  std::vector<Panel> panels_;
};

}  // namespace weft::wrinkles
