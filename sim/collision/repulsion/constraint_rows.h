// The constraints of one vertex, and what a move does to them (Wu 2020, section 4.1).
#pragma once
#include "sim/collision/proximity/neighbor_lists.h"
#include "sim/collision/repulsion/repulsion_constants.h"
#include "sim/device/launch.h"
#include "sim/device/lanes.h"

namespace weft::repulsion {

/// Vertices as displacements u from their positions `base` at the start of the step, so that differences keep their digits.
struct ConstraintRows {
  Span<const vec3> base;   // padded, m
  NeighborLists edges;     // the other ends of the edges at each vertex
  NeighborLists pairs;     // vertices that may come too close
  NeighborLists near;      // vertices within two edges, which keep a distance of their own
  Span<const float> near_distance;  // m, per place of `near`
  Span<const float> longest;        // m, per place of `edges`: no edge grows beyond it
  RepulsionConstants c;
};

/// What rounding may take off a distance when x_n + u is stored in float32: two roundings of half a unit each, per coordinate.
template <class L>
HD inline typename L::Real rounding(const Vec3<typename L::Real>& base) {
  using R = typename L::Real;
  const R zero = L::splat(0);
  return L::splat(4e-7f) * (L::larger(base.x, zero - base.x) + L::larger(base.y, zero - base.y) + L::larger(base.z, zero - base.z));
}

template <class L>
HD inline Vec3<typename L::Real> relative(const vec3* v, const int* j, const Vec3<typename L::Real>& own) {
  return L::gather(v, j) - own;
}

/// Least squared length of p0 + t (p1 - p0) for t in [0, 1] (eq. 6, with its t in closed form).
template <class L>
HD inline typename L::Real least_squared(const Vec3<typename L::Real>& p0, const Vec3<typename L::Real>& move) {
  using R = typename L::Real;
  const R zero = L::splat(0);
  const R t = L::smaller(L::larger((zero - dot(p0, move)) / (dot(move, move) + 1e-30f), zero), L::splat(1));
  const Vec3<R> p = p0 + t * move;
  return dot(p, p);
}

/// How far the move of a pair from p0 by `move` undercuts what it must keep (m^2; positive: it fails). C is eq. 6 with B, c is eq. 11 with B +
/// B_tight. A pair that is too close to begin with, as in a scene that starts so, must not come closer.
template <class L>
HD inline typename L::Real pair_excess(const RepulsionConstants& c, const Vec3<typename L::Real>& p0, const Vec3<typename L::Real>& move,
                                       const typename L::Real& margin) {
  using R = typename L::Real;
  const Vec3<R> p1 = p0 + move;
  const R before = dot(p0, p0), after = dot(p1, p1);
  const R kept = (1 - 1e-6f) * before;
  const R bound = L::splat(c.bound) + margin, distance = c.distance * c.distance + L::splat(0);
  const R c_min = L::smaller(bound * bound, kept);
  // At least B + B_tight; by epsilon_cond more where it was more before.
  const R tight = L::smaller(distance + c.condition, L::larger(L::smaller(distance, before), kept));
  return L::larger(c_min - least_squared<L>(p0, move), tight - after);
}

/// The same for vertices within two edges of each other. Their distance bounds how sharply cloth folds.
template <class L>
HD inline typename L::Real near_excess(const typename L::Real& distance, const Vec3<typename L::Real>& p0, const Vec3<typename L::Real>& move) {
  using R = typename L::Real;
  const R kept = (1 - 1e-6f) * dot(p0, p0);
  return L::smaller(distance * distance, kept) - least_squared<L>(p0, move);
}

/// The same for an edge, which must not grow beyond `longest`. Its length along the way is at most that at the ends.
template <class L>
HD inline typename L::Real edge_excess(const typename L::Real& longest, const Vec3<typename L::Real>& p0, const Vec3<typename L::Real>& move,
                                       const typename L::Real& margin) {
  using R = typename L::Real;
  const Vec3<R> p1 = p0 + move;
  const R most = longest - margin;
  return dot(p1, p1) - L::larger(most * most, (1 + 1e-6f) * dot(p0, p0));
}

}  // namespace weft::repulsion
