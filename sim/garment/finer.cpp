#include "sim/garment/finer.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/error.h"
#include "sim/garment/folds.h"
#include "sim/mesh/sides.h"

namespace weft {
namespace {

/// The triangles of a panel, to be found by a point of its plane.
class PanelLocator {
 public:
  explicit PanelLocator(const PanelMesh& panel) : panel_(panel) {
    dvec2 low(1e300), high(-1e300);
    for (const dvec2& p : panel.points) low = glm::min(low, p), high = glm::max(high, p);
    const double area = std::max((high.x - low.x) * (high.y - low.y), 1e-12);
    cell_ = std::sqrt(area / std::max<double>(1, double(panel.triangles.size())));
    low_ = low;
    size_ = ivec2(int((high.x - low.x) / cell_) + 1, int((high.y - low.y) / cell_) + 1);
    cells_.resize(size_t(size_.x) * size_.y);
    for (int t = 0; t < int(panel.triangles.size()); ++t) {
      dvec2 a(1e300), b(-1e300);
      for (int k = 0; k < 3; ++k) a = glm::min(a, corner(t, k)), b = glm::max(b, corner(t, k));
      const ivec2 first = cell_of(a), last = cell_of(b);
      for (int y = first.y; y <= last.y; ++y)
        for (int x = first.x; x <= last.x; ++x) cells_[size_t(y) * size_.x + x].push_back(t);
    }
  }
  /// The triangle at a point, or the nearest, and shares of its corners.
  int find(const dvec2& p, dvec3& shares) const {
    const ivec2 c = cell_of(p);
    int best = -1;
    double nearest = 1e300;
    const auto look = [&](int t) {
      const dvec3 s = clamped(t, p);
      const double d = glm::length(s.x * corner(t, 0) + s.y * corner(t, 1) + s.z * corner(t, 2) - p);
      if (d < nearest) nearest = d, best = t, shares = s;
    };
    for (const int t : cells_[size_t(c.y) * size_.x + c.x]) look(t);
    if (nearest > 1e-6 * cell_)
      for (int t = 0; t < int(panel_.triangles.size()); ++t) look(t);
    return best;
  }

 private:
  const dvec2& corner(int t, int k) const { return panel_.points[panel_.triangles[t][k]]; }
  ivec2 cell_of(const dvec2& p) const {
    return glm::clamp(ivec2(int((p.x - low_.x) / cell_), int((p.y - low_.y) / cell_)), ivec2(0), size_ - 1);
  }
  /// Barycentric coordinates of the point of a triangle nearest to p.
  dvec3 clamped(int t, const dvec2& p) const {
    const dvec2 &a = corner(t, 0), &b = corner(t, 1), &c = corner(t, 2);
    const auto cross = [](const dvec2& u, const dvec2& v) { return u.x * v.y - u.y * v.x; };
    const double whole = cross(b - a, c - a);
    const dvec3 s(cross(b - p, c - p) / whole, cross(c - p, a - p) / whole, cross(a - p, b - p) / whole);
    if (std::min({s.x, s.y, s.z}) >= 0) return s;
    dvec3 best(1, 0, 0);
    double nearest = 1e300;
    for (int k = 0; k < 3; ++k) {
      const dvec2 &u = corner(t, k), &v = corner(t, (k + 1) % 3), d = v - u;
      const double at = std::clamp(glm::dot(p - u, d) / std::max(glm::dot(d, d), 1e-300), 0.0, 1.0);
      if (const double far = glm::length(u + at * d - p); far < nearest) {
        nearest = far, best = dvec3(0);
        best[k] = 1 - at, best[(k + 1) % 3] = at;
      }
    }
    return best;
  }

