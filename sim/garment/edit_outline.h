// Points and notches added to outlines and taken away, and panels mirrored. Darts, fold lines and seams
// follow the edges that they are at.
#pragma once
#include "sim/garment/pattern.h"

namespace weft {

/// Divides an edge at a share of its length; the curve stays as it is. A seam that runs over the new point
/// becomes two, whose other sides are divided alike. Throws Error for a share at an end, and for an edge with
/// darts.
void add_point(Pattern& pattern, int panel, int edge, double at);

/// Takes away the point at which an edge begins: it and the edge before become one. Lines become a line,
/// others a curve that leaves both ends as before. Seams keep their shares of the whole. Throws Error where
/// three points would not be left, a fold line ends there, or one of the edges has darts.
void remove_point(Pattern& pattern, int panel, int edge);

/// A notch on an edge, at a share of its length.
void add_notch(Panel& panel, int edge, double at);
/// The notches on an edge, as indices in PanelMarks::notches: within 1 mm of it.
std::vector<int> notches_on(const Panel& panel, int edge);

/// Adds the panel's partner: mirrored in the plane between left and right (x = 0), with its own seams, those
/// within the panel. Where the two would be in one place the partner stands beside it. Returns its index.
int mirror_panel(Pattern& pattern, int panel);

}  // namespace weft
