// Where the panels of a pattern are on a drawing of it.
#pragma once
#include <vector>

#include "sim/garment/pattern.h"

namespace weft {

/// One panel on the drawing, seen from its right side. Metres, y down.
struct PanelView {
  double side = 1;        // -1: mirrored, so that the right side is seen
  dvec2 offset{0};        // of the panel's origin
  dvec2 low{0}, high{0};  // bounds of its outline, relative to `offset`
  /// From the panel's own coordinates to the drawing, and back.
  dvec2 at(const dvec2& p) const { return offset + dvec2(side * p.x, -p.y); }
  dvec2 back(const dvec2& q) const { return {side * (q.x - offset.x), offset.y - q.y}; }
  dvec2 middle() const { return offset + 0.5 * (low + high); }
};

/// All panels in rows from the upper left corner.
struct PatternLayout {
  std::vector<PanelView> panels;
  dvec2 size{0};  // of the drawing with its margin
};

/// Rows are at most `widest` wide where panels allow it, with `gap` between panels and `margin` around them
/// (m).
PatternLayout lay_out(const Pattern& pattern, double widest, double gap, double margin);

/// Colour `i` of the seams of a drawing as 0xRRGGBB: nine that differ from each other, then again.
unsigned seam_color(size_t i);

}  // namespace weft
