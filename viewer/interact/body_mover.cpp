#include "viewer/interact/body_mover.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/scene/motion.h"

namespace weft {
namespace {

constexpr float kArrow = 96;            // pixels
constexpr float kReach = 8;             // pixels around a part that count as on it
constexpr float kForeshortened = 0.2f;  // arrows of less than this share of their length cannot be held
constexpr float kEdgeOn = 0.15f;    // rings seen at less than this sine turn by the cursor's way along them
constexpr float kBehindArrows = 2;  // pixels by which rings are further away than arrows
constexpr int kPieces = 64;         // of a ring

vec3 axis_of(int axis) {
  vec3 a(0);
  a[axis] = 1;
  return a;
}

float to_segment(vec2 p, vec2 a, vec2 b) {
  const vec2 along = b - a;
  const float square = glm::dot(along, along);
  const float s = square > 0 ? std::clamp(glm::dot(p - a, along) / square, 0.0f, 1.0f) : 0.0f;
  return glm::distance(p, a + s * along);
}

/// Position along a line through `center` that is nearest to the ray; empty where they are nearly parallel.
std::optional<float> along_axis(const Ray& ray, const vec3& center, const vec3& axis) {
  const float cosine = glm::dot(ray.direction, axis), square = 1 - cosine * cosine;
  if (square < kForeshortened * kForeshortened) return {};
  const vec3 from = center - ray.origin;
  return (cosine * glm::dot(from, ray.direction) - glm::dot(from, axis)) / square;
}

/// Angle (rad) of a point about an axis of the world.
float angle_about(int axis, const vec3& p) { return std::atan2(p[(axis + 2) % 3], p[(axis + 1) % 3]); }

/// Where the cursor is on a ring (rad): in the ring's plane, or for one that is seen from its edge by the
/// cursor's way along its nearest point.
float around_axis(const Cursor& cursor, vec2 from, const vec3& center, int axis) {
  const Ray ray = cursor.view.ray(cursor.pixel);
  const vec3 normal = axis_of(axis);
  const float sine = glm::dot(ray.direction, normal);
  if (std::abs(sine) >= kEdgeOn) {
    const float distance = glm::dot(center - ray.origin, normal) / sine;
    return angle_about(axis, ray.origin + distance * ray.direction - center);
  }
  const vec3 ahead = glm::normalize(glm::cross(normal, center - ray.origin));  // of the near side
  const auto a = cursor.view.project(center);
  const float depth = view_depth(center, cursor.view);
  const auto b = cursor.view.project(center - kArrow * cursor.view.pixel_size(depth) * ahead);
  if (!a || !b) return 0;
  const vec2 way = vec2(*b) - vec2(*a);
  const float pixels = std::max(1.0f, glm::length(way));
  return glm::dot(cursor.pixel - from, way / pixels) / (0.8f * kArrow);
}

bool near(const HandPose& a, const HandPose& b) {
  const HandPose c = about_center(b, a.center);
  return glm::distance(a.offset, c.offset) < 1e-4f && std::abs(glm::dot(a.turn, c.turn)) > 1 - 1e-6f;
}

/// Where a point of a body that was moved by hand would be by its script alone.
vec3 by_script(const ObstacleView& o, double time, const vec3& point) {
  const RigidPose hand = rigid_pose(hand_pose(o.hand, time));
  return glm::conjugate(hand.rotation) * (point - hand.position);
}

MoveBody command_of(const std::string& body, const HandPose& pose) {
  return {body, pose.center, pose.offset, degrees_from_rotation(pose.turn)};
}

}  // namespace

vec3 Gizmo::tip(int axis) const { return center + length * axis_of(axis); }

vec3 Gizmo::on_ring(int axis, float angle) const {
  return center +
         radius() * (std::cos(angle) * axis_of((axis + 1) % 3) + std::sin(angle) * axis_of((axis + 2) % 3));
}

void BodyMover::select(int obstacle, const SceneView& scene) {
  end();
  selected_ = obstacle >= 0 && obstacle < int(scene.scene.obstacles.size()) ? obstacle : -1;
  on_plane_ = selected_ >= 0 ? scene.scene.obstacles[size_t(selected_)].placement.position : vec3(0);
  model_ = scene.model_id;
  pointed_ = {};
}

void BodyMover::hold_plane_at(const vec3& point, const Frame& frame, const SceneView& scene) {
  if (selected_ < 0 || model_ != scene.model_id || frame.model_id != scene.model_id) return;
  for (const ObstacleView& o : frame.obstacles)
    if (o.index == selected_) on_plane_ = by_script(o, frame.time, point);
}

void BodyMover::reconcile(const Frame& frame, const SceneView& scene) {
  if (posted_.body.empty() || frame.model_id != scene.model_id) return;
  for (const ObstacleView& o : frame.obstacles)
    if (scene.scene.obstacles[size_t(o.index)].name == posted_.body && near(o.hand.to, posted_.wanted))
      return posted_.body.clear();
}

void BodyMover::back_to_start() { held_ = {}, posted_ = {}; }

void BodyMover::forget() {
  held_ = {};
  posted_ = {};
  selected_ = -1;
  pointed_ = {};
}

std::optional<BodyMover::Place> BodyMover::place(const Frame& frame, const SceneView& scene) const {
  if (selected_ < 0 || model_ != scene.model_id || frame.model_id != scene.model_id) return {};
  for (const ObstacleView& o : frame.obstacles) {
    if (o.index != selected_ || size_t(selected_) >= scene.obstacle_meshes.size()) continue;
    const std::vector<vec3>& points =
        o.deformed ? *o.deformed : scene.obstacle_meshes[size_t(selected_)].positions;
    Bounds box;
    for (const vec3& p : points) box.add(vec3(o.transform * vec4(p, 1)));
    Place out;
    out.name = scene.scene.obstacles[size_t(selected_)].name;
    const bool plane = scene.scene.obstacles[size_t(selected_)].shape == ObstacleShape::plane;
    out.middle = plane ? on_plane_ : by_script(o, frame.time, 0.5f * (box.min + box.max));
    out.now = about_center(hand_pose(o.hand, frame.time), out.middle);
    out.wanted = about_center(o.hand.to, out.middle);
    if (held_.part && held_.body == out.name) out.wanted = about_center(held_.wanted, out.middle);
    else if (posted_.body == out.name) out.wanted = about_center(posted_.wanted, out.middle);
    return out;
  }
  return {};
}

std::optional<Gizmo> BodyMover::gizmo(const Frame& frame, const SceneView& scene, const CameraView& view,
                                      float scale) const {
  const auto at = place(frame, scene);
  if (!at) return {};
  Gizmo g;
  g.body = at->name;
  g.now = at->middle + at->now.offset;
  g.center = at->middle + at->wanted.offset;
  g.length = kArrow * scale * view.pixel_size(std::max(view_depth(g.center, view), view.near));
  g.held = bool(held_.part);
  g.pointed = g.held ? held_.part : pointed_;
  if (g.held)
    g.moved = g.pointed.turns ? fmt::format("{:.0f}\u00b0", double(glm::degrees(held_.moved)))
                              : fmt::format("{:.1f} cm", 100 * double(held_.moved));
  return g;
}

GizmoPart BodyMover::look(const Frame& frame, const SceneView& scene, const Cursor& cursor, float scale) {
  if (held_.part) return held_.part;
  pointed_ = {};
  const auto shown = gizmo(frame, scene, cursor.view, scale);
  if (!shown) return pointed_;
  float nearest = kReach * scale;
  const auto offer = [&](const vec3& from, const vec3& to, GizmoPart part) {
    const auto a = cursor.view.project(from), b = cursor.view.project(to);
    if (!a || !b) return;
    // Where a ring that is seen from its edge lies over an arrow, the arrow is meant.
    const float d = to_segment(cursor.pixel, vec2(*a), vec2(*b)) + (part.turns ? kBehindArrows * scale : 0);
    if (d < nearest) nearest = d, pointed_ = part;
  };
  for (int axis = 0; axis < 3; ++axis) {
    // The inner part of the arrows belongs to whatever lies there.
    if (along_axis(cursor.view.ray(cursor.pixel), shown->center, axis_of(axis)))
      offer(glm::mix(shown->center, shown->tip(axis), 0.25f), shown->tip(axis), {axis, false});
    for (int i = 0; i < kPieces; ++i)
      offer(shown->on_ring(axis, 2 * kPi * float(i) / kPieces),
            shown->on_ring(axis, 2 * kPi * float(i + 1) / kPieces), {axis, true});
  }
  return pointed_;
}

bool BodyMover::begin(const Frame& frame, const SceneView& scene, const Cursor& cursor, float scale) {
  const GizmoPart part = look(frame, scene, cursor, scale);
  const auto at = place(frame, scene);
  if (!part || !at || (may_begin_ && !may_begin_())) return false;
  held_ = {};
  held_.part = part, held_.body = at->name;
  held_.before = held_.wanted = at->wanted;
  held_.center = at->middle + at->wanted.offset;
  held_.pixel = cursor.pixel;
  held_.start = part.turns
                    ? around_axis(cursor, held_.pixel, held_.center, part.axis)
                    : along_axis(cursor.view.ray(cursor.pixel), held_.center, axis_of(part.axis)).value_or(0);
  held_.last = held_.start;
  return true;
}

void BodyMover::move(const Cursor& cursor) {
  if (!held_.part) return;
  const vec3 axis = axis_of(held_.part.axis);
  HandPose wanted = held_.before;
  if (held_.part.turns) {
    const float angle = around_axis(cursor, held_.pixel, held_.center, held_.part.axis);
    held_.moved += std::remainder(angle - held_.last, 2 * kPi);
    held_.last = angle;
    wanted.turn = glm::normalize(glm::angleAxis(held_.moved, axis) * held_.before.turn);
  } else {
    const auto along = along_axis(cursor.view.ray(cursor.pixel), held_.center, axis);
    if (!along) return;
    held_.moved = *along - held_.start;
    wanted.offset += held_.moved * axis;
  }
  if (wanted == held_.wanted) return;
  held_.wanted = wanted;
  post(wanted);
}

void BodyMover::post(const HandPose& wanted) {
  posted_.body = held_.body, posted_.wanted = wanted;
  post_(command_of(held_.body, wanted));
}

void BodyMover::posted(const MoveBody& command) {
  posted_.body = command.obstacle;
  posted_.wanted = {command.center, command.offset, rotation_from_degrees(command.rotation)};
}

void BodyMover::end() {
  if (!held_.part) return;
  const std::string label = (held_.part.turns ? "Turn " : "Move ") + held_.body;
  const MoveBody redo = command_of(held_.body, held_.wanted), undo = command_of(held_.body, held_.before);
  const bool moved = !near(held_.wanted, held_.before);
  held_ = {};
  if (moved) done_({label, {redo}, {undo}});
}

}  // namespace weft
