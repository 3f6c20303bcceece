#include "viewer/session/contact_history.h"

#include <algorithm>
#include <cmath>

#include "sim/methods/method_table.h"

namespace weft {

void ContactHistory::add(const Frame& frame) {
  if (frame.model_id != model_ || frame.collision != method_ || frame.step < last_step_)
    steps_.clear(), last_step_ = 0;
  model_ = frame.model_id, method_ = frame.collision;
  if (frame.step == last_step_) return;
  last_step_ = frame.step;
  if (frame.stats.collision_steps <= 0) return;
  const std::string& failed = collision_methods()[size_t(frame.collision)].steps.failed;
  steps_.push_back(
      {frame.step, frame.stats.collision_steps, int(frame.stats.counter(failed)), frame.stats.residual});
  if (steps_.size() > length_) steps_.pop_front();
}

float residual_height(float residual) {
  constexpr float kDecades = 6;
  if (!(residual > 0)) return 0;
  return std::clamp(1 + std::log10(residual) / kDecades, 0.0f, 1.0f);
}

}  // namespace weft
