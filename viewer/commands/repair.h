// weft repair and weft flow: geometry processing without crossings.
#pragma once
#include <string>
#include <vector>

#include "sim/device/device.h"

namespace weft {

struct RepairRequest {
  std::string start;
  std::vector<std::string> frames;  // OBJ files, folders, or patterns
  std::string to;                   // folder
  std::vector<std::string> obstacles;
  double distance = 1e-3;  // m, between layers
  int steps = 2048;        // forward steps per frame, at most
  DeviceChoice device = DeviceChoice::automatic;
  int threads = 0;
  bool quiet = false;
};

/// Pulls the start from frame to frame along a path without crossings. Without frames: lifts the start's
/// groups over each other, in their order (layer_lift.h). Returns the exit status. Throws Error.
int run_repair(const RepairRequest& request);

struct FlowRequest {
  std::string from, to;
  double distance = 0;  // m; negative: against the normals
  double gap = 1e-3;    // m, between layers
  int steps = 0;        // steps of the flow; 0: from the mesh
  DeviceChoice device = DeviceChoice::automatic;
  int threads = 0;
  bool quiet = false;
};

/// Moves a surface along its normals. Returns the exit status. Throws Error.
int run_flow(const FlowRequest& request);

}  // namespace weft
