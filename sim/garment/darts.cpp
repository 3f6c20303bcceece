#include "sim/garment/darts.h"

#include <algorithm>

#include "sim/garment/edge_curve.h"
#include "sim/garment/point_seam.h"

namespace weft {
namespace {

/// Parts of one edge that are left between its darts.
struct DividedEdge {
  std::vector<int> part;  // numbers of their edges in the new panel
  std::vector<double>
      border;  // from 0 to 1: where they begin and end, as shares of the length with the darts closed
};

class Divider {
 public:
  Divider(const Panel& panel, int number, std::vector<Seam>& seams)
      : panel_(panel), number_(number), seams_(seams) {}

  Panel run(std::vector<DividedEdge>& divided) {
    Panel out = panel_;
    out.darts.clear(), out.loops.clear();
    for (int edge = 0, loop = 0; loop < int(panel_.loops.size()); ++loop) {
      out.loops.push_back({});
      for (size_t i = 0; i < panel_.loops[loop].size(); ++i, ++edge)
        divided.push_back(divide(edge, out.loops.back()));
    }
    return out;
  }

 private:
  int add(PanelLoop& loop, PanelEdge edge) {
    loop.push_back(std::move(edge));
    return count_++;
  }

  DividedEdge divide(int edge, PanelLoop& loop) {
    std::vector<Dart> darts;
    for (const Dart& d : panel_.darts)
      if (d.edge == edge) darts.push_back(d);
    std::sort(darts.begin(), darts.end(), [](const Dart& a, const Dart& b) { return a.at < b.at; });
    DividedEdge out{{}, {0}};
    if (darts.empty()) {
      out.part.push_back(add(loop, edge_of(panel_, edge))), out.border.push_back(1);
      return out;
    }
    const EdgeCurve curve = curve_of(panel_, edge);
    double closed = curve.length(), begin = 0, sewn = 0;
    for (const Dart& d : darts) closed -= d.width;
    const double inward = outline_turns_left() ? 1 : -1;
    for (const Dart& d : darts) {
      const double half = 0.5 * d.width / curve.length();
      out.part.push_back(add(loop, curve.part(begin, d.at - half)));
      sewn += (d.at - half - begin) * curve.length();
      out.border.push_back(sewn / closed);
      const dvec2 along = curve.direction(d.at),
                  tip = curve.at(d.at) + inward * d.depth * dvec2(-along.y, along.x);
      const int first = add(loop, {.start = curve.at(d.at - half), .name = "dart"});
      const int second = add(loop, {.start = tip, .name = "dart"});
      seams_.push_back({"dart", {{number_, first, 0, 1}, {number_, second, 1, 0}}});
      begin = d.at + half;
    }
    out.part.push_back(add(loop, curve.part(begin, 1)));
    out.border.push_back(1);
    return out;
  }

  bool outline_turns_left() const {
    double doubled = 0;
    std::vector<dvec2> points;
    for (int e = 0; e < int(panel_.loops[0].size()); ++e) {
      const auto line = curve_of(panel_, e).drawn();
      points.insert(points.end(), line.begin(), line.end() - 1);
    }
    for (size_t i = 0; i < points.size(); ++i) {
      const dvec2 a = points[i] - points[0], b = points[(i + 1) % points.size()] - points[0];
      doubled += a.x * b.y - a.y * b.x;
    }
    return doubled > 0;
  }

  const Panel& panel_;
  int number_, count_ = 0;
  std::vector<Seam>& seams_;
};

/// A range of one edge in the numbers of the new panels; it lies in one part.
SeamSide in_part(const SeamSide& side, const DividedEdge& edge, double from, double to) {
  const double a = side.from + (side.to - side.from) * from, b = side.from + (side.to - side.from) * to,
               middle = 0.5 * (a + b);
  size_t k = 0;
  while (k + 1 < edge.part.size() && middle > edge.border[k + 1]) ++k;
  const auto local = [&](double x) {
    return std::clamp((x - edge.border[k]) / (edge.border[k + 1] - edge.border[k]), 0.0, 1.0);
  };
  return {side.panel, edge.part[k], local(a), local(b)};
}

}  // namespace

Pattern without_darts(const Pattern& pattern) {
  constexpr double kSame = 1e-9;
  Pattern out = pattern;
  out.panels.clear(), out.seams.clear();
  std::vector<std::vector<DividedEdge>> edges(pattern.panels.size());
  for (size_t p = 0; p < pattern.panels.size(); ++p)
    out.panels.push_back(Divider(pattern.panels[p], int(p), out.seams).run(edges[p]));
  for (const Seam& seam : pattern.seams) {
    if (is_button(seam)) {
      out.seams.push_back(seam);
      continue;
    }
    std::vector<double> cuts{0, 1};
    for (const SeamSide& side : seam.sides)
      for (const double border : edges[side.panel][side.edge].border) {
        const double at = (border - side.from) / (side.to - side.from);
        if (at > kSame && at < 1 - kSame) cuts.push_back(at);
      }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end(), [&](double a, double b) { return b - a < kSame; }),
               cuts.end());
    for (size_t k = 0; k + 1 < cuts.size(); ++k) {
      Seam part{seam.name, {}, seam.elastic, seam.angle};
      for (const SeamSide& side : seam.sides)
        part.sides.push_back(in_part(side, edges[side.panel][side.edge], cuts[k], cuts[k + 1]));
      out.seams.push_back(std::move(part));
    }
  }
  return out;
}

}  // namespace weft
