// Going back in a run: its kept states, and the commands that led to each.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/run/run_timeline.h"
#include "sim/run/state_history.h"
#include "sim/scene/command.h"

namespace weft {

/// What is known about the past of a run. While an earlier state is shown, the commands of the newest one
/// wait. Used on the simulator's thread.
class Rewind {
 public:
  StateHistory kept;

  bool back() const { return shown_ >= 0; }
  int shown() const { return shown_; }
  /// Shows a kept state from now on; `commands`: those of the state that was shown before, of which the
  /// last `since` came after it. Returns those of this one: what led to it, and all parameters
  /// that were set since.
  std::vector<TimedCommand> show(int index, std::vector<TimedCommand> commands, size_t since);
  /// The run goes on from the state that is shown, as frame `next_frame`: later ones are dropped.
  void go_on(uint64_t next_frame);
  /// The run begins anew with frame `next_frame`, because of `why`.
  void clear(const std::string& why, uint64_t next_frame);
  /// A handle was begun at this step; the step of one, or -1.
  void begun(int handle, int step) { grabs_[handle] = step; }
  int step_of_grab(int handle) const;
  /// `changed_since`: a parameter was, since the last `show`.
  RunTimeline timeline(bool changed_since) const;

 private:
  int shown_ = -1;
  std::vector<TimedCommand> line_, changes_;
  std::map<int, int> grabs_;
  std::string cleared_;
  uint64_t branch_ = 1, branch_frame_ = 0;
  int branch_step_ = 0;
};

}  // namespace weft
