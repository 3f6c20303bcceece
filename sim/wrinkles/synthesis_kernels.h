// Kernels of wrinkle synthesis: boundaries, tethers, the start.
#pragma once
#include "sim/wrinkles/gather_kernels.h"
#include "sim/wrinkles/transfer_kernels.h"

namespace weft::wrinkles {

/// Marks vertices at the boundary of a panel: those without all six neighbours. Ghosts are none.
struct MarkBoundary {
  grid::GridView grid;
  Span<unsigned char> pinned;
  HD void operator()(int v) const {
    bool whole = true;
    for (int k = 0; k < grid::kNeighbors && whole; ++k) {
      const grid::Offset o = grid::neighbor_offset(k);
      const int n = grid.neighbor(v, o.x, o.y);
      whole = n >= 0 && !grid.ghost(n);
    }
    pinned[v] = grid.inside(v) && !grid.ghost(v) && !whole;
  }
};

/// Marks vertices that stitches hold, besides those that are marked already: an end of each edge along the
/// grid that a stitched line crosses.
struct MarkStitched {
  grid::GridView grid;
  GatherView gathers;
  Span<unsigned char> pinned;
  HD void operator()(int v) const {
    if (grid.inside(v) && !grid.ghost(v) &&
        stitched_at(gathers, grid.lattice(v).panel, grid.material(v), 0.5f * grid.cell))
      pinned[v] = 1;
  }
};

/// Lowers layers (eq. 17) to what the filling reaches from there: D (1 - f) below the coarse surface.
struct LowerLayers {
  grid::GridView grid;
  GatherView gathers;
  float thickness;  // D, m
  Span<float> offset;
  HD void operator()(int v) const {
    if (grid.inside(v))
      offset[v] -= thickness * (1 - filling_at(gathers, grid.lattice(v).panel, grid.material(v)));
  }
};

/// Puts pinned vertices on x-bar, whose origins x has.
struct PutPinned {
  Span<const unsigned char> pinned;
  grid::FixedPositions frame;
  grid::PositionsView x;
  HD void operator()(int v) const {
    if (pinned[v]) x.local[v] = frame.local[v];
  }
};

/// Puts ghosts on x-bar, whose origins x has.
struct PutGhosts {
  Span<const grid::Ghost> ghost;
  grid::FixedPositions frame;
  grid::PositionsView x;
  HD void operator()(int g) const { x.local[ghost[g].vertex] = frame.local[ghost[g].vertex]; }
};

/// From the mean of a group of blocks to that of x-bar, m.
struct MeanDisplacements {
  grid::GridView grid;
  grid::FixedPositions frame, x;
  Span<const int> start, blocks;  // blocks of group g: blocks[start[g]] to blocks[start[g + 1] - 1]
  Span<vec3> displacement;        // per block
  HD void operator()(int group) const {
    const int n = grid.slots_per_block();
    vec3 sum(0);
    int count = 0;
    for (int k = start[group]; k < start[group + 1]; ++k) {
      const int b = blocks[k];
      vec3 of_block(0);
      int inside = 0;
      for (int v = b * n; v < (b + 1) * n; ++v)
        if (grid.inside(v) && !grid.ghost(v)) of_block += frame.local[v] - x.local[v], ++inside;
      sum += of_block + float(inside) * (frame.origin[b] - x.origin[b]);
      count += inside;
    }
    const vec3 mean = count ? sum / float(count) : vec3(0);
    for (int k = start[group]; k < start[group + 1]; ++k) displacement[blocks[k]] = mean;
  }
};

/// Targets of anchors: where a vertex would be if its group moved by that path as one. Where nothing moves
/// any more the anchors pull with the tether's stiffness times that, and they are stable however stiff
/// they are.
struct SetTargets {
  grid::GridView grid;
  grid::FixedPositions x;
  Span<const vec3> displacement;
  grid::PositionsView target;  // origins of x
  HD void operator()(int v) const { target.local[v] = x.local[v] + displacement[grid.block_of(v)]; }
};

/// Moves vertices along the normal of x-bar by smooth noise: a flat sheet that is too large for its place
/// cannot buckle by itself.
struct Roughen {
  grid::GridView grid;
  grid::FixedPositions frame;
  grid::PositionsView x;
  float height, length;  // m
  HD void operator()(int v) const {
    if (!grid.inside(v) || grid.ghost(v)) return;
    const vec2 p = grid.material(v) / length;
    const uint32_t seed = 77u + uint32_t(grid.block[grid.block_of(v)].panel);
    x.local[v] += height * smooth_noise(p, seed) * frame_at(grid, frame, v).n;
  }
};

}  // namespace weft::wrinkles
