// The step of blocks whose tile is whole and at the grid's rest shape: coefficients are constants.
#pragma once
#include "sim/grid/descent/block_step.h"

namespace weft::block_descent {

template <int W, class Sheet>
struct UniformStep : BlockStep<UniformStep<W, Sheet>, W, Sheet, UniformTile<W, Sheet>> {
  using Base = BlockStep<UniformStep, W, Sheet, UniformTile<W, Sheet>>;
  using Base::kStride, Base::a, Base::sheet;
  using typename Base::Tile;
  static constexpr bool kUniform = true;

  // Phases: P, then inner iterations.

  HD int phases() const { return 1 + Base::kPerInner * a.inner.count; }
  HD static PhaseKind kind(const Tile& tile, int phase) {
    return phase == 0 ? PhaseKind::own : Base::inner_kind(tile, phase - 1);
  }
  template <class L>
  HD void run(Tile& t, int row, int phase, int e) const {
    if (phase == 0) Base::template prepare<L>(t, e);
    else Base::template run_inner<L>(t, row, phase - 1, e);
  }

  // Loading: every vertex exists and is the panel's own.

  HD static bool ghost(int) { return false; }
  HD static Flags flags_of(int) { return grid::kInside; }
  HD float area_of(int) const { return Base::area(); }
  HD static void load_kind(Tile&, int, int, Flags) {}

  // Edges and triangles.

  template <class L>
  WEFT_INLINE static typename L::Real share(const Tile&, int, int) {
    return L::splat(1);
  }
  template <class L>
  WEFT_INLINE typename L::Real rest_length(const Tile&, int k, int) const {
    return L::splat(Base::nominal_length(k));
  }
  template <class L>
  WEFT_INLINE static typename L::Real exists(const Tile&, int, int) {
    return L::splat(1);
  }
  template <class L>
  WEFT_INLINE static typename L::Real share_of_area(const Tile&, int) {
    return L::splat(1);
  }
  template <class L>
  WEFT_INLINE static typename L::Real share_of_stiffness(const Tile&, int) {
    return L::splat(1);
  }
  template <class L>
  WEFT_INLINE CellRest<typename L::Real> triangle_rests(const Tile&, int) const {
    using R = typename L::Real;
    const R inv = L::splat(1.0f / sheet.cell), zero = L::splat(0),
            area = L::splat(0.5f * sheet.cell * sheet.cell);
    return {{inv, zero, zero - inv, inv, area}, {inv, zero - inv, zero, inv, area}};
  }

  // Bending: 12 c on the outer ring and 16 c on the diagonal of even vertices, 4 c and 24 c of odd ones.

  /// Even vertices (local coordinates: W is even) have no hinges of their own.
  template <class L>
  WEFT_INLINE static typename L::Real odd(int e) {
#ifndef __CUDACC__
    if constexpr (kRowsOf < L >> 1) return L::load(&kOddElements<W>.value[e]);
    else
#endif
      return float((e % kStride + e / kStride) & 1);
  }
  template <class L>
  WEFT_INLINE BendingSums<typename L::Real> bending_sums(const Tile&, int e) const {
    const float c = sheet.bending();
    const typename L::Real is_odd = odd<L>(e);
    // even: 2c twice, 2c four times
    return {12.0f * c - (8.0f * c) * is_odd, 16.0f * c + (8.0f * c) * is_odd};
  }
  /// `g` and the gradient of the six neighbours.
  template <class L>
  WEFT_INLINE Vec3<typename L::Real> bending_near(const Tile&, int, const Vec3<typename L::Real> (&d)[6],
                                                  const Vec3<typename L::Real>& g) const {
    const float c = sheet.bending();
    return g - L::splat(8.0f * c) * (d[0] + d[2] + d[3] + d[5]) + L::splat(2.0f * c) * (d[1] + d[4]);
  }
  /// Sum of a_j x_j over the outer ring.
  template <class L>
  WEFT_INLINE Vec3<typename L::Real> outer_ring(const Tile& t, int copy, int e) const {
    const auto at = [&](int x, int y) { return load_vector<L>(t.x[copy], e + y * kStride + x); };
    const typename L::Real two = L::splat(2.0f * sheet.bending()), even = two - two * odd<L>(e);
    return two * (at(-1, 1) + at(1, -1)) + even * (at(2, 0) + at(0, 2) + at(-2, 0) + at(0, -2));
  }
};

}  // namespace weft::block_descent
