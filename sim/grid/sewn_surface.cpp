#include "sim/grid/sewn_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "sim/grid/rasterize.h"

namespace weft::grid {
namespace {

constexpr double kAtSeam = 1.6;  // cells: vertices of a side's outermost row are nearer to the seam
constexpr double kOnSeam = 2e-3;  // cells: vertices of both sides that lie so near to one place of the seam are one
constexpr int kLargestCorner = 12;  // edges of a hole at which panels meet

/// An edge of a panel; `other`: the same edge in the panel that it is sewn to.
struct Border {
  int panel = -1, other_panel = -1;
  dvec2 from{0}, to{0}, other_from{0}, other_to{0};
};

std::vector<Border> borders_of(const MaterialMesh& mesh, const std::vector<int>& panel_of) {
  struct Use {
    size_t triangle;
    int corner;
  };
  std::map<std::array<int, 2>, std::vector<Use>> of_points, of_vertices;
  const auto key = [](int a, int b) { return std::array<int, 2>{std::min(a, b), std::max(a, b)}; };
  for (size_t t = 0; t < mesh.corners.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      of_points[key(mesh.corners[t][k], mesh.corners[t][(k + 1) % 3])].push_back({t, k});
      of_vertices[key(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3])].push_back({t, k});
    }
  std::vector<Border> out;
  for (const auto& [points, uses] : of_points) {
    if (uses.size() != 1) continue;
    const auto [t, k] = uses[0];
    const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
    Border border;
    border.panel = panel_of[t];
    border.from = mesh.point[size_t(mesh.corners[t][k])], border.to = mesh.point[size_t(mesh.corners[t][(k + 1) % 3])];
    const std::vector<Use>& both = of_vertices[key(a, b)];
    for (const Use& u : both) {
      if ((u.triangle == t && u.corner == k) || both.size() != 2) continue;
      const ivec3 p = mesh.corners[u.triangle], v = mesh.triangles[u.triangle];
      const int first = v[u.corner] == a ? u.corner : (u.corner + 1) % 3, second = v[u.corner] == a ? (u.corner + 1) % 3 : u.corner;
      border.other_panel = panel_of[u.triangle];
      border.other_from = mesh.point[size_t(p[first])], border.other_to = mesh.point[size_t(p[second])];
    }
    out.push_back(border);
  }
  return out;
}

/// Where a vertex of a boundary belongs to: its own panel, the panel sewn to it there (-1: none), the place in that one, and how far the vertex
/// is from its panel's border (cells).
struct Place {
  int panel = -1, other = -1;
  dvec2 across{0};
  double off = 1e30;
};

class Sewer {
 public:
  Sewer(const Grid& grid, const MaterialMesh& mesh)
      : surface_(grid.published()), cell_(double(grid.options().cell)) {
    const Layout layout = lay_out(mesh, grid.options());
    borders_ = borders_of(mesh, layout.panel_of);
    blocks_ = layout.blocks;
    slots_per_block_ = grid.options().block_width * grid.options().block_width;
    if (std::none_of(borders_.begin(), borders_.end(), [](const Border& b) { return b.other_panel >= 0; })) return;
    while (drop_loose_fans()) {}
    find_boundary();
    place_vertices();
    for (const auto& [from, to] : next_)
      if (!used_.count(from)) follow(first_of_chain(from));
    close_corners();
    weld();
  }
  Grid::Published take() { return std::move(surface_); }

