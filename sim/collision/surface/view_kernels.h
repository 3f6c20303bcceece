// Where pairs meet whose parts have radii of their own, for the view.
#pragma once
#include "sim/collision/proximity/pair_list.h"
#include "sim/collision/surface/pair_geometry.h"

namespace weft::contact {

/// Distance (m) at which each pair meets.
struct PairReach {
  PairList pairs;
  bool vertex_triangle = true;
  PartRadii parts;
  float onset = 0;  // m, without radii
  Span<float> reach;
  HD void operator()(int i) const {
    reach[i] = onset + beyond_onset(parts, pairs.points[i], vertex_triangle, 0);
  }
};

}  // namespace weft::contact
