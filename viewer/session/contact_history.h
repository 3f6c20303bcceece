// History of collision handling over the last few hundred steps, for its plot.
#pragma once
#include <cstdint>
#include <deque>

#include "sim/run/runner.h"

namespace weft {

/// Collision handling of one time step.
struct ContactStep {
  int number = 0;      // of the time step: some are missing if steps are faster than pictures
  int steps = 0;       // collision steps, or forward steps
  int failed = 0;      // StepsInWords::failed
  float residual = 0;  // largest fraction of its path that a vertex could not move
};

/// Keeps the last `length` steps of one scene under one collision method.
class ContactHistory {
 public:
  explicit ContactHistory(size_t length = 240) : length_(length) {}
  /// Adds a published state if its step is not recorded yet. Another scene or method, or an earlier step,
  /// clears the history.
  void add(const Frame& frame);
  /// Oldest first.
  const std::deque<ContactStep>& steps() const { return steps_; }
  /// The method that made them: into collision_methods().
  int method() const { return method_; }

 private:
  size_t length_;
  std::deque<ContactStep> steps_;
  uint64_t model_ = 0;
  int method_ = -1, last_step_ = 0;
};

/// Height of a residual in a plot, 0 to 1: six decades up to 1; smaller values are at the bottom.
float residual_height(float residual);

}  // namespace weft
