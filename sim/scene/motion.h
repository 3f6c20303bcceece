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

/// The inverse of rotation_from_degrees.
vec3 degrees_from_rotation(const quat& rotation);

/// world = turn (x - center) + center + offset.
RigidPose rigid_pose(const HandPose& pose);
/// The same motion about another centre.
HandPose about_center(const HandPose& pose, const vec3& center);
/// On the way of a move, at a time (s).
HandPose hand_pose(const HandMove& move, double time);
/// The move from where a body is at `time` to `to`, at which nothing within `reach` (m) of the centre is
/// faster than `speed` (m/s).
HandMove move_by_hand(const HandMove& now, const HandPose& to, double time, float speed, float reach);
/// Makes the pose to which an obstacle was moved part of its placement and of its script.
void settle_by_hand(Obstacle& obstacle);

/// Moves world positions of the start of the scene to those of `time` (s). The rotation of the keys comes
/// first, the spin on top; both are about the motion's centre, and the centre travels with the keys' offset:
///   x(t) = c + offset(t) + spin(t) keys(t) (x(0) - c).
/// Keys hold before the first and after the last. What a hand has moved is moved last.
RigidPose motion_pose(const Motion& motion, double time);
mat4 motion_transform(const Motion& motion, double time);

}  // namespace weft
