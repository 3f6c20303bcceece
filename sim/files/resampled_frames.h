// A run at another frame rate, for programs that play so many frames a second.
#pragma once
#include <vector>

#include "sim/files/run.h"

namespace weft {

/// Frames of another run at steady times: frame n shows the newest frame of `source` whose time is not after
/// n / fps (s, from its frame `first`). Nothing is interpolated: between two states that cross nothing, a
/// blend of them may. Frames have times and numbers of their own.
class ResampledFrames final : public FrameSource {
 public:
  /// Frames `first` to `last` of a source that lives as long as this. `fps` > 0.
  ResampledFrames(FrameSource& source, int first, int last, double fps);
  const RunInfo& info() const override { return info_; }
  int frame_count() const override { return int(shown_.size()); }
  long long step(int frame) const override { return frame; }
  double time(int frame) const override { return double(frame) / info_.fps; }
  void read(int frame, RunFrame& out) override;
  /// How many frames of the source two neighbours lie apart, at least and at most; 0 where one is shown
  /// again.
  int least_advance() const { return least_; }
  int most_advance() const { return most_; }

 private:
  FrameSource& source_;
  RunInfo info_;
  std::vector<int> shown_;  // frame of the source, per frame
  int least_ = 0, most_ = 0;
};

}  // namespace weft
