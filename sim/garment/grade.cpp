#include "sim/garment/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/base/length.h"
#include "sim/garment/edge_curve.h"
#include "sim/garment/point_seam.h"

namespace weft {
namespace {

/// Bounds of a panel's outline, m.
struct PanelBounds {
  dvec2 low{1e300}, high{-1e300};
  explicit PanelBounds(const Panel& panel) {
    for (int e = 0; e < panel.edge_count(); ++e)
      for (const dvec2& p : curve_of(panel, e).drawn()) low = glm::min(low, p), high = glm::max(high, p);
  }
};

/// An arc as the curves that can be scaled: a cubic up to a quarter of a circle (off by less than 0.03 % of
/// the radius), else straight lines of 3 degrees.
void straighten_arc(PanelEdge& edge, const EdgeCurve& curve) {
  const double angle = 4 * std::atan(std::abs(edge.bulge));
  if (angle <= 0.5 * M_PI + 1e-9) {
    const double arm = 4.0 / 3 * std::tan(angle / 4) * curve.length() / angle;
    edge.kind = PanelEdge::Kind::cubic;
    edge.control[0] = curve.at(0) + arm * curve.direction(0);
    edge.control[1] = curve.at(1) - arm * curve.direction(1);
  } else {
    const std::vector<dvec2> points = curve.polyline(int(std::ceil(angle / (M_PI / 60))));
    edge.kind = PanelEdge::Kind::polyline;
    edge.points.assign(points.begin() + 1, points.end() - 1);
  }
  edge.bulge = 0;
}

/// p -> fixed + factor (p - fixed), by coordinates.
struct Scaling {
  dvec2 fixed, factor;
  dvec2 operator()(const dvec2& p) const { return fixed + factor * (p - fixed); }
};

void scale(Panel& panel, const Scaling& to) {
  const Panel before = panel;
  int number = 0;
  for (PanelLoop& loop : panel.loops)
    for (PanelEdge& edge : loop) {
      const EdgeCurve curve = curve_of(before, number++);
      if (edge.kind == PanelEdge::Kind::arc && edge.bulge != 0) straighten_arc(edge, curve);
      edge.start = to(edge.start);
      for (dvec2& p : edge.control) p = to(p);
      for (dvec2& p : edge.points) p = to(p);
    }
  for (Dart& d : panel.darts) {
    const dvec2 along = curve_of(before, d.edge).direction(d.at);
    d.width *= glm::length(to.factor * along);
    d.depth *= glm::length(to.factor * dvec2(-along.y, along.x));
  }
  panel.bend_center = to(panel.bend_center);
  for (dvec2& p : panel.marks.notches) p = to(p);
  for (dvec2& p : panel.marks.drills) p = to(p);
  for (auto& line : panel.marks.lines)
    for (dvec2& p : line) p = to(p);
}

}  // namespace

Grade read_grade(const std::string& text) {
  const auto fail = [&](const std::string& why) {
    throw Error("'" + text + "' is no grade: " + why, "--grade",
                "write for example \"width +4 cm\" or \"length -3 %\"");
  };
  Grade g;
  const size_t space = text.find(' ');
  const std::string along = text.substr(0, space);
  if (along == "length") g.along = Grade::Along::length;
  else if (along != "width") fail("it begins with width or length");
  if (space == std::string::npos) fail("it says by how much");
  std::string amount = text.substr(space + 1);
  if (const size_t percent = amount.find('%'); percent != std::string::npos) {
    g.share = true;
    amount.erase(percent);
    size_t read = 0;
    try {
      g.by = std::stod(amount, &read) / 100;
    } catch (const std::exception&) {
      fail("'" + amount + "' is no number");
    }
    if (amount.find_first_not_of(' ', read) != std::string::npos || !std::isfinite(g.by))
      fail("'" + amount + "' is no number");
  } else if (const std::string fault = read_length(amount, g.by, true); !fault.empty()) fail(fault);
  return g;
}

void grade(Pattern& pattern, const Grade& grade) {
  const int axis = grade.along == Grade::Along::width ? 0 : 1;
  double most = 0;
  for (const Panel& panel : pattern.panels) {
    const PanelBounds b(panel);
    most = std::max(most, (b.high - b.low)[axis]);
  }
  dvec2 factor(1);
  factor[axis] = 1 + (grade.share ? grade.by : most > 0 ? grade.by / most : 0);
  if (!(factor[axis] > 0))
    throw Error(fmt::format("the pattern is {:.1f} cm {} and cannot lose that much", 100 * most,
                            axis == 0 ? "wide" : "long"),
                "pattern " + pattern.name, "grade it by less");
  std::vector<Scaling> to;
  for (Panel& panel : pattern.panels) {
    const PanelBounds b(panel);
    to.push_back({{0.5 * (b.low.x + b.high.x), b.high.y}, factor});
    scale(panel, to.back());
  }
  for (Seam& seam : pattern.seams)
    for (SeamSide& side : seam.sides)
      if (is_point(side)) side = point_side(side.panel, to[side.panel](point_of(side)));
}

}  // namespace weft
