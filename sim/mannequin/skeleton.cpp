#include "sim/mannequin/skeleton.h"

#include <algorithm>

namespace weft {
namespace {

struct BoneEntry {
  const char* name;
  int parent;
};
constexpr BoneEntry kBones[kBodyBones] = {{"pelvis", -1},
                                          {"spine", kPelvis},
                                          {"chest", kSpine},
                                          {"neck", kChest},
                                          {"head", kNeck},
                                          {"clavicle.left", kChest},
                                          {"upper_arm.left", kClavicleL},
                                          {"forearm.left", kUpperArmL},
                                          {"hand.left", kForearmL},
                                          {"clavicle.right", kChest},
                                          {"upper_arm.right", kClavicleR},
                                          {"forearm.right", kUpperArmR},
                                          {"hand.right", kForearmR},
                                          {"thigh.left", kPelvis},
                                          {"shin.left", kThighL},
                                          {"foot.left", kShinL},
                                          {"toes.left", kFootL},
                                          {"thigh.right", kPelvis},
                                          {"shin.right", kThighR},
                                          {"foot.right", kShinR},
                                          {"toes.right", kFootR}};

constexpr float kArm = 0.285f, kForearm = 0.245f, kHand = 0.175f;  // m, at the reference height

quat about(const vec3& axis, float radians) { return glm::angleAxis(radians, axis); }

/// The shortest turn from one direction to another; both are unit vectors and never opposite here.
quat turn_between(const vec3& from, const vec3& to) {
  const float cosine = glm::dot(from, to);
  return glm::normalize(quat(1 + cosine, glm::cross(from, to)));
}

/// The ankle of a foot in the world.
vec3 ankle_of(const Skeleton& s, const FootState& state, quat& rotation) {
  const quat yaw = about({0, 1, 0}, state.yaw);
  rotation = yaw * about({1, 0, 0}, state.pitch);
  // the joint of the toes, or the rear end of the heel on the ground
  const vec3 pivot =
      state.pitch > 0 ? vec3(0, s.ball_height - s.ankle_height, s.ball) : vec3(0, -s.ankle_height, -s.heel);
  return vec3(state.place.x, s.ankle_height, state.place.y) + yaw * pivot - rotation * pivot + state.lift;
}

/// Share of a leg's length over which it comes to its reach. A knee's way is the root of what a nearly
/// straight leg lacks, so that it would snap by centimetres where the leg is stopped at once.
constexpr float kSoftReach = 0.02f;

/// The smaller of both, rounded where they differ by less than k.
float soft_least(float x, float y, float k) {
  const float h = std::max(k - std::abs(x - y), 0.0f);
  return std::min(x, y) - h * h / (4 * k);
}

/// Largest distance from hip to ankle that the leg is bent to; below its whole length, where the knee would
/// be undefined.
float leg_reach(const Skeleton& s, bool left) {
  const int thigh = left ? kThighL : kThighR;
  return 0.998f * (glm::length(s.head[thigh + 1] - s.head[thigh]) +
                   glm::length(s.head[thigh + 2] - s.head[thigh + 1]));
}

}  // namespace

const std::string& bone_name(int bone) {
  static const std::array<std::string, kBodyBones> names = [] {
    std::array<std::string, kBodyBones> all;
    for (int b = 0; b < kBodyBones; ++b) all[b] = kBones[b].name;
    return all;
  }();
  return names[bone];
}

int bone_parent(int bone) { return kBones[bone].parent; }

int bone_by_name(const std::string& name) {
  for (int b = 0; b < kBodyBones; ++b)
    if (name == kBones[b].name) return b;
  return -1;
}

int mirrored_bone(int bone) {
  if (bone >= kClavicleL && bone < kClavicleR) return bone + 4;
  if (bone >= kClavicleR && bone < kThighL) return bone - 4;
  if (bone >= kThighL && bone < kThighR) return bone + 4;
  return bone >= kThighR ? bone - 4 : bone;
}

Skeleton make_skeleton(const MannequinParams& params, float hip_scale) {
  Skeleton s;
  s.scale = params.height / Skeleton::kReferenceHeight;
  s.rest.fill(quat(1, 0, 0, 0));
  const float angle = glm::radians(params.arm_angle), half = 0.5f * params.shoulders;
  const auto put = [&](int bone, vec3 head, vec3 tail) {
    s.head[bone] = s.scale * head;
    s.tail[bone] = s.scale * tail;
  };
  put(kPelvis, {0, 0.93f, -0.005f}, {0, 1.03f, -0.005f});
  put(kSpine, {0, 1.03f, -0.008f}, {0, 1.15f, -0.012f});
  put(kChest, {0, 1.15f, -0.012f}, {0, 1.445f, -0.02f});
  put(kNeck, {0, 1.445f, -0.02f}, {0, 1.535f, 0.0f});
  put(kHead, {0, 1.535f, 0.0f}, {0, 1.72f, 0.0f});
  for (const bool left : {true, false}) {
    const float side = left ? 1.0f : -1.0f;
    const int clavicle = left ? kClavicleL : kClavicleR, thigh = left ? kThighL : kThighR;
    const vec3 shoulder(side * half / s.scale, 1.395f, -0.022f),
        along(side * std::sin(angle), -std::cos(angle), 0);
    put(clavicle, {side * 0.025f, 1.40f, -0.015f}, shoulder);
    put(clavicle + 1, shoulder, shoulder + kArm * along);
    put(clavicle + 2, shoulder + kArm * along, shoulder + (kArm + kForearm) * along);
    put(clavicle + 3, shoulder + (kArm + kForearm) * along, shoulder + (kArm + kForearm + kHand) * along);
    for (int b = clavicle + 1; b <= clavicle + 3; ++b) s.rest[b] = about({0, 0, 1}, side * angle);
    const float hip = side * 0.094f * hip_scale, foot = side * 0.105f;
    const vec3 knee(0.45f * hip + 0.55f * foot, 0.478f, 0.006f), ankle(foot, 0.078f, -0.012f);
    put(thigh, {hip, 0.893f, -0.005f}, knee);
    put(thigh + 1, knee, ankle);
    const quat out = about({0, 1, 0}, side * Skeleton::kToeOut);
    const vec3 ball =
        ankle + out * vec3(0, -0.070f, 0.12f);  // low, so that the sole does not shift where it bends
    put(thigh + 2, ankle, ball);
    put(thigh + 3, ball, ball + out * vec3(0, 0.010f, 0.067f));
    s.rest[thigh + 2] = s.rest[thigh + 3] = out;
  }
  s.ankle_height = 0.078f * s.scale, s.ball = 0.12f * s.scale, s.ball_height = 0.008f * s.scale,
  s.heel = 0.053f * s.scale;
  return s;
}

Pose rest_pose(const Skeleton& s) {
  Pose pose;
  pose.root = s.head[kPelvis];
  for (const int b : {kUpperArmL, kUpperArmR, kFootL, kFootR}) pose.turn[b] = s.rest[b];
  return pose;
}

BonePoses forward_kinematics(const Skeleton& s, const Pose& pose) {
  BonePoses out;
  std::array<quat, kBodyBones> turned;
  for (size_t b = 0; b < kBodyBones; ++b) {
    const int parent = bone_parent(int(b));
    turned[b] = parent < 0 ? pose.turn[b] : turned[parent] * pose.turn[b];
    const vec3 head = parent < 0 ? pose.root : out[parent].at(s.head[b]);
    out[b].rotation = turned[b] * glm::conjugate(s.rest[b]);
    out[b].translation = head - out[b].rotation * s.head[b];
  }
  return out;
}

void place_foot(const Skeleton& s, Pose& pose, bool left, const FootState& state) {
  const size_t thigh = left ? kThighL : kThighR, shin = thigh + 1, foot = thigh + 2, toes = thigh + 3;
  quat foot_turn;
  const vec3 ankle = ankle_of(s, state, foot_turn);
  const quat pelvis = pose.turn[kPelvis];
  const vec3 hip = pose.root + pelvis * (s.head[thigh] - s.head[kPelvis]);
  const vec3 upper = s.head[shin] - s.head[thigh], lower = s.head[foot] - s.head[shin];
  const float a = glm::length(upper), b = glm::length(lower);
  const vec3 leg = ankle - hip;
  const float c =
      std::max(soft_least(glm::length(leg), leg_reach(s, left), kSoftReach * (a + b)), 0.3f * (a + b));
  const vec3 down = glm::normalize(leg);
  // knees point where the pelvis and the foot do, turned out of the leg's own direction
  const vec3 wish = glm::normalize(pelvis * vec3(0, 0, 1)) + glm::normalize(foot_turn * vec3(0, 0.35f, 1));
  const vec3 front = glm::normalize(wish - glm::dot(wish, down) * down);
  const float cosine = std::clamp((a * a + c * c - b * b) / (2 * a * c), -1.0f, 1.0f);
  const vec3 knee = hip + a * (cosine * down + std::sqrt(1 - cosine * cosine) * front);
  const vec3 end = hip + c * down;
  // the thigh: its rest direction to the new one, then turned about itself so that the knee's hinge lies
  // across `front`
  const auto aimed = [&](const vec3& rest, const vec3& to) {
    const quat swing = turn_between(glm::normalize(rest), to);
    const vec3 had = swing * vec3(0, 0, 1);
    const vec3 is = glm::normalize(had - glm::dot(had, to) * to),
               wanted = glm::normalize(front - glm::dot(front, to) * to);
    return about(to, std::atan2(glm::dot(glm::cross(is, wanted), to), glm::dot(is, wanted))) * swing;
  };
  const quat thigh_turn = aimed(upper, glm::normalize(knee - hip)),
             shin_turn = aimed(lower, glm::normalize(end - knee));
  pose.turn[thigh] = glm::conjugate(pelvis) * thigh_turn;
  pose.turn[shin] = glm::conjugate(thigh_turn) * shin_turn;
  pose.turn[foot] = glm::conjugate(shin_turn) * foot_turn;
  // toes stay flat on the ground while the heel is up, and hang down as far as there is room in the air
  const float length = glm::length(s.tail[toes] - s.head[toes]),
              room = std::clamp(0.7f * state.lift.y / length, 0.0f, 1.0f);
  const float droop = std::min(std::max(0.0f, state.pitch), std::asin(room));
  pose.turn[toes] = about({1, 0, 0}, droop - std::max(0.0f, state.pitch));
}

float reachable_height(const Skeleton& s, const Pose& pose, const FootState& left, const FootState& right) {
  float height = pose.root.y;
  for (const bool is_left : {true, false}) {
    const FootState& state = is_left ? left : right;
    quat ignored;
    const vec3 ankle = ankle_of(s, state, ignored);
    const vec3 hip = pose.root + pose.turn[kPelvis] * (s.head[is_left ? kThighL : kThighR] - s.head[kPelvis]);
    const float reach = (1 - kSoftReach) * leg_reach(s, is_left),
                across = glm::length(vec2(ankle.x - hip.x, ankle.z - hip.z));
    const float most =
        ankle.y + std::sqrt(std::max(0.0f, reach * reach - across * across)) + pose.root.y - hip.y;
    // in the air the bound gives way, over 30 cm of height
    const float bound = most + 2 * s.scale * std::max(0.0f, glm::length(state.lift) - 0.02f * s.scale);
    const float k = 0.03f * s.scale;
    height = soft_least(height, bound, k);
  }
  return height;
}

}  // namespace weft
