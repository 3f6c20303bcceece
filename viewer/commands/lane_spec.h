// A lane of a comparison, as a person writes it.
#pragma once
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/device/device.h"
#include "sim/scene/scene.h"

namespace weft {

/// What one lane has of its own.
struct LaneSpec {
  std::string text;                                           // as written
  std::string name;                                           // shown in pictures and tables
  std::vector<std::pair<std::string, std::string>> settings;  // of its scene, after those of all lanes
  DeviceChoice device = DeviceChoice::automatic;
  bool own_device = false;
  float edge = 0;          // m, edge length of its cloths; 0: as the scene says
  bool reference = false;  // solved to its end, in steps of a quarter
};

/// "solver=descent,collision=ndb,dt=0.005": solver, collision and dt stand for step.solver, step.collision
/// and step.dt, preset=NAME for the settings of a paper, device=cpu or cuda, edge=0.02 for the edge length
/// of its cloths (m), name=TEXT for its name, which else is the text itself. reference=true: Newton's method
/// solved to a true error of a thousandth, in steps of a quarter of the scene's; other keys come after that.
/// Any other key is a parameter. Throws Error for a text that is not of this form.
LaneSpec read_lane(const std::string& text);

/// The scene of a lane. Throws Error for a setting that the scene does not have, and for an edge length where
/// a cloth has none to change, or pins name vertices of the mesh that it would replace.
Scene lane_scene(Scene scene, const LaneSpec& lane);

/// What each step of a lane may take, s, of a `budget` (s) for the longest step of all lanes: lanes of
/// shorter steps share it among those, so that all have the same time for the same motion. 0 where it is
/// solved to its end: for the reference, and without a budget.
double lane_budget(const LaneSpec& lane, double budget, double step, double longest);

/// Parameters that the lane has of its own: nothing that is done to all lanes sets them.
std::set<std::string> own_keys(const LaneSpec& lane);

}  // namespace weft
