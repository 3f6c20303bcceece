// Rest lengths where the reference is gathered (Wang 2021, eq. 13 and 18).
//
//   edge e = r_j - r_i      length over that in the grid   |S_i e + S_j e| / (2 |e|)                                      (eq. 13)
//                           with existing stretch          times |x-bar_j - x-bar_i| / |e|                               (eq. 18)
#pragma once
#include "sim/device/launch.h"
#include "sim/grid/rest_lists.h"
#include "sim/wrinkles/gather_kernels.h"

namespace weft::wrinkles {

/// S at the vertices of a cell and the edges between them.
struct DesiredEdges {
  grid::GridView grid;
  GatherView gathers;
  grid::FixedPositions frame;  // x-bar; used with `stretched` alone
  int stretched = 0;

  HD float scale(int v, const vec2& at, const Sym2& own, int dx, int dy) const {
    const vec2 edge(float(dx) * grid.cell, float(dy) * grid.cell);
    const vec2 desired = desired_edge(own, tensor_at(gathers, grid.lattice(v).panel, at + edge), edge);
    const float length = sqrtf(edge.x * edge.x + edge.y * edge.y);
    float s = sqrtf(desired.x * desired.x + desired.y * desired.y) / length;
    if (stretched) {
      const int to = grid.neighbor(v, dx, dy), b = grid.block_of(v);
      if (to >= 0) s *= glm::length(frame.seen_from(b, to) - frame.seen_from(b, v)) / length;
    }
    return s;
  }
  HD grid::EdgeScale of(int v) const {
    const vec2 at = grid.material(v);
    const Sym2 own = tensor_at(gathers, grid.lattice(v).panel, at);
    return {scale(v, at, own, 1, 0), scale(v, at, own, 1, 1), scale(v, at, own, 0, 1)};
  }
};

/// Marks blocks of which an edge has another length than in the grid, by more than a half float can tell.
struct MarkGathered {
  DesiredEdges edges;
  Span<int> marked;
  Span<float> widest;  // largest second_neighbor_scale
  HD void operator()(int b) const {
    const int n = edges.grid.slots_per_block();
    int any = 0;
    float most = 1;
    for (int k = 0; k < n; ++k) {
      const int v = b * n + k;
      if (!edges.grid.inside(v)) continue;
      const grid::EdgeScale s = edges.of(v);
      any |= fabsf(s.x - 1) > 6e-8f || fabsf(s.y - 1) > 6e-8f || fabsf(s.diagonal - 1) > 6e-8f;
      most = fmaxf(most, grid::second_neighbor_scale(s));
    }
    marked[b] = any, widest[b] = most;
  }
};

struct WriteRest {
  DesiredEdges edges;
  grid::RestView rest;
  HD void operator()(int v) const {
    if (rest.listed(edges.grid.block_of(v)))
      rest.set(v, edges.grid.inside(v) ? edges.of(v) : grid::EdgeScale{});
  }
};

}  // namespace weft::wrinkles
