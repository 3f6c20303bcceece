// Seams between panels: grids of two panels never match, so points along the edge are held together (Wang
// 2021, section 4.2).
#pragma once
#include "sim/grid/grid.h"
#include "sim/grid/seam_kernels.h"

namespace weft::grid {

/// Points along the seams of a coarse mesh: edges whose two triangles have different material points. Both
/// sides have the same points of the coarse edge, a cell apart.
std::vector<SeamPoint> seam_points(const Grid& grid, const MaterialMesh& mesh);

/// Vertices that are near to each other across a seam as others are on their grid, so that repulsion must not
/// push them apart: those whose path over a point that their panels have in common is shorter than `reach`
/// (m). Also of one panel that is sewn to itself. Both orders of each pair, sorted; paths are told apart to
/// within a sixteenth of a cell.
std::vector<SeamPair> seam_neighbors(const Grid& grid, const MaterialMesh& mesh, double reach);

class Seams {
 public:
  Seams(Device& device, const std::vector<SeamPoint>& points);
  int count() const { return point_.size(); }
  /// Sweeps over all points: each moves the vertices of both sides so that they meet, as far as others let
  /// them. `pinned`: as
  /// GridProblem::pinned. Queues only.
  void pull(Device& device, PositionsView x, Span<const unsigned char> pinned, int sweeps);
  /// The widest gap now, m. Waits for the device.
  float widest(Device& device, FixedPositions x);

 private:
  Buffer<SeamPoint> point_;
  Buffer<int> vertex_, start_, entry_;
  Buffer<vec3> gap_, push_;
};

}  // namespace weft::grid
