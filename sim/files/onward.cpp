#include "sim/files/onward.h"

#include <fmt/format.h>

namespace weft {

void OnwardFrames::take(long long& step, double& time) {
  step += step_offset_, time += time_offset_;
  if (any_ && (step <= last_step_ || time <= last_time_)) {
    step_offset_ += last_step_ + 1 - step, step = last_step_ + 1;
    time_offset_ += last_time_ + spacing_ - time, time = last_time_ + spacing_;
    if (resets_++ == 0) first_after_ = step;
  } else if (any_) {
    spacing_ = time - last_time_;
  }
  last_step_ = step, last_time_ = time, any_ = true;
}

std::string OnwardFrames::words() const {
  if (resets_ == 0) return {};
  return fmt::format("; the run was reset {}, first before frame {}: frames count on from there",
                     resets_ == 1 ? "once" : fmt::format("{} times", resets_), first_after_);
}

}  // namespace weft
