// The step of any block: edges, triangles and hinges that may be missing, rest shapes that may be modified.
#pragma once
#include "sim/grid/descent/block_step.h"

namespace weft::block_descent {

template <int W, class Sheet>
struct GeneralStep : BlockStep<GeneralStep<W, Sheet>, W, Sheet, GeneralTile<W, Sheet>> {
  using Base = BlockStep<GeneralStep, W, Sheet, GeneralTile<W, Sheet>>;
  using Base::kStride, Base::a, Base::sheet;
  using typename Base::Tile;
  static constexpr bool kUniform = false;

  // Phases: coefficients, P, then inner iterations.

  HD int phases() const { return 2 + Base::kPerInner * a.inner.count; }
  HD static PhaseKind kind(const Tile& tile, int phase) {
    if (phase == 0) return PhaseKind::cells;
    return phase == 1 ? PhaseKind::own : Base::inner_kind(tile, phase - 2);
  }
  template <class L>
  HD void run(Tile& t, int row, int phase, int e) const {
    if (phase == 0) coefficients<L>(t, e);
    else if (phase == 1) Base::template prepare<L>(t, e);
    else Base::template run_inner<L>(t, row, phase - 2, e);
  }

  // Loading.

  HD bool ghost(int v) const { return a.grid.ghost(v); }
  HD Flags flags_of(int v) const { return a.grid.flags[v]; }
  HD float area_of(int v) const { return Base::area() * a.grid.share(v); }
  HD void load_kind(Tile& t, int e, int v, Flags f) const {
    t.flag[e] = f;
    const EdgeScale s = f & grid::kInside ? a.rest.scale(v) : EdgeScale{};
    t.length[0][e] = s.x, t.length[1][e] = s.diagonal, t.length[2][e] = s.y;
    const vec3 factor = f & grid::kInside ? a.rest.factor_at(v) : vec3(0);
    t.exists[0][e] = f & grid::kLower ? factor.x : 0.0f, t.exists[1][e] = f & grid::kUpper ? factor.y : 0.0f;
    t.force[0][e] = factor.z;
  }

  // Coefficients.

