// A drawing of a pattern.
#pragma once
#include <string>

#include "sim/garment/pattern.h"

namespace weft {

/// Panels side by side, to scale (1 unit is 1 mm), seen from their right sides: outline, name, grain arrow,
/// and seams in pairs of colours, with number, an arrowhead where each side begins, and a dashed line where
/// it is elastic. A bar shows 0.1 m.
std::string pattern_as_svg(const Pattern& pattern);

}  // namespace weft
