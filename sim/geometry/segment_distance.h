// Distance of two segments: a pure function that stays right where segments are short, parallel or cross at their ends.
#pragma once
#include "sim/geometry/closest_point.h"

namespace weft {

/// Closest points of segments ab and cd.
struct ClosestOnSegments {
  float s = 0, t = 0;   // a + s (b - a) and c + t (d - c)
  vec3 offset{0};       // from the point on ab to that on cd
};

/// The least of five candidates: each end against the other segment, and the common perpendicular where it meets both inside. Near-parallel
/// segments make the perpendicular vague, but then an end is as close.
HD inline ClosestOnSegments closest_on_segments(const vec3& a, const vec3& b, const vec3& c, const vec3& d) {
  const vec3 u = b - a, v = d - c, w = c - a;
  ClosestOnSegments best;
  float least = 3e38f;
  const auto offer = [&](float s, float t) {
    const vec3 offset = w + t * v - s * u;
    const float squared = glm::dot(offset, offset);
    if (!(squared < least)) return;
    least = squared;
    best = {s, t, offset};
  };
  offer(0, closest_on_segment(a, c, d));
  offer(1, closest_on_segment(b, c, d));
  offer(closest_on_segment(c, a, b), 0);
  offer(closest_on_segment(d, a, b), 1);
  const float uu = glm::dot(u, u), vv = glm::dot(v, v), uv = glm::dot(u, v), uw = glm::dot(u, w), vw = glm::dot(v, w);
  const float det = uu * vv - uv * uv;
  if (det > 1e-7f * uu * vv) {
    const float s = (vv * uw - uv * vw) / det, t = (uv * uw - uu * vw) / det;
    if (s > 0 && s < 1 && t > 0 && t < 1) offer(s, t);
  }
  return best;
}

}  // namespace weft
