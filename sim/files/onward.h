// Frames that a run hands on after it was reset: files count on.
#pragma once
#include <string>

#include "sim/files/run.h"

namespace weft {

/// Numbers and times of frames for files that can only go on: those of the run, until it goes back to its start. From there the next frame
/// follows the last one, a frame later, and those after it count on.
class OnwardFrames {
 public:
  /// `dt`: s, between two frames, until two have been seen.
  explicit OnwardFrames(double dt) : spacing_(dt) {}

  /// Gives the frame the step and the time that it has in files.
  void take(long long& step, double& time);
  /// Ends a sentence that says what was written: "; the run was reset once, ..."; empty if it never was.
  std::string words() const;

 private:
  double spacing_, last_time_ = 0, time_offset_ = 0;  // s
  long long last_step_ = 0, step_offset_ = 0, first_after_ = 0;
  int resets_ = 0;
  bool any_ = false;
};

}  // namespace weft
