// The worst states of a run: what its last state no longer shows.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "sim/scene/model/step_stats.h"

namespace weft {

/// Largest values of a run's statistics and when they were. A reset begins no new run.
class RunWorst {
 public:
  struct Peak {
    const char* quantity;  // as StepStats names it
    double value = 0, time = 0;
    long step = -1;  // -1: no state had a finite value
  };

  /// Takes the statistics of a state into account; `step` counts from the start of the scene.
  void take(const StepStats& stats, long step);
  /// Stretch, speed, penetration, lags and residuals, in this order.
  const auto& peaks() const { return peaks_; }
  /// Throws std::out_of_range for another quantity than those of peaks().
  const Peak& of(const std::string& quantity) const;

  /// "worst stretch 1.921 at 0.340 s (1.214 at the end), deepest penetration 0.20 mm at 0.310 s", and bodies
  /// and pins that lagged by more than kToldLag; where bodies passed through most of the cloth.
  std::string words(const StepStats& last) const;
  /// A warning the first time that bodies or pins lag by more than kToldLag in a state; else empty.
  std::string warning(const StepStats& stats);

  static constexpr double kToldLag = 1e-3;  // m

 private:
  std::array<Peak, 7> peaks_{{{"max_stretch"},
                              {"max_speed"},
                              {"max_penetration"},
                              {"body_lag"},
                              {"pin_lag"},
                              {"residual"},
                              {"solver_residual"}}};
  struct Passage {
    int vertices = 0;   // of the cloth
    double time = 0;    // s
    std::string place;  // StepStats::let_through_place
  } passage_;
  bool told_of_body_ = false, told_of_pin_ = false;
};

}  // namespace weft
