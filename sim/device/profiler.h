// Times of nested stages, collected while the simulator runs.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace weft {

/// One line of the timings table. Times in milliseconds per step.
struct StageTime {
  std::string path;   // "step/solve/coarse"
  std::string name;   // last part of the path
  int depth = 0;
  double now = 0;     // last finished step
  double mean = 0;    // over the last 100 steps
  double worst = 0;   // over the last 100 steps
  int launches = 0;   // calls in the last finished step
};

/// Collects stage times between begin_step and end_step. Used from the simulator's thread only; `stages()` returns a
/// copy that may be handed to others. Host clock; on CUDA the device substitutes event times (see `add`).
class Profiler {
 public:
  Profiler();
  ~Profiler();
  void begin_step();
  void end_step();
  /// Opens a stage inside the one that is open now. Returns its node, to be passed to `leave`.
  int enter(const char* name);
  void leave(int node);
  /// Adds a time measured elsewhere (device events) to a node.
  void add(int node, double milliseconds);
  /// Off: enter and leave cost a branch.
  bool enabled = true;
  std::vector<StageTime> stages() const;
  /// Launches in the last finished step.
  int launches() const;
  void count_launch() { ++launch_count_; }

 private:
  struct Node;
  std::vector<Node> nodes_;
  int current_ = 0;
  int launch_count_ = 0, last_launches_ = 0;
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
