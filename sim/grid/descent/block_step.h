// What the kernels of uniform and of general blocks share: the phases of step_kernel.h's iteration on a tile.
#pragma once
#include "sim/grid/descent/block_load.h"

namespace weft::block_descent {

/// Sums of bending's coefficients: over the outer ring, and on the diagonal.
template <class R>
struct BendingSums {
  R outer, diagonal;
};

/// A cell's two triangles at rest.
template <class R>
struct CellRest {
  TriangleRest<R> lower, upper;
};

/// Base of `Kernel`, which says what edges, triangles and hinges at an element are: `share`, `rest_length`,
/// `exists`, `share_of_area`, `share_of_stiffness`, `triangle_rests`, `bending_sums`, `bending_near`,
/// `outer_ring`.
template <class Kernel, int W, class Sheet, class TileOf>
struct BlockStep : BlockLoad<Kernel, W, Sheet, TileOf> {
  using Base = BlockLoad<Kernel, W, Sheet, TileOf>;
  using Base::a, Base::area, Base::kernel, Base::sheet;
  using typename Base::Shape, typename Base::Tile;
  static constexpr int kStride = Shape::kStride;
  /// Phases of an inner iteration: forces of triangles, contacts, update.
  static constexpr int kPerInner = 3;

  /// Of `phase` after the first inner iteration's begin.
  HD static PhaseKind inner_kind(const Tile& tile, int phase) {
    switch (phase % kPerInner) {
      case 0: return Sheet::kTriangles ? PhaseKind::cells : PhaseKind::none;
      case 1: return tile.contacts ? PhaseKind::own_scalar : PhaseKind::none;
      default: return PhaseKind::own;
    }
  }
  template <class L>
  HD void run_inner(Tile& t, int row, int phase, int e) const {
    const int inner = phase / kPerInner, now = inner % 2;
    switch (phase % kPerInner) {
      case 0:
        if constexpr (Sheet::kTriangles) triangle_forces<L>(t, now, e);
        return;
      case 1:
        if constexpr (kRowsOf<L> == 1) contact_forces(t, a.list[row], now, e);
        return;
      default: update<L>(t, inner, e);
    }
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
  /// Length at rest of the edge to neighbour k of a whole, unmodified grid, m.
  HD float nominal_length(int k) const { return k % 3 == 1 ? 1.41421356f * sheet.cell : sheet.cell; }
  HD static float stiffness(const EdgeStiffness& s, int k) {
    return k % 3 == 0 ? s.x : k % 3 == 1 ? s.diagonal : s.y;
  }

  /// Sums over the outer ring and P⁻¹ at the block's start.
  template <class L>
  HD void prepare(Tile& t, int e) const {
    using R = typename L::Real;
    const Vec3<R> x = load_vector<L>(t.x[0], e);
    Vec3<R> d[6];
    edges<L>(t, 0, e, x, d);
    const R active = L::load(&t.p[0][e]), zero = L::splat(0);
    const auto [outer, diagonal] = kernel().template bending_sums<L>(t, e);
    L::store(&t.outer_sum[e], outer);
    store_vector<L>(t.outer, e, kernel().template outer_ring<L>(t, 0, e));
    const R isotropic = diagonal + L::larger(active, zero);
    // Edges that do not exist end anywhere.
    const auto edge = [&](int k) { return kernel().template share<L>(t, k, e) * d[k]; };
    const Vec3<R> area = cross(edge(0) - edge(3), edge(2) - edge(5));
    // Where the normal is 0, all directions are as stiff as the plane.
    const Vec3<R> n = inverse_root(squared_length(area)) * area;
    // Along the normal: edges that rise out of the plane at folds, and the tension of the others. Compression
    // counts like tension, so that buckling grows slowly.
    R across = isotropic;
    for (int k = 0; k < 6; ++k) {
      const R inverse = inverse_root(squared_length(d[k])), rise = dot(n, d[k]) * inverse;
      const R tension = 1.0f - kernel().template rest_length<L>(t, k, e) * inverse;
      const R s = stiffness(sheet.edges, k) * kernel().template share<L>(t, k, e);
      const R pulled = L::larger(L::larger(tension, -tension), L::splat(kSmallestTension));
      across = across + s * (pulled + kFoldMargin * rise * rise);
    }
    const R along = sheet.in_plane * kernel().template share_of_stiffness<L>(t, e) + isotropic;
    if (a.inner.diagonal) store_diagonal<L>(t, e, active, along, across, n);
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
    const auto [lower, upper] = kernel().template triangle_rests<L>(t, e);
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
      if (!a.anchors.weighted.empty() && a.anchors.weighted[b]) {
        const int v = (b * W + e / kStride - 2) * W + e % kStride - 2;
        g += a.anchors.weight[v] * (x - a.anchors.base.local[v]) - a.anchors.force[v];
      }
    }
    for (int c = 0; c < 3; ++c) t.contact_gradient[c][e] = g[c];
  }
  /// Of contacts (eq. 11). Vertices of other blocks count as if they moved against this one, as far from
  /// where they were at the block's start: k/2 |a - b|² <= k |a - m|² + k |b - m|² with m halfway then, so
  /// that blocks that answer each other at once do not go too far together.
  HD vec3 repulsion_at(const Tile& t, int b, int copy, int e, const vec3& x) const {
    const int v = a.contacts.contact[t.contact[e]].vertex, end = a.contacts.start[b + 1];
    vec3 sum(0);
    for (int k = t.contact[e]; k < end && a.contacts.contact[k].vertex == v; ++k) {
      const int other = a.contacts.contact[k].other;
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
        const R s = stiffness(sheet.edges, k) * kernel().template share<L>(t, k, e);
        g = g - Spring::axial<R>(length, {kernel().template rest_length<L>(t, k, e)}, {s}).pull * d[k];
      }
    }
    return g;
  }
  /// Of bending: the six neighbours now, the outer ring then (eq. 9) or now.
  template <class L>
  WEFT_INLINE Vec3<typename L::Real> bending(const Tile& t, int copy, int e, const Vec3<typename L::Real>& x,
                                             const Vec3<typename L::Real> (&d)[6]) const {
    using R = typename L::Real;
    const Vec3<R> ring =
        a.inner.lag_outer ? load_vector<L>(t.outer, e) : kernel().template outer_ring<L>(t, copy, e);
    return kernel().template bending_near<L>(t, e, d, ring - L::load(&t.outer_sum[e]) * x);
  }
  /// Of air (eq. 15): a sixth of the pressure times the normals of the triangles around.
  template <class L>
  WEFT_INLINE Vec3<typename L::Real> air(const Tile& t, int e, const Vec3<typename L::Real> (&d)[6]) const {
    using R = typename L::Real;
    Vec3<R> sum = zero_vector<R>();
    for (int k = 0; k < 6; ++k) {
      const Vec3<R> n = cross(d[k], d[(k + 1) % 6]);
      sum = sum + kernel().template exists<L>(t, k, e) * n;
    }
    return L::splat(t.air * (1.0f / 6)) * sum;
  }
  /// Gradient of F at a vertex.
  template <class L>
  WEFT_INLINE Vec3<typename L::Real> gradient(const Tile& t, int copy, int e,
                                              const Vec3<typename L::Real>& x) const {
    using R = typename L::Real;
    Vec3<R> d[6];
    edges<L>(t, copy, e, x, d);
    Vec3<R> g = planar<L>(t, e, d) + bending<L>(t, copy, e, x, d) - load_vector<L>(t.start, e);
    if (a.terms.anchor > 0)
      g = g + ((a.terms.anchor * area()) * kernel().template share_of_area<L>(t, e)) * x;
    if (a.terms.air != 0) g = g - air<L>(t, e, d);
    if (t.contacts) g = g + load_vector<L>(t.contact_gradient, e);
    if (t.layers && a.terms.fill > 0) {
      const Vec3<R> n = load_vector<L>(t.layer, e);
      const R squeezed = L::larger(a.terms.thickness - dot(n, x) + L::load(&t.layer[3][e]), L::splat(0));
      g = g - (a.terms.fill * area() * squeezed * kernel().template share_of_area<L>(t, e)) * n;
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
    if (inner > 0) y = L::splat(a.inner.omega[inner]) * (y - last) + last;
    if (t.planes) {
      const Vec3<R> n = load_vector<L>(t.plane, e);
      y = y + L::larger(L::load(&t.plane[3][e]) - dot(n, y), L::splat(0)) * n;  // eq. 10
    }
    store_vector<L>(t.x[1 - now], e, y);
  }
};

}  // namespace weft::block_descent
