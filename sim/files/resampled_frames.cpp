#include "sim/files/resampled_frames.h"

#include <algorithm>

namespace weft {

ResampledFrames::ResampledFrames(FrameSource& source, int first, int last, double fps)
    : source_(source), info_(source.info()) {
  info_.fps = fps;
  info_.dt = 1 / fps;
  const double start = source.time(first);
  // Times are sums of float32 steps: a thousandth of a frame is far above their rounding and far below a
  // frame.
  const auto reached = [&](int frame, size_t n) {
    return (source.time(frame) - start) * fps <= double(n) + 1e-3;
  };
  // Frames up to the time of the last one. After a reset, frames wait for their time.
  const int count = 1 + int(std::max(0.0, (source.time(last) - start) * fps + 1e-3));
  int frame = first;
  for (size_t n = 0; n < size_t(count); ++n) {
    while (frame < last && reached(frame + 1, n)) ++frame;
    shown_.push_back(frame);
  }
  for (size_t n = 1; n < shown_.size(); ++n) {
    const int advance = shown_[n] - shown_[n - 1];
    least_ = n == 1 ? advance : std::min(least_, advance), most_ = std::max(most_, advance);
  }
}

void ResampledFrames::read(int frame, RunFrame& out) {
  source_.read(shown_.at(frame), out);
  out.step = step(frame);
  out.time = time(frame);
}

}  // namespace weft
