#include "sim/collision/bodies.h"

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/scene/cloth_mesh.h"
#include "sim/scene/motion.h"

namespace weft {
namespace {

BodyShape analytic_shape(const Obstacle& o) {
  const float s = o.placement.scale;
  if (o.shape == "plane") return BodyShape::plane();
  if (o.shape == "sphere") return BodyShape::sphere(o.size.x * s);
  if (o.shape == "box") return BodyShape::box(0.5f * o.size * s);
  if (o.shape == "capsule") return BodyShape::capsule(o.size.x * s, o.size.y * s);
  throw Error("'" + o.shape + "' is not a shape", "obstacle " + o.name, "use plane, sphere, box, capsule or mesh");
}

/// Scale is part of the shape; poses are rigid.
mat4 rigid_transform(const Obstacle& o, double time) {
  Placement placement = o.placement;
  placement.scale = 1;
  return motion_transform(o.motion, time) * placement_matrix(placement);
}

}  // namespace

Bodies::Bodies(Device& device, const Scene& scene, std::vector<std::string>& notices) : device_(device) {
  const std::string folder = std::filesystem::path(scene.path).parent_path().string();
  for (auto& o : scene.obstacles) {
    meshes_.push_back(build_obstacle_mesh(o, folder, notices));
    if (o.shape == "mesh") {
      fields_.push_back(std::make_shared<MeshSdf>(device, meshes_.back(), o.name));
      host_shapes_.push_back(fields_.back()->device_shape());
      host_readable_.push_back(fields_.back()->host_shape());
    } else {
      host_shapes_.push_back(analytic_shape(o));
      host_readable_.push_back(host_shapes_.back());
    }
  }
  host_shapes_.push_back(BodyShape::plane());
  host_readable_.push_back(BodyShape::plane());
  host_poses_.resize(host_shapes_.size());
  shapes_ = Buffer<BodyShape>(device, "body shapes", host_shapes_);
  poses_ = Buffer<BodyPose>(device, "body poses", host_poses_);
  set_step(scene, 0, 0);
}

void Bodies::set_step(const Scene& scene, double time, float dt) {
  for (size_t i = 0; i < scene.obstacles.size(); ++i) {
    const Obstacle& o = scene.obstacles[i];
    const mat4 a = rigid_transform(o, time), b = rigid_transform(o, time + dt);
    host_poses_[i] = {mat3(a), mat3(b), vec3(a[3]), vec3(b[3]), o.friction >= 0 ? o.friction : scene.contact.friction};
  }
  const vec3 ground(0, scene.contact.ground_height, 0);
  host_poses_.back() = {mat3(1), mat3(1), ground, ground, scene.contact.friction};
  active_ = int(scene.obstacles.size()) + (scene.contact.ground ? 1 : 0);
  poses_.upload(host_poses_);
}

mat4 Bodies::transform(const Obstacle& o, double time) { return rigid_transform(o, time); }

float Bodies::distance(const vec3& point) const {
  float nearest = 1e30f;
  for (int b = 0; b < active_; ++b) {
    vec3 normal;
    nearest = std::min(nearest, host_readable_[b].distance(host_poses_[b].local_at_end(point), normal));
  }
  return nearest;
}

}  // namespace weft
