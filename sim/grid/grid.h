// Regular grids over the panels of a coarse mesh (Wang 2021, sections 3 and 4.1).
#pragma once
#include <cstdint>
#include <vector>

#include "sim/device/buffer.h"
#include "sim/grid/grid_view.h"
#include "sim/mesh/mesh.h"

namespace weft::grid {

/// The coarse mesh in material space.
struct MaterialMesh {
  std::vector<dvec2> point;      // m
  std::vector<ivec3> corners;    // per triangle, indices of `point`
  std::vector<ivec3> triangles;  // per triangle, vertices of the coarse mesh
};
/// From material coordinates of corners, where they are the rest shape, else of vertices, else from the rest
/// shape seen along its mean normal. Throws Error for a mesh without triangles.
MaterialMesh material_mesh(const TriMesh& mesh);

struct GridOptions {
  float cell = 0.5e-3f;  // m
  int block_width = 8;   // W: 8, 16, 32 or 64
  float margin =
      0;  // m between a panel's least coordinates and its lattice's; grids of several levels share it
  int ghost_cells = 0;  // width of the band around closed panels, in cells
};

/// Size of a grid before it is made.
struct GridNeed {
  int64_t vertices = 0;  // inside, without ghosts
  int64_t blocks = 0, slots = 0;
  size_t bytes = 0;  // of the grid and of `positions` sets of positions
  double bytes_per_vertex() const { return double(bytes) / double(vertices > 0 ? vertices : 1); }
};

/// One grid per panel: a panel is a connected part of the material mesh. Fixed once made; positions are kept
/// apart
/// (GridPositions). All arrays per slot.
class Grid {
 public:
  /// Throws Error where options are out of range, the panels have no vertex inside, or an index would not
  /// name a slot.
  Grid(Device& device, const MaterialMesh& mesh, const GridOptions& options);

  /// Counts without allocating; `positions`: sets of positions that go with it.
  static GridNeed need(const MaterialMesh& mesh, const GridOptions& options, int positions = 1);

  const GridOptions& options() const { return options_; }
  Device& device() const { return *device_; }
  int block_count() const { return block_.size(); }
  int slot_count() const { return flags_.size(); }
  /// Vertices inside, without ghosts.
  int vertex_count() const { return inside_; }
  GridView view() const;
  size_t bytes() const;

  /// Vertices of the bands around closed panels.
  Span<const Ghost> ghosts() const { return ghost_; }

  /// What a surface of the grid consists of. `vertices`: slots of triangles' corners, ascending, without
  /// ghosts; `triangles`: planar triangles by their places in `vertices`, oriented like the coarse mesh.
  struct Published {
    std::vector<int> vertices;
    std::vector<ivec3> triangles;
    std::vector<vec2> material;  // m, per vertex
  };
  Published published() const;

 private:
  Device* device_;
  GridOptions options_;
  int inside_ = 0;
  Buffer<Block> block_;
  Buffer<int> around_;
  Buffer<Panel> panel_;
  Buffer<int> table_;
  Buffer<Flags> flags_;
  Buffer<int> triangle_;
  Buffer<vec2> barycentric_;
  Buffer<Ghost> ghost_;
};

/// Positions of a grid's vertices on its device. Slots that are not inside hold the block's origin.
struct GridPositions {
  GridPositions(Device& device, const Grid& grid);
  PositionsView view();
  FixedPositions view() const;
  /// Takes origins and offsets of another set of the same grid.
  void copy_from(const GridPositions& other);
  /// World positions per slot, m.
  std::vector<dvec3> download() const;
  /// Places each block's origin near the mean of its vertices inside, then takes world positions per slot
  /// (m).
  void upload(const Grid& grid, const std::vector<dvec3>& world);

  Buffer<vec3> origin;  // per block
  Buffer<vec3> local;   // per slot
  int log_slots = 6;
};

/// Positions of the coarse frame at every vertex (x-bar): barycentric in its coarse triangle. Places origins
/// anew.
/// `coarse`: device memory, one per vertex of the coarse mesh (m); `triangles` as MaterialMesh::triangles.
void resample(Device& device, const Grid& grid, Span<const ivec3> triangles, Span<const vec3> coarse,
              GridPositions& out);

/// Puts the ghosts of closed panels at angle `theta` (rad) to the sheet at their nearest vertex inside (eq.
/// 3):
///
///   x_g = x_i + cos theta (x e_x + y e_y) - sin theta |(x, y)| n
///
/// with the sheet's frame (e_x, e_y, n) at x_i: unit vectors, e_x and e_y equally far from the sheet's own
/// axes, n towards the side of the coarse mesh's normals. (Equation 3's tangent and binormal are e_x and e_y
/// turned; the sum is the same.)
void place_ghosts(Device& device, const Grid& grid, float theta, GridPositions& x);

/// Grids whose cells double from level to level: level 0 is the finest, and every vertex of a coarser lattice
/// is one of the finer lattice.
class GridLevels {
 public:
  GridLevels(Device& device, const MaterialMesh& mesh, GridOptions options, int levels);
  static GridNeed need(const MaterialMesh& mesh, GridOptions options, int levels, int positions = 1);
  int count() const { return int(level_.size()); }
  Grid& operator[](int l) { return level_[l]; }
  const Grid& operator[](int l) const { return level_[l]; }

 private:
  std::vector<Grid> level_;
};

/// Takes positions of a coarser grid to the next finer one. A vertex of both keeps its position, one in the
/// middle of a coarse edge gets the mean of its ends: linear on the coarse triangles, which makes no new
/// crossing. Where an end is missing
/// (at an open boundary) the vertex is moved from its place in the resampled frame, `fine_frame`, by the
/// displacement of the other end, or of the nearest coarse vertices that exist, from theirs in
/// `coarse_frame`. Origins are those of
/// `fine_frame`.
void upsample(Device& device, const Grid& coarse, const Grid& fine, const GridPositions& coarse_x,
              const GridPositions& coarse_frame, const GridPositions& fine_frame, GridPositions& fine_x);

}  // namespace weft::grid
