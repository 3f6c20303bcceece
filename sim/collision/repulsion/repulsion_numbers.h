// Statistics of vertex repulsion, and the pairs in contact, for display. No effect on the motion.
#pragma once
#include <vector>

#include "sim/collision/repulsion/collision_steps.h"
#include "sim/methods/step_context.h"
#include "sim/scene/model/collision_numbers.h"

namespace weft {

class RepulsionNumbers {
 public:
  RepulsionNumbers(Device& device, int vertices);
  /// Statistics of the present state, with `positions` of all vertices of `steps`; `after_step`: including
  /// the step that led to it. Waits for the device.
  CollisionNumbers numbers(const StepContext&, Span<const vec3> positions, CollisionSteps& steps,
                           bool after_step);
  /// Lengths of a state, as far as the promise depends on them, m.
  struct Lengths {
    float longest = 0;  // edge
    float nearest = 0;  // pair; no more than `bound`
  };
  /// Between two time steps, with `bound` at most the search radius; waits for the device.
  Lengths lengths(Span<const vec3> position, CollisionSteps& steps, float bound);
  /// Pairs in contact at `position`, between two time steps. If there are more than `most`, an evenly spaced
  /// subset.
  std::vector<ivec2> pairs(Span<const vec3> position, CollisionSteps& steps, int most);

 private:
  /// Fills start_; returns the number of pairs.
  int count_pairs(Span<const vec3> position, CollisionSteps& steps, NeighborLists& lists);
  Device& device_;
  int vertices_;
  Buffer<int> pair_count_, start_;
  Buffer<float> flags_, results_;
  Buffer<ivec2> list_;
};

}  // namespace weft
