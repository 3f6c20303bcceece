// weft dress: a pattern sewn and put on a body.
#pragma once
#include <string>
#include <vector>

#include "sim/device/device.h"
#include "sim/mannequin/mannequin_params.h"

namespace weft {

struct DressRequest {
  std::string from;                  // .json or .dxf pattern, or a .toml scene with garments
  std::string to;                    // .obj
  std::vector<std::string> bodies;   // with a pattern: "mannequin" or meshes; none: the mannequin
  MannequinParams measures;          // of that mannequin
  std::vector<std::string> changes;  // key=value, as --set
  double edge = 0;                   // m; 0: that of the pattern
  double finer = 0;                  // m, of the result; 0: the same
  std::string run;  // a file or folder of sim/files: all states of the dressing; may be empty
  DeviceChoice device = DeviceChoice::automatic;
  int threads = 0;
  bool quiet = false;
};

/// Returns the exit status. Throws Error.
int run_dress(const DressRequest& request);

}  // namespace weft
