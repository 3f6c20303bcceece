// weft wrinkle: fine wrinkles on top of a recorded run.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/device/device.h"

namespace weft {

struct WrinkleRequest {
  std::string from, to;
  std::string settings_file;  // TOML with [wrinkle] and [[gather]]; empty: none
  std::vector<std::pair<std::string, std::string>>
      overrides;              // short keys of WrinkleParams and their values, after the file
  std::string fabric;         // empty: as in the scene of the run, else cotton
  int first = -1, last = -1;  // frames, counted from 0; -1: not given
  int every = 1;              // of these frames every n-th
  int reference =
      -1;  // this frame alone is synthesised and its wrinkles are put on all others; -1: every frame is
  // PNG with the fine normals for the coarse mesh; one per frame where there are several; empty: none
  std::string normal_map;
  int map_size = 2048;   // texels along its longer side
  double input_fps = 0;  // as ConvertRequest
  DeviceChoice device = DeviceChoice::automatic;
  int threads = 0;
  bool quiet = false;
  // Frames are moved from the resampled coarse surface towards their wrinkles, as far as no layers of a cloth
  // meet; at most 250,000 vertices
  bool guard = false;
};

/// Returns the exit status. Prints for each frame what is proved about crossings. Throws Error.
int run_wrinkle(const WrinkleRequest& request);

}  // namespace weft
