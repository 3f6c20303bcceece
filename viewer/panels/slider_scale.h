// From a parameter's value to a place on its slider and back.
#pragma once
#include "sim/base/params.h"

namespace weft {

/// Linear or logarithmic. A logarithmic one whose range starts at 0 has 0 at its left end followed by seven
/// decades; whole numbers with a wide range (iterations up to 20,000) are logarithmic too.
class SliderScale {
 public:
  SliderScale(const ParamInfo& info, bool whole_numbers);
  /// 0 at the left end, 1 at the right end.
  double place(double value) const;
  double value(double place) const;
  /// The value rounded to `digits` significant digits in the displayed unit.
  double rounded(double value, int digits = 3) const;

 private:
  double min_, max_, low_, display_scale_;
  bool log_, whole_;
};

}  // namespace weft
