// Several methods on one scene, in lockstep of simulated time: a video and a table of how they differ.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/run/lockstep.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/lane_spec.h"
#include "viewer/render/lane_pictures.h"

namespace weft {

struct CompareRequest {
  Scene scene;  // what all lanes have
  std::vector<LaneSpec> lanes;
  DeviceChoice device = DeviceChoice::automatic;  // of lanes that name none
  int threads = 0;
  double seconds = 0;                  // simulated; 0: the scene's duration
  double budget = 0;                   // s of wall time for the longest step (lane_budget); 0: none
  std::string hands_folder;            // for a recording of each lane (Lane::recording); empty: none
  std::vector<TimedCommand> commands;  // of recorded user input, on the mesh of `scene`
  std::string hands;                   // the file that they are from; may be empty
  VideoRequest video;
  LaneLayout layout = LaneLayout::split;
  std::string table;  // CSV: a row per lane and common time; empty: none
  std::string command;
  bool quiet = false;
};

/// Runs the lanes to the end, or until Ctrl-C, which closes every file properly. Prints for each lane its
/// processor time per simulated second, its distance from the first one, and its hash. Returns the exit
/// status. Throws Error.
int run_compare(const CompareRequest& request);

/// Draws the lanes at each common time.
class LanesVideo {
 public:
  virtual ~LanesVideo() = default;
  /// The present state. Throws Error.
  virtual void state() = 0;
  /// False if the video is incomplete.
  virtual bool finish() = 0;
  virtual std::string summary() const = 0;
};
std::unique_ptr<LanesVideo> make_lanes_video(const VideoRequest& request, LaneLayout layout, Lockstep& lanes);

}  // namespace weft
