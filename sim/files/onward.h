// Numbers and times of frames of a run that is reset: files count on.
#pragma once
#include <string>

#include "sim/files/run.h"

namespace weft {

/// Numbers and times of frames for files whose times must increase. They are those of the run until it is
/// reset; then the next frame follows the last one after one frame interval, and later ones count on.
class OnwardFrames {
 public:
  /// `dt`: s, between two frames, until two have been seen.
  explicit OnwardFrames(double dt) : spacing_(dt) {}

  /// Gives the frame the step and the time that it has in files.
  void take(long long& step, double& time);
  /// Continuation of a summary: "; the run was reset once, ..."; empty if it was not.
  std::string words() const;

 private:
  double spacing_, last_time_ = 0, time_offset_ = 0;  // s
  long long last_step_ = 0, step_offset_ = 0, first_after_ = 0;
  int resets_ = 0;
  bool any_ = false;
};

}  // namespace weft
