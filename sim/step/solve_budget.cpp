#include "sim/step/solve_budget.h"

#include <algorithm>

#include "sim/device/launch.h"

namespace weft {
namespace {

// A step that takes too long without its solver becomes little shorter by a poor one: at least so much of
// what the rest takes is the solver's, a quarter of the step, but no more than the budget itself.
constexpr double kLeastOfRest = 1.0 / 3;
constexpr double kNewest = 0.5;  // weight of the last step in the mean of what is not the solver's

}  // namespace

SolveBudget::SolveBudget(Device& device)
    : device_(device),
      plan_(device, "end of the solve", std::vector<SolveEnd>(1)),
      end_(device, "end of the solve", std::vector<SolveEnd>(1)) {}

void SolveBudget::begin_attempt(float seconds, bool dragged, bool whole) {
  const double budget = dragged || always_ ? double(chosen_.value_or(seconds)) : 0;
  SolveEnd plan;
  if (whole && followed_ > 0) {
    plan.most = followed_;
  } else if (whole && budget > 0) {
    const double rest = std::max(rest_, 0.0);
    const double allowed = std::max(budget - rest, std::min(kLeastOfRest * rest, budget));
    plan.allowed = int64_t(1e9 * allowed);
  }
  did_follow_ |= whole && followed_ > 0;
  solver_ = -1;
  if (plan.most == planned_.most && plan.allowed == planned_.allowed) return;
  plan_.upload({plan});
  planned_ = plan;
}

void SolveBudget::begin() { launch(device_, "begin", 1, BeginSolve{plan_, end_}); }

void SolveBudget::end_attempt() {
  if (!limits()) return;
  const SolveEnd end = end_.download()[0];
  ended_after_ = end.stopped ? end.made : 0;
  if (planned_.allowed >= 0) solver_ = 1e-9 * double(end.latest - end.began);
}

void SolveBudget::step_made(double seconds) {
  followed_ = 0;
  if (solver_ < 0) return;
  const double rest = std::max(seconds - solver_, 0.0);
  rest_ = rest_ < 0 ? rest : (1 - kNewest) * rest_ + kNewest * rest;
}

void SolveBudget::clear() {
  followed_ = ended_after_ = 0;
  did_follow_ = false;
  rest_ = -1;
}

}  // namespace weft
