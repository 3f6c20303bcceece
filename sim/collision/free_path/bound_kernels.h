// Bounds of forward steps by pairs of close primitives (Wang 2023, section 5).
#pragma once
#include "sim/collision/proximity/pair_list.h"
#include "sim/collision/surface/pair_geometry.h"
#include "sim/device/atomics.h"

namespace weft::two_way {
using namespace contact;

/// D_i of eq. 15: to the nearest primitive of any pair that point i is in.
struct NearestDistances {
  PairList pairs;
  bool vertex_triangle = true;
  Span<const vec3> x;
  Span<float> nearest;  // m, per point
  Radii radii;
  HD void operator()(int i) const {
    const ivec4 p = pairs.points[i];
    const vec3 corners[4] = {x[p[0]], x[p[1]], x[p[2]], x[p[3]]};
    const float apart = pairs.distance[i] - radii(p, vertex_triangle),
                d = glm::max(apart - rounding(corners), 0.0f);
    for (int k = 0; k < 4; ++k) atomic_min(&nearest[p[k]], d);
  }
};

/// By how much less than that vertices of the cloth are away from what parts with a radius of their own meet.
struct OwnDistances {
  PairList pairs;
  bool vertex_triangle = true;
  Span<const vec3> x;
  Radii radii;
  PartRadii parts;
  Span<float> nearest;  // m, per vertex
  HD void operator()(int i) const {
    const PairPoints pair(pairs.points[i], vertex_triangle, x);
    const float core = radii(pair.points, vertex_triangle),
                more = beyond_onset(parts, pair.points, vertex_triangle, core);
    for (int k = 0; more > 0 && k < 4; ++k)
      if (pair.closest.weight[k] != 0 && pair.points[k] < nearest.size)
        atomic_min(&nearest[pair.points[k]], glm::max(pairs.distance[i] - core - more, 0.0f));
  }
};

/// A plane across the shortest segment between both primitives. Each side stays on its own side while its
/// points move straight, and the gap between them is divided as they approach; separating and sliding are
/// free. The gap is measured along the normal from corner to corner, so that rounding of the closest points
/// does not matter; without a gap nothing moves. A target far behind needs several backward steps to return,
/// in which x would close nine tenths of the gap each time, until rounding ends all motion; so the last part
/// of the gap is given away slowly.
///
///        x0    x1
///       --*----*--  |   gap between the lowest of the one side
///    ...........plane, n
///        x2 *---* x3    and the highest of the other
struct PlaneBounds {
  float most[4];      // alpha that the plane allows each point
  float approach[4];  // m, of the whole path towards the plane; negative: away from it
  float whole;        // m, the gap; 0: no proof that both sides are apart
  /// `radii`: by how much the surfaces are nearer than the pair (m).
  HD PlaneBounds(const PairPoints& pair, bool vertex_triangle, Span<const vec3> y, float damping, float keep,
                 float radii = 0) {
    const vec3 n = best_normal(pair, vertex_triangle);
    const int first = vertex_triangle ? 1 : 2;  // points of the upper side
    float height[4], low = 1e30f, high = -1e30f, upper = 0, lower = 0;
    for (int k = 0; k < 4; ++k) {
      most[k] = 1;
      height[k] = glm::dot(n, pair.x[k] - pair.x[first]);
      approach[k] = (k < first ? -1.0f : 1.0f) * glm::dot(n, y[pair.points[k]] - pair.x[k]);
      if (k < first) low = glm::min(low, height[k]), upper = glm::max(upper, approach[k]);
      else high = glm::max(high, height[k]), lower = glm::max(lower, approach[k]);
    }
    const float apart = low - high - rounding(pair.x);
    whole = glm::max(apart - radii, 0.0f);
    if (!(whole > 0)) {  // the room, if any, may be rounding
      // of grains that touch, or overlap as a start may have them, it is known on which side each is: they
      // part, and slide
      const bool known = radii > 0 && apart > 0;
      for (int k = 0; k < 4; ++k) most[k] = known && !(approach[k] > 0) ? 1.0f : 0.0f;
      return;
    }
    if (!(upper + lower > 0)) return;
    const float room = whole * whole / (whole + keep);
    // of the gap, for the upper side
    const float part = glm::min(glm::max(upper / (upper + lower), 0.05f), 0.95f);
    for (int k = 0; k < 4; ++k) {
      if (!(approach[k] > 0)) continue;
      const float own = k < first ? damping * (height[k] - low + part * room)
                                  : damping * (high - height[k] + (1 - part) * room);
      if (own < approach[k]) most[k] = own / approach[k];
    }
  }
};

/// Pairs whose sides cannot come nearer than half of their distance in this step need no plane: no point
/// moves further than `most`. Gaps below `keep` have one all the same, which closes them slowly.
struct PlaneShares {
  PairList pairs;
  bool vertex_triangle = true;
  Span<const vec3> x, y;
  float damping = 0.9f;  // gamma
  float keep = 0;        // m: of a gap of this length only half is given away, of a smaller one still less
  float most = 1e30f;    // m
  Span<float> share;     // alpha, per point
  Radii radii;
  HD void operator()(int i) const {
    if (stays_apart(i)) return;
    const PairPoints pair(pairs.points[i], vertex_triangle, x);
    const PlaneBounds bounds(pair, vertex_triangle, y, damping, keep, radii(pair.points, vertex_triangle));
    for (int k = 0; k < 4; ++k)
      if (bounds.most[k] < 1) atomic_min(&share[pair.points[k]], bounds.most[k]);
  }
  HD bool stays_apart(int i) const {
    const ivec4 p = pairs.points[i];
    const float distance =
        pairs.distance[i] - rounding(x[p.x]) - rounding(x[p.w]) - radii(p, vertex_triangle);
    if (!(distance > 2 * keep)) return false;
    float side[2] = {0, 0};  // the longest ways, squared
    for (int k = 0; k < 4; ++k) {
      const vec3 displacement = y[p[k]] - x[p[k]];
      float& longest = side[k >= (vertex_triangle ? 1 : 2)];
      longest = glm::max(longest, glm::dot(displacement, displacement));
    }
    return glm::min(sqrtf(side[0]), most) + glm::min(sqrtf(side[1]), most) < 0.5f * distance;
  }
};

}  // namespace weft::two_way
