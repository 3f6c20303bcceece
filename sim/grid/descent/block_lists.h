// Which blocks are uniform.
#pragma once
#include "sim/device/launch.h"
#include "sim/grid/rest_lists.h"

namespace weft::block_descent {

/// 1 where a block's vertices and those next to it have all their triangles and hinges, the grid's own rest
/// shape and no factors.
struct MarkUniform {
  grid::GridView grid;
  grid::RestView rest;
  Span<const vec3> factor;  // as SheetRest has it
  Span<int> uniform, general;

  HD static bool whole(grid::Flags f) {
    const int hinges = grid::hinges_along_x(f) + grid::hinges_along_y(f);
    const grid::Flags all = grid::kInside | grid::kLower | grid::kUpper | grid::kCell;
    return (f & all) == all && (hinges == 4 || hinges == 0);
  }
  HD void operator()(int b) const {
    const int w = grid.width();
    bool same = true;
    for (int k = 0; k < 9; ++k)
      same = same && grid.around[9 * b + k] >= 0 && !rest.listed(grid.around[9 * b + k]);
    for (int v = b * w * w; v < (b + 1) * w * w && same; ++v) same = grid.triangle[v] >= 0;  // no ghosts
    for (int y = -1; y <= w && same; ++y)
      for (int x = -1; x <= w; ++x) {
        const int slot = grid.slot(b, x, y);
        const grid::Flags f = grid.flags[slot];
        same = same && (factor.empty() || factor[slot] == vec3(1));
        const bool odd = (x + y) & 1;
        same = same && whole(f) && (!odd || grid::hinges_along_x(f) == 2);
      }
    uniform[b] = same, general[b] = !same;
  }
};

}  // namespace weft::block_descent
