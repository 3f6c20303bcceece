#include "sim/scene/motion.h"

#include <algorithm>
#include <utility>

namespace weft {
namespace {

using glm::dquat;

dquat rotation_about(const dvec3& axis, double degrees) {
  const double half = 0.5 * glm::radians(degrees);
  return dquat(std::cos(half), std::sin(half) * axis);
}

dquat double_rotation(const vec3& degrees) {
  return rotation_about({0, 0, 1}, degrees.z) * rotation_about({0, 1, 0}, degrees.y) *
         rotation_about({1, 0, 0}, degrees.x);
}

/// Offset and rotation of the keys.
struct KeyPose {
  dvec3 offset{0};
  dquat rotation{1, 0, 0, 0};
};

/// The shortest rotation from one orientation to another, as axis times angle.
dvec3 rotation_vector(const dquat& from, const dquat& to) {
  dquat turn = to * glm::conjugate(from);
  if (turn.w < 0) turn = -turn;
  const dvec3 v(turn.x, turn.y, turn.z);
  const double sine = glm::length(v);
  return sine > 0 ? v / sine * (2 * std::atan2(sine, turn.w)) : dvec3(0);
}

KeyPose pose_of_keys(const std::vector<MotionKey>& keys, double time) {
  KeyPose pose;
  if (keys.empty()) return pose;
  if (time < keys.front().time || time >= keys.back().time) {
    const MotionKey& end = time < keys.front().time ? keys.front() : keys.back();
    pose.offset = end.position;
    pose.rotation = double_rotation(end.rotation);
    return pose;
  }
  size_t next = 1;
  while (keys[next].time <= time) ++next;
  const MotionKey &a = keys[next - 1], &b = keys[next];
  const double length = double(b.time) - a.time, share = (time - a.time) / length;
  const dquat from = double_rotation(a.rotation);
  const dvec3 turn = rotation_vector(from, double_rotation(b.rotation));
  const double angle = glm::length(turn);
  const dvec3 velocity = (dvec3(b.position) - dvec3(a.position)) / length;
  pose.offset = dvec3(a.position) + velocity * (time - a.time);
  pose.rotation = angle > 0 ? rotation_about(turn / angle, glm::degrees(angle * share)) * from : from;
  return pose;
}

dvec3 unit_axis(const Motion& motion) {
  const double length = glm::length(dvec3(motion.spin_axis));
  return length > 0 ? dvec3(motion.spin_axis) / length : dvec3(0, 1, 0);
}

dquat spin(const Motion& motion, double time) {
  return rotation_about(unit_axis(motion), std::fmod(motion.spin_rate * time, 360.0));
}

}  // namespace

mat4 RigidPose::matrix() const {
  mat4 m = glm::mat4_cast(rotation);
  m[3] = vec4(position, 1);
  return m;
}

quat rotation_from_degrees(const vec3& degrees) { return quat(double_rotation(degrees)); }

mat4 placement_matrix(const Placement& placement) {
  mat4 m = glm::mat4_cast(rotation_from_degrees(placement.rotation));
  for (int column = 0; column < 3; ++column) m[column] *= placement.scale;
  m[3] = vec4(placement.position, 1);
  return m;
}

vec3 degrees_from_rotation(const quat& rotation) {
  const glm::dmat3 m = glm::mat3_cast(glm::dquat(rotation));  // columns; Rz Ry Rx
  const double sine = std::clamp(-m[0][2], -1.0, 1.0);
  constexpr double kUpright = 1 - 1e-10;  // x and z turn about one axis: all of it is given to x
  const bool upright = std::abs(sine) > kUpright;
  const dvec3 angles(upright ? std::atan2(-m[2][1], m[1][1]) : std::atan2(m[1][2], m[2][2]), std::asin(sine),
                     upright ? 0 : std::atan2(m[0][1], m[0][0]));
  return vec3(glm::degrees(angles));
}

RigidPose rigid_pose(const HandPose& pose) {
  return {pose.turn, pose.center + pose.offset - pose.turn * pose.center};
}

HandPose about_center(const HandPose& pose, const vec3& center) {
  const RigidPose now = rigid_pose(pose);
  return {center, now.rotation * center + now.position - center, pose.turn};
}

HandPose hand_pose(const HandMove& move, double time) {
  const double share = move.duration > 0 ? std::clamp((time - move.since) / move.duration, 0.0, 1.0) : 1;
  if (share >= 1) return move.to;
  return {move.to.center, glm::mix(move.from.offset, move.to.offset, float(share)),
          glm::normalize(glm::slerp(move.from.turn, move.to.turn, float(share)))};
}

HandMove move_by_hand(const HandMove& now, const HandPose& to, double time, float speed, float reach) {
  const HandPose from = about_center(hand_pose(now, time), to.center);
  const double distance = double(glm::length(to.offset - from.offset)) +
                          double(reach) * glm::length(rotation_vector(dquat(from.turn), dquat(to.turn)));
  return {from, to, time, distance / double(speed)};
}

void settle_by_hand(Obstacle& o) {
  const HandPose hand = std::exchange(o.motion.hand, HandMove()).to;
  if (!hand.moves()) return;
  const RigidPose moved = rigid_pose(hand);
  const auto place = [&](const vec3& p) { return moved.rotation * p + moved.position; };
  const auto turned = [&](const vec3& degrees) {
    return degrees_from_rotation(moved.rotation * rotation_from_degrees(degrees));
  };
  if (o.motion.scripted()) {
    o.motion.spin_center = place(o.motion.spin_center);
    o.motion.spin_axis = moved.rotation * o.motion.spin_axis;
  } else {
    o.motion = {};
  }
  for (MotionKey& key : o.motion.keys) {
    key.position = moved.rotation * key.position;
    key.rotation = degrees_from_rotation(moved.rotation * rotation_from_degrees(key.rotation) *
                                         glm::conjugate(moved.rotation));
  }
  o.placement.position = place(o.placement.position);
  if (moved.rotation != quat(1, 0, 0, 0)) o.placement.rotation = turned(o.placement.rotation);
}

RigidPose motion_pose(const Motion& motion, double time) {
  if (!motion.moves()) return {};
  if (motion.hand.moves()) {
    Motion script = motion;
    script.hand = {};
    const RigidPose scripted = motion_pose(script, time), hand = rigid_pose(hand_pose(motion.hand, time));
    return {hand.rotation * scripted.rotation, hand.rotation * scripted.position + hand.position};
  }
  const KeyPose keys = pose_of_keys(motion.keys, time);
  const dquat rotation = spin(motion, time) * keys.rotation;
  const dvec3 center(motion.spin_center);
  return {quat(rotation), vec3(center + keys.offset - rotation * center)};
}

mat4 motion_transform(const Motion& motion, double time) { return motion_pose(motion, time).matrix(); }

}  // namespace weft
