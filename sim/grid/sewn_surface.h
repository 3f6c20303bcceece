// The surface of a grid with the panels' outlines: triangles reach the panels' edges, and panels share what
// they are sewn along.
#pragma once
#include "sim/grid/grid.h"
#include "sim/grid/outline_kernels.h"

namespace weft::grid {

/// A surface of a grid. Vertices of the lattice come first, then those of the outline.
struct SewnSurface {
  std::vector<int> vertices;  // slots, ascending
  std::vector<OutlinePoint> outline;
  std::vector<Carrier> carriers;
  std::vector<ivec3> triangles;  // oriented like the coarse mesh; those of the lattice come first
  int lattice_triangles = 0;
  std::vector<vec2> material;        // m, per vertex: its place in one of its panels
  std::vector<vec2> points;          // m: places of vertices in each of their panels
  std::vector<ivec3> corners;        // per triangle, numbers in `points`; empty: those of vertices
  std::vector<int> without_outline;  // panels that have the triangles of their lattice alone

  int vertex_count() const { return int(vertices.size() + outline.size()); }
};

/// The lattice of each panel up to 0.35 cells before its outline, and between the two a Delaunay
/// triangulation in the material. The outline is that of the coarse mesh in parts of about a cell, with
/// vertices between where a panel is narrow; edges of the coarse mesh that several panels have in common have
/// the same vertices in each, so that seams have no gap, and no triangle lies across one. A panel whose
/// outline crosses or touches itself in the material, as at a slit without width, keeps the triangles of its
/// lattice alone: its seams have gaps.
SewnSurface sewn(const Grid& grid, const MaterialMesh& mesh);

/// Memory of OutlineVertices for a grid over these panels, bytes; of panels narrower than about two cells,
/// which have vertices between outlines too, it may be more.
size_t outline_bytes(const MaterialMesh& mesh, const GridOptions& options);

/// Where the outline vertices of a surface are.
class OutlineVertices {
 public:
  OutlineVertices(Device& device, const SewnSurface& surface);
  /// `x`, `frame`: positions now and of the resampled frame; `coarse`: the coarse frame, device memory.
  /// Queues only.
  void place(Device& device, const FixedPositions& x, const FixedPositions& frame, Span<const vec3> coarse);
  /// World positions, m: on the coarse frame, and moved.
  Span<const vec3> base() const { return base_; }
  Span<vec3> at() { return at_; }
  size_t bytes() const;

 private:
  Buffer<OutlinePoint> point_;
  Buffer<Carrier> carrier_;
  Buffer<vec3> base_, at_;
};

/// World positions of a surface's vertices, m. `x`: per slot; `outline`: of its outline vertices.
std::vector<vec3> surface_positions(const SewnSurface& surface, const std::vector<dvec3>& x,
                                    Span<const vec3> outline);

}  // namespace weft::grid
