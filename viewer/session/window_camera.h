// Motion of the window's camera besides the mouse: the scene's camera path, and the turntable of a recording.
#pragma once
#include "sim/scene/scene.h"

namespace weft {

struct WindowState;

class CameraMover {
 public:
  /// Moves the camera for the next picture; true if it moved. Moving the camera by hand stops following the
  /// path.
  bool move(WindowState& state);

 private:
  bool follow_path(WindowState& state);
  bool turn(WindowState& state);
  bool following_ = false;
  CameraPose placed_;  // pose set by the path
  bool turning_ = false;
  double turned_until_ = 0;  // s of video
};

/// Buttons of the panel: add a key of the camera path at the camera's pose and the time shown; remove the key
/// nearest to that time. Both can be undone.
void add_camera_key(WindowState& state);
void remove_camera_key(WindowState& state);

}  // namespace weft