  const PanelMesh& panel_;
  double cell_ = 1;
  dvec2 low_{0};
  ivec2 size_{1};
  std::vector<std::vector<int>> cells_;
};

}  // namespace

std::vector<vec3> resampled(const GarmentMesh& fine, const GarmentMesh& worn,
                            const std::vector<vec3>& positions) {
  if (fine.panels.size() != worn.panels.size() || positions.size() != worn.mesh.positions.size())
    throw Error("the two meshes are of different patterns", fine.pattern.name, "use one pattern for both");
  std::vector<dvec3> sum(fine.mesh.positions.size(), dvec3(0));
  std::vector<int> sides(sum.size(), 0);
  for (size_t p = 0; p < fine.panels.size(); ++p) {
    const PanelLocator locator(worn.panels[p]);
    for (size_t i = 0; i < fine.panels[p].points.size(); ++i) {
      dvec3 share(0);
      const int t = locator.find(fine.panels[p].points[i], share);
      if (t < 0) throw Error("a panel has no triangles", worn.pattern.panels[p].name);
      const size_t v = fine.vertex[p][i];
      for (int k = 0; k < 3; ++k)
        sum[v] += share[k] * dvec3(positions[size_t(worn.vertex[p][size_t(worn.panels[p].triangles[t][k])])]);
      ++sides[v];
    }
  }
  std::vector<vec3> out;
  for (size_t v = 0; v < sum.size(); ++v) out.push_back(vec3(sum[v] / double(sides[v])));
  return out;
}

namespace {

class MeshDivider {
 public:
  MeshDivider(const GarmentMesh& worn, const std::vector<vec3>& positions, int n) : worn_(worn), n_(n) {
    out_.pattern = worn.pattern;
    out_.panels = worn.panels, out_.vertex = worn.vertex, out_.notices = worn.notices;
    out_.pattern.edge /= n;
    for (Panel& p : out_.pattern.panels) p.edge /= n;
    out_.mesh.positions = positions, out_.mesh.rest = worn.mesh.rest;
    size_t first = 0;
    for (const PanelMesh& p : worn.panels) {
      const auto begin = worn.mesh.corners.values.begin() + long(first);
      material_.emplace_back(begin, begin + long(p.points.size()));
      first += p.points.size();
    }
    edges_.resize(worn.panels.size());
    for (PanelMesh& p : out_.panels) p.triangles.clear();
  }

  GarmentMesh run() {
    out_.mesh.corners.is_rest = true;
    for (size_t t = 0; t < worn_.mesh.triangles.size(); ++t) divide(t);
    std::vector<int> first;
    for (const std::vector<vec2>& points : material_) {
      first.push_back(int(out_.mesh.corners.values.size()));
      out_.mesh.corners.values.insert(out_.mesh.corners.values.end(), points.begin(), points.end());
    }
    for (size_t t = 0; t < flat_.size(); ++t)
      out_.mesh.corners.of_triangle.push_back(flat_[t] + first[out_.panel_of_triangle[t]]);
    for (const std::vector<int>& line : worn_.seam_lines) out_.seam_lines.push_back(divided_line(line));
    join_parts(out_.pattern, out_.panel_of_triangle, out_.mesh);
    out_.mesh.rest_angles.folds = fold_edges(out_.pattern, out_.seam_lines);
    return std::move(out_);
  }

 private:
  /// Number of a corner of the mesh's triangle among the points of its panel.
  int local(size_t panel, const ivec3& corners, int vertex) const {
    for (int k = 0; k < 3; ++k)
      if (worn_.vertex[panel][corners[k]] == vertex) return corners[k];
    throw Error("a triangle is not of its panel", worn_.pattern.panels[panel].name);
  }

  /// The vertices at k / n of the way from a to b, in ascending order of the ends; one list for all sheets of
  /// an edge.
  int first_on_edge(int a, int b) {
    const auto [found, added] = on_edge_.emplace(edge_of(a, b), out_.mesh.vertex_count());
    for (int k = 1; added && k < n_; ++k) {
      const float s = float(k) / float(n_);
      const size_t low = std::min(a, b), high = std::max(a, b);
      out_.mesh.positions.push_back(glm::mix(out_.mesh.positions[low], out_.mesh.positions[high], s));
      out_.mesh.rest.push_back(glm::mix(out_.mesh.rest[low], out_.mesh.rest[high], s));
    }
    return found->second;
  }

  int add_point(size_t panel, const dvec2& at, const vec2& material, int vertex) {
    out_.panels[panel].points.push_back(at), material_[panel].push_back(material),
        out_.vertex[panel].push_back(vertex);
    return int(out_.panels[panel].points.size()) - 1;
  }

