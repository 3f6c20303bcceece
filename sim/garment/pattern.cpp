#include "sim/garment/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/error.h"
#include "sim/base/shorten.h"
#include "sim/garment/edge_curve.h"
#include "sim/garment/point_seam.h"
#include "sim/mesh/uniform/outline.h"

namespace weft {
namespace {

constexpr double kFarthest = 1e4, kShortestEdge = 1e-5, kLongestEdge = 10;  // m
constexpr double kShareSlack = 1e-9;  // shares that differ by less are the same

class Checker {
 public:
  Checker(const Pattern& pattern, const std::string& where) : p_(pattern), where_(where) {}

  void run() const {
    if (p_.panels.empty()) fail("the pattern has no panels", "", "add at least one panel");
    check_edge_length(p_.edge, "the pattern", false);
    std::set<std::string> names;
    for (const Panel& panel : p_.panels) {
      if (panel.name.empty()) fail("a panel has no name", "", "give each panel a name");
      if (!names.insert(panel.name).second)
        fail("there are two panels of this name", of(panel), "give each its own name");
      check_panel(panel);
    }
    std::vector<std::vector<std::vector<std::pair<dvec2, size_t>>>> used(p_.panels.size());
    for (size_t i = 0; i < p_.panels.size(); ++i) used[i].resize(p_.panels[i].edge_count());
    for (size_t s = 0; s < p_.seams.size(); ++s) check_seam(s, used);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& in,
                         const std::string& to_do = {}) const {
    throw Error(what, where_ + (in.empty() ? "" : (where_.empty() ? "" : ": ") + in), to_do);
  }
  static std::string of(const Panel& panel) { return "panel " + shortened(panel.name, 80); }
  std::string seam_in_words(size_t s) const {
    return fmt::format("seam {}{}", s,
                       p_.seams[s].name.empty() ? "" : " (" + shortened(p_.seams[s].name, 80) + ")");
  }

  void check_edge_length(double edge, const std::string& in, bool may_be_zero) const {
    if (may_be_zero && edge == 0) return;
    if (!(edge >= kShortestEdge && edge <= kLongestEdge))
      fail(fmt::format("the edge length is {:g} m; {:g} to {:g} m are supported", edge, kShortestEdge,
                       kLongestEdge),
           in, "lengths are in metres");
  }

  void check_panel(const Panel& panel) const {
    const std::string in = of(panel);
    check_edge_length(panel.edge, in, true);
    if (panel.loops.empty()) fail("the panel has no outline", in, "add a closed line around an area");
    for (const double x : {panel.grain, panel.bend_radius, panel.bend_axis, panel.bend_center.x,
                           panel.bend_center.y, panel.position.x, panel.position.y, panel.position.z,
                           panel.rotation.x, panel.rotation.y, panel.rotation.z})
      if (!std::isfinite(x) || std::abs(x) > kFarthest)
        fail("a number of its placement is not finite or too large", in, "use metres and degrees");
    if (panel.layer < 0 || panel.layer > 100)
      fail(fmt::format("layer {} is not one of 0 to 100", panel.layer), in);
    for (const PanelLoop& loop : panel.loops)
      if (loop.empty()) fail("a loop has no edges", in, "leave it out");
    for (int e = 0; e < panel.edge_count(); ++e) check_numbers(panel, e);
    Outline outline;
    int edge = 0;
    for (const PanelLoop& loop : panel.loops) {
      outline.loops.push_back({});
      for (size_t i = 0; i < loop.size(); ++i, ++edge) {
        const EdgeCurve curve = curve_of(panel, edge);
        if (!(curve.length() > kShortestEdge))
          fail("the edge has no length", where_edge(panel, edge), "remove it, or move one of its ends");
        const std::vector<dvec2> points = curve.drawn();
        outline.loops.back().insert(outline.loops.back().end(), points.begin(), points.end() - 1);
      }
    }
    (void)checked(outline, where_ + (where_.empty() ? "" : ": ") + in);  // throws where lines cross
    check_darts(panel);
    check_folds(panel);
  }

