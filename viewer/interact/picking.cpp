#include "viewer/interact/picking.h"

#include <algorithm>

namespace weft {
namespace {

/// Maps world space so that the ray starts at the origin and runs along +z with unit speed: a permutation of
/// the axes that puts the direction's largest component last, then a shear.
struct RayFrame {
  dvec3 origin;
  int x, y, z;
  double shear_x, shear_y, scale;

  explicit RayFrame(const Ray& ray) : origin(ray.origin) {
    const vec3 a = glm::abs(ray.direction);
    z = a.x > a.y ? (a.x > a.z ? 0 : 2) : (a.y > a.z ? 1 : 2);
    x = (z + 1) % 3, y = (z + 2) % 3;
    const dvec3 d(ray.direction);
    scale = 1 / d[z], shear_x = d[x] * scale, shear_y = d[y] * scale;
  }
  dvec3 map(const vec3& p) const {
    const dvec3 r = dvec3(p) - origin;
    return {r[x] - shear_x * r[z], r[y] - shear_y * r[z], r[z] * scale};
  }
};

double edge(const dvec3& a, const dvec3& b) { return a.x * b.y - a.y * b.x; }

}  // namespace

std::optional<PickHit> Picker::pick(const Ray& ray, const std::vector<vec3>& positions,
                                    const std::vector<ivec3>& triangles, float limit,
                                    const std::vector<char>& left_out) {
  if (ray.direction == vec3(0)) return std::nullopt;
  const RayFrame frame(ray);
  in_ray_frame_.resize(positions.size());
  std::transform(positions.begin(), positions.end(), in_ray_frame_.begin(),
                 [&](const vec3& p) { return frame.map(p); });

  PickHit hit;
  double nearest = limit;
  const bool all = left_out.size() != triangles.size();
  for (size_t t = 0; t < triangles.size(); ++t) {
    if (!all && left_out[t]) continue;
    const dvec3 &a = in_ray_frame_[triangles[t].x], &b = in_ray_frame_[triangles[t].y],
                &c = in_ray_frame_[triangles[t].z];
    // Most triangles lie entirely to one side of the ray.
    if ((a.x > 0) == (b.x > 0) && (b.x > 0) == (c.x > 0) && a.x != 0 && b.x != 0 && c.x != 0) continue;
    const double u = edge(b, c), v = edge(c, a), w = edge(a, b);
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) continue;
    const double sum = u + v + w;
    if (sum == 0) continue;  // seen edge-on: its neighbours are hit instead
    const double distance = (u * a.z + v * b.z + w * c.z) / sum;
    if (!(distance > 0 && distance < nearest)) continue;
    nearest = distance;
    hit.triangle = int(t);
    hit.barycentric = vec3(dvec3(u, v, w) / sum);
  }
  if (hit.triangle < 0) return std::nullopt;
  const ivec3& corners = triangles[hit.triangle];
  hit.distance = float(nearest);
  hit.point = hit.barycentric.x * positions[corners.x] + hit.barycentric.y * positions[corners.y] +
              hit.barycentric.z * positions[corners.z];
  return hit;
}

Ray to_body_frame(const Ray& ray, const mat4& transform) {
  const mat4 inverse = glm::inverse(transform);
  return {vec3(inverse * vec4(ray.origin, 1)), vec3(inverse * vec4(ray.direction, 0))};
}

}  // namespace weft
