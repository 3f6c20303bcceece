#include "sim/garment/pattern_layout.h"

#include <algorithm>
#include <iterator>

#include "sim/garment/edge_curve.h"
#include "sim/garment/placement.h"

namespace weft {

PatternLayout lay_out(const Pattern& pattern, double widest, double gap, double margin) {
  PatternLayout layout;
  double x = margin, y = margin, row = 0;
  for (const Panel& panel : pattern.panels) {
    PanelView view{right_side(panel)};
    view.low = dvec2(1e300), view.high = dvec2(-1e300);
    for (int e = 0; e < int(panel.loops[0].size()); ++e)
      for (const dvec2& p : curve_of(panel, e).drawn())
        view.low = glm::min(view.low, view.at(p)), view.high = glm::max(view.high, view.at(p));
    const dvec2 extent = view.high - view.low;
    if (x > margin && x + extent.x > widest) x = margin, y += row + gap, row = 0;
    view.offset = dvec2(x, y) - view.low;
    x += extent.x + gap, row = std::max(row, extent.y);
    layout.size = glm::max(layout.size, dvec2(x - gap + margin, y + row + margin));
    layout.panels.push_back(view);
  }
  return layout;
}

unsigned seam_color(size_t i) {
  // Tableau's ten, without grey.
  static constexpr unsigned kColors[] = {0x1f77b4, 0xd62728, 0x2ca02c, 0xff7f0e, 0x9467bd,
                                         0x8c564b, 0xe377c2, 0xbcbd22, 0x17becf};
  return kColors[i % std::size(kColors)];
}

}  // namespace weft
