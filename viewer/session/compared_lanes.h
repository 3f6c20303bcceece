// Runs beside the session's own, with other methods, at the same simulated time and under the same hand.
#pragma once
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/run/material_map.h"
#include "sim/run/runner.h"
#include "viewer/commands/lane_spec.h"

namespace weft {

/// The session's own run is the first lane, from which the others are measured. All of them begin anew
/// together when a lane is there, and go on by ticks of the same simulated time: none before all have got as
/// far, also while the session is paused.
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
  bool running() const { return stage_.begun; }
  /// Adds a lane of the first one's scene. Faults are told; nothing changes then.
  void add(const Scene& scene, const LaneSpec& lane, DeviceChoice device);
  /// Ends a lane; the first one's number is 0, which cannot be ended.
  void remove(size_t lane);
  void end();

  /// Number of lanes, the first included.
  size_t size() const { return others_.size() + 1; }
  std::string name(size_t lane) const;
  /// A lane's own number, which none has after it; 0: the first's.
  int number(size_t lane) const { return lane == 0 ? 0 : others_[lane - 1].number; }
  const LaneSpec& spec(size_t lane) const { return others_[lane - 1].spec; }
  /// Their states at the last common time, all of one tick; nullptr before there is one.
  const std::shared_ptr<const Frame>& frame(size_t lane) const { return shown_[lane]; }
  std::shared_ptr<const SceneView> view(size_t lane) const;
  /// m, of each vertex from its place in the first lane; empty for the first.
  const std::vector<float>& distances(size_t lane) const { return distances_[lane]; }
  RunDifference difference(size_t lane) const { return difference_of(distances_[lane]); }
  /// The lane that is the reference (LaneSpec::reference); 0: none is.
  size_t reference() const;
  /// How far a lane is from the reference; empty without one.
  std::optional<RunDifference> error(size_t lane) const;
  /// The vertex of a lane nearest to one of the first lane in the material; -1: there is none.
  int vertex(size_t lane, int of_first) const;
  std::shared_ptr<const RunTimeline> timeline(size_t lane) const;
  /// The numbers of all steps of a lane up to its shown state (Runner::take_numbers, Runner::watch), of the
  /// first from the session's runner.
  std::vector<FrameNumbers> take_numbers(size_t lane);
  void watch(size_t lane, std::vector<int> vertices);
  /// Grows when the states that are shown change.
  long revision() const { return revision_; }

  /// What the hand or a slider does to the first lane, done to all of them at the same simulated time.
  void post(const Command& command);
  /// s of wall time that each lane has for a step of the longest (lane_budget): its solver ends then. 0, as
  /// at first: all steps are solved.
  void set_budget(double seconds);
  double budget() const { return course_.budget; }
  /// All lanes are set back to their start.
  void reset();

  /// What frames carry (Runner::set_field, Runner::set_extras), of all lanes.
  void set_field(const std::string& name);
  void set_extras(FrameExtras extras);
  /// Call once for each picture. `wall`: s since the last one; `pace`: simulated seconds per second, 0 for as
  /// fast as they can; `by_step`: all go on by one tick at a time.
  void turn(bool playing, double wall, double pace, bool by_step);
  /// s, by which all go on together: the shortest time that is a whole number of steps of each lane. Without
  /// one below a quarter of a second, the longest step; states are then up to a step apart, which is told.
  double tick() const;
  /// All go on by one tick while the session is paused.
  void step_once() { ++course_.singles; }

 private:
  struct Other {
    LaneSpec spec;
    int number = 0;
    std::unique_ptr<Runner> runner;
    uint64_t load = 0;
    bool there = false;
    double step = 0, limit = 0;               // s: its time step; its own time to which it may go
    uint64_t first_model = 0, own_model = 0;  // of the maps
    std::set<std::string> fixed;
    std::unique_ptr<MaterialMap> from_first, to_first, to_reference;
  };
  /// Its messages and, once it is there, its maps. False if it could not be built.
  bool collect(Other& other);
  void begin();
  void map_to_reference();
  bool together() const;
  void show();
  void grant(double pace, bool by_step);
  void back_to_start();
  std::vector<double> steps() const;
  /// The time to which a run of this step goes from its present one, in a common time of `whole` s.
  double own_limit(const Runner& runner, double step, double whole) const;
  void go_on(double whole);
  void share_budget();

  Runner& first_;
  int threads_;
  Tell tell_;
  std::vector<Other> others_;
  int numbers_ = 0;  // that were given
  std::vector<std::shared_ptr<const Frame>> shown_;
  std::vector<std::vector<float>> distances_;
  struct {
    bool begun = false, had_begun = false;  // had: before another lane was added
    bool restarting = false;                // not all have published their start yet
  } stage_;
  struct {
    double first_step = 0;   // s, the first one's time step
    double limit = 0;        // s, to which the first may go
    double credit = 0;       // s of simulated time that the clock has granted, and no lane has begun
    int singles = 0;         // ticks to be made while paused
    double uneven_told = 0;  // s, the longest of steps without a common multiple
    double budget = 0;       // s, for the longest step
  } course_;
  std::string field_ = "none";
  FrameExtras extras_;
  long revision_ = 0;
};

}  // namespace weft
