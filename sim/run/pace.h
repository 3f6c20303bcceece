// When the next step is due, and how fast the simulation really runs. Pure arithmetic on time points: the Runner asks
// it, tests feed it clocks of their own.
#pragma once
#include <array>
#include <chrono>

namespace weft {

enum class Pace { real_time, slow_motion, fastest };

/// Ties simulated time to the wall clock.
class PaceControl {
 public:
  using Clock = std::chrono::steady_clock;
  using TimePoint = Clock::time_point;

  /// `slow_factor`: simulated seconds per second in slow motion.
  void set(Pace pace, double slow_factor);
  Pace pace() const { return pace_; }
  /// Forgets the past: after a pause, a reset, another scene.
  void restart();
  /// When a step that takes simulated time from `time` to `time + dt` (s) should begin. Debt beyond 0.1 s is written
  /// off: a simulation that cannot keep up runs slower instead of hurrying after the clock for ever.
  TimePoint due(double time, TimePoint now);
  /// A step has been finished that brought simulated time to `time`.
  void stepped(double time, TimePoint now);

  /// Over about the last second; 0 until two steps are known.
  double steps_per_second() const { return steps_per_second_; }
  double real_time_factor() const { return real_time_factor_; }
  /// The wanted pace was missed by more than 5 % for half a second or longer.
  bool too_slow() const { return too_slow_; }

 private:
  double target() const { return pace_ == Pace::slow_motion ? slow_factor_ : 1.0; }

  Pace pace_ = Pace::real_time;
  double slow_factor_ = 0.1;
  bool anchored_ = false;
  TimePoint wall_anchor_;
  double time_anchor_ = 0;
  struct Sample {
    TimePoint wall;
    double time;
  };
  std::array<Sample, 256> samples_{};  // ring of the newest steps
  int count_ = 0, next_ = 0;
  double steps_per_second_ = 0, real_time_factor_ = 0;
  bool too_slow_ = false;
};

}  // namespace weft
