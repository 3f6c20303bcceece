// Positions of scripted pins and obstacles at a time.
#pragma once
#include "sim/scene/scene.h"

namespace weft {

/// world = rotation * start + position.
struct RigidPose {
  quat rotation{1, 0, 0, 0};
  vec3 position{0};
  mat4 matrix() const;
};

/// Rotation about x, then y, then z, in degrees.
quat rotation_from_degrees(const vec3& degrees);
/// Scale, then rotation, then translation.
mat4 placement_matrix(const Placement& placement);

/// Moves world positions of the start of the scene to those of `time` (s). The rotation of the keys comes
/// first, the spin on top; both are about the motion's centre, and the centre travels with the keys' offset:
///   x(t) = c + offset(t) + spin(t) keys(t) (x(0) - c).
/// Keys hold before the first and after the last.
RigidPose motion_pose(const Motion& motion, double time);
mat4 motion_transform(const Motion& motion, double time);

}  // namespace weft
