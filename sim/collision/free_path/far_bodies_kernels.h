// Finds parts of bodies that are beside all cloth, and moves them.
#pragma once
#include "sim/collision/smooth_field/smooth_field_kernels.h"
#include "sim/collision/surface/contact_surface.h"

namespace weft::two_way {

/// The box around all cloth, in the first entry: of the boxes of chunks (smooth_field::ChunkBoxes).
struct WholeBox {
  Span<smooth_field::Box> box;
  HD void operator()(int) const {
    smooth_field::Box b;
    for (int c = 0; c < box.size; ++c) {
      b.low = glm::min(b.low, box[c].low);
      b.high = glm::max(b.high, box[c].high);
    }
    box[0] = b;
  }
};

/// Of each point of a body the faces of the box beyond which its whole way lies, one bit each.
struct BeyondFaces {
  Span<const vec3> x, y;  // of all points
  int cloth_points = 0;
  Span<const smooth_field::Box> box;
  float margin = 0;  // m, beyond the face
  Span<int> beyond;  // per point of a body
  HD void operator()(int i) const {
    const vec3 from = x[cloth_points + i], to = y[cloth_points + i];
    const vec3 low = glm::min(from, to), high = glm::max(from, to);
    int bits = 0;
    for (int a = 0; a < 3; ++a) {
      if (high[a] < box[0].low[a] - margin) bits |= 1 << a;
      if (low[a] > box[0].high[a] + margin) bits |= 8 << a;
    }
    beyond[i] = bits;
  }
};

/// Moves points that share such a face with all their neighbours to their targets.
struct MoveFarPoints {
  SurfaceNeighbors next;
  Span<const int> beyond;
  int cloth_points = 0;
  Span<const vec3> y;
  Span<vec3> x;
  Span<float> remaining;
  HD void operator()(int i) const {
    const int p = cloth_points + i;
    int bits = beyond[i];
    for (int k = next.ring_start[p]; k < next.ring_start[p + 1]; ++k)
      bits &= beyond[next.ring[k] - cloth_points];
    if (!bits) return;
    x[p] = y[p];
    remaining[p] = 0;
  }
};

}  // namespace weft::two_way
