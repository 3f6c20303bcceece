// Kernels of grids: resampling, origins, transfer between levels.
#pragma once
#include "sim/device/launch.h"
#include "sim/grid/grid_view.h"

namespace weft::grid {

constexpr float kOriginStep = 1.0f / 1024;  // m: origins are multiples of it

HD inline vec3 rounded_origin(const vec3& p) {
  const vec3 q = p * (1.0f / kOriginStep);
  return kOriginStep * vec3(rintf(q.x), rintf(q.y), rintf(q.z));
}

/// Point of the coarse frame at a vertex, relative to `from`: with differences first, since coarse positions are
/// rounded at their distance from the world's origin.
HD inline vec3 coarse_point(const GridView& grid, Span<const ivec3> triangles, Span<const vec3> coarse, int v,
                            const vec3& from) {
  const ivec3 t = triangles[grid.triangle[v]];
  const vec3 a = coarse[t.x], b = coarse[t.y], c = coarse[t.z];
  const vec2 w = grid.barycentric[v];
  return (a - from) + (w.x * (b - a) + w.y * (c - a));
}

/// Puts a block's origin at a vertex of the block that has a place in the coarse frame, rounded.
struct PlaceOrigins {
  GridView grid;
  Span<const ivec3> triangles;
  Span<const vec3> coarse;
  Span<vec3> origin;
  HD void operator()(int b) const {
    const int n = grid.slots_per_block(), first = b * n, w = grid.width();
    int best = -1, most = 1 << 30;  // the one nearest to the middle
    for (int k = 0; k < n; ++k) {
      if (!grid.inside(first + k) || grid.triangle[first + k] < 0) continue;
      const int x = 2 * (k % w) - w, y = 2 * (k / w) - w, off = x * x + y * y;
      if (off < most) most = off, best = first + k;
    }
    if (best >= 0) origin[b] = rounded_origin(coarse_point(grid, triangles, coarse, best, vec3(0)));
  }
};

/// x-bar of every vertex.
struct Resample {
  GridView grid;
  Span<const ivec3> triangles;
  Span<const vec3> coarse;
  PositionsView out;
  HD void operator()(int v) const {
    const bool known = grid.inside(v) && grid.triangle[v] >= 0;
    out.local[v] = known ? coarse_point(grid, triangles, coarse, v, out.origin[grid.block_of(v)]) : vec3(0);
  }
};

/// See upsample (grid.h).
struct Upsample {
  GridView coarse, fine;
  FixedPositions coarse_x, coarse_frame, fine_frame;
  PositionsView fine_x;

  HD int find(int panel, int i, int j) const {
    const int c = coarse.find({panel, i, j});
    return c >= 0 && coarse.inside(c) ? c : -1;
  }
  /// Displacement of a coarse vertex from the resampled frame.
  HD vec3 displacement(int c) const {
    const int b = coarse.block_of(c);
    return coarse_x.local[c] - coarse_frame.local[c] + (coarse_x.origin[b] - coarse_frame.origin[b]);
  }
  HD void operator()(int v) const {
    const int b = fine.block_of(v);
    if (!fine.inside(v)) {
      fine_x.local[v] = vec3(0);
      return;
    }
    const Lattice at = fine.lattice(v);
    const int i = at.i >> 1, j = at.j >> 1, dx = at.i & 1, dy = at.j & 1;
    const int from = find(at.panel, i, j), to = find(at.panel, i + dx, j + dy);
    const vec3 origin = fine_x.origin[b];
    if (from >= 0 && to >= 0) {
      const int bf = coarse.block_of(from), bt = coarse.block_of(to);
      const vec3 x = coarse_x.local[from] + (coarse_x.origin[bf] - origin);
      fine_x.local[v] = x + 0.5f * (coarse_x.local[to] + (coarse_x.origin[bt] - origin) - x);
      return;
    }
    vec3 sum(0);
    int count = 0;
    for (int reach = 0; reach < 3 && count == 0; ++reach)
      for (int y = -reach; y <= reach + dy; ++y)
        for (int x = -reach; x <= reach + dx; ++x)
          if (const int c = find(at.panel, i + x, j + y); c >= 0) sum += displacement(c), ++count;
    fine_x.local[v] = fine_frame.local[v] + (count ? sum / float(count) : vec3(0));
  }
};

}  // namespace weft::grid