  void check_angle(double angle, const std::string& in) const {
    constexpr double kMostFolded = 179;  // beyond it a fold could not tell its two sides apart
    if (!(std::abs(angle) <= kMostFolded))
      fail(fmt::format("an angle of {:g} degrees is not between -{:g} and {:g}", angle, kMostFolded,
                       kMostFolded),
           in, "0 is flat; 179 is folded shut");
  }

  void check_folds(const Panel& panel) const {
    const int points = int(panel.loops[0].size());
    for (const FoldLine& f : panel.folds) {
      if (std::min(f.from, f.to) < 0 || std::max(f.from, f.to) >= points)
        fail(fmt::format("a fold line goes from point {} to point {}, and the outline has {}", f.from, f.to,
                         points),
             of(panel), "its points are where its edges begin, from 0");
      if (const int apart = std::abs(f.from - f.to); apart < 2 || apart > points - 2)
        fail(fmt::format("the fold line from point {} to point {} lies on the outline", f.from, f.to),
             of(panel), "name points that are not neighbours");
      check_angle(f.angle, of(panel));
    }
  }

  static std::string where_edge(const Panel& panel, int edge) { return edge_in_words(panel, edge); }

  void check_numbers(const Panel& panel, int edge) const {
    const PanelEdge& e = edge_of(panel, edge);
    for (const double x :
         {e.start.x, e.start.y, e.control[0].x, e.control[0].y, e.control[1].x, e.control[1].y})
      if (!std::isfinite(x) || std::abs(x) > kFarthest)
        fail(fmt::format("a coordinate is {:g} m; up to {:g} m are supported", x, kFarthest),
             where_edge(panel, edge), "check the unit of the file");
    for (const dvec2& p : e.points)
      if (!std::isfinite(p.x) || !std::isfinite(p.y) || std::max(std::abs(p.x), std::abs(p.y)) > kFarthest)
        fail("a point of the line is not finite or too far away", where_edge(panel, edge),
             "check the unit of the file");
    if (!std::isfinite(e.bulge) || std::abs(e.bulge) > 1e3)
      fail("the arc is a full circle", where_edge(panel, edge), "divide it into two arcs");
  }

  void check_darts(const Panel& panel) const {
    std::vector<std::pair<dvec2, int>> taken;  // shares of edges
    for (const Dart& d : panel.darts) {
      if (d.edge < 0 || d.edge >= panel.edge_count())
        fail(fmt::format("a dart names edge {}, and the panel has {}", d.edge, panel.edge_count()),
             of(panel));
      const std::string in = where_edge(panel, d.edge);
      if (!(d.width > 0 && d.depth > 0 && std::isfinite(d.width + d.depth)))
        fail("a dart has no width or depth", in, "both are lengths in metres");
      const double length = curve_of(panel, d.edge).length(), half = 0.5 * d.width / length;
      if (!(d.at - half > kShareSlack && d.at + half < 1 - kShareSlack))
        fail(fmt::format("the dart at {:g} is {:g} m wide and leaves the edge of {:g} m", d.at, d.width,
                         length),
             in, "make it narrower, or move it");
      for (const auto& [range, edge] : taken)
        if (edge == d.edge && d.at - half < range.y && d.at + half > range.x)
          fail("two darts overlap", in, "move them apart");
      taken.push_back({{d.at - half, d.at + half}, d.edge});
    }
  }

