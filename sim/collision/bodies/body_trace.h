// Surfaces of a body that a point meets on its path, traced through the body's distance field in its frame.
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
// Height (layers) to which a touching point is lifted for its path along the surface: larger means longer
// steps and lower obstacles missed.
constexpr float kLifted = 3;
constexpr float kLeastLift = 1e-4f;  // m, for cloth without thickness
// Steps are at least 3/4 of a layer, or of the rest; a path of more steps is unrealistic and is stopped.
constexpr int kMostSteps = 10000;

/// Whether the surface that is seen from `to` goes on smoothly from that seen from `from`, so that a point
/// may have slid along it: the nearest points of both lie no further from each other's planes than a surface
/// that turns from the one normal to the other can. Not so for the far side of a wall, or for another wall
/// behind it. `slack`: m.
HD inline bool goes_on(const Sight& at_from, const vec3& from, const Sight& at_to, const vec3& to,
                       float slack) {
  const float cosine = glm::dot(at_from.normal, at_to.normal);
  if (cosine < kSameSide) return false;
  const vec3 apart = (to - at_to.distance * at_to.normal) - (from - at_from.distance * at_from.normal);
  const float most = sqrtf(glm::dot(apart, apart) * fmaxf(0.0f, 1.0f - cosine * cosine)) + slack;
  return fabsf(glm::dot(apart, at_from.normal)) <= most && fabsf(glm::dot(apart, at_to.normal)) <= most;
}

/// First fraction of a path from p0, which is phi0 > `layer` from the surface, at which the distance falls to
/// `layer`; false only if the path is proven free. No step is longer than the distance, so no surface is
/// crossed, however many steps that takes; but the distance may dip into the layer between two of them.
HD inline bool first_touch(const BodyShape& shape, const vec3& p0, const vec3& displacement, float length,
                           float phi0, float layer, float& share) {
  float t = 0, phi = phi0;
  for (int i = 0; i < kMostSteps; ++i) {
    const float next = t + fmaxf(phi - 0.9f * layer, 0.75f * phi) / (length + 1e-12f);
    if (next >= 1) return false;
    if (!(next > t)) break;  // limit of float32
    t = next;
    vec3 unused;
    phi = shape.distance(p0 + t * displacement, unused);
    if (phi <= layer) break;
  }
  share = t;
  return true;
}

/// Finds another wall of the same body, seen from `at`, that a point touching a body at `from` (surface
/// there: `side`) meets on its path along the surface. Next to a surface the distance does not show what is
/// ahead, so the point is lifted out of the layer, and the part of its path into the surface is removed, as
/// contact would.
HD inline bool slides_into(const BodyShape& shape, const vec3& from, const Sight& side,
                           const vec3& displacement, float layer, Sight& wall, vec3& at) {
  if (shape.kind != BodyKind::mesh) return false;  // all others are convex
  const float into = glm::dot(side.normal, displacement);
  const vec3 along = into < 0 ? displacement - into * side.normal : displacement;
  const float length = sqrtf(glm::dot(along, along));
  if (length <= 0.5f * layer) return false;
  const float lift = fmaxf(kLifted * layer, kLeastLift) - side.distance;
  at = lift > 0 ? from + lift * side.normal : from;
  wall.distance = shape.distance(at, wall.normal);
  if (wall.distance <= 0) return false;  // too narrow to decide
  if (wall.distance <= layer) return true;
  float share;
  if (!first_touch(shape, at, along, length, wall.distance, layer, share)) return false;
  at += share * along;
  wall.distance = shape.distance(at, wall.normal);
  return true;
}

}  // namespace body_trace
}  // namespace weft
