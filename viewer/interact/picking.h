// Which triangle is under the cursor, and where on it.
#pragma once
#include <optional>
#include <vector>

#include "sim/base/math.h"
#include "viewer/interact/camera.h"

namespace weft {

/// A point on a triangle.
struct PickHit {
  int triangle = -1;
  vec3 barycentric{1, 0, 0};  // sum 1, all in [0, 1]
  float distance = 0;         // along the ray, in lengths of its direction
  vec3 point{0};              // world space, m
};

/// Finds the first triangle on a ray, from either side. Scratch memory is kept between calls. One pass over
/// the vertices transforms them to the ray's frame, one over the triangles tests them in two dimensions (the
/// watertight test of Woop, Benthin and Wald 2013), so a ray through an edge or a vertex cannot pass between
/// two triangles.
class Picker {
 public:
  /// Hits closer than `limit` (in lengths of the direction) and in front of the origin. `left_out`: empty, or
  /// not 0 for each triangle that is not drawn and cannot be hit.
  std::optional<PickHit> pick(const Ray& ray, const std::vector<vec3>& positions,
                              const std::vector<ivec3>& triangles, float limit = 1e30f,
                              const std::vector<char>& left_out = {});

 private:
  std::vector<dvec3> in_ray_frame_;
};

/// The ray in the frame of a body placed by `transform`. Its direction is not of unit length if the placement
/// scales, so that distances along it stay the same.
Ray to_body_frame(const Ray& ray, const mat4& transform);

}  // namespace weft
