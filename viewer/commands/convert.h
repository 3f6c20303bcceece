// weft convert: from one kind of file to another.
#pragma once
#include <string>

namespace weft {

struct ConvertRequest {
  std::string from, to;
  int first = -1, last = -1, only = -1;  // frames, counted from 0; -1: not given
  // of the output: the newest state at each frame's time; 0: every frame. For inputs without a rate it is the
  // input's, unless `input_fps` is given
  double fps = 0;
  double input_fps = 0;  // for inputs without a rate; 0: default of open_frame_source
  double usd_rate = -1;  // RunInfo::usd_rate; negative: `fps`, or 24 where that is 0
  bool quiet = false;
};

/// Returns the exit status. Throws Error.
int run_convert(const ConvertRequest& request);

}  // namespace weft
