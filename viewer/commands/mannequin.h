// weft mannequin: the body as a file.
#pragma once
#include <string>
#include <vector>

#include "sim/mannequin/mannequin_params.h"

namespace weft {

struct MannequinRequest {
  std::string to;  // .glb, .gltf or .obj
  MannequinParams params;
  std::vector<std::string> clips;  // glTF: animations; obj: the pose is that of their motion at `time`
  double time = 0;                 // s
};

/// Returns the exit status. Throws Error.
int run_mannequin(const MannequinRequest& request);

}  // namespace weft
