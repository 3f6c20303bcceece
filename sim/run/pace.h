// Due time of the next step, and the real speed of the simulation. Pure arithmetic on time points, so that
// tests can use their own clocks.
#pragma once
#include <array>
#include <chrono>
#include <optional>

#include "sim/base/params.h"

namespace weft {

enum class Pace { real_time, slow_motion, fastest };

/// Whether steps keep up with the clock while a handle is dragged (Simulation::set_budget).
struct KeepUp {
  bool operator==(const KeepUp&) const = default;
  bool on = true;
  float budget = 0;  // s that a step may take; 0: what the pace leaves it

  void describe(ParamVisitor& v);
};

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
  /// Time at which a step from simulated time `time` to `time + dt` (s) should begin. A delay of more than
  /// 0.1 s is dropped: a simulation that is too slow runs slower instead of trying to catch up forever.
  TimePoint due(double time, TimePoint now);
  /// Call after a step that brought simulated time to `time`.
  void stepped(double time, TimePoint now);

  /// Over about the last second; 0 until two steps are known.
  double steps_per_second() const { return steps_per_second_; }
  double real_time_factor() const { return real_time_factor_; }
  /// How many times longer a step takes than it should (requested over measured speed); 1 where that is kept,
  /// or missed by a tenth at most.
  double lag() const;
  /// Until then a run does as its scene says.
  void set_keep_up(KeepUp keep_up) { keep_up_ = keep_up; }
  /// What a step of `dt` (s) may take while a handle is dragged, s, where its scene says `of_scene`; 0: as
  /// long as it wants; empty: as the scene says.
  std::optional<float> budget(float dt, float of_scene) const;
  /// The requested pace was missed by more than 5 % for half a second or longer.
  bool too_slow() const { return too_slow_; }

 private:
  double target() const { return pace_ == Pace::slow_motion ? slow_factor_ : 1.0; }

  Pace pace_ = Pace::real_time;
  double slow_factor_ = 0.1;
  std::optional<KeepUp> keep_up_;
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
