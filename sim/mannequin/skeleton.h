// The mannequin's bones: rest pose, joint angles, forward kinematics and legs that reach for the ground.
#pragma once
#include <array>
#include <string>

#include "sim/mannequin/mannequin_params.h"

namespace weft {

// Parents come before their children. "left" is the body's own left, at +x; it looks along +z, y is up.
enum BodyBone {
  kPelvis,
  kSpine,
  kChest,
  kNeck,
  kHead,
  kClavicleL,
  kUpperArmL,
  kForearmL,
  kHandL,
  kClavicleR,
  kUpperArmR,
  kForearmR,
  kHandR,
  kThighL,
  kShinL,
  kFootL,
  kToesL,
  kThighR,
  kShinR,
  kFootR,
  kToesR,
  kBodyBones
};

/// Names as in files: "pelvis", "upper_arm.left" ...
const std::string& bone_name(int bone);
/// -1 for the pelvis.
int bone_parent(int bone);
/// -1 for an unknown name.
int bone_by_name(const std::string& name);
/// The same bone of the other side; itself in the middle.
int mirrored_bone(int bone);

/// Where the bones lie in the rest pose. All lengths follow from the height; the hip joints also from
/// `hip_scale`, the factor of the hips' width.
struct Skeleton {
  float scale = 1;                      // height over kReferenceHeight
  std::array<vec3, kBodyBones> head{};  // m, joints in the rest pose
  std::array<vec3, kBodyBones> tail{};  // m, end of the bone
  std::array<quat, kBodyBones> rest{};  // orientation in the rest pose; identity: arms hang, feet point ahead
  float ankle_height = 0, ball_height = 0;  // m above the ground: ankle, joint of the toes
  float ball = 0, heel = 0;                 // m: that joint in front of the ankle, the heel's end behind it

  static constexpr float kReferenceHeight = 1.72f;  // m, the height that clips are written for
  static constexpr float kToeOut = 0.1f;            // radians by which feet point outwards in the rest pose
};
Skeleton make_skeleton(const MannequinParams& params, float hip_scale = 1);

/// Joint angles. `turn` rotates a bone about its head, relative to its parent; all identity: standing
/// straight, arms hanging.
struct Pose {
  vec3 root{0};                       // m, of the pelvis' head in the world
  std::array<quat, kBodyBones> turn;  // the pelvis' one is in the world
  Pose() { turn.fill(quat(1, 0, 0, 0)); }
};
/// The pose in which the body is meshed.
Pose rest_pose(const Skeleton& skeleton);

/// A rigid motion x -> rotation * x + translation.
struct BonePose {
  quat rotation{1, 0, 0, 0};
  vec3 translation{0};
  vec3 at(const vec3& p) const { return rotation * p + translation; }
};
/// Maps the rest pose to `pose`, per bone; joints of posed bones are at `at(skeleton.head[b])`.
using BonePoses = std::array<BonePose, kBodyBones>;
BonePoses forward_kinematics(const Skeleton& skeleton, const Pose& pose);

/// Where a foot stands or swings. The foot turns about its ball where the heel is up, and about the heel
/// where the toes are up, so that what touches the ground stays where it is.
struct FootState {
  vec2 place{0};    // m: x and z of the ankle above a flat foot
  float yaw = 0;    // radians about y
  float pitch = 0;  // radians: positive with the heel up
  vec3 lift{0};     // m, offset in the air; 0 on the ground
};
/// Bends hip, knee, ankle and toes of one side so that the foot is as `state` says: the law of cosines gives
/// the knee's angle, which points where pelvis and foot do. Where the leg is too short it is stretched
/// towards the target and the foot falls short.
void place_foot(const Skeleton& skeleton, Pose& pose, bool left, const FootState& state);
/// Height of the pelvis at which both legs reach feet that stand, m: what is wanted, or less. Differentiable.
float reachable_height(const Skeleton& skeleton, const Pose& pose, const FootState& left,
                       const FootState& right);

}  // namespace weft
