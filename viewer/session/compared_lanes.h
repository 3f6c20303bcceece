// Runs beside the session's own, with other methods, at the same simulated time and under the same hand.
#pragma once
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/run/material_map.h"
#include "sim/run/runner.h"
#include "viewer/commands/lane_spec.h"

namespace weft {

/// The session's own run is the first lane, from which the others are measured. All of them begin anew
/// together when a lane is there, and go on by the same simulated time: none before all have got as far.
class ComparedLanes {
 public:
  static constexpr size_t kMostLanes = 4;
  using Tell = std::function<void(LogLevel, const std::string&)>;
  /// `first`: the session's run, which lives longer.
  ComparedLanes(Runner& first, int threads, Tell tell);
  ~ComparedLanes();

  /// Any lanes beside the first, running or being made.
  bool any() const { return !others_.empty(); }
  /// All lanes are there, and have begun together. While one is made the others wait, and nothing may be
  /// changed: the new one would miss it.
  bool running() const { return begun_; }
  /// Adds a lane of the first one's scene. Faults are told; nothing changes then.
  void add(const Scene& scene, const LaneSpec& lane, DeviceChoice device);
  /// Ends a lane; the first one's number is 0, which cannot be ended.
  void remove(size_t lane);
  void end();

  /// Number of lanes, the first included.
  size_t size() const { return others_.size() + 1; }
  std::string name(size_t lane) const;
  const LaneSpec& spec(size_t lane) const { return others_[lane - 1].spec; }
  /// Their states at the last common time; nullptr before there is one.
  const std::shared_ptr<const Frame>& frame(size_t lane) const { return shown_[lane]; }
  std::shared_ptr<const SceneView> view(size_t lane) const;
  /// m, of each vertex from its place in the first lane; empty for the first.
  const std::vector<float>& distances(size_t lane) const { return distances_[lane]; }
  RunDifference difference(size_t lane) const { return difference_of(distances_[lane]); }
  /// Grows when the states that are shown change.
  long revision() const { return revision_; }

  /// What the hand or a slider does to the first lane, done to all of them at the same simulated time.
  void post(const Command& command);
  /// All lanes are set back to their start.
  void reset();

  /// What frames carry (Runner::set_field, Runner::set_extras), of all lanes.
  void set_field(const std::string& name);
  void set_extras(FrameExtras extras);
  /// Call once for each picture. `wall`: s since the last one; `pace`: simulated seconds per second, 0 for as
  /// fast as they can; `by_step`: all make one step of the longest at a time.
  void turn(bool playing, double wall, double pace, bool by_step);

 private:
  struct Other {
    LaneSpec spec;
    std::unique_ptr<Runner> runner;
    uint64_t load = 0;
    bool there = false;
    double step = 0;                          // s
    uint64_t first_model = 0, own_model = 0;  // of the maps
    std::set<std::string> fixed;
    std::unique_ptr<MaterialMap> from_first, to_first;
  };
  /// Its messages and, once it is there, its maps. False if it could not be built.
  bool collect(Other& other);
  void begin();
  bool together(double time) const;
  void show();
  void grant(double pace, bool by_step);
  void set_limit(double time);

  Runner& first_;
  int threads_;
  Tell tell_;
  std::vector<Other> others_;
  std::vector<std::shared_ptr<const Frame>> shown_;
  std::vector<std::vector<float>> distances_;
  bool begun_ = false, had_begun_ = false;  // had: before another lane was added
  bool restarting_ = false;                 // not all have published their start yet
  double first_step_ = 0;                   // s, the first one's time step
  double limit_ = 0;                        // s, to which all may go
  std::string field_ = "none";
  FrameExtras extras_;
  double credit_ = 0;  // s of simulated time that the clock has granted, and no lane has begun
  long revision_ = 0;
};

}  // namespace weft
