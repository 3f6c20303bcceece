#include "sim/step/surface_pins.h"

#include "sim/base/error.h"
#include "sim/geometry/closest_point.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/motion.h"

namespace weft {
namespace {

/// Unit vectors along the first side of a triangle, across it in its plane, and along its normal.
mat3 frame(const vec3& a, const vec3& b, const vec3& c) {
  const vec3 along = glm::normalize(b - a), normal = glm::normalize(glm::cross(b - a, c - a));
  return {along, glm::cross(normal, along), normal};
}

}  // namespace

SurfacePins::SurfacePins(const Obstacle& obstacle, const std::string& folder, const std::vector<vec3>& points)
    : obstacle_(obstacle) {
  if (obstacle.shape == ObstacleShape::plane)
    throw Error("a plane has no surface that pins could follow", "obstacle " + obstacle.name,
                "use a motion of the pin");
  std::vector<std::string> notices;  // the bodies' own copy tells them
  mesh_ = build_obstacle_mesh(obstacle, folder, notices);
  deformation_ = make_deformation(obstacle, folder, mesh_, notices);
  const std::vector<vec3> x = vertices(0, {});
  for (const vec3& p : points) {
    Place best{ivec3(0), vec3(1, 0, 0), 0, vec3(0)};
    float nearest = 1e30f;
    for (const ivec3& t : mesh_.triangles) {
      const ClosestOnTriangle q = closest_on_triangle(p, x[t.x], x[t.y], x[t.z]);
      if (const float d = glm::dot(q.offset, q.offset); d < nearest)
        nearest = d, best.triangle = t, best.barycentric = q.barycentric;
    }
    const ivec3& t = best.triangle;
    const vec3 &a = x[t.x], &b = x[t.y], &c = x[t.z];
    const vec3& s = best.barycentric;
    best.beside = (p - (s.x * a + s.y * b + s.z * c)) * frame(a, b, c);  // v * R = Rᵀ v
    best.height = best.beside.z, best.beside.z = 0;
    places_.push_back(best);
  }
}

std::vector<vec3> SurfacePins::vertices(double time, const HandMove& hand) const {
  std::vector<vec3> x = mesh_.positions;
  if (deformation_) deformation_->positions(time, x);
  Placement placed = obstacle_.placement;
  placed.scale = 1;  // in the mesh already
  Motion motion = obstacle_.motion;
  motion.hand = hand;
  const mat4 world = motion_transform(motion, time) * placement_matrix(placed);
  for (vec3& p : x) p = vec3(world * vec4(p, 1));
  return x;
}

std::vector<vec3> SurfacePins::at(double time, const HandMove& hand) const {
  const std::vector<vec3> x = vertices(time, hand);
  std::vector<vec3> out;
  out.reserve(places_.size());
  for (const Place& p : places_) {
    const vec3 &a = x[p.triangle.x], &b = x[p.triangle.y], &c = x[p.triangle.z];
    out.push_back(p.barycentric.x * a + p.barycentric.y * b + p.barycentric.z * c +
                  frame(a, b, c) * vec3(p.beside.x, p.beside.y, p.height));
  }
  return out;
}

}  // namespace weft
