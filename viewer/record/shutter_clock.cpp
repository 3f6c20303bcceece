#include "viewer/record/shutter_clock.h"

namespace weft {

std::optional<ShutterLook> ShutterClock::next_before(double next_time) {
  // Times are sums of float32 steps: a thousandth of a frame is far above their rounding and far below a
  // frame.
  const double end = (next_time - first_) / speed_ * fps_ - 1e-3;
  const double at = double(frame_) - share_ * double(looks_ - 1 - look_) / looks_;
  if (at >= end) return std::nullopt;
  const bool last = ++look_ == looks_;
  const ShutterLook look{frame_, first_ + at * speed_ / fps_, at / fps_, last};
  if (last) ++frame_, look_ = 0;
  return look;
}

ShutterLook ShutterClock::every_step(double time) {
  const int64_t frame = frame_++;
  return {frame, time, double(frame) / fps_, true};
}

}  // namespace weft
