#include "sim/run/pace.h"

#include <algorithm>

#include "sim/base/param_rows.h"

namespace weft {
namespace {
constexpr double kMaxDebt = 0.1;     // s behind the clock that may be caught up
constexpr double kWindow = 1.0;      // s over which speed is measured
constexpr double kKept = 0.9;        // share of the requested speed from which it counts as kept
constexpr double kJudgeAfter = 0.5;  // s of measurement before "too slow" is reported

// of the time that a step has: the rest is for the picture, and for steps that take longer
constexpr double kShareOfStep = 0.85;

double seconds(PaceControl::Clock::duration d) { return std::chrono::duration<double>(d).count(); }
PaceControl::Clock::duration duration(double s) {
  return std::chrono::duration_cast<PaceControl::Clock::duration>(std::chrono::duration<double>(s));
}
}  // namespace

void KeepUp::describe(ParamVisitor& v) {
  const ParamRows row(v);
  row(on, param("keep_up", "Keep up"),
      "While you drag, the solver of a step ends when its time is over, so that the cloth follows at once; "
      "contact and block descent are never cut short. What is left is shown in the status bar; steps are "
      "solved again when you let go. Off: every step is solved, in slow motion where that takes longer.");
  row(budget,
      param("budget", "Time for a step").unit("s").range(0, 0.1).shown_in("ms", 1e3).zero("by the pace"),
      "Wall-clock time that a step may take while you drag. Less: more pictures per second and a larger "
      "error. 0: a little less than the time that it simulates at the chosen pace.");
}

void PaceControl::set(Pace pace, double slow_factor) {
  pace_ = pace;
  slow_factor_ = std::clamp(slow_factor, 1e-4, 1.0);
  restart();
}

void PaceControl::restart() {
  anchored_ = false;
  count_ = 0;
  next_ = 0;
  steps_per_second_ = real_time_factor_ = 0;
  too_slow_ = false;
}

PaceControl::TimePoint PaceControl::due(double time, TimePoint now) {
  if (pace_ == Pace::fastest) return now;
  if (!anchored_) {
    anchored_ = true;
    wall_anchor_ = now;
    time_anchor_ = time;
  }
  const TimePoint due = wall_anchor_ + duration((time - time_anchor_) / target());
  if (seconds(now - due) <= kMaxDebt) return due;
  wall_anchor_ = now;
  time_anchor_ = time;
  return now;
}

double PaceControl::lag() const {
  if (real_time_factor_ <= 0 || real_time_factor_ >= kKept * target()) return 1;
  return target() / real_time_factor_;
}

std::optional<float> PaceControl::budget(float dt, float of_scene) const {
  if (!keep_up_) return std::nullopt;
  if (!keep_up_->on) return 0.0f;
  if (of_scene > 0) return of_scene;
  return keep_up_->budget > 0 ? keep_up_->budget : float(kShareOfStep * double(dt) / target());
}

void PaceControl::stepped(double time, TimePoint now) {
  const int size = int(samples_.size());
  samples_[next_] = {now, time};
  next_ = (next_ + 1) % size;
  count_ = std::min(count_ + 1, size);
  // The oldest sample inside the window; with steps longer than the window, the step before this one.
  int steps = 0;
  const Sample* oldest = &samples_[(next_ + size - 1) % size];
  for (int k = 1; k < count_; ++k) {
    const Sample& s = samples_[(next_ + size - 1 - k) % size];
    if (k > 1 && seconds(now - s.wall) > kWindow) break;
    oldest = &s;
    steps = k;
  }
  const double wall = seconds(now - oldest->wall);
  if (steps == 0 || wall <= 0) return;
  steps_per_second_ = steps / wall;
  real_time_factor_ = (time - oldest->time) / wall;
  if (pace_ == Pace::fastest) too_slow_ = false;
  else if (wall >= kJudgeAfter) too_slow_ = real_time_factor_ < (too_slow_ ? 0.98 : 0.95) * target();
}

}  // namespace weft
