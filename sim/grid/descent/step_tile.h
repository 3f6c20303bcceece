// The tiles of the kernels of block_step.h.
#pragma once
#include "sim/device/lanes.h"
#include "sim/grid/descent/fabric.h"
#include "sim/grid/launch_blocks.h"

namespace weft::block_descent {

/// A tile: arrays of floats over its elements.
template <int W, class Sheet>
struct UniformTile {
  static constexpr int kSize = TileShape<W>::kSize;
  using Row = float[kSize];
  static constexpr int kForces = Sheet::kTriangles ? 12 : 1;
  Row x[2][3];    // position, two copies
  Row p[6];       // P⁻¹; on loading p[0] holds what is isotropic in P
  Row outer[3];   // sum of a_j x_j over the outer ring
  Row outer_sum;  // sum of their a_j
  // of triangles on corners 1 and 2: lower, upper; before, the first row has the factor on hinges
  Row force[kForces];
  Row first[3];  // g at the start
  Row start[3];  // constant force
  Row plane[4], layer[4];
  Row contact_gradient[3];       // and of anchors
  int contact[kSize];            // place in the list, -1: none
  int planes, layers, contacts;  // whether the block has any
  float air;                     // Pa, with the sign of the panel's side

  static void fill(Row& row, float v) {
    for (float& e : row) e = v;
  }
  /// What lanes read of elements that do not move, past the last row too, is finite, and 0 where it is a
  /// force. `all`: planes and layers too.
  void clear(bool all) {
    fill(p[0], -1);
    for (int c = 0; c < 3; ++c) fill(start[c], 0);
    if (all)
      for (int c = 0; c < 4; ++c) fill(plane[c], 0), fill(layer[c], 0);
    if (all)
      for (int c = 0; c < 3; ++c) fill(contact_gradient[c], 0);
    for (int e = kSize - 2 * kLanes; e < kSize; ++e)
      for (auto& copy : x)
        for (auto& row : copy) row[e] = 0;
  }
};

/// And what differs from element to element where a block is not whole or its rest shape is modified.
template <int W, class Sheet>
struct GeneralTile : UniformTile<W, Sheet> {
  using Uniform = UniformTile<W, Sheet>;
  using typename Uniform::Row;
  Row bend[6];    // a_j of the six neighbours
  Row two[6];     // of the outer ring: NW, SE, E, N, W, S
  Row half[3];    // share of the edges to (1,0), (1,1), (0,1) that exists: 0, 1/2, 1
  Row length[3];  // of these edges at rest, over the grid's
  Row exists[2];  // lower and upper triangle: its factor in the plane where there is one, else 0
  Flags flag[Uniform::kSize];

  void clear(bool all) {
    Uniform::clear(all);
    for (auto& row : length) Uniform::fill(row, 1);
    for (auto& row : half) Uniform::fill(row, 0);
    for (auto& row : exists) Uniform::fill(row, 0);
  }
};

template <class L, class Row>
HD inline Vec3<typename L::Real> load_vector(const Row* rows, int e) {
  return {L::load(&rows[0][e]), L::load(&rows[1][e]), L::load(&rows[2][e])};
}
template <class L, class Row>
HD inline void store_vector(Row* rows, int e, const Vec3<typename L::Real>& v) {
  L::store(&rows[0][e], v.x), L::store(&rows[1][e], v.y), L::store(&rows[2][e], v.z);
}

}  // namespace weft::block_descent
