// Irregular rectangles: Poisson-disk samples, Delaunay triangulated.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/random.h"
#include "sim/mesh/algorithms/delaunay.h"
#include "sim/mesh/mesh.h"

namespace weft {
namespace poisson {

inline std::vector<dvec2> boundary_points(dvec2 size, double edge) {
  const int nx = std::max(1, int(std::lround(size.x / edge))),
            ny = std::max(1, int(std::lround(size.y / edge)));
  std::vector<dvec2> points;
  for (int i = 0; i <= nx; ++i)
    for (double y : {0.0, size.y}) points.push_back({size.x * i / nx, y});
  for (int i = 1; i < ny; ++i)
    for (double x : {0.0, size.x}) points.push_back({x, size.y * i / ny});
  return points;
}

/// Bins of one sampling distance, to find points that are too near.
class Bins {
 public:
  Bins(dvec2 size, double cell)
      : cell_(cell),
        columns_(int(size.x / cell) + 1),
        rows_(int(size.y / cell) + 1),
        bins_(size_t(columns_) * rows_) {}
  void add(const dvec2& p) { bins_[index(column(p), row(p))].push_back(p); }
  bool any_within(const dvec2& p, double distance) const {
    for (int j = std::max(0, row(p) - 1); j <= std::min(rows_ - 1, row(p) + 1); ++j)
      for (int i = std::max(0, column(p) - 1); i <= std::min(columns_ - 1, column(p) + 1); ++i)
        for (const dvec2& q : bins_[index(i, j)])
          if (glm::dot(p - q, p - q) < distance * distance) return true;
    return false;
  }

 private:
  int column(const dvec2& p) const { return int(p.x / cell_); }
  int row(const dvec2& p) const { return int(p.y / cell_); }
  size_t index(int i, int j) const { return size_t(j) * columns_ + i; }
  double cell_;
  int columns_, rows_;
  std::vector<std::vector<dvec2>> bins_;
};

/// Bridson 2007: grows from the boundary inwards, each point tries 30 neighbours between one and two
/// distances away.
/// `points` holds the boundary; interior samples are appended.
inline void fill_interior(std::vector<dvec2>& points, dvec2 size, double distance, Random& random) {
  Bins bins(size, distance);
  for (const dvec2& p : points) bins.add(p);
  std::vector<dvec2> active = points;
  const double margin = 0.6 * distance;  // a point closer to a side would make a sliver with it
  while (!active.empty()) {
    const size_t pick = size_t(random() * double(active.size()));
    const dvec2 origin = active[pick];
    bool grew = false;
    for (int attempt = 0; attempt < 30 && !grew; ++attempt) {
      const double angle = 2 * M_PI * random(), radius = distance * (1 + random());
      const dvec2 p = origin + radius * dvec2(std::cos(angle), std::sin(angle));
      if (p.x < margin || p.y < margin || p.x > size.x - margin || p.y > size.y - margin) continue;
      if (bins.any_within(p, distance)) continue;
      bins.add(p);
      points.push_back(p);
      active.push_back(p);
      grew = true;
    }
    if (!grew) active[pick] = active.back(), active.pop_back();
  }
}

/// Moves interior points half-way to the mean of their neighbours: removes slivers, keeps the irregularity.
inline void relax(std::vector<dvec2>& points, size_t boundary) {
  std::vector<dvec2> sum(points.size(), dvec2(0));
  std::vector<int> count(points.size(), 0);
  for (const ivec3& t : delaunay(points))
    for (int k = 0; k < 3; ++k) {
      sum[t[k]] += points[t[(k + 1) % 3]] + points[t[(k + 2) % 3]];
      count[t[k]] += 2;
    }
  for (size_t i = boundary; i < points.size(); ++i)
    if (count[i]) points[i] = 0.5 * (points[i] + sum[i] / double(count[i]));
}

}  // namespace poisson

/// Boundary resampled; same extent and orientation as make_grid. For tests of mesh independence.
inline TriMesh make_poisson_rectangle(vec2 size, float edge, uint64_t seed) {
  using namespace poisson;
  if (!(size.x > 0 && size.y > 0 && edge > 0 && std::isfinite(size.x + size.y + edge)))
    throw Error("a cloth needs a positive width, height and edge length", "size", "give all three in metres");
  // Measured: maximal Poisson-disk samples of distance 0.727 give a mean Delaunay edge of 1.
  const double sample_distance = 0.727 * edge;
  Random random(seed);
  const dvec2 extent(size);
  std::vector<dvec2> points = boundary_points(extent, edge);
  const size_t boundary = points.size();
  fill_interior(points, extent, sample_distance, random);
  for (int round = 0; round < 2; ++round) relax(points, boundary);
  TriMesh mesh;
  mesh.triangles = delaunay(points);
  for (const dvec2& p : points) {
    mesh.positions.push_back(vec3(vec2(p - 0.5 * extent), 0));
    mesh.uv.push_back(vec2(p));
  }
  return mesh;
}

}  // namespace weft
