#include "sim/garment/folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/base/error.h"
#include "sim/base/shorten.h"
#include "sim/garment/edge_curve.h"
#include "sim/garment/point_seam.h"
#include "sim/mesh/uniform/outline.h"

namespace weft {
namespace {

/// A side of a part's outline: an edge of the panel, or a fold line.
struct PartSide {
  int point;      // of the panel's outline, where it begins
  int fold = -1;  // -1: the edge of that number
};
using PartOutline = std::vector<PartSide>;

/// Where an edge of a panel has gone, or a fold line's two sides.
struct PartEdge {
  int part = -1, edge = -1;
};

/// One panel, divided by its fold lines.
class PanelDivider {
 public:
  PanelDivider(const Panel& panel, const std::string& where) : panel_(panel), where_(where) {
    parts_.emplace_back();
    for (int e = 0; e < int(panel.loops[0].size()); ++e) parts_[0].push_back({e});
    for (int f = 0; f < int(panel.folds.size()); ++f) divide(f);
  }

  std::vector<Panel> panels() {
    std::vector<Panel> out;
    for (size_t p = 0; p < parts_.size(); ++p) {
      Panel part = panel_;
      part.folds.clear(), part.darts.clear(), part.loops = {PanelLoop()};
      if (parts_.size() > 1)
        part.part_of = panel_.name, part.name = fmt::format("{} ({})", panel_.name, p + 1);
      for (const PartSide& side : parts_[p]) {
        PanelEdge edge = panel_.loops[0][side.point];
        if (side.fold >= 0) edge = {.start = edge.start, .name = "fold"};
        part.loops[0].push_back(edge);
      }
      out.push_back(std::move(part));
    }
    place_holes(out);
    place_edges();
    for (Dart dart : panel_.darts) {
      const PartEdge at = edges_[dart.edge];
      dart.edge = at.edge;
      out[at.part].darts.push_back(dart);
    }
    return out;
  }
  /// Call after panels(). Parts and edges count from 0.
  PartEdge edge(int e) const { return edges_[e]; }
  std::vector<PartEdge> sides_of_fold(int fold) const {
    std::vector<PartEdge> sides;
    for (int p = 0; p < int(parts_.size()); ++p)
      for (int e = 0; e < int(parts_[p].size()); ++e)
        if (parts_[p][e].fold == fold) sides.push_back({p, e});
    return sides;
  }
  static int part_with(const std::vector<Panel>& parts, const dvec2& point) {
    for (size_t p = 0; p + 1 < parts.size(); ++p) {
      Outline outline{{{}}};
      for (int e = 0; e < int(parts[p].loops[0].size()); ++e) {
        const std::vector<dvec2> line = curve_of(parts[p], e).drawn();
        outline.loops[0].insert(outline.loops[0].end(), line.begin(), line.end() - 1);
      }
      if (OutlineQuery(outline, 1e-3).inside(point)) return int(p);
    }
    return int(parts.size()) - 1;
  }

 private:
  void divide(int fold) {
    const FoldLine& line = panel_.folds[fold];
    for (PartOutline& part : parts_) {
      const auto at = [&](int point) {
        return std::find_if(part.begin(), part.end(), [&](const PartSide& s) { return s.point == point; }) -
               part.begin();
      };
      const long a = at(line.from), b = at(line.to), i = std::min(a, b), j = std::max(a, b);
      const long n = long(part.size());
      if (j >= n || j - i < 2 || n - (j - i) < 2) continue;
      PartOutline inner(part.begin() + i, part.begin() + j), outer(part.begin() + j, part.end());
      outer.insert(outer.end(), part.begin(), part.begin() + i);
      inner.push_back({part[j].point, fold});
      outer.push_back({part[i].point, fold});
      part = std::move(inner);
      parts_.push_back(std::move(outer));
      return;
    }
    throw Error(fmt::format("its fold line from point {} to point {} crosses another one, or is one",
                            line.from, line.to),
                where_ + (where_.empty() ? "" : ": ") + "panel " + shortened(panel_.name, 80),
                "give fold lines that meet at points of the outline at most");
  }

