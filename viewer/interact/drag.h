// Pulling the cloth with the mouse: a handle follows the cursor on a plane that faces the camera.
#pragma once
#include <functional>
#include <vector>

#include "sim/run/runner.h"
#include "viewer/interact/picking.h"
#include "viewer/interact/shown_handle.h"

namespace weft {

/// A cursor over a picture: pixels from the picture's upper left corner.
struct Cursor {
  const CameraView& view;
  vec2 pixel;
};

/// Distance of a point from the eye along the direction of the view, m.
float view_depth(const vec3& point, const CameraView& view);

/// Share of the largest extent of the cloth by which a notch of the wheel moves a held handle.
constexpr float kNotchShare = 0.02f;

/// Largest extent of the cloth of a triangle along the axes, at rest, m; 0 where there is none.
float cloth_extent(const SceneView& scene, int triangle);

/// Handles made by the mouse: the held one and those left in place. Posts commands; the state of handles is
/// in Frame::handles.
class DragController {
 public:
  using Post = std::function<void(Command)>;
  /// `may_begin` is called before each new handle and returns a reason against it; empty: none.
  explicit DragController(Post post, std::function<bool()> may_begin = {})
      : post_(std::move(post)), may_begin_(std::move(may_begin)) {}

  struct Handle {
    int id = 0;
    vec3 target{0};     // where the user pulls it, world space
    bool seen = false;  // confirmed by the simulator: it was in a frame
    int triangle = -1;  // where it was begun
    vec3 barycentric{0};
    bool fastened = false;  // holds vertices as one; `triangle` is then of their cloth
  };

  /// Grabs the point that was hit; brush radius in metres. False if it may not.
  bool begin(const PickHit& hit, const Cursor& cursor, float brush_radius);
  /// Holds vertices as one, where they are: a handle at their middle, in place and ready to be taken up.
  /// False if there are none, or it may not.
  bool fasten(const std::vector<int>& vertices, const Frame& frame, const SceneView& scene);
  /// Takes up a handle that was left in place. False for an unknown id.
  bool take(int id, const Cursor& cursor);
  /// Moves the held handle to the cursor.
  void move(const Cursor& cursor);
  /// Moves the plane away from (positive) or towards the camera by this distance, m.
  void push(float away, const Cursor& cursor);
  /// Releases the held handle. With `keep` it stays and continues to pull.
  void end(bool keep);
  /// Lets go of everything.
  void release_all();
  /// Drops handles that the simulator no longer has, and takes over those that it has again.
  void reconcile(const std::vector<HandleView>& live);

  bool dragging() const { return active_ != 0; }
  int active() const { return active_; }
  /// Handles left in place, and the held one.
  const std::vector<Handle>& handles() const { return handles_; }
  const Handle* find(int id) const;
  /// Handles as they are drawn: those of the newest state, at the places where the mouse has them by now,
  /// without those that were let go of since, and with those that were begun since.
  std::vector<ShownHandle> shown(const Frame& frame, const std::vector<ivec3>& triangles) const;

 private:
  Handle* find_mutable(int id);
  void let_go(const Handle& handle);
  Post post_;
  std::function<bool()> may_begin_;
  std::vector<Handle> handles_, let_go_;  // let_go_: the simulator may still have them
  int active_ = 0, last_id_ = 0;
  float depth_ = 1;
  vec3 offset_{0};  // of the handle relative to the cursor, in the plane
};

}  // namespace weft
