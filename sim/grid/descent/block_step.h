// The kernel of step_kernel.h.
#pragma once
#include "sim/grid/descent/step_kernel.h"

namespace weft::block_descent {

template <int W, class Sheet, bool General>
struct BlockStep {
  static constexpr int kWidth = W;
  static constexpr bool kOnGpu = W <= 16;
  using Shape = TileShape<W>;
  using Tile = StepTile<W, Sheet, General>;
  static constexpr int kStride = Shape::kStride;
  /// Phases of an inner iteration: forces of triangles, contacts, update.
  static constexpr int kPerInner = 3;

  StepArguments a;
  Sheet sheet;

  HD int phases() const { return 2 + kPerInner * a.inner; }
  HD PhaseKind kind(const Tile& tile, int phase) const {
    if (phase == 0) return General ? PhaseKind::cells : PhaseKind::none;
    if (phase == 1) return PhaseKind::own;
    switch ((phase - 2) % kPerInner) {
      case 0: return Sheet::kTriangles ? PhaseKind::cells : PhaseKind::none;
      case 1: return tile.contacts ? PhaseKind::own_scalar : PhaseKind::none;
      default: return PhaseKind::own;
    }
  }
  HD float area() const { return sheet.cell * sheet.cell; }

  // Loading.

  HD void load(Tile& t, int row, int x, int y) const {
    const int b = a.list[row], e = Shape::element(x, y), v = a.grid.slot(b, x, y);
    const Flags f = v < 0 ? Flags(0) : a.grid.flags[v];
    const bool inside = f & grid::kInside;
    const vec3 at = inside ? a.x.seen_from(b, v) : vec3(0);
    for (int c = 0; c < 3; ++c) t.x[0][c][e] = t.x[1][c][e] = at[c];
    if constexpr (General) load_kind(t, e, v, f);
    if (x == 0 && y == 0) load_marks(t, b);
    if (x >= 0 && y >= 0 && x < W && y < W) load_own(t, b, e, v, inside);
    else mark_still(t, e);
  }
  HD void load_marks(Tile& t, int b) const {
    t.contacts = !a.contact_start.empty() && a.contact_start[b] < a.contact_start[b + 1];
    if (!a.weighted.empty() && a.weighted[b]) t.contacts = 1;
    t.planes = a.plane.any(), t.layers = a.layer.any();
    const bool mirrored = a.terms.air != 0 && a.grid.panel[a.grid.block[b].panel].mirrored;
    t.air = mirrored ? -a.terms.air : a.terms.air;
  }
  HD void load_kind(Tile& t, int e, int v, Flags f) const {
    t.flag[e] = f;
    const EdgeScale s = f & grid::kInside ? a.rest.scale(v) : EdgeScale{};
    t.length[0][e] = s.x, t.length[1][e] = s.diagonal, t.length[2][e] = s.y;
  }
  HD void mark_still(Tile& t, int e) const {
    t.p[0][e] = -1;  // does not move
    for (int c = 0; c < 3; ++c) t.start[c][e] = t.push[c][e] = 0;
    for (int c = 0; c < 4; ++c) t.plane[c][e] = t.layer[c][e] = 0;
    t.contact[e] = -1;
  }
#ifndef __CUDACC__
  /// The same by rows of the nine blocks around.
  void load_block(Tile& t, int row) const {
    const int b = a.list[row];
    load_marks(t, b);
    t.clear(t.planes || t.layers || t.contacts);
    for (int k = 0; k < 9; ++k) {
      const int from = a.grid.around[9 * b + k];
      const int low_x = k % 3 == 0   ? -2
                        : k % 3 == 1 ? 0
                                     : W,
                high_x = k % 3 == 0   ? 0
                         : k % 3 == 1 ? W
                                      : W + 2;
      const int low_y = k / 3 == 0   ? -2
                        : k / 3 == 1 ? 0
                                     : W,
                high_y = k / 3 == 0   ? 0
                         : k / 3 == 1 ? W
                                      : W + 2;
      const vec3 shift = from < 0 ? vec3(0) : a.x.origin[from] - a.x.origin[b];
      for (int y = low_y; y < high_y; ++y) {
        const int e = Shape::element(low_x, y);
        const int v = from < 0 ? -1 : from * W * W + (y & (W - 1)) * W + (low_x & (W - 1));
        load_part(t, e, v, high_x - low_x, shift, k != 4);
      }
    }
    const bool plain =
        !General && !t.planes && !t.layers && !t.contacts && a.held.empty() && a.terms.anchor == 0;
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
      const Flags f = v < 0 ? Flags(0) : General ? a.grid.flags[v + k] : grid::kInside;
      const vec3 at = f & grid::kInside ? a.x.local[v + k] + shift : vec3(0);
      for (int c = 0; c < 3; ++c) t.x[0][c][e + k] = at[c];
      if (halo)  // the block's own are written by the first update
        for (int c = 0; c < 3; ++c) t.x[1][c][e + k] = at[c];
      if constexpr (General) load_kind(t, e + k, v + k, f);
    }
  }
#endif
  HD void load_own(Tile& t, int b, int e, int v, bool inside) const {
    if (!inside || (General && a.grid.ghost(v)) || (!a.held.empty() && a.held[v])) return mark_still(t, e);
    t.contact[e] = -1;
    const float share = General ? area() * a.grid.share(v) : area();
    float isotropic = share * a.terms.anchor;
    vec3 force = share * sheet.density * a.terms.gravity;
    if (a.terms.anchor > 0) force += share * a.terms.anchor * a.target.local[v];
    if (a.plane.any()) load_plane(t.plane, a.plane, e, v);
    if (a.layer.any()) {
      load_plane(t.layer, a.layer, e, v);
      force += share * a.terms.push * vec3(t.layer[0][e], t.layer[1][e], t.layer[2][e]);
      isotropic += share * a.terms.fill;
    }
    if (!a.contact_start.empty()) isotropic += find_contacts(t, b, e, v);
    if (!a.weighted.empty() && a.weighted[b]) isotropic += largest_row(a.weight[v]);
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
    int low = a.contact_start[b], high = a.contact_start[b + 1];
    const int end = high;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (a.contact[middle].vertex < v) low = middle + 1;
      else high = middle;
    }
    if (low == end || a.contact[low].vertex != v) return 0;
    t.contact[e] = low;
    int count = 0;
    while (low + count < end && a.contact[low + count].vertex == v) ++count;
    return float(count) * a.terms.repulsion * area();
  }

  // Phases.

  template <class L>
  HD void run(Tile& t, int row, int phase, int e) const {
    if (phase == 0) {
      if constexpr (General) coefficients<L>(t, e);
      return;
    }
    if (phase == 1) return prepare<L>(t, e);
    const int inner = (phase - 2) / kPerInner, now = inner % 2;
    switch ((phase - 2) % kPerInner) {
      case 0:
        if constexpr (Sheet::kTriangles) triangle_forces<L>(t, now, e);
        return;
      case 1:
        if constexpr (kRowsOf<L> == 1) contact_forces(t, a.list[row], now, e);
        return;
      default: update<L>(t, inner, e);
    }
  }

  /// Shares of edges and triangles and couplings of bending, row by row: General only. Elements of the first
  /// row and column need shares alone.
  template <class L>
  HD void coefficients(Tile& t, int first) const {
    for (int e = first; e < first + kRowsOf<L>; ++e) {
      const Flags f = t.flag[e];
      const bool lower = f & grid::kLower, upper = f & grid::kUpper;
      t.exists[0][e] = lower, t.exists[1][e] = upper;
      const int x = e % kStride, y = e / kStride;
      if (x == 0 || y == 0 || x >= W + 3 || y >= W + 3) {
        for (auto& rows : t.half) rows[e] = 0;
        for (int k = 0; k < 6; ++k) t.bend[k][e] = t.two[k][e] = 0;
        continue;
      }
      const bool below = t.flag[e - kStride] & grid::kUpper, left = t.flag[e - 1] & grid::kLower;
      t.half[0][e] = 0.5f * float(int(lower) + int(below));
      t.half[1][e] = 0.5f * float(int(lower) + int(upper));
      t.half[2][e] = 0.5f * float(int(upper) + int(left));
      if (x < 2 || y < 2 || x > W + 1 || y > W + 1) {
        for (int k = 0; k < 6; ++k) t.bend[k][e] = t.two[k][e] = 0;
        continue;
      }
      bending_of(t, e);
    }
  }
  HD EdgeScale scale_at(const Tile& t, int e) const {
    return {t.length[0][e], t.length[1][e], t.length[2][e]};
  }
  HD HingeWeight weights_at(const Tile& t, int e) const {
    if (!a.rest.list.empty())
      return hinge_weight(t.flag[e], scale_at(t, e), scale_at(t, e - 1), scale_at(t, e - kStride),
                          scale_at(t, e + 1), scale_at(t, e + kStride));
    const Flags f = t.flag[e];
    return {float(grid::hinges_along_x(f)), float(grid::hinges_along_y(f)), f & grid::kCell ? 1.0f : 0.0f};
  }
  HD void bending_of(Tile& t, int e) const {
    const HingeWeight own = weights_at(t, e), east = weights_at(t, e + 1), north = weights_at(t, e + kStride),
                      west = weights_at(t, e - 1), south = weights_at(t, e - kStride),
                      south_west = weights_at(t, e - kStride - 1);
    const BendingRow r = bending_row(sheet.bending(), own, east.x, north.y, west.x, south.y, own.cell,
                                     west.cell, south_west.cell, south.cell);
    // the six neighbours, in the order of grid::neighbor_offset
    const float six[6] = {r.axis[0], r.diagonal[0], r.axis[1], r.axis[2], r.diagonal[2], r.axis[3]};
    const float two[6] = {r.diagonal[1], r.diagonal[3], r.two[0], r.two[1], r.two[2], r.two[3]};
    for (int k = 0; k < 6; ++k) t.bend[k][e] = six[k], t.two[k][e] = two[k];
  }

  template <class L>
  HD static int offset_of(int k) {
    const grid::Offset o = grid::neighbor_offset(k);
    return o.y * kStride + o.x;
  }
  /// Edges to the six neighbours, m.
  template <class L>
  WEFT_INLINE static void edges(const Tile& t, int copy, int e, const Vec3<typename L::Real>& x,
                                Vec3<typename L::Real> (&d)[6]) {
    for (int k = 0; k < 6; ++k) d[k] = load_vector<L>(t.x[copy], e + offset_of<L>(k)) - x;
  }
  /// Share of the edge to neighbour k that exists, and its length at rest.
  template <class L>
  WEFT_INLINE typename L::Real share(const Tile& t, int k, int e) const {
    const int own = k < 3 ? e : e + offset_of<L>(k);
    if constexpr (General) return L::load(&t.half[k % 3][own]);
    else return L::splat(1);
  }
  template <class L>
  WEFT_INLINE typename L::Real rest_length(const Tile& t, int k, int e) const {
    const float nominal = k % 3 == 1 ? 1.41421356f * sheet.cell : sheet.cell;
    const int own = k < 3 ? e : e + offset_of<L>(k);
    if constexpr (General) return nominal * L::load(&t.length[k % 3][own]);
    else return L::splat(nominal);
  }
  HD static float stiffness(const EdgeStiffness& s, int k) {
    return k % 3 == 0 ? s.x : k % 3 == 1 ? s.diagonal : s.y;
  }

  /// Even vertices (local coordinates: W is even) have no hinges of their own.
  template <class L>
  WEFT_INLINE static typename L::Real odd(int e) {
#ifndef __CUDACC__
    if constexpr (kRowsOf < L >> 1) return L::load(&kOddElements<W>.value[e]);
    else
#endif
      return float((e % kStride + e / kStride) & 1);
  }

  /// Sums over the outer ring and P⁻¹ at the block's start.
  template <class L>
  HD void prepare(Tile& t, int e) const {
    using R = typename L::Real;
    const Vec3<R> x = load_vector<L>(t.x[0], e);
    Vec3<R> d[6];
    edges<L>(t, 0, e, x, d);
    const float c = sheet.bending();
    const R active = L::load(&t.p[0][e]), zero = L::splat(0);
    R outer, diagonal;  // sum of a_j over the outer ring, over all
    if constexpr (General) {
      outer = diagonal = zero;
      for (int k = 0; k < 6; ++k) {
        outer = outer + L::load(&t.two[k][e]);
        diagonal = diagonal - L::load(&t.bend[k][e]);
      }
      diagonal = diagonal - outer;
    } else {
      const R is_odd = odd<L>(e);
      outer = 12.0f * c - (8.0f * c) * is_odd;  // even: 2c twice, 2c four times
      diagonal = 16.0f * c + (8.0f * c) * is_odd;
    }
    L::store(&t.outer_sum[e], outer);
    store_vector<L>(t.outer, e, outer_ring<L>(t, 0, e));
    const R isotropic = diagonal + L::larger(active, zero);
    // Edges that do not exist end anywhere.
    const auto edge = [&](int k) { return share<L>(t, k, e) * d[k]; };
    const Vec3<R> area = cross(edge(0) - edge(3), edge(2) - edge(5));
    // Where the normal is 0, all directions are as stiff as the plane.
    const Vec3<R> n = inverse_root(squared_length(area)) * area;
    // Along the normal: edges that rise out of the plane at folds, and the tension of the others. Compression
    // counts like tension, so that buckling grows slowly.
    R across = isotropic;
    for (int k = 0; k < 6; ++k) {
      const R inverse = inverse_root(squared_length(d[k])), rise = dot(n, d[k]) * inverse;
      const R tension = 1.0f - rest_length<L>(t, k, e) * inverse;
      const R s = stiffness(sheet.edges, k) * share<L>(t, k, e);
      const R pulled = L::larger(L::larger(tension, -tension), L::splat(kSmallestTension));
      across = across + s * (pulled + kFoldMargin * rise * rise);
    }
    const R along = sheet.in_plane * share_of_area<L>(t, e) + isotropic;
    if (a.diagonal) store_diagonal<L>(t, e, active, along, across, n);
    else store_block<L>(t, e, active, along, across, n);
  }
  /// P⁻¹ of P = along (I - n nᵀ) + across n nᵀ; 0 where the vertex does not move.
  template <class L>
  WEFT_INLINE static void store_block(Tile& t, int e, const typename L::Real& active,
                                      const typename L::Real& along, const typename L::Real& across,
                                      const Vec3<typename L::Real>& n) {
    using R = typename L::Real;
    const R in = L::where(active + 0.5f, 1.0f / (along + 1e-30f)),
            out = L::where(active + 0.5f, 1.0f / (across + 1e-30f));
    const R more = out - in;
    L::store(&t.p[0][e], in + more * n.x * n.x), L::store(&t.p[1][e], more * n.x * n.y);
    L::store(&t.p[2][e], more * n.x * n.z), L::store(&t.p[3][e], in + more * n.y * n.y);
    L::store(&t.p[4][e], more * n.y * n.z), L::store(&t.p[5][e], in + more * n.z * n.z);
  }
  /// Of its diagonal alone.
  template <class L>
  WEFT_INLINE static void store_diagonal(Tile& t, int e, const typename L::Real& active,
                                         const typename L::Real& along, const typename L::Real& across,
                                         const Vec3<typename L::Real>& n) {
    using R = typename L::Real;
    const R more = across - along, zero = L::splat(0);
    const auto inverse = [&](const R& c) {
      return L::where(active + 0.5f, 1.0f / (along + more * c * c + 1e-30f));
    };
    L::store(&t.p[0][e], inverse(n.x)), L::store(&t.p[3][e], inverse(n.y)),
        L::store(&t.p[5][e], inverse(n.z));
    for (const int k : {1, 2, 4}) L::store(&t.p[k][e], zero);
  }
  static constexpr float kSmallestTension = 1e-4f;
  static constexpr float kFoldMargin = 1.5f;  // triangles are stiffer than springs of the same modulus

  /// Sum of a_j x_j over the outer ring.
  template <class L>
  WEFT_INLINE Vec3<typename L::Real> outer_ring(const Tile& t, int copy, int e) const {
    using R = typename L::Real;
    const auto at = [&](int x, int y) { return load_vector<L>(t.x[copy], e + y * kStride + x); };
    if constexpr (General) {
      const auto a_j = [&](int k) { return L::load(&t.two[k][e]); };
      return a_j(0) * at(-1, 1) + a_j(1) * at(1, -1) + a_j(2) * at(2, 0) + a_j(3) * at(0, 2) +
             a_j(4) * at(-2, 0) + a_j(5) * at(0, -2);
    } else {
      const float c = sheet.bending();
      const R two = L::splat(2.0f * c), even = two - two * odd<L>(e);
      return two * (at(-1, 1) + at(1, -1)) + even * (at(2, 0) + at(0, 2) + at(-2, 0) + at(0, -2));
    }
  }

  /// Forces of a cell's two triangles on their corners 1 and 2.
  template <class L>
  HD void triangle_forces(Tile& t, int copy, int e) const {
    using R = typename L::Real;
    using E = typename Sheet::Energy;
    const Vec3<R> x = load_vector<L>(t.x[copy], e);
    const Vec3<R> east = load_vector<L>(t.x[copy], e + 1) - x,
                  north = load_vector<L>(t.x[copy], e + kStride) - x,
                  far = load_vector<L>(t.x[copy], e + kStride + 1) - x;
    const auto material = sheet.template lanes<R>();
    TriangleRest<R> lower, upper;
    if constexpr (General) {
      const auto length = [&](int k, int at) { return sheet.cell * L::load(&t.length[k][at]); };
      const R across = 1.41421356f * length(1, e);
      lower = lower_rest<R>(length(0, e), length(2, e + 1), across);
      upper = upper_rest<R>(length(0, e + kStride), length(2, e), across);
      lower.area = lower.area * L::load(&t.exists[0][e]), upper.area = upper.area * L::load(&t.exists[1][e]);
    } else {
      const R inv = L::splat(1.0f / sheet.cell), zero = L::splat(0),
              area = L::splat(0.5f * sheet.cell * sheet.cell);
      lower = {inv, zero, zero - inv, inv, area};
      upper = {inv, zero - inv, zero, inv, area};
    }
    const Edges<R, 3> low = E::gradient(Edges<R, 3>{{east, far}}, lower, material);
    const Edges<R, 3> up = E::gradient(Edges<R, 3>{{far, north}}, upper, material);
    store_vector<L>(t.force, e, low[0]), store_vector<L>(t.force + 3, e, low[1]);
    store_vector<L>(t.force + 6, e, up[0]), store_vector<L>(t.force + 9, e, up[1]);
  }

  /// Gradient of the contacts and anchors of one vertex.
  HD void contact_forces(Tile& t, int b, int copy, int e) const {
    vec3 g(0);
    if (t.p[0][e] > 0) {
      const vec3 x(t.x[copy][0][e], t.x[copy][1][e], t.x[copy][2][e]);
      if (t.contact[e] >= 0) g = repulsion_at(t, b, copy, e, x);
      if (!a.weighted.empty() && a.weighted[b]) {
        const int v = (b * W + e / kStride - 2) * W + e % kStride - 2;
        g += a.weight[v] * (x - a.base.local[v]) - a.weight_pull[v];
      }
    }
    for (int c = 0; c < 3; ++c) t.push[c][e] = g[c];
  }
  /// Of contacts (eq. 11). Vertices of other blocks count as if they moved against this one, as far from
  /// where they were at the block's start: k/2 |a - b|² <= k |a - m|² + k |b - m|² with m halfway then, so
  /// that blocks that answer each other at once do not go too far together.
  HD vec3 repulsion_at(const Tile& t, int b, int copy, int e, const vec3& x) const {
    const int v = a.contact[t.contact[e]].vertex, end = a.contact_start[b + 1];
    vec3 sum(0);
    for (int k = t.contact[e]; k < end && a.contact[k].vertex == v; ++k) {
      const int other = a.contact[k].other;
      vec3 y;
      if (a.grid.block_of(other) == b) {
        const int o = Shape::element(a.grid.local_x(other), a.grid.local_y(other));
        y = vec3(t.x[copy][0][o], t.x[copy][1][o], t.x[copy][2][o]);
      } else {
        y = a.x.seen_from(b, other) - (x - a.x.local[v]);
      }
      const vec3 d = x - y;
      const float length = sqrtf(glm::dot(d, d));
      const float radius = a.terms.radius * a.rest.reach_scale(v, other);
      if (length < radius && length > 0) sum -= ((radius - length) / length) * d;
    }
    return (a.terms.repulsion * area()) * sum;
  }

  /// Gradient of the planar elements.
  template <class L>
  WEFT_INLINE Vec3<typename L::Real> planar(const Tile& t, int e,
                                            const Vec3<typename L::Real> (&d)[6]) const {
    using R = typename L::Real;
    Vec3<R> g = zero_vector<R>();
    if constexpr (Sheet::kTriangles) {
      const auto f = [&](int first, int at) { return load_vector<L>(t.force + first, at); };
      const int south = e - kStride;
      // corner 0 of its own two, corners 1 and 2 of four more
      g = f(0, e - 1) + f(6, south - 1) + f(3, south - 1) + f(9, south) - (f(0, e) + f(3, e)) -
          (f(6, e) + f(9, e));
    } else {
      for (int k = 0; k < 6; ++k) {
        const Length<R> length{L::splat(0), inverse_root(squared_length(d[k]))};
        const R s = stiffness(sheet.edges, k) * share<L>(t, k, e);
        g = g - Spring::axial<R>(length, {rest_length<L>(t, k, e)}, {s}).pull * d[k];
      }
    }
    return g;
  }
  /// Of bending: the six neighbours now, the outer ring then (eq. 9) or now.
  template <class L>
  WEFT_INLINE Vec3<typename L::Real> bending(const Tile& t, int copy, int e, const Vec3<typename L::Real>& x,
                                             const Vec3<typename L::Real> (&d)[6]) const {
    using R = typename L::Real;
    const Vec3<R> ring = a.lag_outer ? load_vector<L>(t.outer, e) : outer_ring<L>(t, copy, e);
    Vec3<R> g = ring - L::load(&t.outer_sum[e]) * x;
    if constexpr (General) {
      for (int k = 0; k < 6; ++k) g = g + L::load(&t.bend[k][e]) * d[k];
    } else {
      const float c = sheet.bending();
      g = g - L::splat(8.0f * c) * (d[0] + d[2] + d[3] + d[5]) + L::splat(2.0f * c) * (d[1] + d[4]);
    }
    return g;
  }
  /// Of air (eq. 15): a sixth of the pressure times the normals of the triangles around.
  template <class L>
  WEFT_INLINE Vec3<typename L::Real> air(const Tile& t, int e, const Vec3<typename L::Real> (&d)[6]) const {
    using R = typename L::Real;
    Vec3<R> sum = zero_vector<R>();
    for (int k = 0; k < 6; ++k) {
      const Vec3<R> n = cross(d[k], d[(k + 1) % 6]);
      if constexpr (General) {
        // triangles in the order of neighbours: of the cells (0,0) twice, (-1,0), (-1,-1) twice, (0,-1)
        constexpr int upper[6] = {0, 1, 0, 1, 0, 1};
        constexpr int at[6] = {0, 0, -1, -kStride - 1, -kStride - 1, -kStride};
        sum = sum + L::load(&t.exists[upper[k]][e + at[k]]) * n;
      } else {
        sum = sum + n;
      }
    }
    return L::splat(t.air * (1.0f / 6)) * sum;
  }
  /// Share of the vertex's area that exists.
  template <class L>
  WEFT_INLINE static typename L::Real share_of_area(const Tile& t, int e) {
    if constexpr (General)
      return (1.0f / 6) * (L::load(&t.exists[0][e]) + L::load(&t.exists[1][e]) +
                           L::load(&t.exists[0][e - 1]) + L::load(&t.exists[0][e - kStride - 1]) +
                           L::load(&t.exists[1][e - kStride - 1]) + L::load(&t.exists[1][e - kStride]));
    else return L::splat(1);
  }
  /// Gradient of F at a vertex.
  template <class L>
  WEFT_INLINE Vec3<typename L::Real> gradient(const Tile& t, int copy, int e,
                                              const Vec3<typename L::Real>& x) const {
    using R = typename L::Real;
    Vec3<R> d[6];
    edges<L>(t, copy, e, x, d);
    Vec3<R> g = planar<L>(t, e, d) + bending<L>(t, copy, e, x, d) - load_vector<L>(t.start, e);
    if (a.terms.anchor > 0) g = g + ((a.terms.anchor * area()) * share_of_area<L>(t, e)) * x;
    if (a.terms.air != 0) g = g - air<L>(t, e, d);
    if (t.contacts) g = g + load_vector<L>(t.push, e);
    if (t.layers && a.terms.fill > 0) {
      const Vec3<R> n = load_vector<L>(t.layer, e);
      const R squeezed = L::larger(a.terms.thickness - dot(n, x) + L::load(&t.layer[3][e]), L::splat(0));
      g = g - (a.terms.fill * area() * squeezed * share_of_area<L>(t, e)) * n;
    }
    return g;
  }

  template <class L>
  HD void update(Tile& t, int inner, int e) const {
    using R = typename L::Real;
    const int now = inner % 2;
    const Vec3<R> x = load_vector<L>(t.x[now], e), last = load_vector<L>(t.x[1 - now], e);
    const Vec3<R> g = gradient<L>(t, now, e, x);
    if (inner == 0 && a.finish != Finish::momentum) store_vector<L>(t.first, e, g);
    const R xx = L::load(&t.p[0][e]), xy = L::load(&t.p[1][e]), xz = L::load(&t.p[2][e]),
            yy = L::load(&t.p[3][e]), yz = L::load(&t.p[4][e]), zz = L::load(&t.p[5][e]);
    const R alpha = L::splat(a.control[kAlpha]);
    const Vec3<R> step{xx * g.x + xy * g.y + xz * g.z, xy * g.x + yy * g.y + yz * g.z,
                       xz * g.x + yz * g.y + zz * g.z};
    Vec3<R> y = x - alpha * step;
    if (inner > 0) y = L::splat(a.inner_omega[inner]) * (y - last) + last;
    if (t.planes) {
      const Vec3<R> n = load_vector<L>(t.plane, e);
      y = y + L::larger(L::load(&t.plane[3][e]) - dot(n, y), L::splat(0)) * n;  // eq. 10
    }
    store_vector<L>(t.x[1 - now], e, y);
  }

  HD void store(Tile& t, int row, int x, int y) const {
    const int b = a.list[row], e = Shape::element(x, y), v = b * W * W + y * W + x, copy = a.inner % 2;
    const vec3 reached(t.x[copy][0][e], t.x[copy][1][e], t.x[copy][2][e]);
    if (a.finish == Finish::momentum) {
      const vec3 before = a.next[v];
      vec3 moved = reached;
      const float omega = a.control[kOmega];
      if (omega > 1 && t.p[0][e] > 0) {
        moved = omega * (reached - before) + before;
        if (t.planes) {
          const vec3 n(t.plane[0][e], t.plane[1][e], t.plane[2][e]);
          moved += fmaxf(t.plane[3][e] - glm::dot(n, moved), 0.0f) * n;
        }
      }
      if (!a.way.empty()) moved = no_farther(a.x.local[v], moved, a.way[grid::collision_block(v, W)]);
      a.next[v] = moved;
      return;
    }
    const vec3 g = t.p[0][e] > 0 ? vec3(t.first[0][e], t.first[1][e], t.first[2][e]) : vec3(0);
    if (a.finish == Finish::gradient) {
      a.direction[v] = g;
      return;
    }
    const vec3 way = reached - a.x.local[v];
    a.direction[v] = way;
    a.product[v] = -glm::dot(g, way);
  }
};

/// Launches the step of a sheet for blocks `list`, whichever their width. Throws Error for another width.
template <class Sheet>
void launch_step(Device& device, const char* name, bool general, const StepArguments& arguments,
                 const Sheet& sheet);

}  // namespace weft::block_descent
