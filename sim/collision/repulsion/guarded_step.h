// Collision steps in which a constraint failed, taken in guarded form: shortened where that helps, stopped
// where it does
// not, and continued by the hard phase (Wu 2020, section 4.3.3; safety.md, 5).
#pragma once
#include <array>
#include <functional>

#include "sim/collision/repulsion/fold_guard/fold_guard.h"
#include "sim/collision/repulsion/phases/hard_kernels.h"
#include "sim/collision/repulsion/phases/settle_kernels.h"
#include "sim/collision/repulsion/samples/samples.h"

namespace weft {

/// What such a step works on. Arrays have one entry per vertex, bodies' vertices included.
struct StepInHand {
  repulsion::ConstraintRows rows;
  repulsion::BodyPlanes planes;
  Span<const vec3> before;    // x, m: valid
  Span<vec3> candidate;       // the soft phase's result, m: valid afterwards
  Span<const vec3> init;      // x_init, m
  Span<const float> mobile;   // 0: constraints must not move it
  Span<float> path, allowed;  // m that it has come, and that it may come until the next search
  Span<float> phase;          // 2 where it was shortened or stopped
  Span<int> failed;           // one element: steps that failed, counted
  Span<int> unsolved;         // the same: hard phases that ended before their gradient was small
};

class GuardedStep {
 public:
  /// Both must outlive this. Arrays for `vertices`, padded to whole slices.
  GuardedStep(Device& device, FoldGuard& folds, Samples& samples, int vertices);
  /// Makes the candidate valid. `corner`: called wherever the path has a corner, with the candidate as it is
  /// there. Only
  /// launches.
  void take(const StepInHand& step, const RepulsionParams& params, const std::function<void()>& corner);

 private:
  void set_size(Span<const int> flag);
  void mark_failing(const StepInHand& step, Buffer<int>& failed);
  void cut_failing(const StepInHand& step);
  void spread_stay(const StepInHand& step);
  void hard_phase(const StepInHand& step, const RepulsionParams& params, const std::function<void()>& corner);

  Device& device_;
  FoldGuard& folds_;
  Samples& samples_;
  int vertices_;
  struct Cut {  // shortened and stopped vertices
    std::array<Buffer<int>, 2> stays;
    Buffer<int> cut, touched, changed, step_failed, still_failed;
    Buffer<repulsion::WorkSize> size;  // rows that the cutting works on
    Buffer<repulsion::SpreadProgress> spread;
  } cut_;
  struct Hard {  // the hard phase
    Buffer<vec3> gradient;
    Buffer<float> shorter, gains, slopes;
    Buffer<int> moving, blocks, blocked, failures, changed_at, broken;
    Buffer<vec2> sums;
    Buffer<float> squares;
    Buffer<repulsion::HardProgress> progress;
  } hard_;
  Buffer<vec3> step_;  // m, from before to the candidate
};

}  // namespace weft
