#include "sim/mannequin/body_motion.h"

#include <algorithm>
#include <cmath>

namespace weft {
namespace {

/// Cubic from a to b with slopes; u in 0 ... 1, slopes per unit of u.
float hermite(float a, float slope_a, float b, float slope_b, float u) {
  const float u2 = u * u, u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * a + (u3 - 2 * u2 + u) * slope_a + (3 * u2 - 2 * u3) * b +
         (u3 - u2) * slope_b;
}

/// A foot that steps from one place to another while clips are blended: `u` in 0 ... 1 of the blend, within
/// [begin, end] of it.
FootState stepping(const FootState& a, const FootState& b, float begin, float end, float u, float scale) {
  FootStep step;
  const float distance = glm::length(b.place - a.place), turn = std::abs(b.yaw - a.yaw);
  const float s = smoother(u);
  if (distance < 1e-4f && turn < 1e-3f) {  // stays: only its heel or toes sink
    FootState out = a;
    out.pitch = glm::mix(a.pitch, b.pitch, s);
    return out;
  }
  if (u <= begin) return a;
  if (u >= end) return b;
  step.lift = {0, std::min(0.03f + 0.08f * distance / scale, 0.08f), 0};
  step.heel_off = a.pitch, step.strike = b.pitch, step.middle = std::max(a.pitch, 0.25f);
  return swing_state(a, b, step, scale, (u - begin) / (end - begin));
}

}  // namespace

Clip rest_clip(const MannequinParams& params) {
  Clip clip;
  clip.name = "rest";
  clip.duration = 1;
  clip.joints.push_back({kUpperArmL, Track{{0}, {{0, 0, params.arm_angle}}}});
  clip.finish();
  return clip;
}

BodyMotion::BodyMotion(const Skeleton& skeleton, std::vector<ClipEntry> entries,
                       const MannequinParams& params)
    : skeleton_(skeleton), speed_(params.speed) {
  rests_ = entries.empty() || params.lead_in > 0;
  if (rests_) parts_.push_back({rest_clip(params), {}, 0, 0, std::max(params.lead_in, 0.0f)});
  for (ClipEntry& e : entries) {
    Part part;
    part.clip = std::move(e.clip);
    if (!parts_.empty()) {
      part.start = parts_.back().start + parts_.back().length + parts_.back().blend;
      part.frame = aligned(parts_.back(), part.clip);
    }
    part.length = part.clip.nearest_grounded(e.duration > 0 ? e.duration : part.clip.duration);
    part.blend = params.blend;
    parts_.push_back(std::move(part));
  }
}

double BodyMotion::duration() const {
  return double(parts_.back().start + parts_.back().length) / double(speed_);
}

std::vector<BodyMotion::Stretch> BodyMotion::stretches() const {
  std::vector<Stretch> all;
  double blend = 0;
  for (const Part& p : parts_) {
    const double speed = double(speed_), end = double(p.start + p.length) / speed;
    all.push_back({p.clip.name, blend, double(p.start) / speed, end});
    blend = end;
  }
  return all;
}

/// One foot stays where it stands: of a stride that ends, the front one; of one that begins, the rear one.
GroundFrame BodyMotion::aligned(const Part& from, const Clip& to) const {
  const ClipState a = part_state(from, from.length), b = to.at(skeleton_, 0);
  const vec2 ahead_a = GroundFrame{{}, a.root.yaw}.at({0, 1}),
             ahead_b = GroundFrame{{}, b.root.yaw}.at({0, 1});
  const float spread_a = glm::dot(a.left.place - a.right.place, ahead_a),
              spread_b = glm::dot(b.left.place - b.right.place, ahead_b);
  bool left = true;
  if (std::abs(spread_a) > 0.05f * skeleton_.scale) left = spread_a > 0;
  else if (std::abs(spread_b) > 0.05f * skeleton_.scale) left = spread_b < 0;
  const FootState &stands = left ? a.left : a.right, &wanted = left ? b.left : b.right;
  const GroundFrame foot_a{stands.place, stands.yaw}, foot_b{wanted.place, wanted.yaw};
  return foot_a * foot_b.inverse();
}

ClipState BodyMotion::part_state(const Part& part, float local) const {
  ClipState s = part.clip.at(skeleton_, local);
  const quat turn = glm::angleAxis(part.frame.yaw, vec3(0, 1, 0));
  const vec2 place = part.frame.at({s.pose.root.x, s.pose.root.z});
  s.pose.root.x = place.x, s.pose.root.z = place.y;
  s.pose.turn[kPelvis] = turn * s.pose.turn[kPelvis];
  s.root = part.frame * s.root;
  for (FootState* foot : {&s.left, &s.right}) {
    foot->place = part.frame.at(foot->place);
    foot->yaw += part.frame.yaw;
    foot->lift = turn * foot->lift;
  }
  return s;
}

/// Joints fade from one clip, which goes on, to the other, which begins early. The pelvis follows a cubic
/// between both paths, and a foot that stands elsewhere afterwards takes a step.
ClipState BodyMotion::blended(const Part& from, const Part& to, float since) const {
  const float u = since / from.blend, s = smoother(u);
  ClipState a = part_state(from, from.length + since);
  const ClipState b = part_state(to, since - from.blend);
  const ClipState a0 = part_state(from, from.length), b1 = part_state(to, 0);
  const float h = 0.01f;
  const ClipState a_on = part_state(from, from.length + h), b_on = part_state(to, h);
  ClipState out = a;
  for (size_t k = 0; k < kBodyBones; ++k) out.pose.turn[k] = glm::slerp(a.pose.turn[k], b.pose.turn[k], s);
  out.pose.root.y = glm::mix(a.pose.root.y, b.pose.root.y, s);
  for (const int k : {0, 2}) {
    const float slope_a = (a_on.pose.root[k] - a0.pose.root[k]) / h,
                slope_b = (b_on.pose.root[k] - b1.pose.root[k]) / h;
    out.pose.root[k] =
        hermite(a0.pose.root[k], slope_a * from.blend, b1.pose.root[k], slope_b * from.blend, u);
  }
  // the foot behind steps first; usually the other one stays
  const vec2 ahead = GroundFrame{{}, b1.root.yaw}.at({0, 1});
  const bool left_first = glm::dot(a0.left.place - a0.right.place, ahead) < 0;
  const auto moves = [](const FootState& p, const FootState& q) {
    return glm::length(p.place - q.place) > 1e-4f || std::abs(p.yaw - q.yaw) > 1e-3f;
  };
  const bool both = moves(a0.left, b1.left) && moves(a0.right, b1.right);
  const float first_end = both ? 0.5f : 0.95f, second_begin = both ? 0.5f : 0.05f;
  out.left = stepping(a0.left, b1.left, left_first ? 0.05f : second_begin, left_first ? first_end : 0.97f, u,
                      skeleton_.scale);
  out.right = stepping(a0.right, b1.right, left_first ? second_begin : 0.05f, left_first ? 0.97f : first_end,
                       u, skeleton_.scale);
  return out;
}

ClipState BodyMotion::state(double time) const {
  const float t = float(std::max(0.0, time * double(speed_)));
  for (size_t i = 0; i + 1 < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (t < part.start + part.length) return part_state(part, t - part.start);
    if (t < parts_[i + 1].start) return blended(part, parts_[i + 1], t - part.start - part.length);
  }
  return part_state(parts_.back(), t - parts_.back().start);
}

float BodyMotion::rest_share(double time) const {
  if (!rests_) return 0;
  const float t = float(std::max(0.0, time * double(speed_)));
  return parts_[0].blend > 0 && parts_.size() > 1 ? 1 - smoother(t / parts_[0].blend) : 1;
}

Pose BodyMotion::pose(double time) const {
  ClipState s = state(time);
  s.pose.root.y = reachable_height(skeleton_, s.pose, s.left, s.right);
  place_foot(skeleton_, s.pose, true, s.left);
  place_foot(skeleton_, s.pose, false, s.right);
  if (const float share = rest_share(time);
      share > 0) {  // straight legs, which inverse kinematics comes near only
    const Pose rest = rest_pose(skeleton_);
    s.pose.root.y = glm::mix(s.pose.root.y, rest.root.y, share);
    for (size_t b = kThighL; b < kBodyBones; ++b)
      s.pose.turn[b] = glm::slerp(s.pose.turn[b], rest.turn[b], share);
  }
  return s.pose;
}

}  // namespace weft
