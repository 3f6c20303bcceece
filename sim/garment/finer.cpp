#include "sim/garment/finer.h"

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"

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
    cells_.resize(size_t(size_.x) * size_t(size_.y));
    for (int t = 0; t < int(panel.triangles.size()); ++t) {
      dvec2 a(1e300), b(-1e300);
      for (int k = 0; k < 3; ++k) a = glm::min(a, corner(t, k)), b = glm::max(b, corner(t, k));
      const ivec2 first = cell_of(a), last = cell_of(b);
      for (int y = first.y; y <= last.y; ++y)
        for (int x = first.x; x <= last.x; ++x) cells_[size_t(y) * size_t(size_.x) + size_t(x)].push_back(t);
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
    for (const int t : cells_[size_t(c.y) * size_t(size_.x) + size_t(c.x)]) look(t);
    if (nearest > 1e-6 * cell_)
      for (int t = 0; t < int(panel_.triangles.size()); ++t) look(t);
    return best;
  }

 private:
  const dvec2& corner(int t, int k) const { return panel_.points[size_t(panel_.triangles[size_t(t)][k])]; }
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
      const size_t v = size_t(fine.vertex[p][i]);
      for (int k = 0; k < 3; ++k)
        sum[v] += share[k] *
                  dvec3(positions[size_t(worn.vertex[p][size_t(worn.panels[p].triangles[size_t(t)][k])])]);
      ++sides[v];
    }
  }
  std::vector<vec3> out;
  for (size_t v = 0; v < sum.size(); ++v) out.push_back(vec3(sum[v] / double(sides[v])));
  return out;
}

}  // namespace weft
