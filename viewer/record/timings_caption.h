// Text about the run in recorded pictures.
#pragma once
#include <array>
#include <string>

#include "sim/scene/scene.h"

namespace weft {

/// Three lines: simulated time; steps per second and ms per step; solver and vertices. `step_ms` 0: no step
/// was made so far.
std::string timings_text(double time, double step_ms, const Scene& scene, int vertices);

/// Two lines for a recorded run, which has no step times: simulated time; vertices.
std::string recorded_text(double time, int vertices);

/// The displayed cost of a step: the mean over the last steps, updated a few times per second of video, so
/// that it is readable.
class ShownStepTime {
 public:
  /// The wall time (ms) of a step that was made.
  void add(double milliseconds);
  /// For the next picture, ms.
  double next();

 private:
  static constexpr int kSteps = 50, kPictures = 15;
  std::array<double, kSteps> recent_{};
  int count_ = 0, pictures_ = 0;
  double shown_ = 0;
};

}  // namespace weft
