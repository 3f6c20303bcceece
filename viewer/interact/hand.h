// The mouse over the picture: hovering, dragging cloth, pinning, moving the camera.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "sim/run/runner.h"
#include "viewer/interact/drag.h"
#include "viewer/interact/picking.h"
#include "viewer/interact/pins.h"

namespace weft {

enum class MouseButton { left, right, middle };
struct Modifiers {
  bool shift = false, ctrl = false, alt = false;
};

/// The triangle of the cloth under the cursor, if no obstacle is in front of it.
struct Hover {
  std::optional<PickHit> cloth;
  bool obstacle = false;
  int held_handle = 0;  // a handle in place, to be taken up again
};

/// Converts mouse actions over the picture to drags, pins and camera moves. Pixels count from the picture's
/// upper left corner.
class MouseHand {
 public:
  /// Context of a press or move.
  struct Moment {
    const Frame& frame;
    const SceneView& scene;
    Camera& camera;
    ivec2 size;  // of the picture, pixels
    DragController& drag;
    float brush_radius = 0;           // m
    bool show_obstacles = true;       // obstacles that are not drawn hide nothing
    float scale = 1;                  // display scale: the cursor's reach in pixels grows with it
    std::vector<char> left_out = {};  // triangles that are not drawn (Picker::pick)
  };

  /// The cursor or the cloth under it moved: updates `hover` or continues the drag that the button started.
  void move(const Moment& m, vec2 pixel);
  /// Returns the vertex to pin or free for Ctrl-click, else -1.
  int press(const Moment& m, MouseButton button, vec2 pixel, Modifiers mods);
  /// Returns the vertices to pin or free together: those within the rectangle drawn with Ctrl and Shift.
  std::vector<int> release(const Moment& m, MouseButton button, Modifiers mods);
  void wheel(const Moment& m, float notches, vec2 pixel);
  /// The cursor left the picture.
  void leave() { hover_ = {}; }

  const Hover& hover() const { return hover_; }
  /// A button that was pressed over the picture is still down: the mouse belongs to the picture until it is
  /// released.
  bool busy() const { return mode_ != Mode::none; }
  /// Opposite corners (pixels) of the rectangle that is being drawn.
  std::optional<std::pair<vec2, vec2>> rectangle() const;

 private:
  enum class Mode { none, drag, orbit, pan, select };
  Hover look(const Moment& m, vec2 pixel);
  Picker picker_;
  Hover hover_;
  Mode mode_ = Mode::none;
  MouseButton button_ = MouseButton::left;
  vec2 last_{0}, pressed_{0};
};

}  // namespace weft
