// Several runs of one scene at the same simulated time, without threads: each with its own method, time step
// and mesh, under the same hand.
#pragma once
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/run/material_map.h"
#include "sim/run/simulation.h"

namespace weft {

/// What makes one of the runs.
struct LaneSetup {
  std::string name;
  Scene scene;
  DeviceChoice device = DeviceChoice::automatic;
  int threads = 0;
  std::set<std::string> fixed = {};  // parameters that commands do not set in this lane
  double budget = 0;  // s of wall time of each of its steps, at which its solver ends; 0: it is solved
};

/// s: the shortest time that is a whole number of each of these time steps (s), to some 1e-5 of a step, and
/// `most` at the longest; 0: there is none.
double common_step(const std::vector<double>& steps, double most);

/// Begins the run of a scene (open_simulation in sim/dressing/dress.h).
using OpenRun = std::function<std::unique_ptr<Simulation>(Scene, Device&)>;

/// One of the runs.
class Lane {
 public:
  /// Builds its model. Throws Error.
  Lane(LaneSetup setup, const OpenRun& open);
  const std::string& name() const { return setup_.name; }
  Simulation& simulation() { return *simulation_; }
  /// What it began with and what was done to it, the counts at which its budget ended steps among that: a
  /// replay gives the same bits.
  HandRecording recording();
  /// Positions (m) at the common time: between its last two states where that lies between two of its steps.
  const std::vector<vec3>& positions() const { return shown_; }
  long steps() const { return steps_; }
  /// What its steps left, as StepStats::solver_residual, in the mean.
  double mean_residual() const { return steps_ > 0 ? residual_ / double(steps_) : 0; }
  /// Steps that the budget ended before they were solved.
  long ended() const { return ended_; }
  /// What its steps have taken so far: processor time of the process and wall time, s.
  double processor_seconds() const { return processor_; }
  double wall_seconds() const { return wall_; }

 private:
  friend class Lockstep;
  void step(const std::function<bool()>& give_up);
  void show(double time);
  LaneSetup setup_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<MaterialMap> from_first_, to_first_;
  size_t next_command_ = 0;
  std::vector<vec3> before_, now_, shown_;
  double time_before_ = 0;
  long steps_ = 0;
  double processor_ = 0, wall_ = 0, residual_ = 0;
  long ended_ = 0;
};

/// The runs, which advance together.
class Lockstep {
 public:
  /// The first lane is that from which differences are measured. `commands` were recorded with its mesh; each
  /// acts in every lane before the first step that begins at its time or after. What a budget of time ended
  /// in a recording is solved here. Throws Error for a scene or device that is not available, and for scenes
  /// of other parts.
  Lockstep(std::vector<LaneSetup> setups, const OpenRun& open, std::vector<TimedCommand> commands = {});

  size_t size() const { return lanes_.size(); }
  Lane& lane(size_t i) { return *lanes_[i]; }
  /// Common simulated time, s.
  double time() const { return time_; }
  /// The same with the times before each reset, s.
  double simulated() const { return earlier_ + time_; }
  /// All lanes go on by the longest of their time steps: each makes the steps that begin before. Throws Error
  /// for a step that fails, naming the lane, and Interrupted.
  void advance(const std::function<bool()>& give_up = {});
  /// Distances (m) of each vertex of a lane from its place in the first one, at the common time.
  const std::vector<float>& distances(size_t lane);
  RunDifference difference(size_t lane) { return difference_of(distances(lane)); }

 private:
  void apply_due(Lane& lane);
  /// The time of the next reset that no lane has made; infinity without one.
  double next_reset() const;
  std::vector<TimedCommand> commands_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  size_t reset_ = 0;  // commands before this one belong to earlier starts
  double time_ = 0, earlier_ = 0;
  std::vector<float> distances_;
};

}  // namespace weft
