// How long the solver of a step may take.
#pragma once
#include <optional>

#include "sim/device/buffer.h"
#include "sim/methods/solve_end.h"

namespace weft {

/// Ends the solver's iterations (never contact) so that a step takes no longer than it may. What the rest of
/// a step takes is measured in the steps before; at least a quarter of the step (at most the budget), and
/// some few iterations, are the solver's. The count at which a clock ended a step is kept: the same step ends
/// by it to the same bits.
class SolveBudget {
 public:
  explicit SolveBudget(Device&);
  /// What a step may take in place of what its scene says, s; 0: as long as it wants; empty: as the scene
  /// says. `always`: whether a handle is dragged or not.
  void set(std::optional<float> seconds, bool always) { chosen_ = seconds, always_ = always; }
  /// The present attempt may end early.
  bool limits() const { return planned_.most != SolveEnd::kUnlimited || planned_.allowed >= 0; }
  /// The next step ends after so many iterations, and reads no clock.
  void follow(int iterations) { followed_ = iterations; }
  void begin_step() { ended_after_ = 0, did_follow_ = false; }
  /// Before an attempt at a step, which may take so long in all as its scene says (0: as long as it wants).
  /// `dragged`: else it is solved. `whole`: it is not made in parts, which are solved, too.
  void begin_attempt(float seconds, bool dragged, bool whole);
  /// A launch of the step, before the solver's.
  void begin();
  /// One element, on the device.
  Span<SolveEnd> end() { return end_; }
  /// After an attempt; waits for the device where one was limited.
  void end_attempt();
  /// After a step that took so long in all.
  void step_made(double seconds);
  /// Forgets what is not part of a state.
  void clear();

  /// The iterations after which the last step's attempt was ended with more to do; 0: it was solved.
  int ended_after() const { return ended_after_; }
  /// The last step was one of `follow`.
  bool followed() const { return did_follow_; }

 private:
  Device& device_;
  Buffer<SolveEnd> plan_, end_;
  SolveEnd planned_;             // as in `plan_`
  std::optional<float> chosen_;  // s
  bool always_ = false;
  int followed_ = 0;     // by the next step; 0: none
  int ended_after_ = 0;  // of the last step
  bool did_follow_ = false;
  double solver_ = -1;  // s that the last attempt's took; negative: no clock was read
  double rest_ = -1;    // s that a step takes without its solver; negative: not known
};

}  // namespace weft
