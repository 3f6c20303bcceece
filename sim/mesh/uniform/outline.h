// Outlines of planar patterns: closed polylines, resampled at an edge length.
#pragma once
#include <string>
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Closed polylines in the plane (m), the last point not repeated; they neither touch nor cross. A point is
/// inside where it is inside an odd number of them: holes, islands in holes and several pieces side by side
/// need no mark.
struct Outline {
  std::vector<std::vector<dvec2>> loops;
};

/// Removes repeated points and winds loops so that the inside is on their left. Throws Error, with `where` in
/// front, for loops of fewer than three points or without area, for points that are not finite and for lines
/// that cross or touch, naming the place.
Outline checked(const Outline& outline, const std::string& where);

/// Area inside of a checked outline (m2).
double area_of(const Outline& outline);

/// Inside test and distance to the lines for many points; segments are stored in the rows of a grid.
class OutlineQuery {
 public:
  /// `reach`: the largest distance needed (m).
  OutlineQuery(const Outline& outline, double reach);
  bool inside(const dvec2& p) const;
  /// Distance to the nearest line, or `reach` if none is so near.
  double distance(const dvec2& p) const;

 private:
  struct Segment {
    dvec2 a, b;
  };
  const std::vector<int>& row(double y) const;
  std::vector<Segment> segments_;
  std::vector<std::vector<int>> rows_;
  double reach_, bottom_ = 0, cell_ = 1;
};

/// Resampled loops; `corner` marks the corners of the outline.
struct SampledOutline {
  Outline outline;
  std::vector<std::vector<char>> corner;
};

/// Points that turn by more than `corner_angle` (degrees) are fixed corners; curves between two corners are
/// divided evenly into edges near `edge` (m). If two corners are closer than that, the curve between them
/// stays one edge.
SampledOutline resampled(const Outline& checked_outline, double edge, double corner_angle);

/// The edge length within a tenth of `edge` whose resampled edges are most even.
double fitted_edge(const Outline& checked_outline, double edge, double corner_angle);

/// Number of equal parts of a length whose part is nearest to `edge`, as a ratio; at least `least`.
int divisions_of(double length, double edge, int least = 1);

/// The greatest ratio of edges that the fan of triangles in a corner of this angle (rad) allows: equal legs,
/// k equal triangles, best k. 0.765 for a right angle in two triangles (0.707 in one, which is the bound that
/// Wu et al. 2020, section 6.1, name).
double corner_limit(double angle);

}  // namespace weft
