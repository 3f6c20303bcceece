#include "sim/mannequin/clip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"

namespace weft {
namespace {

vec2 turned(const vec2& p, float yaw) {  // about y: z towards x
  const float c = std::cos(yaw), s = std::sin(yaw);
  return {c * p.x + s * p.y, -s * p.x + c * p.y};
}

float smooth(float u) {
  u = std::clamp(u, 0.0f, 1.0f);
  return u * u * (3 - 2 * u);
}

quat from_degrees(const vec3& degrees) {
  const vec3 r = glm::radians(degrees);
  return glm::angleAxis(r.z, vec3(0, 0, 1)) * glm::angleAxis(r.y, vec3(0, 1, 0)) *
         glm::angleAxis(r.x, vec3(1, 0, 0));
}

/// 0 at both ends, 1 in the middle and for a share `hold` around it.
float bump(float u, float hold) {
  const float ramp = 0.5f * (1 - hold);
  const float s = std::sin(0.5f * kPi * std::clamp(std::min(u, 1 - u) / ramp, 0.0f, 1.0f));
  return s * s;
}

}  // namespace

float smoother(float u) {
  u = std::clamp(u, 0.0f, 1.0f);
  return u * u * u * (u * (6 * u - 15) + 10);
}

vec2 GroundFrame::at(const vec2& p) const { return place + turned(p, yaw); }
GroundFrame GroundFrame::operator*(const GroundFrame& inner) const {
  return {at(inner.place), yaw + inner.yaw};
}
GroundFrame GroundFrame::inverse() const { return {turned(-place, -yaw), -yaw}; }

vec3 Track::at(float t, float period, const vec3& advance) const {
  const int n = int(time.size());
  if (n == 0) return vec3(0);
  if (n == 1) return value[0];
  vec3 base(0);
  if (period > 0) {
    const float cycle = std::floor((t - time[0]) / period);
    t -= cycle * period, base = cycle * advance;
  }
  // key i, also beyond the ends. The last key of a cycle is the first of the next one.
  const int keys = period > 0 && time[n - 1] - time[0] > period - 1e-4f ? n - 1 : n;
  const auto key = [&](int i, float& at) {
    if (period <= 0) {
      i = std::clamp(i, 0, n - 1);
      at = time[i];
      return value[i];
    }
    const int cycle = int(std::floor(float(i) / float(keys)));
    at = time[i - cycle * keys] + float(cycle) * period;
    return value[i - cycle * keys] + float(cycle) * advance;
  };
  if (period <= 0 && (t <= time[0] || t >= time[n - 1])) return t <= time[0] ? value[0] : value[n - 1];
  int i = 0;
  float t0 = 0, t1 = 0, tb = 0, ta = 0;
  for (;; ++i) {
    key(i + 1, t1);
    if (t < t1) break;
  }
  const vec3 v0 = key(i, t0), v1 = key(i + 1, t1), before = key(i - 1, tb), after = key(i + 2, ta);
  const float h = t1 - t0, u = (t - t0) / h;
  const vec3 m0 = t1 > tb && (period > 0 || i > 0) ? h * (v1 - before) / (t1 - tb) : vec3(0);
  const vec3 m1 = ta > t0 && (period > 0 || i + 2 < n) ? h * (after - v0) / (ta - t0) : vec3(0);
  const float u2 = u * u, u3 = u2 * u;
  return base + (2 * u3 - 3 * u2 + 1) * v0 + (u3 - 2 * u2 + u) * m0 + (3 * u2 - 2 * u3) * v1 + (u3 - u2) * m1;
}

FootState standing_foot(const Skeleton& s, bool left, const GroundFrame& body) {
  const vec3 ankle = s.head[left ? kFootL : kFootR];
  FootState out;
  out.place = s.scale * body.place + turned({ankle.x, ankle.z}, body.yaw);
  out.yaw = body.yaw + (left ? Skeleton::kToeOut : -Skeleton::kToeOut);
  return out;
}

FootState swing_state(const FootState& a, const FootState& b, const FootStep& step, float scale, float u) {
  const float s = smoother(u), w = bump(u, step.hold);
  FootState out;
  out.place = glm::mix(a.place, b.place, s);
  out.yaw = a.yaw + s * (b.yaw - a.yaw);
  out.pitch = u < 0.5f ? glm::mix(step.heel_off, step.middle, smooth(2 * u))
                       : glm::mix(step.middle, step.strike, smooth(2 * u - 1));
  if (step.hold > 0) {  // the middle is an attitude that lasts
    const float from = u < 0.5f ? step.heel_off : step.strike;
    out.pitch = glm::mix(from, step.middle, w);
  }
  const vec2 across = turned({step.lift.x, step.lift.z}, out.yaw);
  out.lift = scale * w * vec3(across.x, step.lift.y, across.y);
  return out;
}

GroundFrame Clip::advance() const {
  if (!loop || path.empty()) return {};
  const vec3 displacement = path.value.back() - path.value.front();
  return {{displacement.x, displacement.y}, displacement.z};
}

void Clip::finish() {
  const std::string where = "clip " + name;
  const GroundFrame cycle = advance();
  const auto of_foot = [&](bool left, const GroundFrame& first, std::vector<FootStep>& out,
                           GroundFrame& before) {
    std::vector<FootStep> own;
    for (const FootStep& s : steps)
      if (s.left == left) own.push_back(s);
    std::sort(own.begin(), own.end(), [](const FootStep& a, const FootStep& b) { return a.begin < b.begin; });
    for (size_t i = 0; i < own.size(); ++i) {
      const float last = i ? own[i - 1].end : 0;
      if (own[i].begin < last || own[i].end <= own[i].begin || own[i].end > duration + 1e-4f)
        throw Error(fmt::format("the step of the {} foot from {} to {} s does not fit between its neighbours",
                                left ? "left" : "right", own[i].begin, own[i].end),
                    where, "steps of a foot follow each other within the clip's duration");
    }
    const GroundFrame end = own.empty() ? first : own.back().to, wanted = cycle * first;
    if (loop && (glm::length(end.place - wanted.place) > 1e-3f || std::abs(end.yaw - wanted.yaw) > 1e-2f))
      throw Error(fmt::format("the {} foot does not end where the next cycle begins, at ({:.3f}, {:.3f})",
                              left ? "left" : "right", wanted.place.x, wanted.place.y),
                  where, "end its last step there");
    out = own;
    before = first;
    if (!loop) return;
    const GroundFrame back = cycle.inverse();
    before = back * first;
    std::vector<FootStep> all;
    for (int n = -1; n <= 1; ++n)
      for (FootStep s : own) {
        s.begin += float(n) * duration, s.end += float(n) * duration;
        if (n != 0) s.to = (n < 0 ? back : cycle) * s.to;
        all.push_back(s);
      }
    out = std::move(all);
  };
  of_foot(true, left_start, left_steps_, left_first_);
  of_foot(false, right_start, right_steps_, right_first_);
}

FootState Clip::foot(const Skeleton& s, bool left, float time) const {
  const std::vector<FootStep>& all = left ? left_steps_ : right_steps_;
  GroundFrame place = left ? left_first_ : right_first_;
  size_t i = 0;
  for (; i < all.size() && all[i].end <= time; ++i) place = all[i].to;
  FootState at = standing_foot(s, left, place);
  if (i < all.size() && all[i].begin < time)
    return swing_state(at, standing_foot(s, left, all[i].to), all[i], s.scale,
                       (time - all[i].begin) / (all[i].end - all[i].begin));
  if (i > 0 && all[i - 1].settle > 0)
    at.pitch = all[i - 1].strike * (1 - smooth((time - all[i - 1].end) / all[i - 1].settle));
  if (i < all.size() && all[i].roll > 0)
    at.pitch += all[i].heel_off * smooth(1 - (all[i].begin - time) / all[i].roll);
  return at;
}

bool Clip::swings(float time) const {
  for (const auto* all : {&left_steps_, &right_steps_})
    for (const FootStep& s : *all)
      if (s.begin < time && time < s.end) return true;
  return false;
}

float Clip::nearest_grounded(float time) const {
  const float cycle = loop ? std::floor(time / duration) * duration : 0,
              local = loop ? time - cycle : std::min(time, duration);
  float best = 1e9f;  // ends of swings are the nearest where the time itself is not one
  if (!swings(local)) return time;
  for (const auto* all : {&left_steps_, &right_steps_})
    for (const FootStep& s : *all)
      for (const float t : {s.begin, s.end})
        if (!swings(t) && cycle + t >= 0 && std::abs(t - local) < std::abs(best - local)) best = t;
  return best < 1e8f ? cycle + best : time;
}

ClipState Clip::at(const Skeleton& s, float time) const {
  ClipState out;
  const float period = loop ? duration : 0;
  if (!loop) time = std::clamp(time, 0.0f, duration);
  const GroundFrame step = advance();
  const float cycle = loop ? std::floor(time / duration) : 0, local = time - cycle * duration;
  GroundFrame frame;
  for (int n = 0; n < int(std::abs(cycle)); ++n) frame = frame * (cycle > 0 ? step : step.inverse());
  const vec3 root = path.at(local, period, {step.place.x, step.place.y, step.yaw});
  out.root = frame * GroundFrame{{root.x, root.y}, root.z};
  for (const auto& [bone, track] : joints) {
    const auto own = [&](int b) {
      return std::any_of(joints.begin(), joints.end(), [&](const auto& j) { return j.first == b; });
    };
    out.pose.turn[bone] = from_degrees(track.at(local, period));
    const int other = mirrored_bone(bone);
    if (other == bone || own(other)) continue;
    const vec3 there = track.at(alternates ? local + 0.5f * duration : local, period);
    out.pose.turn[other] = from_degrees({there.x, -there.y, -there.z});
  }
  const vec3 offset = sway.at(local, period);
  const vec2 place = out.root.at({offset.x, offset.z + s.head[kPelvis].z / s.scale});
  out.pose.root = vec3(s.scale * place.x, s.head[kPelvis].y + s.scale * offset.y, s.scale * place.y);
  out.pose.turn[kPelvis] = glm::angleAxis(out.root.yaw, vec3(0, 1, 0)) * out.pose.turn[kPelvis];
  out.root.place *= s.scale;
  frame.place *= s.scale;
  for (const bool left : {true, false}) {
    FootState& state = left ? out.left : out.right;
    state = foot(s, left, local);
    state.place = frame.at(state.place), state.yaw += frame.yaw;
    const vec2 lift = turned({state.lift.x, state.lift.z}, frame.yaw);
    state.lift.x = lift.x, state.lift.z = lift.y;
  }
  return out;
}

}  // namespace weft
