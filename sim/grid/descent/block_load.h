// What the kernels of blocks take from the grid into their tiles, and what they store.
#pragma once
#include "sim/grid/contact.h"
#include "sim/grid/descent/step_kernel.h"
#include "sim/grid/descent/step_tile.h"

namespace weft::block_descent {

/// Base of `Kernel`, which says `kUniform`, `ghost`, `flags_of`, `area_of` and `load_kind`.
template <class Kernel, int W, class Sheet, class TileOf>
struct BlockLoad {
  static constexpr int kWidth = W;
  static constexpr bool kOnGpu = W <= 16;
  using Shape = TileShape<W>;
  using Tile = TileOf;

  StepArguments a;
  Sheet sheet;

  HD const Kernel& kernel() const { return static_cast<const Kernel&>(*this); }
  HD float area() const { return sheet.cell * sheet.cell; }

  HD void load(Tile& t, int row, int x, int y) const {
    const int b = a.list[row], e = Shape::element(x, y), v = a.grid.slot(b, x, y);
    const Flags f = v < 0 ? Flags(0) : a.grid.flags[v];
    const bool inside = f & grid::kInside;
    const vec3 at = inside ? a.x.seen_from(b, v) : vec3(0);
    for (int c = 0; c < 3; ++c) t.x[0][c][e] = t.x[1][c][e] = at[c];
    kernel().load_kind(t, e, v, f);
    if (x == 0 && y == 0) load_marks(t, b);
    if (x >= 0 && y >= 0 && x < W && y < W) load_own(t, b, e, v, inside);
    else mark_still(t, e);
  }
  HD void load_marks(Tile& t, int b) const {
    t.contacts = !a.contacts.start.empty() && a.contacts.start[b] < a.contacts.start[b + 1];
    if (!a.anchors.weighted.empty() && a.anchors.weighted[b]) t.contacts = 1;
    t.planes = a.plane.any(), t.layers = a.layer.any();
    const bool mirrored = a.terms.air != 0 && a.grid.panel[a.grid.block[b].panel].mirrored;
    t.air = mirrored ? -a.terms.air : a.terms.air;
  }
  HD void mark_still(Tile& t, int e) const {
    t.p[0][e] = -1;  // does not move
    for (int c = 0; c < 3; ++c) t.start[c][e] = t.contact_gradient[c][e] = 0;
    for (int c = 0; c < 4; ++c) t.plane[c][e] = t.layer[c][e] = 0;
    t.contact[e] = -1;
  }
#ifndef __CUDACC__
  /// Where the blocks before, in and behind the block begin, from 0 to 3.
  static int low_of(int k) { return k == 0 ? -2 : k == 1 ? 0 : k == 2 ? W : W + 2; }
  /// The same by rows of the nine blocks around.
  void load_block(Tile& t, int row) const {
    const int b = a.list[row];
    load_marks(t, b);
    t.clear(t.planes || t.layers || t.contacts);
    for (int k = 0; k < 9; ++k) {
      const int from = a.grid.around[9 * b + k];
      const int low_x = low_of(k % 3), high_x = low_of(k % 3 + 1);
      const int low_y = low_of(k / 3), high_y = low_of(k / 3 + 1);
      const vec3 shift = from < 0 ? vec3(0) : a.x.origin[from] - a.x.origin[b];
      for (int y = low_y; y < high_y; ++y) {
        const int e = Shape::element(low_x, y);
        const int v = from < 0 ? -1 : from * W * W + (y & (W - 1)) * W + (low_x & (W - 1));
        load_part(t, e, v, high_x - low_x, shift, k != 4);
      }
    }
    const bool plain = Kernel::kUniform && !t.planes && !t.layers && !t.contacts && a.limits.pinned.empty() &&
                       a.terms.anchor == 0;
    const vec3 weight = area() * sheet.density * a.terms.gravity;
    for (int y = 0; y < W; ++y)
      for (int x = 0; x < W; ++x) {
        const int e = Shape::element(x, y), v = b * W * W + y * W + x;
        if (!plain) {
          load_own(t, b, e, v, a.grid.inside(v));
          continue;
        }
        t.p[0][e] = 0;
        for (int c = 0; c < 3; ++c) t.start[c][e] = weight[c];
      }
  }
  /// `count` vertices of a row from slot v on, -1: none exist.
  void load_part(Tile& t, int e, int v, int count, const vec3& shift, bool halo) const {
    for (int k = 0; k < count; ++k) {
      const Flags f = v < 0 ? Flags(0) : kernel().flags_of(v + k);
      const vec3 at = f & grid::kInside ? a.x.local[v + k] + shift : vec3(0);
      for (int c = 0; c < 3; ++c) t.x[0][c][e + k] = at[c];
      if (halo)  // the block's own are written by the first update
        for (int c = 0; c < 3; ++c) t.x[1][c][e + k] = at[c];
      kernel().load_kind(t, e + k, v + k, f);
    }
  }
#endif
  HD void load_own(Tile& t, int b, int e, int v, bool inside) const {
    if (!inside || kernel().ghost(v) || a.pinned(v)) return mark_still(t, e);
    t.contact[e] = -1;
    const float share = kernel().area_of(v);
    float isotropic = share * a.terms.anchor;
    vec3 force = share * sheet.density * a.terms.gravity;
    if (a.terms.anchor > 0) force += share * a.terms.anchor * a.target.local[v];
    if (a.plane.any()) load_plane(t.plane, a.plane, e, v);
    if (a.layer.any()) {
      load_plane(t.layer, a.layer, e, v);
      force += share * a.terms.pressure * vec3(t.layer[0][e], t.layer[1][e], t.layer[2][e]);
      isotropic += share * a.terms.fill;
    }
    if (!a.contacts.start.empty()) isotropic += find_contacts(t, b, e, v);
    if (!a.anchors.weighted.empty() && a.anchors.weighted[b]) isotropic += largest_row(a.anchors.weight[v]);
    t.p[0][e] = isotropic;
    for (int c = 0; c < 3; ++c) t.start[c][e] = force[c];
  }
  template <class Rows>
  HD static void load_plane(Rows& rows, const PlaneView& planes, int e, int v) {
    const vec3 n = grid::unpack_unit(planes.normal[v]);
    rows[0][e] = n.x, rows[1][e] = n.y, rows[2][e] = n.z, rows[3][e] = planes.offset[v];
  }
  /// Not less than the largest eigenvalue.
  HD static float largest_row(const Sym3& w) {
    const float xy = fabsf(w.xy), xz = fabsf(w.xz), yz = fabsf(w.yz);
    return fmaxf(fmaxf(w.xx + xy + xz, w.yy + xy + yz), w.zz + xz + yz);
  }
  /// The first of a vertex's contacts, and how stiff they are, N/m.
  HD float find_contacts(Tile& t, int b, int e, int v) const {
    int low = a.contacts.start[b], high = a.contacts.start[b + 1];
    const int end = high;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (a.contacts.contact[middle].vertex < v) low = middle + 1;
      else high = middle;
    }
    if (low == end || a.contacts.contact[low].vertex != v) return 0;
    t.contact[e] = low;
    int count = 0;
    while (low + count < end && a.contacts.contact[low + count].vertex == v) ++count;
    return float(count) * a.terms.repulsion * area();
  }

