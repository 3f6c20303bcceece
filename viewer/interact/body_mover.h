// Bodies that are selected by a click and moved by a gizmo: three arrows move, three rings turn.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/runner.h"
#include "viewer/interact/drag.h"
#include "viewer/interact/undo.h"

namespace weft {

/// What of a gizmo is meant: one of its arrows, or one of its rings, by the axis of the world.
struct GizmoPart {
  int axis = -1;  // x, y, z; -1: none
  bool turns = false;
  explicit operator bool() const { return axis >= 0; }
  bool operator==(const GizmoPart&) const = default;
};

/// A gizmo as it is drawn. Its size in the picture is always the same.
struct Gizmo {
  std::string body;   // name
  vec3 center{0};     // m: where the body is to go
  vec3 now{0};        // m: where it is; on the way while steps are made
  float length = 0;   // m, of the arrows
  GizmoPart pointed;  // under the cursor, or held
  bool held = false;
  std::string moved;  // "12.5 cm", "30°": by how much since it was taken up
  /// Radius of the rings, m.
  float radius() const { return 0.8f * length; }
  /// Where the arrow of an axis ends, m.
  vec3 tip(int axis) const;
  /// A point of a ring, by its angle (rad).
  vec3 on_ring(int axis, float angle) const;
};

/// Keeps the selection and posts MoveBody while a part is held. Coordinates as of MouseHand.
class BodyMover {
 public:
  using Post = std::function<void(Command)>;
  using Done = std::function<void(Edit)>;
  /// `done` receives each finished movement, which was carried out already. `may_begin`: as of
  /// DragController.
  BodyMover(Post post, Done done, std::function<bool()> may_begin)
      : post_(std::move(post)), done_(std::move(done)), may_begin_(std::move(may_begin)) {}

  /// An obstacle of the scene, or -1.
  void select(int obstacle, const SceneView& scene);
  /// If a plane is selected: its gizmo is at this point of it, for it has no middle.
  void hold_plane_at(const vec3& point, const Frame& frame, const SceneView& scene);
  /// -1: none.
  int selected() const { return selected_; }
  /// Empty without a selection, or where its body is not in the frame. `scale`: of the display.
  std::optional<Gizmo> gizmo(const Frame& frame, const SceneView& scene, const CameraView& view,
                             float scale) const;
  /// Which part is under the cursor; remembered for `gizmo`.
  GizmoPart look(const Frame& frame, const SceneView& scene, const Cursor& cursor, float scale);
  /// Takes up the part under the cursor. False if there is none, or it may not.
  bool begin(const Frame& frame, const SceneView& scene, const Cursor& cursor, float scale);
  /// Moves the body so that the held part follows the cursor.
  void move(const Cursor& cursor);
  void end();
  bool holding() const { return bool(held_.part); }
  /// Takes note of a command that others posted: undo.
  void posted(const MoveBody& command);
  /// A new frame, which may have it.
  void reconcile(const Frame& frame, const SceneView& scene);
  /// A reset: bodies are where their scripts have them.
  void back_to_start();
  /// Another scene: nothing is selected.
  void forget();

 private:
  /// A body that is selected, as the frame has it.
  struct Place {
    std::string name;
    vec3 middle{0};  // m, of its bounds, where the script alone has it
    HandPose now;    // about `middle`
    HandPose wanted;
  };
  std::optional<Place> place(const Frame& frame, const SceneView& scene) const;
  void post(const HandPose& wanted);

  Post post_;
  Done done_;
  std::function<bool()> may_begin_;
  int selected_ = -1;
  uint64_t model_ = 0;  // of the selection
  vec3 on_plane_{0};    // m, where the script alone has it: of a selected plane
  GizmoPart pointed_;
  struct {
    GizmoPart part;
    std::string body;
    HandPose before, wanted;
    vec3 center{0};
    vec2 pixel{0};    // of the cursor at the start
    float start = 0;  // along the arrow, m, or around the ring, rad
    float last = 0;   // rad, for turns of more than half a circle
    float moved = 0;  // m or rad
  } held_;
  /// The newest command, until frames have it.
  struct {
    std::string body;
    HandPose wanted;
  } posted_;
};

}  // namespace weft
