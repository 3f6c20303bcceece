#include "viewer/session/left_unsolved.h"

#include <algorithm>

namespace weft {
namespace {

constexpr int kShownFor = 20;      // steps
constexpr double kGravity = 9.81;  // m/s², as in StepStats::solver_residual
constexpr double kFadePerStep = 0.95;

}  // namespace

void LeftUnsolved::look(const Frame& frame, float dt) {
  const int steps = frame.step - step_;
  step_ = frame.step;
  if (frame.handles.empty() || steps < 0) shown_until_ = -1;
  const bool ended = frame.stats.budget_iterations > 0 && !frame.handles.empty();
  if (ended) {
    share_ = std::max(share_ * (steps > 0 ? kFadePerStep : 1), double(frame.stats.solver_residual));
    shown_until_ = frame.step + kShownFor;
  }
  if (frame.step > shown_until_) share_ = 0;
  error_ = share_ * kGravity * double(dt) * double(dt);
}

}  // namespace weft