  HD void store(Tile& t, int row, int x, int y) const {
    const int b = a.list[row], e = Shape::element(x, y), v = b * W * W + y * W + x, copy = a.inner.count % 2;
    const vec3 reached(t.x[copy][0][e], t.x[copy][1][e], t.x[copy][2][e]);
    if (a.finish == Finish::momentum) {
      const vec3 before = a.results.next[v];
      vec3 moved = reached;
      const float omega = a.control[kOmega];
      if (omega > 1 && t.p[0][e] > 0) {
        moved = omega * (reached - before) + before;
        if (t.planes) {
          const vec3 n(t.plane[0][e], t.plane[1][e], t.plane[2][e]);
          moved += fmaxf(t.plane[3][e] - glm::dot(n, moved), 0.0f) * n;
        }
      }
      if (!a.limits.path.empty())
        moved = no_farther(a.x.local[v], moved, a.limits.path[grid::collision_block(v, W)]);
      a.results.next[v] = moved;
      return;
    }
    const vec3 g = t.p[0][e] > 0 ? vec3(t.first[0][e], t.first[1][e], t.first[2][e]) : vec3(0);
    if (a.finish == Finish::gradient) {
      a.results.direction[v] = g;
      return;
    }
    const vec3 displacement = reached - a.x.local[v];
    a.results.direction[v] = displacement;
    a.results.product[v] = -glm::dot(g, displacement);
  }
};

}  // namespace weft::block_descent
