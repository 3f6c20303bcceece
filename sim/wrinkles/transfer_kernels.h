// Displacements of wrinkles in local frames (Wang 2021, sections 6.1.1 and 7.2).
//
//   frame of a vertex of x-bar    t = du / |du|,  n = du x dv / |du x dv|,  s = n x t;  du, dv: differences of its neighbours along
//                                 the two axes of the grid
//   local displacement            l = [t s n]^T (x - x-bar), metres
//   carried to another frame      x_est = x-bar' + [t' s' n'] l
#pragma once
#include "sim/device/launch.h"
#include "sim/grid/grid_view.h"

namespace weft::wrinkles {

struct LocalFrame {
  vec3 t, s, n;
  HD vec3 to_local(const vec3& d) const { return {glm::dot(t, d), glm::dot(s, d), glm::dot(n, d)}; }
  HD vec3 to_world(const vec3& l) const { return l.x * t + l.y * s + l.z * n; }
};

/// Frame at a vertex; the axes of the world where neighbours are missing or differences do not span a plane,
/// which a vertex then has in every frame of the same cloth unless its triangles collapse.
HD inline LocalFrame frame_at(const grid::GridView& grid, const grid::FixedPositions& x, int v) {
  const int b = grid.block_of(v);
  const auto difference = [&](int dx, int dy) {
    const int after = grid.neighbor(v, dx, dy), before = grid.neighbor(v, -dx, -dy);
    return x.seen_from(b, after >= 0 ? after : v) - x.seen_from(b, before >= 0 ? before : v);
  };
  const vec3 du = difference(1, 0), dv = difference(0, 1), normal = glm::cross(du, dv);
  const float length = glm::length(du), area = glm::length(normal);
  if (!(area > 1e-6f * grid.cell * grid.cell)) return {vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)};
  const vec3 t = du / length, n = normal / area;
  return {t, glm::cross(n, t), n};
}

/// l of every vertex.
struct ToLocal {
  grid::GridView grid;
  grid::FixedPositions frame, x;
  Span<vec3> local;
  HD void operator()(int v) const {
    if (!grid.inside(v)) {
      local[v] = vec3(0);
      return;
    }
    const int b = grid.block_of(v);
    local[v] =
        frame_at(grid, frame, v).to_local(x.local[v] - frame.local[v] + (x.origin[b] - frame.origin[b]));
  }
};

/// x_est of every vertex, relative to the origins of `frame`, which `out` has too.
struct FromLocal {
  grid::GridView grid;
  grid::FixedPositions frame;
  Span<const vec3> local;
  grid::PositionsView out;
  HD void operator()(int v) const {
    out.local[v] = grid.inside(v) ? frame.local[v] + frame_at(grid, frame, v).to_world(local[v]) : vec3(0);
  }
};

/// Positions of the vertices of a coarser grid, which are all vertices of the finer one.
struct Inject {
  grid::GridView coarse, fine;
  grid::FixedPositions fine_x;
  grid::PositionsView coarse_x;
  int factor;  // cells of the fine grid per cell of the coarse one
  HD void operator()(int v) const {
    if (!coarse.inside(v)) {
      coarse_x.local[v] = vec3(0);
      return;
    }
    const grid::Lattice at = coarse.lattice(v);
    const int f = fine.find({at.panel, factor * at.i, factor * at.j});
    if (f < 0 || !fine.inside(f)) return;
    coarse_x.local[v] =
        fine_x.local[f] + (fine_x.origin[fine.block_of(f)] - coarse_x.origin[coarse.block_of(v)]);
  }
};

}  // namespace weft::wrinkles
