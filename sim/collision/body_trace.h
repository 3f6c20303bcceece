// Which surfaces of a body a point meets on its way: traced through the body's distance field, in its frame.
#pragma once
#include "sim/geometry/signed_distance.h"

namespace weft {

/// A surface as a point sees it: signed distance (m) and outward normal, in the body's frame.
struct Sight {
  float distance = 1e30f;
  vec3 normal{0};
};

namespace body_trace {

// Cosine of two normals from which on they are taken for the same side of a body.
constexpr float kSameSide = 0.3f;
// A point that touches is lifted so high for its way along the surface (layers): the higher, the longer are the steps and the lower what is overlooked.
constexpr float kLifted = 3;
constexpr float kLeastLift = 1e-4f;  // m, for cloth without thickness
// Steps are at least 3/4 of a layer, or of what is left: more than so many are no way of a time step, and it is stopped.
constexpr int kMostSteps = 10000;

/// First share of a way from p0, which is phi0 > `layer` from the surface, at which the distance falls to `layer`; false only where the way
/// is proven free. No step is longer than the distance, so no surface is crossed, however many steps that takes; but the distance may dip into the
/// layer and out again between two of them.
HD inline bool first_touch(const BodyShape& shape, const vec3& p0, const vec3& way, float length, float phi0, float layer, float& share) {
  float t = 0, phi = phi0;
  for (int i = 0; i < kMostSteps; ++i) {
    const float next = t + fmaxf(phi - 0.9f * layer, 0.75f * phi) / (length + 1e-12f);
    if (next >= 1) return false;
    if (!(next > t)) break;  // as near as float32 can tell
    t = next;
    vec3 unused;
    phi = shape.distance(p0 + t * way, unused);
    if (phi <= layer) break;
  }
  share = t;
  return true;
}

/// What a point that touches a body at `from`, which looks like `side` there, runs into on its way along the surface: another wall of the same body, seen from `at`.
/// Next to a surface the distance says nothing about what is ahead. So the point is lifted out of the layer, and what of its way leads
/// into the surface is left out, as contact would.
HD inline bool slides_into(const BodyShape& shape, const vec3& from, const Sight& side, const vec3& way, float layer, Sight& wall, vec3& at) {
  if (shape.kind != BodyKind::mesh) return false;  // all others are convex
  const float into = glm::dot(side.normal, way);
  const vec3 along = into < 0 ? way - into * side.normal : way;
  const float length = sqrtf(glm::dot(along, along));
  if (length <= 0.5f * layer) return false;
  const float lift = fmaxf(kLifted * layer, kLeastLift) - side.distance;
  at = lift > 0 ? from + lift * side.normal : from;
  wall.distance = shape.distance(at, wall.normal);
  if (wall.distance <= 0) return false;  // too narrow to tell
  if (wall.distance <= layer) return true;
  float share;
  if (!first_touch(shape, at, along, length, wall.distance, layer, share)) return false;
  at += share * along;
  wall.distance = shape.distance(at, wall.normal);
  return true;
}

}  // namespace body_trace
}  // namespace weft
