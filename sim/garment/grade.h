// A pattern made wider or longer by a measure.
#pragma once
#include <string>

#include "sim/garment/pattern.h"

namespace weft {

/// One change of size, as users write it: "width +4 cm", "length -3 %".
struct Grade {
  enum class Along { width, length };
  Along along = Along::width;
  double by = 0;       // m, or a share
  bool share = false;  // of the present size
};

/// Throws Error for text that is no grade.
Grade read_grade(const std::string& text);

/// Scales all panels across (width) or along (length) their own vertical axis, as drawn, by one factor: a
/// grade in metres is what the widest (longest) panel gains, others gain in proportion. Lines that are sewn
/// to lines in the same direction still fit. The middle and the upper end of each panel stay in place; darts,
/// marks and buttons move along. Arcs become curves. Throws Error where no positive size would be left.
void grade(Pattern& pattern, const Grade& grade);

}  // namespace weft
