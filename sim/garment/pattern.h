// Sewing patterns as plain data: flat panels, how they are placed in space, and the seams that join them.
#pragma once
#include <string>
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// A line or curve of a panel's outline, from its start to the start of the next edge of the loop. Lengths in
/// metres.
struct PanelEdge {
  enum class Kind { line, arc, quadratic, cubic, polyline };
  Kind kind = Kind::line;
  dvec2 start{0};
  // arc: tangent of a quarter of its angle; positive: counter-clockwise, so that it bulges to the right
  double bulge = 0;
  // Bézier curves: one or two control points, in the panel's coordinates
  dvec2 control[2] = {dvec2(0), dvec2(0)};
  std::vector<dvec2> points = {};  // polyline: between its ends
  std::string name = {};           // may be empty
  bool operator==(const PanelEdge&) const = default;
};
using PanelLoop = std::vector<PanelEdge>;

/// A wedge cut out of an edge whose two sides are sewn together.
struct Dart {
  int edge = 0;
  double at = 0.5;      // of its middle, as a share of the edge's length
  double width = 0.02;  // m, opening at the edge
  double depth = 0.1;   // m, from the edge to the tip, inwards
  bool operator==(const Dart&) const = default;
};

/// A straight line across a panel along which cloth is folded at rest.
struct FoldLine {
  int from = 0, to = 0;  // points of the outline, by the edges that begin there; no neighbours
  double angle = 90;     // degrees; positive: a ridge on the right side
  bool operator==(const FoldLine&) const = default;
};

/// What a pattern's file marks on a panel without cutting it, m.
struct PanelMarks {
  std::vector<dvec2> notches;             // on the outline
  std::vector<dvec2> drills;              // drill holes
  std::vector<std::vector<dvec2>> lines;  // internal lines
  bool operator==(const PanelMarks&) const = default;
};

/// A flat piece of cloth. The first loop is the outline, others are holes. Seen with an outline that runs
/// counter-clockwise one looks at the right side, which is worn outwards. Edges are numbered from 0 through
/// all loops.
struct Panel {
  std::string name;
  std::vector<PanelLoop> loops;
  std::vector<Dart> darts;
  std::vector<FoldLine> folds = {};
  double grain = 90;       // degrees from the panel's x axis to the warp
  std::string fabric;      // empty: that of the garment
  int layer = 0;           // 0 is next to the body
  double edge = 0;         // m, edge length of the mesh; 0: that of the pattern
  dvec3 position{0};       // m, of the panel's origin
  dvec3 rotation{0};       // degrees about x, then y, then z
  double bend_radius = 0;  // m; 0: flat. Positive: curved backwards (-z), around an axis in the panel's plane
  double bend_axis = 90;   // degrees from the panel's x axis to that axis
  dvec2 bend_center{0};    // m, a point that bending leaves in place
  std::string part_of = {};  // of a part between fold lines: the panel, whose material it shares
  PanelMarks marks = {};
  bool operator==(const Panel&) const = default;

  int edge_count() const {
    int count = 0;
    for (const PanelLoop& loop : loops) count += int(loop.size());
    return count;
  }
};

/// A range of an edge, as shares of its length. Begins at `from`, so that `from` > `to` runs against the
/// edge. On an edge with darts, shares count with the darts closed.
struct SeamSide {
  int panel = 0, edge = 0;
  double from = 0, to = 1;
  bool operator==(const SeamSide&) const = default;
};

/// Ranges of edges that are sewn together, their beginnings on each other: two or more sheets, of any
/// lengths; the longer ones are gathered. One side alone is a hem, which only matters where it is elastic.
struct Seam {
  std::string name;
  std::vector<SeamSide> sides;
  double elastic = 1;  // rest length over the length in the pattern, of the row of triangles along it
  double angle = 0;    // degrees between the sheets at rest, as FoldLine::angle; seams of two sides
  bool operator==(const Seam&) const = default;
};

struct Pattern {
  std::string name = "garment";
  double edge = 0.015;  // m, edge length of the mesh
  std::string fabric;   // empty: that of the scene
  std::vector<Panel> panels;
  std::vector<Seam> seams;
  bool operator==(const Pattern&) const = default;
};

/// Loop of an edge, and its place in it.
ivec2 place_of_edge(const Panel& panel, int edge);
/// An edge, and where it ends.
const PanelEdge& edge_of(const Panel& panel, int edge);
dvec2 end_of(const Panel& panel, int edge);
/// "panel front, edge 3", with the edge's name if it has one.
std::string edge_in_words(const Panel& panel, int edge);

/// Throws Error, naming panel, edge or seam, for what cannot be sewn: no panels, two of one name, loops
/// without three points or area, numbers that are not finite or out of bounds, outlines that cross or touch
/// themselves, darts that overlap or leave their edge, fold lines on the outline, angles beyond 179 degrees,
/// ranges that do not exist, are empty or overlap, seams of one side that are not elastic. `where` stands in
/// front of messages.
void check_pattern(const Pattern& pattern, const std::string& where);

}  // namespace weft
