// What collision handling did in the last few hundred steps: what its plot shows.
#pragma once
#include <cstdint>
#include <deque>

#include "sim/run/runner.h"

namespace weft {

/// Of one time step.
struct ContactStep {
  int number = 0;      // of the time step: while steps are quicker than pictures some are not seen
  int steps = 0;       // collision steps, or forward steps
  int hard = 0;        // those of them that needed the hard phase
  float residual = 0;  // largest share of its way that a vertex could not go
};

/// Keeps the last `length` steps of one scene under one collision method.
class ContactHistory {
 public:
  explicit ContactHistory(size_t length = 240) : length_(length) {}
  /// Takes note of a published state, if a step led to it that has not been noted. Another scene or method begins anew, and so does an earlier step.
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

/// Height of a residual in a plot, 0 to 1: six decades up to 1; what is less lies at the bottom.
float residual_height(float residual);

}  // namespace weft
