// Kernels of rigid bodies on a path without crossings: their points go forward together.
#pragma once
#include <cstring>

#include "sim/collision/free_path/step_kernels.h"
#include "sim/linear/affine_kernels.h"

namespace weft {

namespace two_way {

/// All points of a body take the share of their paths that the least free of them has. A body with a point of
/// which not all pairs are known stays.
struct ShareOfBodies {
  AffineView view;
  FarthestShare farthest;
  Span<const vec3> x, y;  // m
  Span<float> share;
  static constexpr bool kLongRows = true;
  HD void operator()(int b) const { row<OneRow>(b); }
  template <class L>
  HD void row(int b) const {
    const AffineBody body = view.body[b];
    float least = 1;
    affine::each_point<L>(body,
                          [&](int i) { least = glm::min(least, farthest(i, x[i], y[i] - x[i], share[i])); });
    least = smallest<L>(least);
    affine::each_point<L>(body, [&](int i) { share[i] = least; });
  }
  /// The smallest of what the threads of a row have, from 0 to 1: by its bits, which are in the order of such
  /// numbers, from the highest, of 1 less those of a number.
  template <class L>
  HD static float smallest(float value) {
    const unsigned whole = bits_of(1.0f), own = whole - bits_of(value);
    unsigned found = 0;
    for (int bit = 31; bit >= 0; --bit) {
      const unsigned one = 1u << bit, tried = found | one;
      if (RowParts<L>::all(own >= tried ? one : 0u)) found = tried;
    }
    return float_of(whole - found);
  }
  HD static unsigned bits_of(float v) {
    unsigned b;
    memcpy(&b, &v, sizeof b);
    return b;
  }
  HD static float float_of(unsigned b) {
    float v;
    memcpy(&v, &b, sizeof v);
    return v;
  }
};

/// Where all points move together: a body with a point of which not all pairs are known stays.
struct KnownBodies {
  AffineView view;
  Span<const int> covered;
  Span<const vec3> x;
  Span<vec3> target;
  static constexpr bool kLongRows = true;
  HD void operator()(int b) const { row<OneRow>(b); }
  template <class L>
  HD void row(int b) const {
    const AffineBody body = view.body[b];
    unsigned unknown = 0;
    affine::each_point<L>(body, [&](int i) { unknown |= covered[i] ? 0u : 1u; });
    if (!RowParts<L>::all(unknown)) return;
    affine::each_point<L>(body, [&](int i) { target[i] = x[i]; });
  }
};

}  // namespace two_way

}  // namespace weft
