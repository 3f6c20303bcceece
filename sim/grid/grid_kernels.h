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

/// Point of the coarse frame at a vertex, relative to `from`: with differences first, since coarse positions
/// are rounded at their distance from the world's origin.
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
  /// A vertex with a place in the coarse frame in one of the blocks around.
  HD int nearest_outside(int b) const {
    const int n = grid.slots_per_block();
    for (int k = 0; k < 9; ++k)
      for (int v = grid.around[9 * b + k] * n, end = v + n; v >= 0 && v < end; ++v)
        if (grid.inside(v) && grid.triangle[v] >= 0) return v;
    return -1;
  }
  HD void operator()(int b) const {
    const int n = grid.slots_per_block(), first = b * n, w = grid.width();
    int best = -1, most = 1 << 30;  // the one nearest to the middle
    for (int k = 0; k < n; ++k) {
      if (!grid.inside(first + k) || grid.triangle[first + k] < 0) continue;
      const int x = 2 * (k % w) - w, y = 2 * (k / w) - w, off = x * x + y * y;
      if (off < most) most = off, best = first + k;
    }
    if (best < 0) best = nearest_outside(b);  // ghosts alone
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

/// See place_ghosts (grid.h).
struct PlaceGhosts {
  GridView grid;
  Span<const Ghost> ghost;
  float cosine = 1, sine = 0;
  PositionsView x;

  /// The vertex at (dx, dy) cells, if it is no ghost.
  HD int real(int v, int dx, int dy) const {
    const int n = grid.neighbor(v, dx, dy);
    return n >= 0 && !grid.ghost(n) ? n : -1;
  }
  /// Derivative along an axis times a cell, from the vertices on both sides or on one.
  HD vec3 derivative(int v, int dx, int dy) const {
    const FixedPositions p = x;
    const int to = real(v, dx, dy), from = real(v, -dx, -dy);
    if (to >= 0 && from >= 0) return 0.5f * p.between(from, to);
    if (to >= 0) return p.between(v, to);
    return from >= 0 ? p.between(from, v) : vec3(0);
  }
  HD static vec3 unit(const vec3& v) { return v / fmaxf(sqrtf(glm::dot(v, v)), 1e-30f); }
  HD void operator()(int g) const {
    const Ghost at = ghost[g];
    const vec3 a = unit(derivative(at.inside, 1, 0)), b = unit(derivative(at.inside, 0, 1));
    const vec3 n = unit(glm::cross(a, b));
    // The bisector of both, and its normal in the plane, at 45 degrees to each axis.
    const vec3 half = unit(a + b), across = glm::cross(n, half);
    const vec3 e_x = 0.70710678f * (half - across), e_y = 0.70710678f * (half + across);
    const float w = grid.cell * sqrtf(float(at.x * at.x + at.y * at.y));
    const bool mirrored = grid.panel[grid.block[grid.block_of(at.inside)].panel].mirrored;
    const vec3 off =
        cosine * grid.cell * (float(at.x) * e_x + float(at.y) * e_y) - (mirrored ? -sine : sine) * w * n;
    const int own = grid.block_of(at.vertex);
    x.local[at.vertex] = FixedPositions(x).seen_from(own, at.inside) + off;
  }
};

/// See upsample (grid.h).
struct Upsample {
  GridView coarse, fine;
  FixedPositions coarse_x, coarse_frame, fine_frame;
  PositionsView fine_x;

  HD int find(int panel, int i, int j) const {
    const int c = coarse.find({panel, i, j});
    return c >= 0 && coarse.inside(c) && !coarse.ghost(c) ? c : -1;
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
