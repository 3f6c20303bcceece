// Times of nested stages, collected while the simulator runs.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace weft {

/// One line of the timings table. Times in milliseconds per step.
struct StageTime {
  std::string path;  // "step/solve/coarse"
  std::string name;  // last part of the path
  int depth = 0;
  double now = 0;    // last finished step
  double mean = 0;   // over the last 100 steps
  double worst = 0;  // over the last 100 steps
  int launches = 0;  // calls in the last finished step
};

/// A time that a StageClock measured. Node 0 is the whole step.
struct StageMark {
  int node;
  double milliseconds;
  double begin = 0;  // ms after the beginning of node 0
};

/// One stage as it happened. Times in ms after the step's beginning, by the clock that measured it.
struct StageSpan {
  int node;
  const char* name;
  int depth;  // 1: directly inside the step; 0: the step itself, on a device with its own clock only
  double begin, end;
};

/// Receives every step, on the simulator's thread, outside of the timed part. Times are the host's.
class StepListener {
 public:
  using Time = std::chrono::steady_clock::time_point;
  virtual ~StepListener() = default;
  /// A step has ended. `number` counts the steps of this profiler.
  virtual void step_ended(long number, Time begin, Time end) = 0;
  /// The stages of step `number` (begun at `begin`), children before their parents. On the host this is
  /// called for every step, just before `step_ended`; with a StageClock (`on_device`) for measured steps
  /// only, during a later step.
  virtual void stages(long number, Time begin, const std::vector<StageSpan>& spans, bool on_device) = 0;
};

/// Measures stages on a device that queues its work, where the host's clock would measure the queueing only.
/// Enter and leave nest; no call waits for the device. Only collect may throw.
class StageClock {
 public:
  virtual ~StageClock() = default;
  /// Starts a measured step (opens node 0) and discards earlier measurements.
  virtual void begin() = 0;
  virtual void enter(int node) = 0;
  virtual void leave(int node) = 0;
  /// Closes every stage that is still open.
  virtual void end() = 0;
  /// True once the device has finished the measured step; its times are then appended to `out`.
  virtual bool collect(std::vector<StageMark>& out) = 0;
  /// Called for every stage on the host, measured or not, for tools that show named ranges. Must not throw.
  virtual void open_range(const char*) {}
  virtual void close_range() {}
};

/// Collects stage times between begin_step and end_step. Used from the simulator's thread only; `stages()`
/// returns a copy that may be handed to others. Times are the host's, or those of a StageClock: that one
/// measures every 30th step
/// (marks on a GPU's queue are not free), and now, mean and worst are then over measured steps.
class Profiler {
 public:
  Profiler();
  ~Profiler();
  void begin_step();
  void end_step();
  /// Opens a stage inside the one that is open now. Returns its node, to be passed to `leave`.
  int enter(const char* name);
  void leave(int node);
  /// Adds a time measured elsewhere to a node.
  void add(int node, double milliseconds);
  /// Lets `clock` measure the stages from the next step on; nullptr: the host's clock again. Not owned.
  void set_clock(StageClock* clock);
  /// Adds a listener (not owned) until it is removed. Between steps only.
  void add_listener(StepListener* listener);
  void remove_listener(StepListener* listener);
  /// True if stages are measured by a StageClock, in some steps only.
  bool has_device_clock() const { return clock_ != nullptr; }
  /// Path of a node, such as "solve/coarse"; empty for the step itself.
  std::string path_of(int node) const;
  /// Off: enter and leave cost a branch.
  bool enabled = true;
  std::vector<StageTime> stages() const;
  /// Launches in the last finished step that launched all of its work itself. A GPU's steps play recordings
  /// back, and how often the loops in those turn is known there alone: the count is then that of the last
  /// measured step, which does not.
  int launches() const;
  /// The last finished step was counted so.
  bool launches_counted() const { return !last_played_back_; }
  void count_launch(int launches = 1) { launch_count_ += launches; }
  /// Marks the work of the current step as replayed, not launched.
  void played_back() { played_back_ = true; }
  /// True if the StageClock measures the current step.
  bool sampling() const { return sampling_; }
  /// Time from begin to end of the last finished step by the host's clock, ms; 0 before the first. A step
  /// that ends by reading its result includes all its work on any device.
  double wall_ms() const { return wall_; }

 private:
  struct Node;
  void publish();
  void collect_sample();
  void tell_stages(long number, StepListener::Time begin, bool on_device);
  std::vector<Node> nodes_;
  int current_ = 0;
  int launch_count_ = 0, last_launches_ = 0;
  bool played_back_ = false, last_played_back_ = false;
  double wall_ = 0;
  StageClock* clock_ = nullptr;
  bool sampling_ = false;  // clock_ measures the current step
  bool pending_ = false;   // a measured step waits to be collected
  int steps_ = 0;
  std::vector<StageMark> marks_;
  std::vector<StepListener*> listeners_;
  std::vector<StageSpan> spans_;  // of the current step, if there is a listener
  long number_ = 0, sampled_number_ = 0;
  StepListener::Time sampled_begin_;
};

/// Stage for the lifetime of the object.
class StageScope {
 public:
  StageScope(Profiler& p, const char* name) : profiler_(p), node_(p.enabled ? p.enter(name) : -1) {}
  ~StageScope() {
    if (node_ >= 0) profiler_.leave(node_);
  }
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;

 private:
  Profiler& profiler_;
  int node_;
};

}  // namespace weft
