// Kernels of meshless bending (sim/energies/meshless_bending.h), 16 vertices side by side.
#pragma once
#include "sim/device/launch.h"
#include "sim/energies/meshless_bending.h"

namespace weft::neighborhoods {

/// Entry k of vertex i is number slice_start[i / 16] + 16 k + i % 16. What pads a slice points to the vertex
/// itself (the last vertex beyond the end) and to its own entry, and weighs nothing.
struct NeighborhoodsView {
  Span<const int> slice_start;       // slices + 1
  Span<const int> self;              // per padded vertex
  Span<const int> neighbor;          // per entry
  Span<const int> reverse;           // per entry (i, j): the entry (j, i)
  Span<const float> reference;       // per entry: (rho, h), interleaved 3, m
  Span<const float> inverse_moment;  // per padded vertex, interleaved 2, 1/m²
  Span<const float> stiffness;       // per padded vertex, N/m
};

/// Each vertex's own force, and the force of its neighbourhood on each neighbour.
struct BendNeighborhoods {
  NeighborhoodsView n;
  Span<const vec3> position, d;  // x_n and displacement
  Span<vec3> force;              // per entry: on the neighbour, N
  Span<vec3> own;                // per padded vertex, N

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    const int begin = n.slice_start[i / kLanes] + i % kLanes, end = n.slice_start[i / kLanes + 1];
    const R inverse1 = L::load(&n.inverse_moment[interleaved(i, 0, 2)]),
            inverse2 = L::load(&n.inverse_moment[interleaved(i, 1, 2)]);
    const Vec3<R> xi = L::gather(position.data, &n.self[i]), di = L::gather(d.data, &n.self[i]),
                  none = {L::splat(0), L::splat(0), L::splat(0)};
    // `force` holds e, then y, then the force: each is needed in full before the next.
    Vec3<R> a1 = none, a2 = none;
    for (int o = begin; o < end; o += kLanes) {
      const Vec3<R> e =
          (L::gather(position.data, &n.neighbor[o]) - xi) + (L::gather(d.data, &n.neighbor[o]) - di);
      const Vec3<R> reference = L::load3(&n.reference[interleaved(o, 0, 3)]);
      a1 = a1 + (reference.x * inverse1) * e;
      a2 = a2 + (reference.y * inverse2) * e;
      L::store_rows(&force[o], e);
    }
    const meshless::Fit<R> fit = meshless::fit(a1, a2);
    meshless::FitGradient<R> gradient{none, none, none};
    for (int o = begin; o < end; o += kLanes) {
      const Vec3<R> reference = L::load3(&n.reference[interleaved(o, 0, 3)]);
      const meshless::Residual<R> r = meshless::residual(fit, L::rows(&force[o]), reference);
      gradient.add(fit, r, reference);
      L::store_rows(&force[o], r.y);
    }
    gradient.turn_normal(fit);
    const R k = L::load(&n.stiffness[i]);
    Vec3<R> sum = none;
    for (int o = begin; o < end; o += kLanes) {
      const Vec3<R> reference = L::load3(&n.reference[interleaved(o, 0, 3)]);
      const Vec3<R> pull =
          k * meshless::gradient(gradient, L::rows(&force[o]), reference, inverse1, inverse2);
      sum = sum + pull;
      L::store_rows(&force[o], L::splat(-1) * pull);
    }
    L::store_rows(&own[i], sum);
  }
};

/// What a vertex feels: its own force, those of the neighbourhoods that it is part of, and other elements'
/// forces.
struct GatherNeighborhoods {
  NeighborhoodsView n;
  Span<const vec3> force, own;
  Span<const vec3> others;  // per padded vertex; may be empty
  Span<vec3> total;         // per padded vertex; may be `others`

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    Vec3<R> sum = L::rows(&own[i]);
    const int end = n.slice_start[i / kLanes + 1];
    for (int o = n.slice_start[i / kLanes] + i % kLanes; o < end; o += kLanes)
      sum = sum + L::gather(force.data, &n.reverse[o]);
    if (!others.empty()) sum = sum + L::rows(&others[i]);
    L::store_rows(&total[i], sum);
  }
};

}  // namespace weft::neighborhoods
