// Kernels of seams.
#pragma once
#include "sim/device/launch.h"
#include "sim/grid/grid_view.h"

namespace weft::grid {

/// A point of a seam: on either side three vertices of one grid triangle and their weights, whose sum is 1
/// (outside of the triangle where the lattice ends before the panel's edge).
struct SeamPoint {
  int vertex[2][3];
  float weight[2][3];
};

/// Vertices on both sides of a seam and the length of the path between them in the material, m.
struct SeamPair {
  int vertex, other;
  float path;
};

/// Offset between the two sides of each point, m, over what its correction moves: (x_a - x_b) / sum of
/// squared weights of the vertices that may move. That sum is taken as a quarter of all at least: where a
/// vertex of small weight alone may move, it would be thrown far.
struct SeamGaps {
  FixedPositions x;
  Span<const SeamPoint> point;
  Span<const unsigned char> pinned;  // per slot; may be empty
  Span<vec3> gap, push;

  HD void operator()(int k) const {
    const SeamPoint p = point[k];
    const int base = p.vertex[0][0] >> x.log_slots;
    vec3 g(0);
    float squares = 0, all = 0;
    for (int side = 0; side < 2; ++side)
      for (int c = 0; c < 3; ++c) {
        const float w = p.weight[side][c];
        g += (side == 0 ? w : -w) * x.seen_from(base, p.vertex[side][c]);
        if (pinned.empty() || !pinned[p.vertex[side][c]]) squares += w * w;
        all += w * w;
      }
    gap[k] = g;
    push[k] = squares > 0 ? g / fmaxf(squares, 0.25f * all) : vec3(0);
  }
};

/// Moves a vertex by the mean of what its points ask for (one Jacobi sweep of position-based constraints).
struct PullSeams {
  Span<const int> vertex;        // of seams
  Span<const int> start, entry;  // per vertex of `vertex`: point * 6 + side * 3 + corner
  Span<const SeamPoint> point;
  Span<const vec3> push;
  Span<const unsigned char> pinned;
  Span<vec3> local;

  HD void operator()(int i) const {
    const int v = vertex[i];
    if (!pinned.empty() && pinned[v]) return;
    vec3 sum(0);
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const int p = entry[k] / 6, side = entry[k] % 6 / 3, corner = entry[k] % 3;
      const float w = point[p].weight[side][corner];
      sum += (side == 0 ? -w : w) * push[p];
    }
    local[v] += sum / float(start[i + 1] - start[i]);
  }
};

}  // namespace weft::grid
