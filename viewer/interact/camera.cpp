#include "viewer/interact/camera.h"

#include <algorithm>

#include "sim/scene/camera_limits.h"
#include "sim/scene/camera_path.h"

namespace weft {
namespace {

constexpr float kMaxPitch = 89.5f;  // degrees; at 90 the up vector would flip

float radians(float degrees) { return degrees * kPi / 180; }

}  // namespace

std::optional<vec3> CameraView::project(const vec3& world) const {
  const vec4 p = view * vec4(world, 1);
  const float depth = -p.z;
  if (depth <= 0) return std::nullopt;
  const vec4 clip = projection * p;
  return vec3((0.5f + 0.5f * clip.x / clip.w) * float(size.x),
              (0.5f - 0.5f * clip.y / clip.w) * float(size.y), depth);
}

vec3 CameraView::unproject(const vec2& pixel, float depth) const {
  const float x = (2 * pixel.x / float(size.x) - 1) / projection[0][0];
  const float y = (1 - 2 * pixel.y / float(size.y)) / projection[1][1];
  return eye + depth * (x * right() + y * up() + forward());
}

Ray CameraView::ray(const vec2& pixel) const { return {eye, glm::normalize(unproject(pixel, 1) - eye)}; }

float CameraView::pixel_size(float depth) const { return 2 * depth / (projection[1][1] * float(size.y)); }

void Camera::clamp() {
  pose_.pitch = std::clamp(pose_.pitch, -kMaxPitch, kMaxPitch);
  pose_.distance = std::clamp(pose_.distance, kLeastCameraDistance, kMostCameraDistance);
  pose_.fov = std::clamp(pose_.fov, kLeastCameraFov, kMostCameraFov);
  pose_.yaw = std::remainder(pose_.yaw, 360.0f);
}

vec3 Camera::eye() const {
  const float yaw = radians(pose_.yaw), pitch = radians(pose_.pitch);
  const vec3 back(std::cos(pitch) * std::sin(yaw), std::sin(pitch), std::cos(pitch) * std::cos(yaw));
  return pose_.target + pose_.distance * back;
}

CameraView Camera::view(ivec2 size) const {
  CameraView v;
  v.size = glm::max(size, ivec2(1));
  v.eye = eye();
  v.target = pose_.target;
  v.near = std::max(0.004f, 0.02f * pose_.distance);
  v.far = std::max(60.0f, 12 * pose_.distance);
  v.view = glm::lookAt(v.eye, pose_.target, vec3(0, 1, 0));
  v.projection = glm::perspective(radians(pose_.fov), float(v.size.x) / float(v.size.y), v.near, v.far);
  return v;
}

void Camera::orbit(const vec2& pixels, ivec2 size) {
  const float degrees_per_pixel = 180.0f / float(std::max(1, size.y));
  pose_.yaw -= pixels.x * degrees_per_pixel;
  pose_.pitch += pixels.y * degrees_per_pixel;
  clamp();
}

void Camera::pan(const vec2& pixels, ivec2 size) {
  const CameraView v = view(size);
  const float scale = v.pixel_size(pose_.distance);
  pose_.target += scale * (-pixels.x * v.right() + pixels.y * v.up());
}

void Camera::zoom(float steps, const vec2& cursor, ivec2 size) {
  const CameraView before = view(size);
  const vec3 held = before.unproject(cursor, pose_.distance);
  const float old_distance = pose_.distance;
  pose_.distance *= std::pow(0.9f, steps);
  clamp();
  // The picture shrinks about the target by the ratio of distances; the held point keeps its pixel if the
  // target moves towards it by the rest.
  pose_.target += (1 - pose_.distance / old_distance) * (held - pose_.target);
}

float Camera::distance_for(const Bounds& bounds, const vec3& target, ivec2 size) const {
  const CameraView v = view(size);
  const float tan_y = 1 / v.projection[1][1], tan_x = 1 / v.projection[0][0];
  float distance = kLeastCameraDistance;
  for (int corner = 0; corner < 8; ++corner) {
    const vec3 p(corner & 1 ? bounds.max.x : bounds.min.x, corner & 2 ? bounds.max.y : bounds.min.y,
                 corner & 4 ? bounds.max.z : bounds.min.z);
    const vec3 d = p - target;
    const float side =
        std::max(std::abs(glm::dot(d, v.right())) / tan_x, std::abs(glm::dot(d, v.up())) / tan_y);
    distance = std::max(distance, side - glm::dot(d, v.forward()));
  }
  return distance;
}

void Camera::frame(const Bounds& bounds, ivec2 size) {
  if (bounds.empty()) return;
  pose_.target = bounds.center();
  pose_.distance = 1.08f * distance_for(bounds, pose_.target, size);  // a margin of 4 % on each side
  clamp();
}

void Camera::widen(const Bounds& bounds, ivec2 size) {
  if (bounds.empty()) return;
  const ivec2 wide(16 * size.y, 9 * size.y);
  if (distance_for(bounds, pose_.target, wide) > pose_.distance) return;  // a close view
  pose_.distance = std::max(pose_.distance, 1.03f * distance_for(bounds, pose_.target, size));
  clamp();
}

}  // namespace weft
