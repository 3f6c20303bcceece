#include "viewer/panels/slider_scale.h"

#include <algorithm>
#include <cmath>

namespace weft {
namespace {
constexpr double kDecadesAboveZero = 7;
constexpr double kZeroPlace = 0.02;  // the left end of a logarithmic slider that means 0
constexpr double kWideRange = 1000;
}  // namespace

SliderScale::SliderScale(const ParamInfo& info, bool whole_numbers)
    : min_(info.min),
      max_(info.max),
      low_(info.min),
      display_scale_(info.display_scale),
      log_(info.log_scale),
      whole_(whole_numbers) {
  if (whole_ && max_ - min_ >= kWideRange && min_ >= 0) log_ = true;
  if (log_ && min_ <= 0) low_ = whole_ ? 1 : max_ * std::pow(10.0, -kDecadesAboveZero);
}

double SliderScale::place(double v) const {
  if (max_ <= min_) return 0;
  double t = 0;
  if (!log_) {
    t = (v - min_) / (max_ - min_);
  } else {
    const double start = min_ <= 0 ? kZeroPlace : 0;
    if (min_ <= 0 && v < low_) return 0;
    t = start + (1 - start) * std::log(std::max(v, low_) / low_) / std::log(max_ / low_);
  }
  return std::clamp(t, 0.0, 1.0);
}

double SliderScale::value(double t) const {
  t = std::clamp(t, 0.0, 1.0);
  if (!log_) return min_ + t * (max_ - min_);
  const double start = min_ <= 0 ? kZeroPlace : 0;
  if (min_ <= 0 && t < start) return std::max(min_, 0.0);
  return low_ * std::pow(max_ / low_, (t - start) / (1 - start));
}

double SliderScale::rounded(double v, int digits) const {
  if (whole_) return std::clamp(std::round(v), min_, max_);
  const double shown = v * display_scale_;
  // Near zero on a linear scale the precision follows from the range, not from the value.
  const double size =
      log_ ? std::abs(shown)
           : std::max(std::abs(shown), 0.1 * std::max(std::abs(min_), std::abs(max_)) * display_scale_);
  if (!(size > 0)) return v;
  const double unit = std::pow(10.0, std::floor(std::log10(size)) + 1 - digits);
  return std::clamp(std::round(shown / unit) * unit / display_scale_, min_, max_);
}

}  // namespace weft
