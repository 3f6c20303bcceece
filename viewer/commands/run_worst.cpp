#include "viewer/commands/run_worst.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace weft {
namespace {

double value_of(const StepStats& stats, const std::string& quantity) {
  const auto all = stats.all();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& n) { return n.first == quantity; });
  return found == all.end() ? std::nan("") : found->second;
}

}  // namespace

void RunWorst::take(const StepStats& stats, long step) {
  if (stats.let_through > passage_.vertices)
    passage_ = {stats.let_through, stats.time, stats.let_through_place};
  for (Peak& peak : peaks_) {
    const double value = value_of(stats, peak.quantity);
    if (!std::isfinite(value) || (peak.step >= 0 && !(value > peak.value))) continue;
    peak.value = value, peak.time = stats.time, peak.step = step;
  }
}

const RunWorst::Peak& RunWorst::of(const std::string& quantity) const {
  for (const Peak& peak : peaks_)
    if (quantity == peak.quantity) return peak;
  throw std::out_of_range(quantity);
}

std::string RunWorst::words(const StepStats& last) const {
  const Peak &stretch = of("max_stretch"), &depth = of("max_penetration");
  std::string text = fmt::format("worst stretch {:.3f} at {:.3f} s", stretch.value, stretch.time);
  if (stretch.value - double(last.max_stretch) > 5e-4)
    text += fmt::format(" ({:.3f} at the end)", last.max_stretch);
  text += fmt::format(", deepest penetration {:.2f} mm", 1e3 * depth.value);
  if (depth.value > 0) text += fmt::format(" at {:.3f} s", depth.time);
  for (const auto& [quantity, what] : {std::pair("body_lag", "bodies"), std::pair("pin_lag", "pins")})
    if (const Peak& lag = of(quantity); lag.value > kToldLag)
      text += fmt::format(", {} held back by cloth by up to {:.1f} mm at {:.3f} s", what, 1e3 * lag.value,
                          lag.time);
  if (passage_.vertices > 0)
    text += fmt::format(", bodies passed through up to {} vertices of the cloth at {:.3f} s{}{}",
                        passage_.vertices, passage_.time, passage_.place.empty() ? "" : ", where ",
                        passage_.place);
  return text;
}

std::string RunWorst::warning(const StepStats& stats) {
  const auto first = [](float lag, bool& told) {
    const bool tell = double(lag) > kToldLag && !told;
    told |= tell;
    return tell;
  };
  if (first(stats.body_lag, told_of_body_))
    return fmt::format(
        "at {:.3f} s {} is {:.1f} mm from where the scene has it, since cloth is in its way (body_lag); "
        "give the cloth room there, or move the body more slowly",
        stats.time, stats.body_lag_place.empty() ? "a body" : stats.body_lag_place,
        1e3 * double(stats.body_lag));
  if (first(stats.pin_lag, told_of_pin_))
    return fmt::format(
        "at {:.3f} s pinned vertices are up to {:.1f} mm from where the scene has them, since cloth or a "
        "body is in their way (pin_lag); move the pins more slowly, or out of bodies",
        stats.time, 1e3 * double(stats.pin_lag));
  return {};
}

}  // namespace weft