 private:
  /// Directed edges with a triangle on one side alone; vertices at which a boundary meets itself are left out.
  void find_boundary() {
    std::set<std::pair<int, int>> edges;
    for (const ivec3& t : surface_.triangles)
      for (int k = 0; k < 3; ++k) edges.insert({t[k], t[(k + 1) % 3]});
    std::set<int> pinched;
    for (const auto& [a, b] : edges) {
      if (edges.count({b, a})) continue;
      if (next_.count(a) || before_.count(b)) pinched.insert(next_.count(a) ? a : b);
      next_[a] = b, before_[b] = a;
    }
    for (const int v : pinched) {
      if (next_.count(v)) before_.erase(next_[v]), next_.erase(v);
      if (before_.count(v)) next_.erase(before_[v]), before_.erase(v);
    }
  }
  /// Where the triangles at a vertex near a seam are several fans, all but the largest go: a boundary that meets itself could not be followed. They
  /// hang on a jagged edge; the seam's triangles take their place. False if there were none.
  bool drop_loose_fans() {
    std::map<std::pair<int, int>, int> of_edge;
    std::map<int, std::vector<int>> at;
    for (size_t t = 0; t < surface_.triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) {
        const ivec3 c = surface_.triangles[t];
        of_edge[{c[k], c[(k + 1) % 3]}] = int(t);
        if (!of_edge.count({c[(k + 1) % 3], c[k]})) at[c[k]], at[c[(k + 1) % 3]];
      }
    for (size_t t = 0; t < surface_.triangles.size(); ++t)
      for (int k = 0; k < 3; ++k)
        if (const auto own = at.find(surface_.triangles[t][k]); own != at.end()) own->second.push_back(int(t));
    std::vector<char> loose(surface_.triangles.size(), 0);
    bool any = false;
    for (const auto& [v, triangles] : at) {
      std::set<int> left(triangles.begin(), triangles.end());
      std::vector<std::vector<int>> fans;
      while (!left.empty()) {
        std::vector<int> fan{*left.begin()};
        left.erase(left.begin());
        for (size_t i = 0; i < fan.size(); ++i)
          for (int k = 0; k < 3; ++k) {
            const ivec3 c = surface_.triangles[size_t(fan[i])];
            const int a = c[k], b = c[(k + 1) % 3];
            const auto other = of_edge.find({b, a});
            if ((a == v || b == v) && other != of_edge.end() && left.erase(other->second)) fan.push_back(other->second);
          }
        fans.push_back(std::move(fan));
      }
      if (fans.size() < 2 || !at_seam(v)) continue;
      const auto most = std::max_element(fans.begin(), fans.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
      for (auto fan = fans.begin(); fan != fans.end(); ++fan)
        if (fan != most)
          for (const int t : *fan) loose[size_t(t)] = 1, any = true;
    }
    std::vector<ivec3> kept;
    for (size_t t = 0; t < loose.size(); ++t)
      if (!loose[t]) kept.push_back(surface_.triangles[t]);
    surface_.triangles = std::move(kept);
    return any;
  }
  bool at_seam(int v) const {
    const dvec2 at(surface_.material[size_t(v)]);
    return std::any_of(borders_.begin(), borders_.end(), [&](const Border& b) {
      if (b.other_panel < 0 || b.panel != panel_of(v)) return false;
      const dvec2 way = b.to - b.from;
      const double t = std::clamp(glm::dot(at - b.from, way) / std::max(glm::dot(way, way), 1e-30), 0.0, 1.0);
      return glm::length(b.from + t * way - at) <= kAtSeam * cell_;
    });
  }
  int panel_of(int v) const { return blocks_[size_t(surface_.vertices[size_t(v)] / slots_per_block_)].panel; }
  void place_vertices() {
    std::map<int, std::vector<const Border*>> of_panel;
    for (const Border& b : borders_) of_panel[b.panel].push_back(&b);
    std::set<int> all;
    for (const auto& [a, b] : next_) all.insert({a, b});
    for (const int v : all) {
      Place& p = place_[v];
      p.panel = panel_of(v);
      const dvec2 at(surface_.material[size_t(v)]);
      for (const Border* b : of_panel[p.panel]) {
        const dvec2 way = b->to - b->from;
        const double t = std::clamp(glm::dot(at - b->from, way) / std::max(glm::dot(way, way), 1e-30), 0.0, 1.0);
        const double off = glm::length(b->from + t * way - at) / cell_;
        // Of equals a seam: at its end.
        if (off > p.off + 1e-6 || (off > p.off - 1e-6 && b->other_panel < 0)) continue;
        p.off = off, p.other = b->other_panel;
        p.across = b->other_panel < 0 ? dvec2(0) : glm::mix(b->other_from, b->other_to, t);
      }
      if (p.off > kAtSeam) p.other = -1;
      if (p.other >= 0) of_side_[p.panel].push_back(v);
    }
  }
  bool sewn_alike(int a, int b) const {
    const Place &p = place_.at(a), &q = place_.at(b);
    return p.other >= 0 && p.other == q.other && glm::length(p.across - q.across) < 6 * cell_;
  }
  /// The first vertex of the row of edges along one seam that leads to `v`; `v` itself where the row is closed.
  int first_of_chain(int v) const {
    int at = v;
    while (before_.count(at) && before_.at(at) != v && !used_.count(before_.at(at)) && sewn_alike(before_.at(at), at)) at = before_.at(at);
    return before_.count(at) && before_.at(at) == v && sewn_alike(v, at) ? v : at;
  }
  /// The vertex of the other side that is nearest to where `v` is sewn to; -1: none near.
  int match(int v) const {
    const Place& p = place_.at(v);
    const auto side = of_side_.find(p.other);
    int best = -1;
    double nearest = 3 * cell_;
    if (side == of_side_.end()) return -1;
    for (const int w : side->second) {
      if (w == v || place_.at(w).other != p.panel) continue;
      const double d = glm::length(dvec2(surface_.material[size_t(w)]) - p.across);
      if (d < nearest) nearest = d, best = w;
    }
    return best;
  }
  double way(int a, int b) const { return glm::length(dvec2(surface_.material[size_t(a)]) - dvec2(surface_.material[size_t(b)])); }

  /// Joins the row that begins at a vertex to the row on the other side, which runs backwards.
  void follow(int start) {
    std::vector<int> row{start};
    while (next_.count(row.back()) && !used_.count(row.back()) && sewn_alike(row.back(), next_.at(row.back()))) {
      row.push_back(next_.at(row.back()));
      if (row.back() == start) break;
    }
    used_.insert(start);  // looked at
    if (row.size() < 2) return;
    const bool closed = row.back() == start;
    const int from = match(row.front()), to = closed ? from : match(row.back());
    if (from < 0 || to < 0) return;
    std::vector<int> other{from};
    const size_t most = 4 * row.size() + 16;
    while ((other.back() != to || (closed && other.size() == 1)) && other.size() < most) {
      if (!before_.count(other.back()) || used_.count(before_.at(other.back()))) return;
      other.push_back(before_.at(other.back()));
    }
    if (other.back() != to || std::find(row.begin(), row.end(), from) != row.end()) return;
    for (size_t k = 0; k + 1 < row.size(); ++k) used_.insert(row[k]);
    for (size_t k = 1; k < other.size(); ++k) used_.insert(other[k]);
    zip(row, other);
  }
  void zip(const std::vector<int>& a, const std::vector<int>& b) {
    const auto lengths = [&](const std::vector<int>& row) {
      std::vector<double> sum{0};
      for (size_t k = 1; k < row.size(); ++k) sum.push_back(sum.back() + way(row[k - 1], row[k]));
      for (double& s : sum) s /= std::max(sum.back(), 1e-30);
      return sum;
    };
    std::vector<double> u = lengths(a), w = lengths(b);
    size_t i = 0, j = 0;
    while (i + 1 < a.size() || j + 1 < b.size()) {
      const bool along_a = j + 1 == b.size() || (i + 1 < a.size() && u[i + 1] <= w[j + 1]);
      if (along_a) surface_.triangles.push_back({a[i + 1], a[i], b[j]}), ++i;
      else surface_.triangles.push_back({b[j], b[j + 1], a[i]}), ++j;
    }
    for (const int v : a) join_if_same(v);
  }
  /// Notes that a vertex and its match lie at one place of the seam.
  void join_if_same(int v) {
    const int w = match(v);
    if (w < 0 || place_.at(v).off > kOnSeam || place_.at(w).off > kOnSeam) return;
    if (glm::length(dvec2(surface_.material[size_t(w)]) - place_.at(v).across) > kOnSeam * cell_) return;
    same_[std::max(root(v), root(w))] = std::min(root(v), root(w));
  }
  int root(int v) const {
    while (same_.count(v) && same_.at(v) != v) v = same_.at(v);
    return v;
  }
  /// Fills holes whose vertices all lie at seams: panels meet there.
  void close_corners() {
    next_.clear(), before_.clear();
    find_boundary();
    std::set<int> done;
    for (const auto& [start, unused] : next_) {
      std::vector<int> loop;
      int at = start;
      while (!done.count(at) && next_.count(at) && place_.count(at) && place_.at(at).other >= 0 && int(loop.size()) <= kLargestCorner) {
        loop.push_back(at), done.insert(at);
        at = next_.at(at);
      }
      if (at != start || loop.size() < 3 || int(loop.size()) > kLargestCorner) continue;
      for (size_t k = 1; k + 1 < loop.size(); ++k) surface_.triangles.push_back({loop[0], loop[k + 1], loop[k]});
    }
  }
  /// Puts one vertex for those that are the same, and drops triangles that are none any more.
  void weld() {
    if (same_.empty()) return;
    Grid::Published out;
    std::vector<int> number(surface_.vertices.size(), -1);
    for (size_t v = 0; v < surface_.vertices.size(); ++v) {
      if (root(int(v)) != int(v)) continue;
      number[v] = int(out.vertices.size());
      out.vertices.push_back(surface_.vertices[v]), out.material.push_back(surface_.material[v]);
    }
    for (const ivec3& t : surface_.triangles) {
      const ivec3 r(number[size_t(root(t.x))], number[size_t(root(t.y))], number[size_t(root(t.z))]);
      if (r.x != r.y && r.y != r.z && r.z != r.x) out.triangles.push_back(r);
    }
    surface_ = std::move(out);
  }

  Grid::Published surface_;
  double cell_;
  std::vector<Border> borders_;
  std::vector<Block> blocks_;
  int slots_per_block_ = 64;
  std::map<int, int> next_, before_;
  std::map<int, Place> place_;
  std::map<int, std::vector<int>> of_side_;  // per panel: its vertices at seams
  std::set<int> used_;                       // first vertices of edges that are joined
  std::map<int, int> same_;
};

}  // namespace

Grid::Published sewn(const Grid& grid, const MaterialMesh& mesh) { return Sewer(grid, mesh).take(); }

}  // namespace weft::grid
