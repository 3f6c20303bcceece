// What vertices of a grid meet: planes, layers, each other.
#pragma once
#include "sim/base/span.h"

namespace weft::grid {

/// A vertex and another that is close; both orders are listed, sorted.
struct Contact {
  int vertex, other;
};

/// Half planes (eq. 10) or layers (eq. 16, 17): a unit vector per slot, packed, and its product with a point,
/// relative to the origin of the slot's block (m).
struct PlaneView {
  Span<const uint32_t> normal;  // empty: none
  Span<const float> offset;
  HD bool any() const { return !normal.empty(); }
};

constexpr int kCollisionSide = 4;  // a collision block is 4 x 4 vertices

/// The collision block of slot v in a grid of blocks of `width` vertices: block * (width / 4)² + row * width
/// / 4 + column.
HD inline int collision_block(int v, int width) {
  const int local = v % (width * width), per_row = width / kCollisionSide;
  return (v / (width * width) * per_row + local / width / kCollisionSide) * per_row +
         local % width / kCollisionSide;
}

}  // namespace weft::grid
