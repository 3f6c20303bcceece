// The constraints of one vertex, and tests of a move against them (Wu 2020, section 4.1).
#pragma once
#include "sim/collision/proximity/neighbor_lists.h"
#include "sim/collision/repulsion/constraints/repulsion_constants.h"
#include "sim/collision/repulsion/constraints/sample_rows.h"
#include "sim/device/lanes.h"
#include "sim/device/launch.h"

namespace weft::repulsion {

// factor on their distance at which vertices within two edges start to repel
constexpr float kNearReach = 1.1f;

/// Vertices as displacements u from their positions `base` at the start of the step, so that differences keep
/// their digits.
struct ConstraintRows {
  Span<const vec3> base;            // padded, m
  NeighborLists edges;              // the other ends of the edges at each vertex
  NeighborLists pairs;              // vertices that may come too close
  NeighborLists near;               // vertices within two edges, which keep a separate distance
  Span<const float> near_distance;  // m, per entry of `near`: distance to which they are pushed
  Span<const float> near_kept;      // m, per entry of `near`: distance kept until the next search
  Span<const float> longest;        // m, per place of `edges`: no edge grows beyond it
  RepulsionConstants c;
  SampleRows samples;  // on stretched edges
};

/// Largest rounding error of a distance when x_n + u is stored in float32: two roundings of half a unit each,
/// per coordinate.
template <class L>
WEFT_INLINE typename L::Real rounding(const Vec3<typename L::Real>& base) {
  using R = typename L::Real;
  const R zero = L::splat(0);
  return L::splat(4e-7f) * (L::larger(base.x, zero - base.x) + L::larger(base.y, zero - base.y) +
                            L::larger(base.z, zero - base.z));
}

template <class L>
WEFT_INLINE Vec3<typename L::Real> relative(const vec3* v, const int* j, const Vec3<typename L::Real>& own) {
  return L::gather(v, j) - own;
}

/// Least squared length of p0 + t (p1 - p0) for t in [0, 1] (eq. 6, with its t in closed form).
template <class L>
WEFT_INLINE typename L::Real least_squared(const Vec3<typename L::Real>& p0,
                                           const Vec3<typename L::Real>& move) {
  using R = typename L::Real;
  const R zero = L::splat(0);
  const R t = L::smaller(L::larger((zero - dot(p0, move)) / (dot(move, move) + 1e-30f), zero), L::splat(1));
  const Vec3<R> p = p0 + t * move;
  return dot(p, p);
}

/// Violation of the limit by the move of a pair from p0 by `move` (m^2; positive: it fails). C is eq. 6 with
/// B, c is eq. 11 with B + B_tight. A pair that is too close from the start must not come closer.
template <class L>
WEFT_INLINE typename L::Real pair_excess(const RepulsionConstants& c, const Vec3<typename L::Real>& p0,
                                         const Vec3<typename L::Real>& move, const typename L::Real& margin) {
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
WEFT_INLINE typename L::Real near_excess(const typename L::Real& distance, const Vec3<typename L::Real>& p0,
                                         const Vec3<typename L::Real>& move) {
  using R = typename L::Real;
  const R kept = (1 - 1e-6f) * dot(p0, p0);
  return L::smaller(distance * distance, kept) - least_squared<L>(p0, move);
}

/// The same for an edge, which must not become longer than `longest`. Its length on the path is at most that
/// at the ends.
template <class L>
WEFT_INLINE typename L::Real edge_excess(const typename L::Real& longest, const Vec3<typename L::Real>& p0,
                                         const Vec3<typename L::Real>& move, const typename L::Real& margin) {
  using R = typename L::Real;
  const Vec3<R> p1 = p0 + move;
  const R most = longest - margin;
  return dot(p1, p1) - L::larger(most * most, (1 + 1e-6f) * dot(p0, p0));
}

enum class Constraint { pair, edge, near };
template <Constraint kKind>
struct Kind {
  static constexpr Constraint value = kKind;
};

/// Calls look(Kind, j, p0, distance) for every entry of the rows from i on, with neighbours j and p0 = x_j -
/// x_i at `u`. `distance` (m): minimum for pairs, maximum for edges. In entries beyond a row's count j is the
/// row itself.
template <class L, class Look>
HD inline void for_constraints(const ConstraintRows& rows, const vec3* u, int i, const Look& look) {
  using R = typename L::Real;
  const Vec3<R> base = L::rows(&rows.base[i]), own = L::rows(u + i);
  const auto apart = [&](const int* j) {
    return relative<L>(rows.base.data, j, base) + relative<L>(u, j, own);
  };
  for (int s = 0, slots = most<L>(&rows.edges.count[i]); s < slots; ++s) {
    const int at = rows.edges.at(i, s);
    const int* j = &rows.edges.neighbor[at];
    look(Kind<Constraint::edge>{}, j, apart(j), L::load(&rows.longest[at]));
  }
  for (int s = 0, slots = most<L>(&rows.pairs.count[i]); s < slots; ++s) {
    const int* j = &rows.pairs.neighbor[rows.pairs.at(i, s)];
    look(Kind<Constraint::pair>{}, j, apart(j), L::splat(rows.c.distance));
  }
  for (int s = 0, slots = most<L>(&rows.near.count[i]); s < slots; ++s) {
    const int at = rows.near.at(i, s);
    const int* j = &rows.near.neighbor[at];
    look(Kind<Constraint::near>{}, j, apart(j), L::load(&rows.near_kept[at]));
  }
}

/// Violation of the limit by a move from p0 by `move` (m^2; see above), 0 in entries without a neighbour.
/// `margin`: multiple of `rounding`.
template <class L, Constraint kKind>
WEFT_INLINE typename L::Real excess_of(const ConstraintRows& rows, Kind<kKind>,
                                       const Vec3<typename L::Real>& p0, const Vec3<typename L::Real>& move,
                                       const typename L::Real& distance, const typename L::Real& margin) {
  if constexpr (kKind == Constraint::edge) return edge_excess<L>(distance, p0, move, margin);
  else if constexpr (kKind == Constraint::pair)
    return L::where(dot(p0, p0), pair_excess<L>(rows.c, p0, move, margin));
  else return L::where(distance, near_excess<L>(distance, p0, move));
}

/// The largest violation of the constraints of row i by the step before -> candidate (m^2): positive if one
/// fails, NaN if a value is not finite.
template <class L>
HD inline typename L::Real row_excess(const ConstraintRows& rows, const vec3* before, const vec3* candidate,
                                      int i) {
  using R = typename L::Real;
  const Vec3<R> base = L::rows(&rows.base[i]), u0 = L::rows(before + i), u1 = L::rows(candidate + i);
  const R rounded = rounding<L>(base);
  R most_excess = L::splat(-1e30f), no_number = L::splat(0);
  Vec3<R> p0, move;
  const auto look = [&](const int* j) {
    const Vec3<R> d0 = relative<L>(before, j, u0);
    p0 = relative<L>(rows.base.data, j, base) + d0;
    move = relative<L>(candidate, j, u1) - d0;
  };
  const auto take = [&](const R& excess) {
    most_excess = L::larger(most_excess, excess);
    no_number = no_number + (excess - excess);  // the larger of NaN and a number would be the number
  };
  for (int s = 0, slots = most<L>(&rows.edges.count[i]); s < slots; ++s) {
    const int at = rows.edges.at(i, s);
    look(&rows.edges.neighbor[at]);
    take(edge_excess<L>(L::load(&rows.longest[at]), p0, move, rounded));
  }
  for (int s = 0, slots = most<L>(&rows.pairs.count[i]); s < slots; ++s) {
    look(&rows.pairs.neighbor[rows.pairs.at(i, s)]);
    take(L::where(dot(p0, p0), pair_excess<L>(rows.c, p0, move, rounded)));
  }
  for (int s = 0, slots = most<L>(&rows.near.count[i]); s < slots; ++s) {
    const int at = rows.near.at(i, s);
    look(&rows.near.neighbor[at]);
    const R distance = L::load(&rows.near_kept[at]);
    take(L::where(distance, near_excess<L>(distance, p0, move)));
  }
  return most_excess + no_number;
}

}  // namespace weft::repulsion
