// Closest points of segments and triangles: pure functions. Points are given relative to the query where
// float32 would lose digits otherwise.
#pragma once
#include "sim/base/math.h"
#include "sim/geometry/primitive_distance.h"

namespace weft {

/// Which part of a triangle is nearest: 0 the face, 1 to 3 the edges ab, bc, ca, 4 to 6 the corners a, b, c.
struct ClosestOnTriangle {
  vec3 barycentric{1, 0, 0};
  vec3 offset{0};  // from the closest point to the query
  int feature = 4;
};

/// Parameter in [0, 1] of the point of segment a + t (b - a) that is nearest to p; 0 for a segment without
/// length.
HD inline float closest_on_segment(const vec3& p, const vec3& a, const vec3& b) {
  const vec3 d = b - a;
  const float dd = glm::dot(d, d);
  if (!(dd > 0)) return 0.0f;
  const float t = glm::dot(p - a, d) / dd;
  return t < 0 ? 0.0f : t > 1 ? 1.0f : t;
}

/// For triangles whose regions float32 cannot distinguish: the minimum over candidate points.
HD inline ClosestOnTriangle closest_on_needle(const vec3& p, const vec3& a, const vec3& b, const vec3& c) {
  const ClosestPair<float> r = closest_vertex_triangle<float>(p, a, b, c);
  const int corners = r.support >> 1;  // bit k: corner k carries weight
  const int feature = corners == 7   ? 0
                      : corners == 3 ? 1
                      : corners == 6 ? 2
                      : corners == 5 ? 3
                      : corners == 1 ? 4
                      : corners == 2 ? 5
                                     : 6;
  return {-vec3(r.weight[1], r.weight[2], r.weight[3]), r.offset, feature};
}

/// Point of triangle abc that is nearest to p, by the regions of Ericson, Real-Time Collision Detection,
/// 5.1.5:
///
///        \ c /          each vertex region, then each edge region, then the face
///    -----a---b-----
///
/// Regions are products of four lengths, which cancel in needles.
HD inline ClosestOnTriangle closest_on_triangle(const vec3& p, const vec3& a, const vec3& b, const vec3& c) {
  // squared ratio of height to longest edge: beyond, regions lose more than four digits of the height
  constexpr float kNeedle = 1e-3f;
  const vec3 ab = b - a, ac = c - a, ap = p - a;
  const vec3 n = glm::cross(ab, ac);
  const float bb = glm::dot(ab, ab), cc = glm::dot(ac, ac), longest = bb > cc ? bb : cc;
  if (glm::dot(n, n) < kNeedle * longest * longest) return closest_on_needle(p, a, b, c);
  ClosestOnTriangle r;
  const float d1 = glm::dot(ab, ap), d2 = glm::dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) {
    r.offset = ap;
    return r;
  }
  const vec3 bp = p - b;
  const float d3 = glm::dot(ab, bp), d4 = glm::dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {vec3(0, 1, 0), bp, 5};
  const vec3 cp = p - c;
  const float d5 = glm::dot(ab, cp), d6 = glm::dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {vec3(0, 0, 1), cp, 6};
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const float t = d1 / (d1 - d3);
    return {vec3(1 - t, t, 0), ap - t * ab, 1};
  }
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const float t = d2 / (d2 - d6);
    return {vec3(1 - t, 0, t), ap - t * ac, 3};
  }
  const float va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const float t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {vec3(0, 1 - t, t), bp - t * (c - b), 2};
  }
  const float inv = 1.0f / (va + vb + vc), v = vb * inv, w = vc * inv;
  return {vec3(1 - v - w, v, w), ap - v * ab - w * ac, 0};
}

}  // namespace weft
