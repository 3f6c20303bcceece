// weft convert: from one kind of file to another.
#pragma once
#include <string>

namespace weft {

struct ConvertRequest {
  std::string from, to;
  int first = -1, last = -1, only = -1;  // frames, counted from 0; -1: not given
  double fps = 0;                        // of the output: the newest state at each frame's time; 0: every frame. Of inputs that do not
                                         // say their rate it is the input's instead, unless `input_fps` is given
  double input_fps = 0;                  // of inputs that do not say; 0: as open_frame_source has it
  bool quiet = false;
};

/// Returns the exit status. Throws Error.
int run_convert(const ConvertRequest& request);

}  // namespace weft
