#include "sim/garment/garment_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "sim/base/disjoint_sets.h"
#include "sim/base/error.h"
#include "sim/base/shorten.h"
#include "sim/garment/darts.h"
#include "sim/garment/edge_curve.h"
#include "sim/garment/folds.h"
#include "sim/garment/placement.h"
#include "sim/garment/relax.h"
#include "sim/mesh/sides.h"

namespace weft {
namespace {

constexpr int kHalvings = 6;          // rounds in which boundary lines may be halved
constexpr double kTextureGap = 0.02;  // m between panels in texture coordinates

std::string panel_words(const std::string& where, const Panel& panel) {
  return where + (where.empty() ? "" : ": ") + "panel " + shortened(panel.name, 80);
}

class Maker {
 public:
  Maker(const Pattern& pattern, const std::string& where, double edge, const LayerDistances& layers,
        double elastic)
      : where_(where), layers_(layers), elastic_(elastic) {
    check_pattern(pattern, where);
    out_.pattern = without_darts(without_folds(pattern, where));
    if (edge > 0) out_.pattern.edge = edge;
    check_pattern(out_.pattern, where);  // darts and fold lines may cross what is near them
  }

  GarmentMesh run() {
    for (const Panel& p : out_.pattern.panels) edge_.push_back(p.edge > 0 ? p.edge : out_.pattern.edge);
    check_counts();
    BoundarySampling sampling(out_.pattern, edge_);
    mesh_panels(sampling);
    weld(sampling);
    check_welds();
    check_lines(sampling);
    add_materials();
    contract_elastics(sampling);
    join_parts(out_.pattern, out_.panel_of_triangle, out_.mesh);
    out_.mesh.rest_angles.folds = fold_edges(out_.pattern, out_.seam_lines);
    out_.mesh.rest = relaxed(out_.mesh);
    tell();
    return std::move(out_);
  }

 private:
  /// A wrong unit must not fill the memory.
  void check_counts() const {
    constexpr double kMostTriangles = 1e7, kMostLines = 1e6;
    double triangles = 0, lines = 0;
    for (size_t p = 0; p < edge_.size(); ++p) {
      const Panel& panel = out_.pattern.panels[p];
      dvec2 low(1e300), high(-1e300);
      for (int e = 0; e < panel.edge_count(); ++e) {
        lines += curve_of(panel, e).length() / edge_[p];
        for (const dvec2& x : curve_of(panel, e).drawn()) low = glm::min(low, x), high = glm::max(high, x);
      }
      triangles += 2.31 * (high.x - low.x) * (high.y - low.y) / (edge_[p] * edge_[p]);
    }
    if (!(triangles < kMostTriangles && lines < kMostLines))
      throw Error(fmt::format("its edge length would make up to {:.3g} million triangles",
                              1e-6 * std::max(triangles, lines)),
                  where_, "use longer edges, or look at the unit of the file");
  }

  std::vector<std::vector<char>> sewn_of(const BoundarySampling& sampling) const {
    std::vector<std::vector<char>> sewn;
    for (const PanelBoundary& b : sampling.boundaries())
      sewn.push_back(std::vector<char>(b.samples.size(), 0));
    for (int s = 0; s < int(out_.pattern.seams.size()); ++s) {
      const auto& sides = out_.pattern.seams[s].sides;
      for (int k = 0; k < int(sides.size()) && sides.size() > 1; ++k)
        for (const int v : sampling.samples_of(s, k)) sewn[sides[k].panel][v] = 1;
    }
    return sewn;
  }

  /// Of each panel: its points of buttons, in the order of seams and sides.
  std::vector<std::vector<dvec2>> button_points() const {
    std::vector<std::vector<dvec2>> points(out_.pattern.panels.size());
    for (const Seam& seam : out_.pattern.seams)
      for (const SeamSide& side : seam.sides)
        if (is_point(side)) points[side.panel].push_back(point_of(side));
    return points;
  }

  void mesh_panels(BoundarySampling& sampling) {
    const std::vector<std::vector<dvec2>> fixed = button_points();
    for (int round = 0;; ++round) {
      const std::vector<std::vector<char>> sewn = sewn_of(sampling);
      std::vector<BoundaryLine> lines;
      out_.panels.clear();
      for (int p = 0; p < int(edge_.size()); ++p) {
        std::vector<int> too_long;
        out_.panels.push_back(mesh_panel(sampling.boundaries()[p], sewn[p], edge_[p],
                                         panel_words(where_, out_.pattern.panels[p]), too_long, fixed[p]));
        for (const int v : too_long) lines.push_back({p, v});
      }
      if (lines.empty()) return;
      if (round == kHalvings)
        throw Error("two lines of its outline are too close for this edge length",
                    panel_words(where_, out_.pattern.panels[lines[0].panel]),
                    "use shorter edges, or widen the gap");
      sampling.halve(lines);
    }
  }

