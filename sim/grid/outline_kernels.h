// Kernels of vertices on panels' outlines.
#pragma once
#include "sim/device/launch.h"
#include "sim/grid/grid_view.h"

namespace weft::grid {

/// A vertex on a panel's outline or beside it: a point of the coarse mesh, moved by what its carriers are
/// moved from the resampled frame.
struct OutlinePoint {
  ivec3 corner{0};           // vertices of the coarse mesh
  vec2 weight{0};            // of the second and the third
  int first = 0, count = 0;  // its carriers
};
/// A vertex of a grid and its weight.
struct Carrier {
  int slot;
  float weight;
};

/// World positions of outline vertices, m: `base` on the coarse frame, `at` with the displacement.
struct PlaceOutline {
  Span<const OutlinePoint> point;
  Span<const Carrier> carrier;
  FixedPositions x, frame;
  Span<const vec3> coarse;
  Span<vec3> base, at;

  HD void operator()(int i) const {
    const OutlinePoint p = point[i];
    const vec3 from = coarse[p.corner.x];
    base[i] = from + (p.weight.x * (coarse[p.corner.y] - from) + p.weight.y * (coarse[p.corner.z] - from));
    vec3 displacement(0);
    for (int k = p.first; k < p.first + p.count; ++k) {
      const int v = carrier[k].slot, b = v >> x.log_slots;
      displacement += carrier[k].weight * (x.local[v] - frame.local[v] + (x.origin[b] - frame.origin[b]));
    }
    at[i] = base[i] + displacement;
  }
};

}  // namespace weft::grid
