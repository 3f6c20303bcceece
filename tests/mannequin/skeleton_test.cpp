#include "sim/mannequin/skeleton.h"

#include <doctest/doctest.h>

#include <random>

#include "sim/mannequin/skinning.h"

using namespace weft;

namespace {

float off(const vec3& a, const vec3& b) { return glm::length(a - b); }

}  // namespace

TEST_CASE("the rest pose moves nothing") {
  const Skeleton s = make_skeleton({});
  const BonePoses poses = forward_kinematics(s, rest_pose(s));
  for (size_t b = 0; b < kBodyBones; ++b) {
    CHECK(off(poses[b].at(s.head[b]), s.head[b]) < 1e-6f);
    CHECK(off(poses[b].at(s.tail[b]), s.tail[b]) < 1e-6f);
  }
}

TEST_CASE("bones come after their parents, have names of their own, and mirror each other") {
  for (int b = 0; b < kBodyBones; ++b) {
    CHECK(bone_parent(b) < b);
    CHECK(bone_by_name(bone_name(b)) == b);
    CHECK(mirrored_bone(mirrored_bone(b)) == b);
    const Skeleton s = make_skeleton({});
    const vec3 other = s.head[size_t(mirrored_bone(b))];
    CHECK(off(s.head[size_t(b)], vec3(-other.x, other.y, other.z)) < 1e-6f);
  }
  CHECK(bone_by_name("tail") == -1);
}

TEST_CASE("a bone turns about its joint and takes what hangs on it along") {
  const Skeleton s = make_skeleton({});
  Pose pose;  // arms hang
  pose.root = s.head[kPelvis];
  pose.turn[kForearmL] = glm::angleAxis(-0.5f * kPi, vec3(1, 0, 0));  // elbow bent: the forearm points ahead
  const BonePoses poses = forward_kinematics(s, pose);
  const vec3 elbow = poses[kUpperArmL].at(s.head[kForearmL]), wrist = poses[kForearmL].at(s.head[kHandL]);
  CHECK(off(elbow, s.head[kUpperArmL] - vec3(0, off(s.head[kForearmL], s.head[kUpperArmL]), 0)) < 1e-6f);
  CHECK(off(wrist, elbow + vec3(0, 0, off(s.head[kHandL], s.head[kForearmL]))) < 1e-6f);
  CHECK(off(poses[kHandL].at(s.head[kHandL]), wrist) < 1e-6f);
}

TEST_CASE("legs reach feet that are within reach, with bones of their own length and knees ahead") {
  const Skeleton s = make_skeleton({});
  std::mt19937 random(7);
  const auto uniform = [&](float a, float b) { return a + (b - a) * float(random() & 0xffff) / 65535.0f; };
  for (int i = 0; i < 200; ++i) {
    Pose pose;
    pose.root =
        s.head[kPelvis] + vec3(uniform(-0.05f, 0.05f), uniform(-0.25f, -0.06f), uniform(-0.05f, 0.05f));
    pose.turn[kPelvis] = glm::angleAxis(uniform(-0.3f, 0.3f), vec3(0, 1, 0)) *
                         glm::angleAxis(uniform(-0.2f, 0.2f), vec3(1, 0, 0));
    FootState foot{{0.1f + uniform(-0.05f, 0.05f), uniform(-0.1f, 0.1f)},
                   uniform(-0.3f, 0.3f),
                   0,
                   {0, uniform(0, 0.1f), 0}};
    place_foot(s, pose, true, foot);
    const BonePoses poses = forward_kinematics(s, pose);
    CHECK(off(poses[kFootL].at(s.head[kFootL]),
              vec3(foot.place.x, s.ankle_height + foot.lift.y, foot.place.y)) < 1e-5f);
    const vec3 hip = poses[kThighL].at(s.head[kThighL]), knee = poses[kThighL].at(s.head[kShinL]),
               ankle = poses[kShinL].at(s.head[kFootL]);
    CHECK(off(hip, knee) == doctest::Approx(off(s.head[kThighL], s.head[kShinL])).epsilon(1e-5));
    CHECK(off(knee, ankle) == doctest::Approx(off(s.head[kShinL], s.head[kFootL])).epsilon(1e-5));
    CHECK(glm::dot(knee - 0.5f * (hip + ankle), pose.turn[kPelvis] * vec3(0, 0, 1)) > 0);
  }
}

