// The bodies of a scene: shapes that move rigidly by script.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/device/buffer.h"
#include "sim/geometry/mesh_sdf.h"
#include "sim/geometry/signed_distance.h"
#include "sim/mesh/mesh.h"
#include "sim/scene/scene.h"

namespace weft {

/// Pose of a body at the start and the end of a step: world = rotation local + translation.
struct BodyPose {
  mat3 rotation0{1}, rotation1{1};
  vec3 translation0{0}, translation1{0};
  float friction = 0;

  HD vec3 local_at_start(const vec3& world) const { return (world - translation0) * rotation0; }  // v * R = Rᵀ v
  HD vec3 local_at_end(const vec3& world) const { return (world - translation1) * rotation1; }
  HD vec3 world_at_end(const vec3& local) const { return rotation1 * local + translation1; }
  HD vec3 direction_at_end(const vec3& local) const { return rotation1 * local; }
};

struct BodiesView {
  int count = 0;
  Span<const BodyShape> shape;
  Span<const BodyPose> pose;
};

/// Builds distance fields once; poses are set for each step.
class Bodies {
 public:
  /// Throws Error for a mesh that has no inside. `notices` receives what mesh import repaired.
  Bodies(Device& device, const Scene& scene, std::vector<std::string>& notices);
  /// Poses for the step from `time` to `time + dt`. Friction and the ground switch are read anew.
  void set_step(const Scene& scene, double time, float dt);
  BodiesView view() const { return {active_, shapes_.span(), poses_.span()}; }
  /// Obstacle transforms at a time, for drawing: one per Scene::obstacles.
  static mat4 transform(const Obstacle& obstacle, double time);
  const std::vector<TriMesh>& meshes() const { return meshes_; }
  /// Host-side distance to the nearest body at the end pose of the last set_step, m.
  float distance(const vec3& point) const;

 private:
  Device& device_;
  std::vector<TriMesh> meshes_;                    // per obstacle, unplaced
  std::vector<std::shared_ptr<MeshSdf>> fields_;
  std::vector<BodyShape> host_shapes_;             // obstacles, then the ground
  std::vector<BodyShape> host_readable_;           // the same with fields in host memory
  std::vector<BodyPose> host_poses_;
  Buffer<BodyShape> shapes_;
  Buffer<BodyPose> poses_;
  int active_ = 0;
};

}  // namespace weft
