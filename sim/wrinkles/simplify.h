// What is published of a fine surface: all of it, or fewer triangles (Wang 2021, section 6.4).
#pragma once
#include "sim/grid/grid.h"
#include "sim/mesh/quadtree.h"

namespace weft::wrinkles {

/// Simplifies a frame of a grid's surface, panel by panel. Keeps where the surface lies in memory of the host.
class Simplifier {
 public:
  explicit Simplifier(const grid::Grid& grid);
  struct Result {
    std::vector<int> vertices;     // numbers in Published::vertices, increasing
    std::vector<ivec3> triangles;  // numbers in `vertices`, oriented like the coarse mesh
  };
  /// `positions`: one per published vertex, m. Guarantees of `simplified` (sim/mesh/quadtree.h) within each panel.
  Result run(const std::vector<vec3>& positions, float tolerance) const;

 private:
  struct Panel {
    GridSurface surface;      // positions are filled in by `run`
    std::vector<int> number;  // place in Published::vertices per entry, -1: none
    bool mirrored = false;
  };
  std::vector<Panel> panels_;
};

}  // namespace weft::wrinkles
