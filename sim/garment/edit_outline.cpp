#include "sim/garment/edit_outline.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "sim/base/error.h"
#include "sim/garment/edge_curve.h"
#include "sim/garment/point_seam.h"

namespace weft {
namespace {

constexpr double kOnEdge = 1e-3;     // m, between a notch and its edge
constexpr double kLeastPart = 5e-3;  // m, of an edge that is divided

bool has_darts(const Panel& panel, int edge) {
  return std::any_of(panel.darts.begin(), panel.darts.end(), [&](const Dart& d) { return d.edge == edge; });
}

/// A range of a side as two, at a share of the range.
std::pair<SeamSide, SeamSide> parts_of_side(const SeamSide& side, double at) {
  const double middle = side.from + at * (side.to - side.from);
  SeamSide first = side, second = side;
  first.to = second.from = middle;
  return {first, second};
}

/// Divides the seams that run over a share of an edge there.
void divide_seams(Pattern& pattern, int panel, int edge, double at) {
  for (size_t s = 0; s < pattern.seams.size(); ++s) {
    const auto over = [&](const SeamSide& side) {
      return side.panel == panel && side.edge == edge && std::min(side.from, side.to) < at - 1e-9 &&
             std::max(side.from, side.to) > at + 1e-9;
    };
    const Seam seam = pattern.seams[s];
    const auto side = std::find_if(seam.sides.begin(), seam.sides.end(), over);
    if (side == seam.sides.end()) continue;
    const double share = (at - side->from) / (side->to - side->from);
    Seam first = seam, second = seam;
    for (size_t i = 0; i < seam.sides.size(); ++i)
      std::tie(first.sides[i], second.sides[i]) = parts_of_side(seam.sides[i], share);
    pattern.seams[s] = first;
    pattern.seams.insert(pattern.seams.begin() + long(s) + 1, second);
  }
}

/// Gives each edge that seams, darts and fold lines of a panel name another number, and its shares another
/// range.
void renumber(Pattern& pattern, int panel, const std::function<int(int)>& edge_now,
              const std::function<int(int)>& point_now, const std::function<double(int, double)>& share_now) {
  for (Seam& seam : pattern.seams)
    for (SeamSide& side : seam.sides) {
      if (is_point(side) || side.panel != panel) continue;
      const int was = side.edge;
      side.edge = edge_now(was);
      side.from = share_now(was, side.from), side.to = share_now(was, side.to);
    }
  Panel& p = pattern.panels[size_t(panel)];
  for (Dart& dart : p.darts) dart.edge = edge_now(dart.edge);
  for (FoldLine& fold : p.folds) fold.from = point_now(fold.from), fold.to = point_now(fold.to);
}

/// Two edges behind each other as one.
PanelEdge as_one(const PanelEdge& a, const PanelEdge& b, const dvec2& end) {
  PanelEdge out;
  out.start = a.start, out.name = a.name.empty() ? b.name : a.name;
  if (a.kind == PanelEdge::Kind::line && b.kind == PanelEdge::Kind::line) return out;
  const EdgeCurve first(a, b.start), second(b, end);
  const double third = (first.length() + second.length()) / 3;
  out.kind = PanelEdge::Kind::cubic;
  out.control[0] = a.start + third * first.direction(0);
  out.control[1] = end - third * second.direction(1);
  return out;
}

std::string unused_name(const Pattern& pattern, const std::string& name) {
  const auto taken = [&](const std::string& n) {
    return std::any_of(pattern.panels.begin(), pattern.panels.end(),
                       [&](const Panel& p) { return p.name == n; });
  };
  std::string other = name;
  for (const auto& [one, two] : {std::pair("left", "right"), std::pair("right", "left")})
    if (const size_t at = name.find(one); at != name.npos) {
      other.replace(at, std::string(one).size(), two);
      break;
    }
  if (!taken(other)) return other;
  for (int n = 1;; ++n) {
    const std::string next = name + "_mirrored" + (n > 1 ? std::to_string(n) : "");
    if (!taken(next)) return next;
  }
}

dvec2 in_mirror(const dvec2& p) { return {-p.x, p.y}; }

/// The loop seen in a mirror, in its own direction again: its edges in the opposite order.
PanelLoop mirrored(const PanelLoop& loop) {
  PanelLoop out;
  const size_t n = loop.size();
  for (size_t i = 0; i < n; ++i) {
    const size_t k = n - 1 - i;
    PanelEdge edge = loop[k];
    edge.start = in_mirror(loop[(k + 1) % n].start);
    for (dvec2& c : edge.control) c = in_mirror(c);
    if (edge.kind == PanelEdge::Kind::cubic) std::swap(edge.control[0], edge.control[1]);
    std::reverse(edge.points.begin(), edge.points.end());
    for (dvec2& p : edge.points) p = in_mirror(p);
    out.push_back(std::move(edge));
  }
  return out;
}

/// Where the edges of a panel are in its mirrored loops.
int mirrored_edge(const Panel& panel, int edge) {
  const ivec2 place = place_of_edge(panel, edge);
  const int count = int(panel.loops[size_t(place.x)].size());
  return edge - place.y + (count - 1 - place.y);
}

int mirrored_point(const Panel& panel, int point) {
  const ivec2 place = place_of_edge(panel, point);
  const int count = int(panel.loops[size_t(place.x)].size());
  return point - place.y + (count - place.y) % count;
}

}  // namespace

void add_point(Pattern& pattern, int panel, int edge, double at) {
  Panel& p = pattern.panels[size_t(panel)];
  const EdgeCurve curve = curve_of(p, edge);
  if (!(std::min(at, 1 - at) * curve.length() > kLeastPart))
    throw Error("the new point would be within 5 mm of another", edge_in_words(p, edge),
                "put it farther from the ends of the edge");
  if (has_darts(p, edge))
    throw Error("the edge has darts, which a point would divide", edge_in_words(p, edge),
                "add the point before the darts");
  divide_seams(pattern, panel, edge, at);
  const ivec2 place = place_of_edge(p, edge);
  PanelLoop& loop = p.loops[size_t(place.x)];
  PanelEdge first = curve.part(0, at), second = curve.part(at, 1);
  first.name = second.name = loop[size_t(place.y)].name;
  loop[size_t(place.y)] = first;
  loop.insert(loop.begin() + place.y + 1, second);
  // Ranges lie on one side of the point; those of the second part are told from those of the first by their
  // middle.
  for (Seam& seam : pattern.seams)
    for (SeamSide& side : seam.sides) {
      if (is_point(side) || side.panel != panel) continue;
      if (side.edge > edge) ++side.edge;
      else if (side.edge == edge && 0.5 * (side.from + side.to) < at) side.from /= at, side.to /= at;
      else if (side.edge == edge)
        ++side.edge, side.from = (side.from - at) / (1 - at), side.to = (side.to - at) / (1 - at);
      side.from = std::clamp(side.from, 0.0, 1.0), side.to = std::clamp(side.to, 0.0, 1.0);
    }
  for (Dart& dart : p.darts) dart.edge += dart.edge > edge;
  for (FoldLine& fold : p.folds) fold.from += fold.from > edge, fold.to += fold.to > edge;
}

void remove_point(Pattern& pattern, int panel, int edge) {
  Panel& p = pattern.panels[size_t(panel)];
  const ivec2 place = place_of_edge(p, edge);
  PanelLoop& loop = p.loops[size_t(place.x)];
  const int count = int(loop.size()), first_edge = edge - place.y;
  const int before = place.y > 0 ? edge - 1 : first_edge + count - 1;
  if (count <= 3)
    throw Error("an outline needs three points", edge_in_words(p, edge), "move the point instead");
  if (has_darts(p, edge) || has_darts(p, before))
    throw Error("an edge beside the point has darts", edge_in_words(p, edge), "take the darts away first");
  for (const FoldLine& fold : p.folds)
    if (fold.from == edge || fold.to == edge)
      throw Error("a fold line ends at the point", edge_in_words(p, edge), "take the fold line away first");
  const double a = curve_of(p, before).length(), b = curve_of(p, edge).length();
  const PanelEdge whole = as_one(edge_of(p, before), edge_of(p, edge), end_of(p, edge));
  loop[size_t(before - first_edge)] = whole;
  loop.erase(loop.begin() + place.y);
  const auto point_now = [&](int e) { return e > edge ? e - 1 : e; };
  const auto edge_now = [&](int e) { return point_now(e == edge ? before : e); };
  const auto share_now = [&](int e, double s) {
    return e == before ? s * a / (a + b) : e == edge ? (a + s * b) / (a + b) : s;
  };
  renumber(pattern, panel, edge_now, point_now, share_now);
}

void add_notch(Panel& panel, int edge, double at) {
  panel.marks.notches.push_back(curve_of(panel, edge).at(std::clamp(at, 0.0, 1.0)));
}

std::vector<int> notches_on(const Panel& panel, int edge) {
  constexpr int kPieces = 256;
  const std::vector<dvec2> line = curve_of(panel, edge).polyline(kPieces);
  std::vector<int> found;
  for (size_t n = 0; n < panel.marks.notches.size(); ++n) {
    const dvec2& p = panel.marks.notches[n];
    for (size_t i = 0; i + 1 < line.size(); ++i) {
      const dvec2 along = line[i + 1] - line[i];
      const double squared = glm::dot(along, along);
      const double t = squared > 0 ? std::clamp(glm::dot(p - line[i], along) / squared, 0.0, 1.0) : 0;
      if (glm::length(p - line[i] - t * along) > kOnEdge) continue;
      found.push_back(int(n));
      break;
    }
  }
  return found;
}

int mirror_panel(Pattern& pattern, int panel) {
  const Panel from = pattern.panels[size_t(panel)];
  if (!from.part_of.empty())
    throw Error("the panel is a part of another", "panel " + from.name, "mirror the whole panel");
  Panel to = from;
  to.name = unused_name(pattern, from.name);
  for (PanelLoop& loop : to.loops) loop = mirrored(loop);
  for (Dart& d : to.darts) d.edge = mirrored_edge(from, d.edge), d.at = 1 - d.at;
  for (FoldLine& f : to.folds) f.from = mirrored_point(from, f.from), f.to = mirrored_point(from, f.to);
  for (dvec2& p : to.marks.notches) p = in_mirror(p);
  for (dvec2& p : to.marks.drills) p = in_mirror(p);
  for (auto& line : to.marks.lines)
    for (dvec2& p : line) p = in_mirror(p);
  to.grain = 180 - from.grain, to.bend_axis = 180 - from.bend_axis,
  to.bend_center = in_mirror(from.bend_center);
  to.position.x = -from.position.x;
  to.rotation = {from.rotation.x, -from.rotation.y, -from.rotation.z};
  dvec2 low(1e300), high(-1e300);
  for (const PanelEdge& e : from.loops[0]) low = glm::min(low, e.start), high = glm::max(high, e.start);
  const double width = high.x - low.x;
  const double apart = std::abs(from.position.x + 0.5 * (low.x + high.x)) * 2;
  if (apart < width) to.position.x += std::copysign(width - apart + 0.02, to.position.x < 0 ? -1.0 : 1.0);
  const int index = int(pattern.panels.size());
  pattern.panels.push_back(std::move(to));
  const size_t seams = pattern.seams.size();
  for (size_t s = 0; s < seams; ++s) {
    Seam seam = pattern.seams[s];
    if (!std::all_of(seam.sides.begin(), seam.sides.end(),
                     [&](const SeamSide& i) { return i.panel == panel; }))
      continue;
    for (SeamSide& side : seam.sides) {
      side.panel = index;
      if (is_point(side)) side.from = -side.from;
      else side.edge = mirrored_edge(from, side.edge), side.from = 1 - side.from, side.to = 1 - side.to;
    }
    pattern.seams.push_back(std::move(seam));
  }
  return index;
}

}  // namespace weft
