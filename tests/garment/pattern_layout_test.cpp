#include "sim/garment/pattern_layout.h"

#include <doctest/doctest.h>

#include "sim/garment/edge_curve.h"
#include "sim/garment/placement.h"
#include "tests/garment/patterns.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// A rectangle whose outline runs clockwise: its right side is at -z.
Panel clockwise(const std::string& name, double width, double height) {
  Panel p = rectangle(name, width, height);
  p.loops = {{{.start = {0, 0}}, {.start = {0, height}}, {.start = {width, height}}, {.start = {width, 0}}}};
  return p;
}

}  // namespace

TEST_CASE("panels of a drawing are side by side in rows no wider than asked, and none overlaps another") {
  const Pattern pattern =
      pattern_of({rectangle("a", 0.4, 0.6), clockwise("b", 0.5, 0.2), rectangle("c", 0.3, 0.3),
                  clockwise("d", 0.7, 0.1), rectangle("e", 0.2, 0.2)});
  const double gap = 0.05, margin = 0.02;
  const PatternLayout layout = lay_out(pattern, 1.0, gap, margin);
  REQUIRE(layout.panels.size() == 5);
  for (size_t i = 0; i < 5; ++i) {
    const PanelView& a = layout.panels[i];
    const dvec2 low = a.offset + a.low, high = a.offset + a.high;
    CHECK(low.x >= margin - 1e-12);
    CHECK(low.y >= margin - 1e-12);
    CHECK(high.x <= std::min(1.0, layout.size.x - margin) + 1e-12);
    CHECK(high.y <= layout.size.y - margin + 1e-12);
    for (size_t j = 0; j < i; ++j) {
      const PanelView& b = layout.panels[j];
      const dvec2 apart = glm::max(low - (b.offset + b.high), b.offset + b.low - high);
      CHECK(std::max(apart.x, apart.y) >= gap - 1e-12);
    }
  }
}

TEST_CASE("a panel is drawn from its right side, and points of the drawing lead back to it") {
  const Pattern pattern = pattern_of({rectangle("front", 0.4, 0.6), clockwise("turned", 0.5, 0.2)});
  const PatternLayout layout = lay_out(pattern, 2, 0.05, 0.02);
  CHECK(layout.panels[0].side == 1);
  CHECK(layout.panels[1].side == -1);
  for (size_t p = 0; p < 2; ++p) {
    // Every outline runs counter-clockwise on the drawing, whose y points down.
    double doubled = 0;
    for (int e = 0; e < 4; ++e) {
      const dvec2 a = layout.panels[p].at(edge_of(pattern.panels[p], e).start),
                  b = layout.panels[p].at(end_of(pattern.panels[p], e));
      doubled += a.x * b.y - a.y * b.x;
    }
    CHECK(doubled < 0);
    const dvec2 q(0.123, 0.045);
    CHECK(glm::length(layout.panels[p].back(layout.panels[p].at(q)) - q) < 1e-12);
  }
}
