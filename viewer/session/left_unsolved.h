// What steps leave when a budget ends them, for the status bar.
#pragma once
#include "sim/run/runner.h"

namespace weft {

/// The largest error of the steps of the last moments that were ended before they were solved. It stays for
/// a moment, since a dragged cloth has solved steps between others, and is gone when everything is let go.
class LeftUnsolved {
 public:
  /// The newest state, made with steps of `dt` (s).
  void look(const Frame& frame, float dt);
  /// Mean error of the displacements of a step, m; 0: all steps were solved.
  double error() const { return error_; }
  /// The same over what gravity moves in a step.
  double share() const { return share_; }

 private:
  double error_ = 0, share_ = 0;
  int step_ = 0, shown_until_ = 0;
};

}  // namespace weft
