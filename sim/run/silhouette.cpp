#include "sim/run/silhouette.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft {
namespace {

double area(const std::vector<vec3>& x, const ivec3& t) {
  return 0.5 * glm::length(glm::cross(dvec3(x[t.y]) - dvec3(x[t.x]), dvec3(x[t.z]) - dvec3(x[t.x])));
}

/// Marks the cells of a grid whose centres lie in a triangle.
class Grid {
 public:
  Grid(const dvec2& low, double cell, int columns, int rows)
      : low_(low), cell_(cell), columns_(columns), rows_(rows), covered_(size_t(columns) * size_t(rows), 0) {}

  void cover(const dvec2 (&corner)[3]) {
    dvec2 p[3];  // in cells, centres at whole numbers
    for (int k = 0; k < 3; ++k) p[k] = (corner[k] - low_) / cell_ - 0.5;
    const int first = std::max(0, int(std::ceil(std::min({p[0].y, p[1].y, p[2].y}))));
    const int last = std::min(rows_ - 1, int(std::floor(std::max({p[0].y, p[1].y, p[2].y}))));
    for (int row = first; row <= last; ++row) {
      double from = std::numeric_limits<double>::max(), to = -from;
      for (int k = 0; k < 3; ++k) {
        const dvec2 a = p[k], b = p[(k + 1) % 3];
        if ((a.y < row && b.y < row) || (a.y > row && b.y > row)) continue;
        const double share = a.y == b.y ? 0 : (row - a.y) / (b.y - a.y);
        for (const double x : {a.x + share * (b.x - a.x), a.y == b.y ? b.x : a.x + share * (b.x - a.x)})
          from = std::min(from, x), to = std::max(to, x);
      }
      const int end = std::min(columns_ - 1, int(std::floor(to)));
      for (int c = std::max(0, int(std::ceil(from))); c <= end; ++c)
        covered_[size_t(row) * size_t(columns_) + size_t(c)] = 1;
    }
  }
  double area() const { return cell_ * cell_ * double(std::count(covered_.begin(), covered_.end(), 1)); }

 private:
  dvec2 low_;
  double cell_;
  int columns_, rows_;
  std::vector<char> covered_;
};

}  // namespace

double silhouette_area(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles, int cells) {
  dvec2 low(std::numeric_limits<double>::max()), high = -low;
  for (const vec3& p : positions)
    low = glm::min(low, dvec2(p.x, p.z)), high = glm::max(high, dvec2(p.x, p.z));
  const dvec2 size = high - low;
  const double cell = std::max(size.x, size.y) / cells;
  if (!(cell > 0) || !std::isfinite(cell)) return 0;
  Grid grid(low, cell, int(size.x / cell) + 1, int(size.y / cell) + 1);
  for (const ivec3& t : triangles) {
    dvec2 corner[3];
    for (int k = 0; k < 3; ++k) corner[k] = dvec2(positions[t[k]].x, positions[t[k]].z);
    grid.cover(corner);
  }
  return grid.area();
}

double drape_coefficient(const std::vector<vec3>& rest, const std::vector<vec3>& positions,
                         const std::vector<ivec3>& triangles, const std::vector<int>& pinned) {
  double whole = 0, held = 0;
  for (const ivec3& t : triangles) {
    const double a = area(rest, t);
    whole += a;
    if (pinned[t.x] && pinned[t.y] && pinned[t.z]) held += a;
  }
  if (!(whole > held)) return std::numeric_limits<double>::quiet_NaN();
  return (silhouette_area(positions, triangles) - held) / (whole - held);
}

}  // namespace weft
