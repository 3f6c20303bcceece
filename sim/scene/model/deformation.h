// Obstacles that change their shape: where each vertex is at a time.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sim/mannequin/body_part.h"
#include "sim/mesh/mesh.h"
#include "sim/scene/scene.h"

namespace weft {

/// Poses that a body is given while a scene runs: straight ways between them, the last one held.
class GivenPoses {
 public:
  struct Pose {
    double time = 0;              // s
    std::vector<vec3> positions;  // in the obstacle's own frame, scale applied
  };
  const std::vector<Pose>& all() const { return poses_; }  // ascending
  /// Replaces all: as `all` had them.
  void set(std::vector<Pose> poses) { poses_ = std::move(poses); }
  /// From the pose `now` (s) to another one at `next.time`, after it; poses that were given for later are
  /// gone.
  void add(Pose now, Pose next);
  /// The pose at a time, or false where none is given for it.
  bool at(double time, std::vector<vec3>& out) const;

 private:
  std::vector<Pose> poses_;
};

class Deformation {
 public:
  virtual ~Deformation() = default;
  /// Positions in the obstacle's own frame, scale applied, at `time` (s). Continuous in time.
  virtual void positions(double time, std::vector<vec3>& out) const = 0;
  /// The bone that a vertex follows most, or the part of the file that it comes from; without a name where
  /// the body has no such parts.
  virtual BodyPart part_of(int /*vertex*/) const { return {}; }
  /// Of a body whose vertices may be given while a scene runs (Obstacle::frames), else nullptr.
  virtual GivenPoses* given() { return nullptr; }
};

/// Lead-in of a body, s: a mannequin goes from its rest pose to its first clip within it; other bodies
/// (files, sequences, bones) start in their pose at time 0, and their time begins to run gently within it.
/// "As needed" is 0 here: dress_starts (sim/dressing/dress.h) gives a body its time where it needs one.
inline float lead_in_of(const Obstacle& obstacle) {
  return std::max(obstacle.mannequin.params.lead_in, 0.0f);
}

/// nullptr for an obstacle that keeps its shape. Else `mesh` becomes the shape at time 0. Throws Error for a
/// sequence that cannot be read and for bones that name no parent.
std::unique_ptr<Deformation> make_deformation(const Obstacle& obstacle, const std::string& scene_folder,
                                              TriMesh& mesh, std::vector<std::string>& notices);

/// Share of each bone in each vertex (vertices x bones, rows sum to 1): falls with the fourth power of the
/// distance to the bone, so that a vertex follows the bone that it surrounds and joints bend smoothly.
std::vector<float> skin_weights(const std::vector<vec3>& vertices, const std::vector<Bone>& bones);
/// Pose of each bone at a time: maps rest positions to posed ones. A bone turns about its head, and its
/// children with it.
std::vector<mat4> bone_poses(const std::vector<Bone>& bones, double time);

}  // namespace weft
