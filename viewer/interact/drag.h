// Pulling the cloth with the mouse: a handle follows the cursor on a plane that faces the camera.
#pragma once
#include <functional>
#include <vector>

#include "sim/run/simulation.h"
#include "viewer/interact/picking.h"

namespace weft {

/// A cursor over a picture: pixels from the picture's upper left corner.
struct Cursor {
  const CameraView& view;
  vec2 pixel;
};

/// Distance of a point from the eye along the direction of the view, m.
float view_depth(const vec3& point, const CameraView& view);

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
  };

  /// Grabs the point that was hit; brush radius in metres. False if it may not.
  bool begin(const PickHit& hit, const Cursor& cursor, float brush_radius);
  /// Takes up a handle that was left in place. False for an unknown id.
  bool take(int id, const Cursor& cursor);
  /// Moves the held handle to the cursor.
  void move(const Cursor& cursor);
  /// Notches of the wheel: moves the plane away from (positive) or towards the camera by a twelfth of its
  /// depth each.
  void push(float notches, const Cursor& cursor);
  /// Releases the held handle. With `keep` it stays and continues to pull.
  void end(bool keep);
  /// Lets go of everything.
  void release_all();
  /// Drops handles that the simulator no longer has.
  void reconcile(const std::vector<HandleView>& live);

  bool dragging() const { return active_ != 0; }
  int active() const { return active_; }
  /// Handles left in place, and the held one.
  const std::vector<Handle>& handles() const { return handles_; }
  const Handle* find(int id) const;

 private:
  Handle* find_mutable(int id);
  Post post_;
  std::function<bool()> may_begin_;
  std::vector<Handle> handles_;
  int active_ = 0, last_id_ = 0;
  float depth_ = 1;
  vec3 offset_{0};  // of the handle relative to the cursor, in the plane
};

}  // namespace weft