  void weld(const BoundarySampling& sampling) {
    std::vector<int> first{0};
    for (const PanelMesh& p : out_.panels) first.push_back(first.back() + int(p.points.size()));
    DisjointSets joined(first.back());
    const std::vector<std::vector<int>> buttons = joined_buttons(first, joined);
    for (int s = 0; s < int(out_.pattern.seams.size()); ++s) {
      const auto& sides = out_.pattern.seams[s].sides;
      const auto& own = sampling.samples_of(s, 0);
      for (int k = 1; k < int(sides.size()); ++k)
        for (size_t i = 0; i < own.size(); ++i)
          joined.join(first[sides[0].panel] + own[i], first[sides[k].panel] + sampling.samples_of(s, k)[i]);
    }
    std::vector<int> number(first.back(), -1);
    std::vector<dvec3> sum;
    std::vector<int> members;
    for (size_t p = 0; p < out_.panels.size(); ++p) {
      const PanelPlacement placement(out_.pattern.panels[p], layers_);
      out_.vertex.push_back({});
      for (size_t i = 0; i < out_.panels[p].points.size(); ++i) {
        int& v = number[joined.find(first[p] + int(i))];
        if (v < 0) v = int(sum.size()), sum.push_back(dvec3(0)), members.push_back(0);
        sum[v] += placement.at(out_.panels[p].points[i]), ++members[v];
        out_.vertex[p].push_back(v);
      }
      const bool mirrored = right_side(out_.pattern.panels[p]) < 0;
      for (ivec3 t : out_.panels[p].triangles) {
        if (mirrored) std::swap(t.y, t.z);
        out_.mesh.triangles.push_back({out_.vertex[p][t.x], out_.vertex[p][t.y], out_.vertex[p][t.z]});
        out_.panel_of_triangle.push_back(int(p));
        flat_.push_back(t);
      }
    }
    for (size_t v = 0; v < sum.size(); ++v) out_.mesh.positions.push_back(vec3(sum[v] / double(members[v])));
    for (int s = 0; s < int(out_.pattern.seams.size()); ++s) {
      out_.seam_lines.push_back({});
      for (const int point : buttons[s]) {
        const auto next = std::upper_bound(first.begin(), first.end(), point) - 1;
        out_.seam_lines.back() = {out_.vertex[next - first.begin()][point - *next]};
      }
      for (const int v : sampling.samples_of(s, 0))
        out_.seam_lines.back().push_back(out_.vertex[out_.pattern.seams[s].sides[0].panel][v]);
    }
  }

  /// Joins the points of each button; returns them by seam. `first`: numbers of the panels' first points.
  std::vector<std::vector<int>> joined_buttons(const std::vector<int>& first, DisjointSets& joined) const {
    std::vector<std::vector<int>> points(out_.pattern.seams.size());
    std::vector<size_t> used(out_.panels.size(), 0);
    for (size_t s = 0; s < out_.pattern.seams.size(); ++s)
      for (const SeamSide& side : out_.pattern.seams[s].sides) {
        if (!is_point(side)) continue;
        const size_t p = side.panel;
        points[s].push_back(first[p] + out_.panels[p].held[used[p]++]);
        joined.join(points[s].front(), points[s].back());
      }
    return points;
  }

  [[noreturn]] void too_narrow(size_t triangle) const {
    const Panel& panel = out_.pattern.panels[out_.panel_of_triangle[triangle]];
    const dvec2 at = out_.panels[out_.panel_of_triangle[triangle]].points[flat_[triangle].x];
    throw Error(fmt::format("near ({:.4g}, {:.4g}) m its seams join vertices of one triangle", at.x, at.y),
                panel_words(where_, panel),
                "use shorter edges there, or look whether a seam joins an edge with itself");
  }

  /// No triangle has a corner twice, and no two have the same three.
  void check_welds() const {
    std::set<std::array<int, 3>> seen;
    for (size_t t = 0; t < out_.mesh.triangles.size(); ++t) {
      std::array<int, 3> key{out_.mesh.triangles[t].x, out_.mesh.triangles[t].y, out_.mesh.triangles[t].z};
      std::sort(key.begin(), key.end());
      if (key[0] == key[1] || key[1] == key[2] || !seen.insert(key).second) too_narrow(t);
    }
  }

  /// Lines of the boundary that are in one place belong to one seam.
  void check_lines(const BoundarySampling& sampling) const {
    std::map<Edge, int> seam_at;
    for (int p = 0; p < int(out_.panels.size()); ++p)
      for (int i = 0; i < out_.panels[p].boundary; ++i) {
        const int seam = sampling.seam_of(p, i);
        const std::vector<int>& vertex = out_.vertex[p];
        const auto [at, first] =
            seam_at.emplace(edge_of(vertex[i], vertex[sampling.boundaries()[p].next(i)]), seam);
        if (first || (seam >= 0 && at->second == seam)) continue;
        const dvec2 x = out_.panels[p].points[i];
        throw Error(
            fmt::format("near ({:.4g}, {:.4g}) m its seams close an opening that has only two edges around",
                        x.x, x.y),
            panel_words(where_, out_.pattern.panels[p]), "use shorter edges there");
      }
  }