  /// Shares of edges and triangles and couplings of bending, row by row. Elements of the first
  /// row and column need shares alone.
  template <class L>
  HD void coefficients(Tile& t, int first) const {
    for (int e = first; e < first + kRowsOf<L>; ++e) {
      const int x = e % kStride, y = e / kStride;
      if (x == 0 || y == 0 || x >= W + 3 || y >= W + 3) {
        for (auto& rows : t.half) rows[e] = 0;
        for (int k = 0; k < 6; ++k) t.bend[k][e] = t.two[k][e] = 0;
        continue;
      }
      const float lower = t.exists[0][e], upper = t.exists[1][e];
      t.half[0][e] = 0.5f * (lower + t.exists[1][e - kStride]);
      t.half[1][e] = 0.5f * (lower + upper);
      t.half[2][e] = 0.5f * (upper + t.exists[0][e - 1]);
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
    const float factor = t.force[0][e];
    if (!a.rest.list.empty())
      return factor * hinge_weight(t.flag[e], scale_at(t, e), scale_at(t, e - 1), scale_at(t, e - kStride),
                                   scale_at(t, e + 1), scale_at(t, e + kStride));
    const Flags f = t.flag[e];
    return factor * HingeWeight{float(grid::hinges_along_x(f)), float(grid::hinges_along_y(f)),
                                f & grid::kCell ? 1.0f : 0.0f};
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

  // Edges and triangles.

  /// Share of the edge to neighbour k that exists, and its length at rest.
  template <class L>
  WEFT_INLINE static typename L::Real share(const Tile& t, int k, int e) {
    return L::load(&t.half[k % 3][owner<L>(k, e)]);
  }
  template <class L>
  WEFT_INLINE typename L::Real rest_length(const Tile& t, int k, int e) const {
    return Base::nominal_length(k) * L::load(&t.length[k % 3][owner<L>(k, e)]);
  }
  /// The element that has the edge from e to its neighbour k.
  template <class L>
  WEFT_INLINE static int owner(int k, int e) {
    return k < 3 ? e : e + Base::template offset_of<L>(k);
  }
  /// 1 if the triangle between neighbours k and k + 1 exists, else 0.
  template <class L>
  WEFT_INLINE static typename L::Real exists(const Tile& t, int k, int e) {
    // of the cells (0,0) twice, (-1,0), (-1,-1) twice, (0,-1)
    constexpr int upper[6] = {0, 1, 0, 1, 0, 1};
    constexpr int at[6] = {0, 0, -1, -kStride - 1, -kStride - 1, -kStride};
    return is_there<L>(t.exists[upper[k]], e + at[k]);
  }
  template <class L>
  WEFT_INLINE static typename L::Real is_there(const typename Tile::Row& row, int e) {
    return L::where(L::load(&row[e]), L::splat(1));
  }
  /// Share of the vertex's area that exists.
  template <class L>
  WEFT_INLINE static typename L::Real share_of_area(const Tile& t, int e) {
    return (1.0f / 6) * (is_there<L>(t.exists[0], e) + is_there<L>(t.exists[1], e) +
                         is_there<L>(t.exists[0], e - 1) + is_there<L>(t.exists[0], e - kStride - 1) +
                         is_there<L>(t.exists[1], e - kStride - 1) + is_there<L>(t.exists[1], e - kStride));
  }
  /// The same by the stiffness in the plane.
  template <class L>
  WEFT_INLINE static typename L::Real share_of_stiffness(const Tile& t, int e) {
    return (1.0f / 6) * (L::load(&t.exists[0][e]) + L::load(&t.exists[1][e]) + L::load(&t.exists[0][e - 1]) +
                         L::load(&t.exists[0][e - kStride - 1]) + L::load(&t.exists[1][e - kStride - 1]) +
                         L::load(&t.exists[1][e - kStride]));
  }
  template <class L>
  WEFT_INLINE CellRest<typename L::Real> triangle_rests(const Tile& t, int e) const {
    using R = typename L::Real;
    const auto length = [&](int k, int at) { return sheet.cell * L::load(&t.length[k][at]); };
    const R across = 1.41421356f * length(1, e);
    TriangleRest<R> lower = lower_rest<R>(length(0, e), length(2, e + 1), across),
                    upper = upper_rest<R>(length(0, e + kStride), length(2, e), across);
    lower.area = lower.area * L::load(&t.exists[0][e]), upper.area = upper.area * L::load(&t.exists[1][e]);
    return {lower, upper};
  }

  // Bending.

  template <class L>
  WEFT_INLINE static BendingSums<typename L::Real> bending_sums(const Tile& t, int e) {
    typename L::Real outer = L::splat(0), diagonal = outer;
    for (int k = 0; k < 6; ++k) {
      outer = outer + L::load(&t.two[k][e]);
      diagonal = diagonal - L::load(&t.bend[k][e]);
    }
    return {outer, diagonal - outer};
  }
  /// `g` and the gradient of the six neighbours.
  template <class L>
  WEFT_INLINE static Vec3<typename L::Real> bending_near(const Tile& t, int e,
                                                         const Vec3<typename L::Real> (&d)[6],
                                                         Vec3<typename L::Real> g) {
    for (int k = 0; k < 6; ++k) g = g + L::load(&t.bend[k][e]) * d[k];
    return g;
  }
  /// Sum of a_j x_j over the outer ring.
  template <class L>
  WEFT_INLINE static Vec3<typename L::Real> outer_ring(const Tile& t, int copy, int e) {
    const auto at = [&](int x, int y) { return load_vector<L>(t.x[copy], e + y * kStride + x); };
    const auto a_j = [&](int k) { return L::load(&t.two[k][e]); };
    return a_j(0) * at(-1, 1) + a_j(1) * at(1, -1) + a_j(2) * at(2, 0) + a_j(3) * at(0, 2) +
           a_j(4) * at(-2, 0) + a_j(5) * at(0, -2);
  }
};

}  // namespace weft::block_descent
