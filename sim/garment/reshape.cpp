#include "sim/garment/reshape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/garment/edge_curve.h"
#include "sim/garment/placement.h"
#include "sim/garment/point_seam.h"

namespace weft {
namespace {

constexpr double kSymmetric = 1e-3, kOnOutline = 1e-3, kSameLength = 5e-4;  // m

/// How far each point and control point of a panel moves, m.
struct PanelMoves {
  std::vector<dvec2> points;
  std::vector<std::array<dvec2, 2>> controls;
  explicit PanelMoves(const Panel& panel)
      : points(size_t(panel.edge_count()), dvec2(0)), controls(points.size(), {dvec2(0), dvec2(0)}) {}
};

/// The point at which an edge ends.
int point_after(const Panel& panel, int edge) {
  const ivec2 place = place_of_edge(panel, edge);
  const int count = int(panel.loops[place.x].size());
  return place.y + 1 < count ? edge + 1 : edge + 1 - count;
}

PanelEdge& edge_in(Panel& panel, int edge) {
  const ivec2 place = place_of_edge(panel, edge);
  return panel.loops[place.x][place.y];
}

dvec2 flipped(const dvec2& v) { return {-v.x, v.y}; }

/// The control point of the mirrored edge that mirrors this one: edges run against each other.
int mirrored_control(const Panel& panel, int edge, int control) {
  return control_count(edge_of(panel, edge)) == 2 ? 1 - control : control;
}

void mirror(PanelMoves& moves, const Panel& panel) {
  const auto m = mirror_of(panel);
  if (!m) return;
  const PanelMoves given = moves;
  for (size_t i = 0; i < given.points.size(); ++i) {
    const size_t other = m->point[i];
    if (other == i) moves.points[i].x = 0;
    else if (given.points[i] != dvec2(0)) moves.points[other] = flipped(given.points[i]);
    for (int k = 0; k < 2; ++k) {
      if (given.controls[i][k] == dvec2(0)) continue;
      const int e = m->edge[i], c = mirrored_control(panel, int(i), k);
      if (e == int(i) && c == k) moves.controls[i][k].x = 0;
      else moves.controls[e][c] = flipped(given.controls[i][k]);
    }
  }
}

/// Edge of a notch, and its share of that edge's length; edge -1: the notch is not on the outline.
std::pair<int, double> on_outline(const Panel& panel, const dvec2& notch) {
  constexpr int kSteps = 512;
  std::pair<int, double> found{-1, 0};
  double nearest = kOnOutline;
  for (int e = 0; e < panel.edge_count(); ++e) {
    const EdgeCurve curve = curve_of(panel, e);
    dvec2 a = curve.at(0);
    for (int i = 0; i < kSteps; ++i) {
      const dvec2 b = curve.at(double(i + 1) / kSteps), along = b - a;
      const double squared = glm::dot(along, along);
      const double t = squared > 0 ? std::clamp(glm::dot(notch - a, along) / squared, 0.0, 1.0) : 0;
      if (const double d = glm::length(notch - a - t * along); d < nearest)
        nearest = d, found = {e, (i + t) / kSteps};
      a = b;
    }
  }
  return found;
}

void carry_out(Panel& panel, PanelMoves moves, bool symmetric) {
  if (symmetric) mirror(moves, panel);
  const Panel before = panel;
  for (int e = 0; e < panel.edge_count(); ++e) {
    PanelEdge& edge = edge_in(panel, e);
    const dvec2 a = moves.points[e], b = moves.points[point_after(before, e)];
    const bool quadratic = edge.kind == PanelEdge::Kind::quadratic;
    edge.start += a;
    edge.control[0] += (quadratic ? 0.5 * (a + b) : a) + moves.controls[e][0];
    edge.control[1] += b + moves.controls[e][1];
    for (size_t i = 0; i < edge.points.size(); ++i) {
      const double share = double(i + 1) / double(edge.points.size() + 1);
      edge.points[i] += (1 - share) * a + share * b;
    }
    if (control_count(edge) < 2) edge.control[1] = edge_of(before, e).control[1];
    if (control_count(edge) < 1) edge.control[0] = edge_of(before, e).control[0];
  }
  for (dvec2& notch : panel.marks.notches) {
    const auto [e, share] = on_outline(before, notch);
    if (e < 0 || (edge_of(panel, e) == edge_of(before, e) && end_of(panel, e) == end_of(before, e))) continue;
    notch = curve_of(panel, e).at(share);
  }
}

/// Length of a side of a seam, m, with darts closed.
double length_of(const Pattern& pattern, const SeamSide& side) {
  const Panel& panel = pattern.panels[side.panel];
  double length = curve_of(panel, side.edge).length();
  for (const Dart& d : panel.darts)
    if (d.edge == side.edge) length -= d.width;
  return std::abs(side.to - side.from) * length;
}

/// The seam's longest side less its shortest, m.
double difference(const Pattern& pattern, const Seam& seam) {
  double least = 1e300, most = 0;
  for (const SeamSide& side : seam.sides)
    least = std::min(least, length_of(pattern, side)), most = std::max(most, length_of(pattern, side));
  return most - least;
}

}  // namespace

int control_count(const PanelEdge& edge) {
  return edge.kind == PanelEdge::Kind::quadratic ? 1 : edge.kind == PanelEdge::Kind::cubic ? 2 : 0;
}

std::optional<PanelMirror> mirror_of(const Panel& panel) {
  const int count = panel.edge_count();
  double low = 1e300, high = -1e300;
  for (int e = 0; e < count; ++e)
    for (const dvec2& p : curve_of(panel, e).drawn()) low = std::min(low, p.x), high = std::max(high, p.x);
  PanelMirror m{0.5 * (low + high), std::vector<int>(count, -1), std::vector<int>(count, -1)};
  const auto image = [&](const dvec2& p) { return dvec2(2 * m.axis - p.x, p.y); };
  for (int e = 0; e < count; ++e)
    for (int o = 0; o < count; ++o)
      if (glm::length(image(edge_of(panel, e).start) - edge_of(panel, o).start) < kSymmetric) m.point[e] = o;
  for (int e = 0; e < count; ++e) {
    const EdgeCurve curve = curve_of(panel, e);
    for (int o = 0; o < count; ++o) {
      if (m.point[o] != point_after(panel, e) || m.point[e] != point_after(panel, o) ||
          edge_of(panel, o).kind != edge_of(panel, e).kind)
        continue;
      const EdgeCurve other = curve_of(panel, o);
      bool same = true;
      for (const double t : {0.25, 0.5, 0.75})
        same &= glm::length(image(curve.at(t)) - other.at(1 - t)) < kSymmetric;
      if (same) m.edge[e] = o;
    }
    if (m.edge[e] < 0 || m.point[e] < 0) return std::nullopt;
  }
  return m;
}

dvec2 outwards(const Panel& panel, int edge) {
  const dvec2 chord = end_of(panel, edge) - edge_of(panel, edge).start;
  const double length = glm::length(chord);
  if (length == 0) return dvec2(0);
  const ivec2 place = place_of_edge(panel, edge);
  Panel own = panel;  // the loop alone: holes may run either way round
  own.loops = {panel.loops[place.x]};
  const double side = right_side(own) * (place.x == 0 ? 1 : -1);
  return side / length * dvec2(chord.y, -chord.x);
}

void move_point(Panel& panel, int edge, dvec2 by, bool symmetric) {
  PanelMoves moves(panel);
  moves.points[edge] = by;
  carry_out(panel, std::move(moves), symmetric);
}

void move_control(Panel& panel, int edge, int control, dvec2 by, bool symmetric) {
  PanelMoves moves(panel);
  moves.controls[edge][control] = by;
  carry_out(panel, std::move(moves), symmetric);
}

void move_edge(Panel& panel, int edge, double by, bool symmetric) {
  PanelMoves moves(panel);
  for (const int point : {edge, point_after(panel, edge)}) moves.points[point] = by * outwards(panel, edge);
  carry_out(panel, std::move(moves), symmetric);
}

std::vector<SeamMisfit> misfits(const Pattern& pattern, const Pattern& before) {
  std::vector<SeamMisfit> found;
  for (size_t s = 0; s < pattern.seams.size(); ++s) {
    const Seam& seam = pattern.seams[s];
    if (seam.sides.size() < 2 || is_button(seam)) continue;
    const auto old = std::find_if(before.seams.begin(), before.seams.end(),
                                  [&](const Seam& other) { return other.sides == seam.sides; });
    SeamMisfit m{int(s), old == before.seams.end() ? 0 : difference(before, *old), difference(pattern, seam)};
    if (m.now > kSameLength && std::abs(m.now - m.before) > kSameLength) found.push_back(m);
  }
  return found;
}

std::string in_words(const Pattern& pattern, const SeamMisfit& misfit) {
  std::string text;
  for (const SeamSide& side : pattern.seams[misfit.seam].sides)
    text += (text.empty() ? "" : " and ") + pattern.panels[side.panel].name;
  return fmt::format("{}, {:.1f} cm", text, 100 * misfit.now);
}

}  // namespace weft
