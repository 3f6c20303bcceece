// Outlines changed by hand: points, edges and control points moved, both halves of a symmetric panel alike.
#pragma once
#include <optional>

#include "sim/garment/pattern.h"

namespace weft {

/// Which points of a panel mirror each other in its own vertical line. Points and edges are numbered alike: a
/// point is where the edge of its number begins.
struct PanelMirror {
  double axis = 0;  // x of the line, m
  std::vector<int> point, edge;
};
/// The mirror of a panel whose outline and holes are symmetric within 1 mm; none for others.
std::optional<PanelMirror> mirror_of(const Panel& panel);

/// Unit normal of the line between an edge's ends, away from the cloth; 0 where both ends are one point.
dvec2 outwards(const Panel& panel, int edge);

/// Moves the beginning of an edge by a vector (m). Curves beside it keep their tangents, notches on it their
/// share of their edge. `symmetric`: a panel with a mirror changes on both sides; a point on the line stays
/// on it. So below.
void move_point(Panel& panel, int edge, dvec2 by, bool symmetric);
/// Moves control point 0 or 1 of a Bézier edge.
void move_control(Panel& panel, int edge, int control, dvec2 by, bool symmetric);
/// Moves a whole edge along `outwards` (m): a longer hem, a wider waist.
void move_edge(Panel& panel, int edge, double by, bool symmetric);
/// Control points of an edge: 1 or 2 for Bézier curves, else 0.
int control_count(const PanelEdge& edge);

/// A seam whose sides fit on each other less well or better than before.
struct SeamMisfit {
  int seam = 0;
  double before = 0, now = 0;  // m, longest side less shortest side
};
/// Seams of two or more sides whose lengths differ by more than 0.5 mm, and by another difference than in
/// `before`, by more than 0.5 mm. A seam that `before` has not was fitting there.
std::vector<SeamMisfit> misfits(const Pattern& pattern, const Pattern& before);
/// "front and back, 3.0 cm"
std::string in_words(const Pattern& pattern, const SeamMisfit& misfit);

}  // namespace weft
