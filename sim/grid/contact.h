// What vertices of a grid meet: planes, layers, each other.
#pragma once
#include "sim/base/span.h"

namespace weft::grid {

/// A vertex and another that is close; both orders are listed, sorted.
struct Contact {
  int vertex, other;
};

/// Half planes (eq. 10) or layers (eq. 16, 17): a unit vector per slot, packed, and its product with a point, relative to the
/// origin of the slot's block (m).
struct PlaneView {
  Span<const uint32_t> normal;  // empty: none
  Span<const float> offset;
  HD bool any() const { return !normal.empty(); }
};

}  // namespace weft::grid