  void place_holes(std::vector<Panel>& parts) {
    hole_.clear();
    for (size_t loop = 1; loop < panel_.loops.size(); ++loop) {
      hole_.push_back(part_with(parts, panel_.loops[loop][0].start));
      parts[hole_.back()].loops.push_back(panel_.loops[loop]);
    }
  }

  void place_edges() {
    edges_.assign(panel_.loops[0].size(), {});
    std::vector<int> count;
    for (int p = 0; p < int(parts_.size()); ++p) {
      count.push_back(int(parts_[p].size()));
      for (int e = 0; e < count.back(); ++e)
        if (const PartSide& side = parts_[p][e]; side.fold < 0) edges_[side.point] = {p, e};
    }
    for (size_t loop = 1; loop < panel_.loops.size(); ++loop)
      for (size_t e = 0; e < panel_.loops[loop].size(); ++e) {
        const int part = hole_[loop - 1];
        edges_.push_back({part, count[part]++});
      }
  }

  const Panel& panel_;
  const std::string& where_;
  std::vector<PartOutline> parts_;
  std::vector<int> hole_;  // part of each hole
  std::vector<PartEdge> edges_;
};

}  // namespace

Pattern without_folds(const Pattern& pattern, const std::string& where) {
  if (std::all_of(pattern.panels.begin(), pattern.panels.end(),
                  [](const Panel& p) { return p.folds.empty(); }))
    return pattern;
  Pattern out = pattern;
  out.panels.clear();
  std::vector<PanelDivider> divided;
  std::vector<std::vector<Panel>> parts;
  std::vector<int> first;  // part of each panel
  std::vector<Seam> folds;
  for (const Panel& panel : pattern.panels) {
    const PanelDivider& divider = divided.emplace_back(panel, where);
    first.push_back(int(out.panels.size()));
    parts.push_back(divided.back().panels());
    out.panels.insert(out.panels.end(), parts.back().begin(), parts.back().end());
    for (int f = 0; f < int(panel.folds.size()); ++f) {
      const std::vector<PartEdge> sides = divider.sides_of_fold(f);
      Seam fold{"fold",
                {{first.back() + sides[0].part, sides[0].edge, 0, 1},
                 {first.back() + sides[1].part, sides[1].edge, 1, 0}}};
      fold.angle = panel.folds[f].angle;
      folds.push_back(fold);
    }
  }
  for (Seam& seam : out.seams)
    for (SeamSide& side : seam.sides) {
      const size_t panel = side.panel;
      const PartEdge at = is_point(side)
                              ? PartEdge{PanelDivider::part_with(parts[panel], point_of(side)), kPointSide}
                              : divided[panel].edge(side.edge);
      side.panel = first[panel] + at.part, side.edge = at.edge;
    }
  out.seams.insert(out.seams.end(), folds.begin(), folds.end());
  return out;
}

std::vector<RestAngles::Fold> fold_edges(const Pattern& pattern, const std::vector<std::vector<int>>& lines) {
  std::vector<RestAngles::Fold> folds;
  for (size_t s = 0; s < pattern.seams.size(); ++s) {
    const float angle = float(glm::radians(pattern.seams[s].angle));
    if (angle == 0) continue;
    for (size_t i = 0; i + 1 < lines[s].size(); ++i)
      folds.push_back(
          {ivec2(std::min(lines[s][i], lines[s][i + 1]), std::max(lines[s][i], lines[s][i + 1])), angle});
  }
  return folds;
}

void join_parts(const Pattern& pattern, const std::vector<int>& panel_of_triangle, TriMesh& mesh) {
  std::map<std::tuple<std::string, int, float, float>, int> corner;  // panel, vertex, material point
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::string& whole = pattern.panels[panel_of_triangle[t]].part_of;
    if (whole.empty()) continue;
    for (int k = 0; k < 3; ++k) {
      int& own = mesh.corners.of_triangle[t][k];
      const vec2 at = mesh.corners.values[own];
      own = corner.emplace(std::tuple(whole, mesh.triangles[t][k], at.x, at.y), own).first->second;
    }
  }
}

}  // namespace weft