TEST_CASE("a foot turns about its toes with the heel up and about its heel with the toes up") {
  const Skeleton s = make_skeleton({});
  const auto at = [&](float pitch, const vec3& rest) {
    Pose pose;
    pose.root = s.head[kPelvis] - vec3(0, 0.12f, 0);
    place_foot(s, pose, true, {{s.head[kFootL].x, s.head[kFootL].z}, Skeleton::kToeOut, pitch, vec3(0)});
    return forward_kinematics(s, pose)[kFootL].at(rest);
  };
  const vec3 heel = s.head[kFootL] + s.rest[kFootL] * vec3(0, -s.ankle_height, -s.heel);
  CHECK(off(at(0.6f, s.head[kToesL]), s.head[kToesL]) < 1e-5f);
  CHECK(off(at(0.6f, heel), heel) > 0.05f);
  CHECK(off(at(-0.3f, heel), heel) < 1e-5f);
  CHECK(at(-0.3f, s.head[kToesL]).y > s.head[kToesL].y + 0.03f);
}

TEST_CASE("the pelvis sinks as far as legs that stand need") {
  const Skeleton s = make_skeleton({});
  Pose pose;
  pose.root = s.head[kPelvis] + vec3(0, 0.2f, 0);  // too high
  const FootState left{{0.1f, 0.3f}, 0, 0, vec3(0)}, right{{-0.1f, -0.3f}, 0, 0, vec3(0)};
  pose.root.y = reachable_height(s, pose, left, right);
  place_foot(s, pose, true, left);
  place_foot(s, pose, false, right);
  const BonePoses poses = forward_kinematics(s, pose);
  CHECK(off(poses[kFootL].at(s.head[kFootL]), {0.1f, s.ankle_height, 0.3f}) < 1e-5f);
  CHECK(off(poses[kFootR].at(s.head[kFootR]), {-0.1f, s.ankle_height, -0.3f}) < 1e-5f);
  const float low = s.head[kPelvis].y - 0.3f;
  pose.root.y = low;
  CHECK(reachable_height(s, pose, left, right) == low);
}

TEST_CASE("a twisted forearm keeps its thickness, which linear blending would not") {
  MannequinParams p;
  p.edge = 0.02f;
  const auto body = make_body_mesh(p);
  const Skeleton& s = body->skeleton;
  Pose pose = rest_pose(s);
  pose.turn[kHandL] =
      glm::angleAxis(2.8f, vec3(0, 1, 0));  // nearly half a turn about the arm, which hangs along -y
  std::vector<vec3> x, rest;
  const BonePoses poses = forward_kinematics(s, pose);
  skin(*body, poses, x);
  skin(*body, forward_kinematics(s, rest_pose(s)), rest);
  const vec3 axis = glm::normalize(s.tail[kHandL] - s.head[kHandL]);
  const auto radius = [&](const vec3& q) {
    return glm::length(q - s.head[kHandL] - glm::dot(q - s.head[kHandL], axis) * axis);
  };
  int mixed = 0;
  float least = 1, least_linear = 1;
  for (size_t v = 0; v < x.size(); ++v) {
    CHECK(off(rest[v], body->mesh.positions[v]) < 1e-5f);
    const SkinWeights& w = body->weights[v];
    if (w.bone[0] != kHandL && w.bone[0] != kForearmL) continue;
    if (w.share[0] > 0.65f) continue;
    ++mixed;
    vec3 linear(0);
    for (size_t k = 0; k < 4; ++k)
      linear += w.share[k] * poses[size_t(w.bone[k])].at(body->mesh.positions[v]);
    least = std::min(least, radius(x[v]) / radius(body->mesh.positions[v]));
    least_linear = std::min(least_linear, radius(linear) / radius(body->mesh.positions[v]));
  }
  CHECK(mixed > 5);
  CHECK(least > 0.95f);
  CHECK(least_linear < 0.6f);  // the candy wrapper
}