  void check_seam(size_t s, std::vector<std::vector<std::vector<std::pair<dvec2, size_t>>>>& used) const {
    const Seam& seam = p_.seams[s];
    const std::string in = seam_in_words(s);
    if (seam.sides.empty()) fail("the seam joins nothing", in, "name the edges that it joins");
    if (std::any_of(seam.sides.begin(), seam.sides.end(), is_point)) return check_button(seam, in);
    if (!(seam.elastic == kSceneElastic) && !(seam.elastic >= 0.1 && seam.elastic <= 2))
      fail(fmt::format("elastic = {:g} is not between 0.1 and 2", seam.elastic), in,
           "it is the rest length over the pattern's; 1: none");
    check_angle(seam.angle, in);
    if (seam.angle != 0 && seam.sides.size() != 2)
      fail(fmt::format("a seam of {} sheets has an angle", seam.sides.size()), in,
           "seams of two sheets have one; leave it out");
    if (seam.sides.size() == 1 && seam.elastic == 1)
      fail("the seam has one side, and is not elastic", in, "name a second edge, or give elastic");
    for (const SeamSide& side : seam.sides) {
      if (side.panel < 0 || side.panel >= int(p_.panels.size()))
        fail(fmt::format("there is no panel {}", side.panel), in);
      const Panel& panel = p_.panels[side.panel];
      if (side.edge < 0 || side.edge >= panel.edge_count())
        fail(fmt::format("panel {} has no edge {}", shortened(panel.name, 80), side.edge), in,
             fmt::format("its edges are 0 to {}", panel.edge_count() - 1));
      const dvec2 range(std::min(side.from, side.to), std::max(side.from, side.to));
      if (!(range.x >= 0 && range.y <= 1 && range.y - range.x > 1e-6))
        fail(fmt::format("from {:g} to {:g} is no range of {}", side.from, side.to,
                         where_edge(panel, side.edge)),
             in, "use shares of its length between 0 and 1");
      auto& ranges = used[side.panel][side.edge];
      for (const auto& [other, which] : ranges)
        if (range.x < other.y - kShareSlack && range.y > other.x + kShareSlack)
          fail(fmt::format("{} is sewn twice from {:g} to {:g}, also by {}", where_edge(panel, side.edge),
                           std::max(range.x, other.x), std::min(range.y, other.y),
                           which == s ? "another side of it" : seam_in_words(which)),
               in, "name all sheets in one seam, or leave one seam out");
      ranges.push_back({range, s});
    }
  }

  void check_button(const Seam& seam, const std::string& in) const {
    if (seam.sides.size() < 2 || !std::all_of(seam.sides.begin(), seam.sides.end(), is_point))
      fail("a button joins two points or more, and no edges", in, "name a point on each panel");
    if (seam.angle != 0) fail("a button has no angle", in, "leave it out");
    if (seam.elastic != 1) fail("a button cannot be elastic", in, "leave elastic out");
    for (const SeamSide& side : seam.sides) {
      if (side.panel < 0 || side.panel >= int(p_.panels.size()))
        fail(fmt::format("there is no panel {}", side.panel), in);
      const Panel& panel = p_.panels[side.panel];
      if (!inside(panel, point_of(side)))
        fail(fmt::format("({:g}, {:g}) m is not inside panel {}", side.from, side.to,
                         shortened(panel.name, 80)),
             in, "give a point of the panel, in its own coordinates");
    }
  }

  /// By the number of lines to the left of the point.
  static bool inside(const Panel& panel, const dvec2& p) {
    bool in = false;
    for (int e = 0; e < panel.edge_count(); ++e) {
      const std::vector<dvec2> line = curve_of(panel, e).drawn();
      for (size_t i = 0; i + 1 < line.size(); ++i) {
        const dvec2 &a = line[i], &b = line[i + 1];
        if ((a.y > p.y) != (b.y > p.y) && p.x > a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) in = !in;
      }
    }
    return in;
  }

  const Pattern& p_;
  const std::string& where_;
};

}  // namespace

ivec2 place_of_edge(const Panel& panel, int edge) {
  for (int l = 0; l < int(panel.loops.size()); ++l) {
    if (edge < int(panel.loops[l].size())) return {l, edge};
    edge -= int(panel.loops[l].size());
  }
  return {-1, -1};
}

const PanelEdge& edge_of(const Panel& panel, int edge) {
  const ivec2 at = place_of_edge(panel, edge);
  return panel.loops[at.x][at.y];
}

dvec2 end_of(const Panel& panel, int edge) {
  const ivec2 at = place_of_edge(panel, edge);
  const PanelLoop& loop = panel.loops[at.x];
  return loop[size_t(at.y + 1) % loop.size()].start;
}

std::string edge_in_words(const Panel& panel, int edge) {
  const std::string& name = edge_of(panel, edge).name;
  return fmt::format("panel {}, edge {}{}", shortened(panel.name, 80), edge,
                     name.empty() ? "" : " (" + shortened(name, 80) + ")");
}

void check_pattern(const Pattern& pattern, const std::string& where) { Checker(pattern, where).run(); }

}  // namespace weft
