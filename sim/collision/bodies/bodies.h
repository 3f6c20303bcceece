// The bodies of a scene: shapes that move and deform by script.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/collision/bodies/deforming_body.h"
#include "sim/device/growing_lists.h"
#include "sim/geometry/mesh_sdf.h"
#include "sim/geometry/signed_distance.h"
#include "sim/mesh/mesh.h"
#include "sim/scene/scene.h"

namespace weft {

/// Pose of a body at the start and the end of a step: world = rotation local + translation. A deforming body
/// is in world space: its pose is unused, and its surface moves as in DeformingView.
struct BodyPose {
  mat3 rotation0{1}, rotation1{1};
  vec3 translation0{0}, translation1{0};
  int deforming = -1;  // into BodiesView::deforming

  // v * R = Rᵀ v
  HD vec3 local_at_start(const vec3& world) const { return (world - translation0) * rotation0; }
  HD vec3 local_at_end(const vec3& world) const { return (world - translation1) * rotation1; }
  HD vec3 world_at_end(const vec3& local) const { return rotation1 * local + translation1; }
  HD vec3 direction_at_end(const vec3& local) const { return rotation1 * local; }
};

/// A sphere, box, capsule or plane with its scale, in its own frame. Of bodies that are meshes: a plane.
BodyShape analytic_shape(const Obstacle& obstacle);

struct BodiesView {
  int count = 0;
  Span<const BodyShape> shape;
  Span<const BodyPose> pose;
  Span<const DeformingView> deforming;

  /// A world point of the start of the step, carried along with the body, in the body's frame at the end of
  /// the step.
  HD vec3 local_at_start(int body, const vec3& world) const {
    const BodyPose& p = pose[body];
    return p.deforming < 0 ? p.local_at_start(world) : world + deforming[p.deforming].carried(world);
  }
};

/// Builds distance fields of rigid bodies once; poses, and the fields of deforming bodies, are set for each
/// step.
class Bodies {
 public:
  /// Throws Error for a mesh without area. `notices` receives repairs of mesh import, flipped parts, and open
  /// meshes.
  Bodies(GrowingLists& lists, const Scene& scene, std::vector<std::string>& notices);
  /// Poses for the step from `time` to `time + dt`. Reads friction and the ground switch again.
  void set_step(const Scene& scene, double time, float dt);
  BodiesView view() const { return {active_, shapes_.span(), poses_.span(), deforming_views_.span()}; }
  /// Whether deforming bodies have fields from the next set_step on; default true.
  void want_fields(bool wanted) { wants_fields_ = wanted; }
  /// Number of parts into which a step must be divided so that fields can follow fast deforming bodies, and
  /// the obstacle that needs most. Only bodies with cloth in their reach in this step count (`cloth_within`,
  /// called only if needed).
  int parts(const Scene& scene, double time, float dt, const std::function<bool(const Bounds&)>& cloth_within,
            std::string& obstacle, float& jump) const;
  /// Motion of a body in a step, m: of the farthest corner of the bounds of a rigid one, of the farthest
  /// vertex in the last set_step otherwise.
  float way(int index, const Obstacle& obstacle, double time, float dt) const;
  /// Obstacle transforms at a time, for drawing: one per Scene::obstacles. Identity for deforming bodies.
  static mat4 transform(const Obstacle& obstacle, double time);
  bool deforms(int obstacle) const { return deforming_[obstacle] != nullptr; }
  /// World positions of an obstacle's vertices at the end of the last set_step if it deforms, else nullptr.
  std::shared_ptr<const std::vector<vec3>> deformed(int obstacle) const;
  /// The same at its start.
  const std::vector<vec3>* deformed_at_start(int obstacle) const;
  /// World positions of its vertices at any time, by its script, if it deforms; else empty.
  std::vector<vec3> deformed_at(const Obstacle& obstacle, int index, double time) const;
  /// Of a body whose vertices may be given while a scene runs, else nullptr.
  GivenPoses* given(int obstacle) const {
    return deforming_[obstacle] ? deforming_[obstacle]->given() : nullptr;
  }
  /// Positions of the vertices of such a body in its own frame at a time (s), its scale applied.
  void own_positions(int obstacle, double time, std::vector<vec3>& out) const {
    deforming_[obstacle]->own_positions(time, out);
  }
  const std::vector<TriMesh>& meshes() const { return meshes_; }
  /// Host-side distance to the nearest body at the end pose of the last set_step, m.
  float distance(const vec3& point) const;
  /// Depth below the surface of one body, 0 outside of it and for bodies without inside: open meshes and
  /// planes.
  float depth(int obstacle, const vec3& point) const;
  /// The part of a body that a vertex of its mesh belongs to; without a name where it has no bones.
  BodyPart part_of(int obstacle, int vertex) const;

 private:
  void fit_fields(const Scene& scene);
  void give_room(int pairs);
  Device& device_;
  float offset_ = 0;             // m: the largest contact offset, which fields are made for
  std::vector<TriMesh> meshes_;  // per obstacle, unplaced
  std::vector<std::shared_ptr<MeshSdf>> fields_;
  std::vector<std::unique_ptr<DeformingBody>> deforming_;  // per obstacle; nullptr where it keeps its shape
  std::vector<std::shared_ptr<const std::vector<vec3>>> deformed_;
  std::vector<BodyShape> host_shapes_;    // obstacles, then the ground
  std::vector<BodyShape> host_readable_;  // the same with fields in host memory
  std::vector<BodyPose> host_poses_;
  Buffer<BodyShape> shapes_;
  Buffer<BodyPose> poses_;
  Buffer<DeformingView> deforming_views_;
  GrowingList field_list_;  // entries of the longest list of a field
  int active_ = 0;
  bool wants_fields_ = true;
};

}  // namespace weft
