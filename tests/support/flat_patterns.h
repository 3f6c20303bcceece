// Patterns as generators place them: flat panels before and behind the body.
#pragma once
#include <vector>

#include "sim/garment/pattern.h"

namespace weft::testing {

/// Two flat sheets of one outline, `apart` m before and behind the middle, sewn along pairs of its edges: of
/// the front, of the back.
inline Pattern two_sheets(const std::vector<dvec2>& outline, const std::vector<ivec2>& seams,
                          double apart = 0.2) {
  Pattern p;
  p.edge = 0.05;
  for (const bool back : {false, true}) {
    Panel panel;
    panel.name = back ? "back" : "front";
    panel.loops.emplace_back();
    for (const dvec2& at : outline) panel.loops[0].push_back({.start = at});
    panel.position = {0, 0, back ? -apart : apart}, panel.rotation = {0, back ? 180.0 : 0.0, 0};
    p.panels.push_back(panel);
  }
  for (const ivec2& s : seams) p.seams.push_back({"", {{0, s.x, 0, 1}, {1, s.y, 1, 0}}});
  return p;
}

/// A sleeveless top whose shoulders end at a height (m).
inline Pattern flat_top(double shoulder) {
  return two_sheets({{-0.25, shoulder - 0.4},
                     {0.25, shoulder - 0.4},
                     {0.25, shoulder - 0.18},
                     {0.18, shoulder},
                     {0.08, shoulder + 0.03},
                     {-0.08, shoulder + 0.03},
                     {-0.18, shoulder},
                     {-0.25, shoulder - 0.18}},
                    {{1, 7}, {7, 1}, {3, 5}, {5, 3}});
}

/// The same with sleeves in one piece with it that stand straight out.
inline Pattern flat_sleeves(double shoulder) {
  const double under = shoulder - 0.2;
  return two_sheets({{-0.25, shoulder - 0.5},
                     {0.25, shoulder - 0.5},
                     {0.25, under},
                     {0.45, under},
                     {0.45, shoulder},
                     {0.09, shoulder},
                     {-0.09, shoulder},
                     {-0.45, shoulder},
                     {-0.45, under},
                     {-0.25, under}},
                    {{1, 9}, {9, 1}, {2, 8}, {8, 2}, {4, 6}, {6, 4}});
}

/// A straight skirt from a height to another; `half` of its width at the waist, as laid flat. All in m.
inline Pattern flat_skirt(double hem, double waist, double half = 0.19) {
  return two_sheets({{-half - 0.05, hem}, {half + 0.05, hem}, {half, waist}, {-half, waist}},
                    {{1, 3}, {3, 1}});
}

}  // namespace weft::testing
