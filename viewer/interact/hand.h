// The mouse over the picture: hovering, dragging cloth, pinning, moving the camera.
#pragma once
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/run/runner.h"
#include "viewer/interact/body_mover.h"
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
  int obstacle = -1;    // the body under the cursor, in Scene::obstacles; -1: none
  vec3 on_obstacle{0};  // where, m
  GizmoPart gizmo;      // of the selected body
  int held_handle = 0;  // a handle in place, to be taken up again
  int strand = -1;      // vertex of a strand or a grain near the cursor that nothing hides
};

/// What the vertices within a rectangle or under a brush are chosen for: pinned or freed together, fastened
/// as one, pinned, freed.
enum class SelectFor { pins, handle, pin, free };
struct Selected {
  SelectFor use = SelectFor::pins;
  std::vector<int> vertices;
};

/// A brush that chooses vertices near the cursor on the cloth.
struct SelectBrush {
  bool on = false;
  SelectFor use = SelectFor::pin;
  float radius = 0.03f;  // m
  /// The wheel changes the radius by a quarter a notch, from 3 mm to 0.5 m.
  void turn_wheel(float notches);
};

/// Converts mouse actions over the picture to drags, pins, moves of bodies and of the camera. Pixels count
/// from the picture's upper left corner.
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
    BodyMover* bodies = nullptr;
    SelectBrush brush = {};
  };

  /// The cursor or the cloth under it moved: updates `hover` or continues the drag that the button started.
  void move(const Moment& m, vec2 pixel);
  /// Returns the vertex to pin or free for Ctrl-click, else -1.
  int press(const Moment& m, MouseButton button, vec2 pixel, Modifiers mods);
  /// Returns the vertices within the rectangle drawn with Ctrl and Shift, to pin or free together, or with
  /// Ctrl, Shift and Alt, to fasten as one; or those that the brush has passed. A click beside the cloth
  /// selects the body under it, or none.
  Selected release(const Moment& m, MouseButton button, Modifiers mods);
  void wheel(const Moment& m, float notches, vec2 pixel);
  /// The cursor left the picture.
  void leave() { hover_ = {}; }

  const Hover& hover() const { return hover_; }
  /// A button that was pressed over the picture is still down: the mouse belongs to the picture until it is
  /// released.
  bool busy() const { return mode_ != Mode::none; }
  /// Opposite corners (pixels) of the rectangle that is being drawn.
  std::optional<std::pair<vec2, vec2>> rectangle() const;
  /// Vertices of this mesh that the brush has passed since the button went down.
  std::set<int> painted(uint64_t model) const { return model == painted_model_ ? painted_ : std::set<int>(); }
  bool painting() const { return mode_ == Mode::paint; }

 private:
  enum class Mode { none, drag, gizmo, orbit, pan, select, paint };
  Hover look(const Moment& m, vec2 pixel);
  void look_at_bodies(const Moment& m, const Ray& ray, Hover& hover);
  int strand_near(const Moment& m, vec2 pixel, float depth) const;
  void paint(const Moment& m);
  void paint_to(const Moment& m, vec2 from, vec2 to);
  Picker picker_;
  Hover hover_;
  Mode mode_ = Mode::none;
  MouseButton button_ = MouseButton::left;
  SelectFor use_ = SelectFor::pins;
  vec2 last_{0}, pressed_{0};
  std::set<int> painted_;
  uint64_t painted_model_ = 0;  // whose vertices they are
};

}  // namespace weft
