// Where the points of a panel are in space before it is sewn.
#pragma once
#include "sim/garment/pattern.h"

namespace weft {

/// How far panels are moved outwards from where a pattern places them, m: layer k by first + k gap.
struct LayerDistances {
  double first = 0, gap = 0.009;
};

/// 1 where the right side of a panel faces +z in its own frame (its outline runs counter-clockwise), else -1.
double right_side(const Panel& panel);

/// A point (m) bent around the panel's axis, moved out by its layer along the right side, turned and moved
/// into place. Bending keeps lengths:
///
///   (s, t, 0) -> (R sin(s/R), t, R cos(s/R) - R),   t along the axis, s across it, both from bend_center.
class PanelPlacement {
 public:
  explicit PanelPlacement(const Panel& panel, const LayerDistances& layers = {});
  dvec3 at(const dvec2& p) const;

 private:
  dvec3 position_, out_;
  dmat3 rotation_;
  double radius_;
  dvec2 axis_, center_;
};

}  // namespace weft
