// What is kept of a run, for a window's timeline.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// The kept states of a run at one moment.
struct RunTimeline {
  struct Moment {
    int step = 0;
    double time = 0;  // s
  };
  std::vector<Moment> kept;      // oldest first
  int shown = -1;                // index of the one that is shown in the place of the newest; -1: the newest
  bool changed = false;          // a parameter was changed since that one is shown
  size_t bytes = 0, budget = 0;  // memory
  std::string why;               // there are none, or fewer than there is room for; empty if neither
  /// Grows when the run goes on from an earlier state and when it begins anew. Frames from `branch_frame` on
  /// (Frame::id) belong to it; of earlier ones those up to `branch_step` do.
  uint64_t branch = 1, branch_frame = 0;
  int branch_step = 0;

  /// The step that is shown; -1: nothing is kept.
  int step() const { return kept.empty() ? -1 : kept[shown < 0 ? kept.size() - 1 : size_t(shown)].step; }
};

}  // namespace weft
