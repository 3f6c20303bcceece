#include "sim/mesh/uniform/planar_sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/base/random.h"
#include "sim/mesh/algorithms/delaunay.h"
#include "sim/mesh/sides.h"

namespace weft {
namespace {

constexpr double kRowHeight = 0.86602540378443865;  // height of an equilateral triangle over its edge
// edge lengths that samples keep from the outline, so that no sliver forms there
constexpr double kClearance = 0.6;
constexpr int kRepulsionRounds = 60;

/// Interior samples of a triangulation with V_b boundary vertices: T = 2 V_i + V_b - 2 X triangles (Euler) of
/// area sqrt(3)/4 edge^2. X is the Euler characteristic: one per piece, less one per hole.
int interior_count(const Outline& outline, double edge) {
  double boundary = 0;
  int characteristic = 0;
  for (const auto& loop : outline.loops) {
    boundary += double(loop.size());
    characteristic += area_of(Outline{{loop}}) > 0 ? 1 : -1;
  }
  const double triangles = area_of(outline) / (0.5 * kRowHeight * edge * edge);
  return std::max(0, int(std::lround(0.5 * (triangles - boundary + 2 * characteristic))));
}

struct Box {
  dvec2 low{1e300}, high{-1e300};
};
Box box_of(const Outline& outline) {
  Box box;
  for (const auto& loop : outline.loops)
    for (const dvec2& p : loop) box.low = glm::min(box.low, p), box.high = glm::max(box.high, p);
  return box;
}

/// One sample in each cell of a lattice of rows that are offset by half a cell, at a random place in it.
std::vector<dvec2> stratified(const Outline& outline, double edge, int wanted, Random& random) {
  const Box box = box_of(outline);
  const OutlineQuery query(outline, kClearance * edge);
  const int rows = int((box.high.y - box.low.y) / (kRowHeight * edge)) + 2,
            columns = int((box.high.x - box.low.x) / edge) + 2;
  const auto keep = [&](const dvec2& p) { return query.inside(p) && query.distance(p) >= kClearance * edge; };
  std::vector<dvec2> points;
  for (int row = -1; row < rows; ++row)
    for (int column = -1; column < columns; ++column) {
      const dvec2 corner = box.low + edge * dvec2(column + (row % 2 ? 0.5 : 0.0), row * kRowHeight);
      const double x = random(), y = random();
      const dvec2 p = corner + edge * dvec2(x, kRowHeight * y);
      if (keep(p)) points.push_back(p);
    }
  while (int(points.size()) > wanted) {
    const size_t drop = size_t(random() * double(points.size()));
    points[drop] = points.back(), points.pop_back();
  }
  // There may be too few if the clearance covers cells; a pattern narrower than the clearance has none.
  for (int attempt = 0; int(points.size()) < wanted && attempt < 100 * wanted + 1000; ++attempt) {
    const double x = random(), y = random();
    const dvec2 p = box.low + dvec2(x, y) * (box.high - box.low);
    if (keep(p)) points.push_back(p);
  }
  return points;
}

/// Points by cell of a grid, to find neighbours within the cell's size.
class Cells {
 public:
  Cells(const std::vector<dvec2>& points, const Box& box, double cell)
      : low_(box.low),
        cell_(cell),
        columns_(int((box.high.x - box.low.x) / cell) + 1),
        rows_(int((box.high.y - box.low.y) / cell) + 1),
        start_(size_t(columns_) * rows_ + 1, 0),
        order_(points.size()) {
    for (const dvec2& p : points) ++start_[index(column(p), row(p)) + 1];
    for (size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
    std::vector<int> next(start_.begin(), start_.end() - 1);
    for (int i = 0; i < int(points.size()); ++i) order_[next[index(column(points[i]), row(points[i]))]++] = i;
  }
  template <class F>
  void near(const dvec2& p, F visit) const {
    for (int j = std::max(0, row(p) - 1); j <= std::min(rows_ - 1, row(p) + 1); ++j)
      for (int i = std::max(0, column(p) - 1); i <= std::min(columns_ - 1, column(p) + 1); ++i)
        for (int k = start_[index(i, j)]; k < start_[index(i, j) + 1]; ++k) visit(order_[k]);
  }

 private:
  int column(const dvec2& p) const { return std::clamp(int((p.x - low_.x) / cell_), 0, columns_ - 1); }
  int row(const dvec2& p) const { return std::clamp(int((p.y - low_.y) / cell_), 0, rows_ - 1); }
  size_t index(int i, int j) const { return size_t(j) * columns_ + i; }
  dvec2 low_;
  double cell_;
  int columns_, rows_;
  std::vector<int> start_, order_;
};

/// Each sample is pushed from those within 1.6 edges, more strongly the closer they are. Outline samples are
/// fixed; a sample that would come too close to a line does not move.
void repel(PlanarSamples& samples, double edge) {
  const double reach = 1.6 * edge;
  const Box box = box_of(samples.outline);
  const OutlineQuery query(samples.outline, 0.5 * edge);
  std::vector<dvec2> moved = samples.points;
  for (int round = 0; round < kRepulsionRounds; ++round) {
    const Cells cells(samples.points, box, reach);
    const double step = 0.35 * edge * (1 - 0.7 * round / kRepulsionRounds);
    for (int i = samples.boundary; i < int(samples.points.size()); ++i) {
      const dvec2 p = samples.points[i];
      dvec2 push(0);
      cells.near(p, [&](int j) {
        const dvec2 d = p - samples.points[j];
        const double length = glm::length(d);
        if (j != i && length < reach && length > 0)
          push += (1 - length / reach) * (1 - length / reach) / length * d;
      });
      const dvec2 to = p + step * push;
      const bool room = query.inside(to) && query.distance(to) >= 0.499 * edge;
      moved[i] = room ? to : p;
    }
    samples.points.swap(moved);
    std::copy(samples.points.begin(), samples.points.begin() + samples.boundary, moved.begin());
  }
}

/// Lines of the outline that are no edges, as (loop, index).
std::vector<ivec2> missing_lines(const PlanarSamples& samples, const std::vector<ivec3>& triangles) {
  const std::vector<ivec2> edges = unique_edges(triangles);
  std::vector<ivec2> missing;
  int first = 0;
  for (size_t l = 0; l < samples.outline.loops.size(); ++l) {
    const int n = int(samples.outline.loops[l].size());
    for (int i = 0; i < n; ++i)
      if (find_edge(edges, first + i, first + (i + 1) % n) < 0) missing.push_back({int(l), i});
    first += n;
  }
  return missing;
}

void halve(PlanarSamples& samples, const std::vector<ivec2>& lines) {
  for (auto it = lines.rbegin(); it != lines.rend(); ++it) {
    auto& loop = samples.outline.loops[it->x];
    loop.insert(loop.begin() + it->y + 1, 0.5 * (loop[it->y] + loop[(it->y + 1) % loop.size()]));
  }
  std::vector<dvec2> points;
  for (const auto& loop : samples.outline.loops) points.insert(points.end(), loop.begin(), loop.end());
  const int boundary = int(points.size());
  points.insert(points.end(), samples.points.begin() + samples.boundary, samples.points.end());
  samples.points.swap(points), samples.boundary = boundary;
}

}  // namespace

PlanarSamples sample_inside(const Outline& outline, double edge, uint64_t seed) {
  PlanarSamples samples;
  samples.outline = outline;
  for (const auto& loop : outline.loops)
    samples.points.insert(samples.points.end(), loop.begin(), loop.end());
  samples.boundary = int(samples.points.size());
  Random random(seed);
  const std::vector<dvec2> inside = stratified(outline, edge, interior_count(outline, edge), random);
  samples.points.insert(samples.points.end(), inside.begin(), inside.end());
  repel(samples, edge);
  return samples;
}

std::vector<ivec3> triangulate(PlanarSamples& samples) {
  constexpr int kRounds = 8;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<ivec3> triangles = delaunay(samples.points);
    const std::vector<ivec2> missing = missing_lines(samples, triangles);
    if (missing.empty()) {
      const OutlineQuery query(samples.outline, 0);
      std::erase_if(triangles, [&](const ivec3& t) {
        return !query.inside((samples.points[t.x] + samples.points[t.y] + samples.points[t.z]) / 3.0);
      });
      return triangles;
    }
    if (round + 1 < kRounds) {
      halve(samples, missing);
      continue;
    }
    const auto& loop = samples.outline.loops[missing[0].x];
    const dvec2 at = loop[missing[0].y];
    throw Error(
        fmt::format("near ({:.6g}, {:.6g}) m two lines of the outline are too close for this edge length",
                    at.x, at.y),
        "outline", "use shorter edges, or widen the gap");
  }
  return {};
}

}  // namespace weft
