// Attempts at a time step: what surrounds its phases (stepper.h).
#pragma once
#include <functional>
#include <string>

#include "sim/step/solve_budget.h"
#include "sim/step/stepper.h"

namespace weft {

/// How an attempt ended. A list that was too short is no end: it has grown, and the step was made again.
enum class StepOutcome {
  done,  // the state has moved on
  // the result was not finite, or contact asks for it; the state is as before, and wants a step of less time
  smaller_step
};

/// Replay of recorded launches, repetition with longer lists, the search for values that are not finite,
/// interruption, and the way back after any of them.
class Attempt {
 public:
  Attempt(StepContext& context, Stepper& stepper);
  /// One step of `dt` (s). `revision` changes with anything that a person sets: methods, parameters, pins
  /// (Device::replay). On a CPU `give_up` is asked many times; where it says yes the attempt ends with
  /// Interrupted.
  /// After an exception other than DeviceLost the state is as before.
  StepOutcome run(StepMethods, float dt, uint64_t revision, const std::function<bool()>& give_up = {});
  /// After smaller_step: whether contact asked for it (CollisionHandler::wants_smaller_step).
  bool contact_asked() const { return contact_asked_; }
  /// After smaller_step otherwise: where a value that is not finite showed first.
  int broken_vertex() const { return broken_vertex_; }
  const std::string& broken_stage() const { return broken_stage_; }
  SolveBudget& budget() { return budget_; }

 private:
  StepOutcome until_lists_fit(StepMethods, float dt, uint64_t revision, const std::function<bool()>& give_up);
  bool solve(StepMethods, float dt, uint64_t revision, const std::function<bool()>& give_up);
  bool solve_watched(StepMethods);
  void restore();
  void mark_broken();
  bool sound(const char* stage);
  void inject_nan();
  uint64_t replay_signature(const CollisionHandler& collision, uint64_t revision, float dt) const;

  StepContext& c_;
  Stepper& stepper_;
  SolveBudget budget_;
  // at the start of the step: the only part of the state that changes before its last phase
  Buffer<Sym3> anchors_;
  Buffer<int> broken_;
  int broken_vertex_ = -1;  // -1: the last attempt was sound
  std::string broken_stage_;
  bool contact_asked_ = false;
};

}  // namespace weft
