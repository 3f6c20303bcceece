// A run at another frame rate, for programs with a fixed rate.
#pragma once
#include <vector>

#include "sim/files/run.h"

namespace weft {

/// Frames of another run at a constant rate: frame n shows the newest frame of `source` whose time is at most
/// n / fps (s, from its frame `first`). Nothing is interpolated, because a blend of two states without
/// crossings may cross. Frames have their own times and numbers.
class ResampledFrames final : public FrameSource {
 public:
  /// Frames `first` to `last` of a source that lives as long as this. `fps` > 0.
  ResampledFrames(FrameSource& source, int first, int last, double fps);
  const RunInfo& info() const override { return info_; }
  int frame_count() const override { return int(shown_.size()); }
  long long step(int frame) const override { return frame; }
  double time(int frame) const override { return double(frame) / info_.fps; }
  void read(int frame, RunFrame& out) override;
  /// Minimum and maximum distance of consecutive frames in the source; 0 where one is repeated.
  int least_advance() const { return least_; }
  int most_advance() const { return most_; }

 private:
  FrameSource& source_;
  RunInfo info_;
  std::vector<int> shown_;  // frame of the source, per frame
  int least_ = 0, most_ = 0;
};

}  // namespace weft
