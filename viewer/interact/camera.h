// The camera: an orbit about a target point. Pure arithmetic, no OpenGL and no window.
#pragma once
#include <optional>

#include "sim/base/math.h"
#include "sim/mesh/mesh.h"
#include "sim/scene/scene.h"

namespace weft {

struct Ray {
  vec3 origin{0};
  vec3 direction{0, 0, -1};  // unit
};

/// Camera data for the renderer, for one picture size. Pixels count from the upper left corner, like a
/// window's cursor; pixel centres are at half integers.
struct CameraView {
  mat4 view{1}, projection{1};
  vec3 eye{0};
  vec3 target{0};
  ivec2 size{1, 1};  // pixels
  float near = 0.01f, far = 100;

  mat4 view_projection() const { return projection * view; }
  /// Pixel (x, y) and depth along the view direction (m) of a world point; empty if it is behind the eye.
  std::optional<vec3> project(const vec3& world) const;
  /// World point at a pixel and a depth along the view direction: the inverse of `project`.
  vec3 unproject(const vec2& pixel, float depth) const;
  Ray ray(const vec2& pixel) const;
  /// Unit vector of the view direction.
  vec3 forward() const { return -vec3(view[0][2], view[1][2], view[2][2]); }
  vec3 right() const { return vec3(view[0][0], view[1][0], view[2][0]); }
  vec3 up() const { return vec3(view[0][1], view[1][1], view[2][1]); }
  /// Size of one pixel (m) at a depth (m).
  float pixel_size(float depth) const;
};

/// Orbits a target. Angles in degrees: yaw 0 looks along -z, pitch > 0 looks down.
class Camera {
 public:
  Camera() = default;
  explicit Camera(const CameraPose& pose) : pose_(pose) { clamp(); }

  const CameraPose& pose() const { return pose_; }
  void set_pose(const CameraPose& pose) { pose_ = pose, clamp(); }
  vec3 eye() const;
  /// Sides below one pixel count as one.
  CameraView view(ivec2 size) const;

  /// Turns by a mouse movement in pixels: a drag across the picture's height turns by 180 degrees.
  void orbit(const vec2& pixels, ivec2 size);
  /// Moves the target so that a point at its depth follows the cursor.
  void pan(const vec2& pixels, ivec2 size);
  /// One notch of the wheel is steps = 1 and comes 10 % nearer. The world point under the cursor at the
  /// target's depth stays under the cursor.
  void zoom(float steps, const vec2& cursor, ivec2 size);
  /// Frames the bounds from the present direction. Empty bounds change nothing.
  void frame(const Bounds& bounds, ivec2 size);

  /// Steps back until the bounds are in a picture that is narrower than the 16:9 for which the view was
  /// chosen. A view that does not show all of them at 16:9 stays as it is.
  void widen(const Bounds& bounds, ivec2 size);

 private:
  void clamp();
  /// From the target, for everything within the bounds to be in the picture.
  float distance_for(const Bounds& bounds, const vec3& target, ivec2 size) const;
  CameraPose pose_;
};

}  // namespace weft
