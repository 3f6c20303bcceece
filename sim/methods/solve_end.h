// The end of a step's iterations before the step is solved: by a clock, or by the count at which a clock
// ended them once. On the device, where the loops are.
#pragma once
#include <limits>

#include "sim/base/span.h"
#include "sim/device/clock.h"

namespace weft {

/// Where the iterations of one step end, and how far they came. A solver counts whatever it may leave out:
/// Newton's method each of its steps after the first, and each iteration of conjugate gradients but the
/// first of a linear system, others each iteration but a step's first and last. Each look at the clock
/// counts, so that the same end by count is at the same place.
struct SolveEnd {
  static constexpr int kUnlimited = std::numeric_limits<int>::max();
  static constexpr int kLeast = 4;  // are made, whatever the clock says

  int most = kUnlimited;  // to be made
  int made = 0;
  int stopped = 0;       // 1: there was more to do
  int64_t allowed = -1;  // ns from the beginning; negative: the clock is not read
  int64_t began = 0;
  int64_t latest = 0;  // when the clock was last read
};

/// Whether a solver that has more to do may go on; counts it if so. Empty: always.
HD inline bool may_go_on(Span<SolveEnd> end) {
  if (end.empty()) return true;
  SolveEnd& e = end[0];
  if (e.allowed >= 0) {
    e.latest = clock_nanoseconds();
    if (e.made >= SolveEnd::kLeast && e.latest - e.began > e.allowed && e.made < e.most) e.most = e.made;
  }
  e.stopped = e.made >= e.most;
  if (!e.stopped) ++e.made;
  return !e.stopped;
}

/// Before an iteration of a solver that does not ask by itself: whether it is made.
struct AskToGoOn {
  Span<SolveEnd> end;
  Span<int> goes_on;  // one element
  HD void operator()(int) const { goes_on[0] = may_go_on(end); }
};

/// Before the first iteration. `plan`: what the host wants, one element.
struct BeginSolve {
  Span<const SolveEnd> plan;
  Span<SolveEnd> end;
  HD void operator()(int) const {
    end[0] = plan[0];
    if (plan[0].allowed >= 0) end[0].began = end[0].latest = clock_nanoseconds();
  }
};

}  // namespace weft
