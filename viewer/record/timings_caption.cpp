#include "viewer/record/timings_caption.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/methods/method_table.h"

namespace weft {
namespace {

/// 10000 as 10,000.
std::string grouped(int number) {
  std::string text = std::to_string(number);
  for (int at = int(text.size()) - 3; at > 0; at -= 3) text.insert(size_t(at), ",");
  return text;
}

std::string solver_label(int solver) {
  return solver >= 0 && solver < int(solvers().size()) ? solvers()[size_t(solver)].label
                                                       : std::string("no solver");
}

}  // namespace

std::string timings_text(double time, double step_ms, const Scene& scene, int vertices) {
  std::string cost = "no step yet";
  if (step_ms > 0) {
    const double rate = 1000 / step_ms;
    cost = fmt::format("{:.{}f} steps/s, {:.{}f} ms per step", rate, rate < 10 ? 1 : 0, step_ms,
                       step_ms < 10 ? 2 : 1);
  }
  return fmt::format("t = {:.2f} s\n{}\n{}, {} vertices", time, cost, solver_label(scene.step.solver),
                     grouped(vertices));
}

std::string recorded_text(double time, int vertices) {
  return fmt::format("t = {:.2f} s\n{} vertices", time, grouped(vertices));
}

void ShownStepTime::add(double milliseconds) {
  recent_[size_t(count_ % kSteps)] = milliseconds;
  ++count_;
}

double ShownStepTime::next() {
  const int filled = std::min(count_, kSteps);
  if (filled > 0 && (shown_ == 0 || pictures_ % kPictures == 0))
    shown_ = std::accumulate(recent_.begin(), recent_.begin() + filled, 0.0) / filled;
  ++pictures_;
  return shown_;
}

}  // namespace weft
