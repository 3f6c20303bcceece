// What steps of the shown run are due to, for the line under their timings.
#pragma once
#include <chrono>
#include <vector>

#include "sim/run/step_reasons.h"
#include "viewer/session/crossing_watch.h"

namespace weft {

class ReasonWatch {
 public:
  /// Once for each new state of a simulated run.
  void look(const Session& session, const CrossingWatch& crossings);
  /// The most important first; of a moment ago, so that it can be read and clicked.
  const std::vector<StepReason>& list() const { return list_; }
  /// Enough steps were seen for a statement.
  bool known() const { return known_; }
  /// Makes the change of a reason, as one edit to undo; a mesh or a start anew where it says so.
  void apply(Session& session, const StepReason& reason);

 private:
  using Clock = std::chrono::steady_clock;
  void begin(const Session& session);
  StepReasons steps_;
  std::vector<StepReason> list_;
  MeshFacts mesh_;
  uint64_t model_ = 0;
  long revision_ = -1;
  bool known_ = false;
  Clock::time_point next_{};
};

}  // namespace weft