  /// The point of a panel at k / n of the way from its point a to b.
  int on_panel_edge(size_t panel, int a, int b, int k) {
    if (k == 0) return a;
    if (k == n_) return b;
    const auto [found, added] = edges_[panel].emplace(edge_of(a, b), 0);
    if (added) {
      const int low = std::min(a, b), high = std::max(a, b), va = out_.vertex[panel][low],
                vb = out_.vertex[panel][high], first = first_on_edge(va, vb);
      for (int i = 1; i < n_; ++i) {
        const double s = double(i) / n_;
        const int p =
            add_point(panel, glm::mix(out_.panels[panel].points[low], out_.panels[panel].points[high], s),
                      glm::mix(material_[panel][low], material_[panel][high], float(s)),
                      first + (va < vb ? i : n_ - i) - 1);
        if (i == 1) found->second = p;
      }
    }
    return found->second + (a < b ? k : n_ - k) - 1;
  }

  void divide(size_t t) {
    const size_t panel = worn_.panel_of_triangle[t];
    const ivec3& v = worn_.mesh.triangles[t];
    const ivec3 corners = worn_.panels[panel].triangles[next_of_[panel]++];
    const int a = local(panel, corners, v.x), b = local(panel, corners, v.y), c = local(panel, corners, v.z);
    std::map<std::pair<int, int>, int> points;  // by steps towards b and c
    for (int j = 0; j <= n_; ++j)
      for (int i = 0; i + j <= n_; ++i)
        points[{i, j}] = j == 0        ? on_panel_edge(panel, a, b, i)
                         : i == 0      ? on_panel_edge(panel, a, c, j)
                         : i + j == n_ ? on_panel_edge(panel, b, c, j)
                                       : inside(panel, {a, b, c}, v, i, j);
    const auto add = [&](std::pair<int, int> p, std::pair<int, int> q, std::pair<int, int> r) {
      const ivec3 own(points[p], points[q], points[r]);
      flat_.push_back(own), out_.panels[panel].triangles.push_back(own),
          out_.panel_of_triangle.push_back(int(panel));
      const std::vector<int>& vertex = out_.vertex[panel];
      out_.mesh.triangles.push_back({vertex[own.x], vertex[own.y], vertex[own.z]});
      const CornerTextures& from = worn_.mesh.corners;
      if (!from.rest_scale.empty()) out_.mesh.corners.rest_scale.push_back(from.rest_scale[t]);
      if (!from.factor.empty()) out_.mesh.corners.factor.push_back(from.factor[t]);
    };
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i + j < n_; ++i) {
        add({i, j}, {i + 1, j}, {i, j + 1});
        if (i + j + 1 < n_) add({i + 1, j}, {i + 1, j + 1}, {i, j + 1});
      }
  }

  int inside(size_t panel, const ivec3& local, const ivec3& v, int i, int j) {
    const double sb = double(i) / n_, sc = double(j) / n_, sa = 1 - sb - sc;
    const auto mixed = [&](const auto& list, const ivec3& at, auto one) {
      return decltype(one)(sa) * list[at.x] + decltype(one)(sb) * list[at.y] + decltype(one)(sc) * list[at.z];
    };
    out_.mesh.positions.push_back(mixed(out_.mesh.positions, v, 1.0f));
    out_.mesh.rest.push_back(mixed(out_.mesh.rest, v, 1.0f));
    return add_point(panel, mixed(out_.panels[panel].points, local, 1.0),
                     mixed(material_[panel], local, 1.0f), out_.mesh.vertex_count() - 1);
  }

  std::vector<int> divided_line(const std::vector<int>& line) {
    std::vector<int> out;
    for (size_t i = 0; i < line.size(); ++i) {
      out.push_back(line[i]);
      if (i + 1 == line.size()) break;
      const int a = line[i], b = line[i + 1], first = first_on_edge(a, b);
      for (int k = 1; k < n_; ++k) out.push_back(first + (a < b ? k : n_ - k) - 1);
    }
    return out;
  }

  const GarmentMesh& worn_;
  int n_;
  GarmentMesh out_;
  std::vector<std::vector<vec2>> material_;  // of each panel's points
  std::vector<std::map<Edge, int>> edges_;   // of panels: first point on an edge
  std::map<Edge, int> on_edge_;              // of the mesh: first vertex on an edge
  std::map<size_t, size_t> next_of_;         // of panels: its next triangle
  std::vector<ivec3> flat_;
};

}  // namespace

GarmentMesh divided(const GarmentMesh& worn, const std::vector<vec3>& positions, int n) {
  return MeshDivider(worn, positions, n).run();
}

}  // namespace weft
