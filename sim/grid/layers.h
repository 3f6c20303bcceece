// The layer under a sheet: normals of the resampled frame and how far it is along them (Wang 2021, eq. 16 and
// 17).
#pragma once
#include "sim/device/launch.h"
#include "sim/grid/contact.h"
#include "sim/grid/grid.h"
#include "sim/grid/packed.h"

namespace weft::grid {

/// Normal of a frame at a vertex, weighted by the areas of the triangles around, towards the side of the
/// coarse mesh's normals;
/// 0 where it has no triangle.
HD inline vec3 frame_normal(const GridView& grid, const FixedPositions& x, int v) {
  vec3 sum(0);
  for (int k = 0; k < kNeighbors; ++k) {
    const Offset a = neighbor_offset(k), b = neighbor_offset((k + 1) % kNeighbors);
    const int p = grid.neighbor(v, a.x, a.y), q = grid.neighbor(v, b.x, b.y);
    if (p >= 0 && q >= 0) sum += glm::cross(x.between(v, p), x.between(v, q));
  }
  const float length = sqrtf(glm::dot(sum, sum));
  if (!(length > 0)) return vec3(0);
  return sum / (grid.panel[grid.block[grid.block_of(v)].panel].mirrored ? -length : length);
}

struct FindLayers {
  GridView grid;
  FixedPositions frame;
  Span<uint32_t> normal;
  Span<float> offset;
  HD void operator()(int v) const {
    normal[v] = grid.inside(v) ? pack_unit(frame_normal(grid, frame, v)) : 0;
    offset[v] = normal[v] ? glm::dot(unpack_unit(normal[v]), frame.local[v]) : 0.0f;
  }
};

/// Normals and heights of a frame. Heights are relative to the origins of its blocks: solve from the same
/// origins.
class Layers {
 public:
  Layers(Device& device, const Grid& grid)
      : grid_(&grid),
        normal_(device, "layer of the grid", grid.slot_count()),
        offset_(device, "layer of the grid", grid.slot_count()) {}
  void find(Device& device, const GridPositions& frame);
  PlaneView view() const { return {normal_, offset_}; }
  Span<float> offsets() { return offset_; }

 private:
  const Grid* grid_;
  Buffer<uint32_t> normal_;
  Buffer<float> offset_;
};

}  // namespace weft::grid
