// Stitches that are let go (sim/scene/model/stitches.h), as a part of the state.
#pragma once
#include <vector>

#include "sim/methods/step_context.h"

namespace weft {

/// Owner of State::stitch_hold. What was let go stays so until the start, and is carried.
class StitchRelease {
 public:
  /// Registers with the state. Does not own the context.
  explicit StitchRelease(StepContext& context);
  /// Before a step: lets go what is due at the time of the state, or switched off.
  void prepare();
  /// All hold.
  void back_to_start();

 private:
  void upload();
  std::vector<unsigned char> save() const;
  void restore(const std::vector<unsigned char>& bytes);
  StepContext& c_;
  std::vector<unsigned char> let_go_;  // per stitch of the scene: 1 once it is
};

}  // namespace weft
