// A video of a stretch of kept states: each is shown, and recorded, in turn.
#pragma once
#include <vector>

#include "viewer/session/window_recording.h"

namespace weft {

struct WindowState;

class StretchFilm {
 public:
  /// Of these kept steps; at least one. Records every state, at the scene's own times.
  StretchFilm(WindowState& state, std::vector<int> steps);
  /// Once per turn of the window's loop. False once the video is complete or cannot be made.
  bool turn(WindowState& state);
  double share() const { return double(next_) / double(steps_.size()); }

 private:
  std::vector<int> steps_;
  size_t next_ = 0;  // the state that is waited for
  bool began_ = false, exact_before_ = false;
};

}  // namespace weft