  /// Material points of all panels, side by side along the weft; those of a panel's parts in one piece.
  void add_materials() {
    CornerTextures& corners = out_.mesh.corners;
    double end = 0;
    std::vector<int> first;
    for (size_t begin = 0, last; begin < out_.panels.size(); begin = last) {
      dvec2 low(1e300), high(-1e300);
      std::vector<dvec2> at;
      last = begin;
      do {
        const MaterialFrame frame(out_.pattern.panels[last]);
        first.push_back(int(corners.values.size() + at.size()));
        for (const dvec2& x : out_.panels[last].points)
          at.push_back(frame.at(x)), low = glm::min(low, at.back()), high = glm::max(high, at.back());
        ++last;
      } while (last < out_.panels.size() && of_one_panel(begin, last));
      for (const dvec2& x : at) corners.values.push_back(vec2(x - low + dvec2(0, end)));
      end += high.y - low.y + kTextureGap;
    }
    for (size_t t = 0; t < flat_.size(); ++t)
      corners.of_triangle.push_back(flat_[t] + first[out_.panel_of_triangle[t]]);
    corners.is_rest = true;
  }

  /// Whether two panels are parts between fold lines of one.
  bool of_one_panel(size_t a, size_t b) const {
    const std::string& whole = out_.pattern.panels[a].part_of;
    return !whole.empty() && whole == out_.pattern.panels[b].part_of;
  }

  /// Triangles at an elastic seam or hem are shorter along it.
  void contract_elastics(const BoundarySampling& sampling) {
    CornerTextures& corners = out_.mesh.corners;
    for (int s = 0; s < int(out_.pattern.seams.size()); ++s) {
      const Seam& seam = out_.pattern.seams[s];
      if (seam.elastic == 1) continue;
      if (corners.rest_scale.empty()) corners.rest_scale.assign(corners.of_triangle.size(), vec3(1, 0, 1));
      for (int k = 0; k < int(seam.sides.size()); ++k)
        contract(seam.sides[k].panel, sampling.samples_of(s, k),
                 seam.elastic == kSceneElastic ? elastic_ : seam.elastic);
    }
  }

  void contract(int panel, const std::vector<int>& samples, double ratio) {
    const PanelMesh& mesh = out_.panels[panel];
    std::map<int, dvec2> along;  // of each sample, in the material
    const MaterialFrame frame(out_.pattern.panels[panel]);
    const auto material = [&](int v) { return frame.at(mesh.points[v]); };
    for (size_t i = 0; i + 1 < samples.size(); ++i)
      for (const int v : {samples[i], samples[i + 1]})
        along[v] += glm::normalize(material(samples[i + 1]) - material(samples[i]));
    for (size_t t = 0; t < flat_.size(); ++t) {
      if (out_.panel_of_triangle[t] != panel) continue;
      dvec2 d(0);
      for (int c = 0; c < 3; ++c)
        if (const auto at = along.find(flat_[t][c]); at != along.end()) d += glm::normalize(at->second);
      if (!(glm::length(d) > 0)) continue;
      d = glm::normalize(d);  // S = 1 + (ratio - 1) d dᵀ
      out_.mesh.corners.rest_scale[t] =
          vec3(1 + (ratio - 1) * d.x * d.x, (ratio - 1) * d.x * d.y, 1 + (ratio - 1) * d.y * d.y);
    }
  }

  void tell() {
    constexpr double kGathered = 1.5;
    for (size_t s = 0; s < out_.pattern.seams.size(); ++s) {
      if (is_button(out_.pattern.seams[s])) continue;
      double least = 1e300, most = 0;
      for (const SeamSide& side : out_.pattern.seams[s].sides) {
        const double l = length_of(side);
        least = std::min(least, l), most = std::max(most, l);
      }
      if (most > kGathered * least)
        out_.notices.push_back(fmt::format(
            "seam {}{}: {:.3g} m of cloth are gathered onto {:.3g} m; edges are uneven there", s,
            out_.pattern.seams[s].name.empty() ? "" : " (" + shortened(out_.pattern.seams[s].name, 80) + ")",
            most, least));
    }
  }

  double length_of(const SeamSide& side) const {
    return curve_of(out_.pattern.panels[side.panel], side.edge).length() * std::abs(side.to - side.from);
  }

  const std::string& where_;
  LayerDistances layers_;
  double elastic_;  // ratio of elastics without one
  GarmentMesh out_;
  std::vector<double> edge_;
  std::vector<ivec3> flat_;  // corners of each triangle as points of its panel
};

}  // namespace

MaterialFrame::MaterialFrame(const Panel& panel)
    : warp_(std::cos(glm::radians(panel.grain)), std::sin(glm::radians(panel.grain))) {
  weft_ = right_side(panel) * dvec2(-warp_.y, warp_.x);
}

GarmentMesh make_garment(const Pattern& pattern, const std::string& where, double edge,
                         const LayerDistances& layers, double elastic) {
  return Maker(pattern, where, edge, layers, elastic).run();
}

}  // namespace weft
