// Buttons: seams that join points of panels instead of edges.
#pragma once
#include "sim/garment/pattern.h"

namespace weft {

/// SeamSide::edge of a side that is a point inside its panel. `from` and `to` are then the point's x and y in
/// the panel (m). All sides of a seam are points, or none is. The mesh has a vertex at each of the points,
/// and these are one vertex in the garment, so that a button holds in dressing and in simulation.
constexpr int kPointSide = -1;

inline SeamSide point_side(int panel, const dvec2& at) { return {panel, kPointSide, at.x, at.y}; }
inline bool is_point(const SeamSide& side) { return side.edge == kPointSide; }
inline dvec2 point_of(const SeamSide& side) { return {side.from, side.to}; }
inline bool is_button(const Seam& seam) { return !seam.sides.empty() && is_point(seam.sides[0]); }

/// Seam::elastic of an elastic whose ratio is the scene's (`sewing.elastic`).
constexpr double kSceneElastic = 0;
/// That ratio where no scene says otherwise: rest length over length in the pattern.
constexpr double kUsualElastic = 0.7;

}  // namespace weft
