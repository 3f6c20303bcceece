// One impact as a constraint on the displacements of a step (Tang 2018, eq. 2 and 3), linear with the normal
// and the weights at the time of impact:
//
//   c*(d) = n . sum_k w_k (x_k + d_k) - h >= 0        x: positions at the start of the step, d: displacements, m
//
//   vertex and triangle   w = (1, -a1, -a2, -a3)         edges   w = (1 - s, s, t - 1, -t)
//   vertex and plane      w = (1, 0, 0, 0), n . x counts from the plane
//
// Weights of pairs sum to zero, so that n . sum w x is computed from differences of positions.
#pragma once
#include "sim/collision/surface/contact_surface.h"
#include "sim/geometry/time_of_impact.h"

namespace weft::impact_zones {

struct Impact {
  ivec4 points{-1};  // of the surface; -1: none (behind the first, where the other side is a plane)
  float weight[4] = {0, 0, 0, 0};
  vec3 normal{0};    // n, from the second side to the first
  float start = 0;   // m: n . sum w x, the distance along n at the start of the step
  float height = 0;  // m: h
  float time = 0;    // share of the step before which the two sides provably keep the gap
  int hard = 0;      // 1: not even a gap of 0 is proven
  int owner = -1;    // the first place with weight whose point the zone solver may move; -1: none
};

/// n . sum w d, m.
HD inline float approach(const Impact& j, Span<const vec3> d) {
  vec3 moved(0);
  for (int k = 0; k < 4; ++k)
    if (j.points[k] >= 0) moved += j.weight[k] * d[j.points[k]];
  return glm::dot(j.normal, moved);
}

/// -c*(d), m: positive where the constraint is violated. `inelastic`: minus the distance travelled, which
/// must become 0 (Harmon 2008).
HD inline float violation(const Impact& j, Span<const vec3> d, bool inelastic) {
  return inelastic ? -approach(j, d) : (j.height - j.start) - approach(j, d);
}

/// Times (share of the step) before which a pair keeps `gap`, and touches; kNoImpact where it does so
/// throughout.
struct PairTimes {
  float near = kNoImpact, touch = kNoImpact;
};

/// The gap of a pair that is closer than twice the gap at the start is half its distance then: within the
/// gap, but apart, is no impact unless it comes closer still.
HD inline PairTimes pair_times(const vec3 start[4], const vec3 end[4], bool edges, float gap) {
  const ClosestPair<float> closest = edges ? closest_edge_edge(start[0], start[1], start[2], start[3])
                                           : closest_vertex_triangle(start[0], start[1], start[2], start[3]);
  ImpactOptions<float> options;
  const float half = 0.5f * sqrtf(closest.squared);
  options.gap = half < gap ? half : gap;
  PairTimes t;
  t.near = edges ? edge_edge_impact(start, end, options) : vertex_triangle_impact(start, end, options);
  if (t.near > 1) return t;
  options.gap = 0;
  t.touch = edges ? edge_edge_impact(start, end, options) : vertex_triangle_impact(start, end, options);
  return t;
}

/// Normal and weights at the time of impact: those of the closest points, or where these touch at the start.
HD inline Impact pair_impact(const ivec4& points, const vec3 start[4], const vec3 end[4], bool edges,
                             const PairTimes& times, float height) {
  Impact j;
  j.points = points;
  j.time = times.near;
  j.hard = times.touch <= 1;
  j.height = height;
  float least = 0;
  for (int tries = 0; tries < 2 && !(least > 0); ++tries) {
    const float t = tries == 0 ? times.near : 0.0f;
    vec3 x[4];
    for (int k = 0; k < 4; ++k) x[k] = (1 - t) * (start[k] - start[0]) + t * (end[k] - end[0]);
    const ClosestPair<float> c =
        edges ? closest_edge_edge(x[0], x[1], x[2], x[3]) : closest_vertex_triangle(x[0], x[1], x[2], x[3]);
    least = c.squared;
    if (least > 0) j.normal = c.offset * (1 / sqrtf(least));
    for (int k = 0; k < 4; ++k) j.weight[k] = c.weight[k];
  }
  vec3 offset(0);
  for (int k = 1; k < 4; ++k) offset += j.weight[k] * (start[k] - start[0]);
  j.start = glm::dot(j.normal, offset);
  return j;
}

}  // namespace weft::impact_zones
