#include "sim/mesh/uniform/pieces.h"

#include <algorithm>
#include <cmath>

#include "sim/base/disjoint_sets.h"

namespace weft {
std::vector<Piece> pieces_of(const std::vector<dvec3>& points, const std::vector<ivec3>& triangles) {
  DisjointSets sets(int(points.size()));
  for (const ivec3& t : triangles)
    for (int k = 1; k < 3; ++k) sets.join(t.x, t[k]);
  std::vector<Piece> pieces;
  std::vector<int> piece(points.size(), -1), number(points.size(), -1);
  for (int f = 0; f < int(triangles.size()); ++f) {
    const ivec3& t = triangles[f];
    int& index = piece[sets.find(t.x)];
    if (index < 0) index = int(pieces.size()), pieces.push_back({});
    Piece& p = pieces[index];
    ivec3 own;
    for (int k = 0; k < 3; ++k) {
      int& n = number[t[k]];
      if (n < 0) n = int(p.points.size()), p.points.push_back(points[t[k]]);
      own[k] = n;
    }
    p.triangles.push_back(own), p.face.push_back(f);
  }
  return pieces;
}

PlaneFrame frame_across(const dvec3& normal, const dvec3& through) {
  PlaneFrame frame;
  if (normal != dvec3(0, 0, 1)) {
    const dvec3 other = std::abs(normal.x) < 0.7 ? dvec3(1, 0, 0) : dvec3(0, 1, 0);
    frame.x = glm::normalize(other - glm::dot(other, normal) * normal);
    frame.y = glm::cross(normal, frame.x);
  }
  frame.origin = glm::dot(through, normal) * normal;
  return frame;
}

std::optional<PlaneFrame> plane_of(const Piece& piece) {
  dvec3 normal(0), low(1e300), high(-1e300);
  const auto area = [&](const ivec3& t) {
    const dvec3 a = piece.points[t.x];
    return glm::cross(piece.points[t.y] - a, piece.points[t.z] - a);
  };
  for (const ivec3& t : piece.triangles) normal += area(t);
  for (const dvec3& p : piece.points) low = glm::min(low, p), high = glm::max(high, p);
  if (!(glm::length(normal) > 0)) return {};
  normal = glm::normalize(normal);
  dvec3 mean(0);
  for (const dvec3& p : piece.points) mean += p / double(piece.points.size());
  const PlaneFrame frame = frame_across(normal, low.z == high.z ? low : mean);
  const double size = glm::length(high - low);
  for (const dvec3& p : piece.points)
    if (std::abs(glm::dot(p - frame.origin, normal)) > 1e-4 * size) return {};
  for (const ivec3& t : piece.triangles)
    if (!(glm::dot(area(t), normal) > 0)) return {};
  return frame;
}

FlatLocator::FlatLocator(const Piece& piece, const PlaneFrame& frame) : triangles_(&piece.triangles) {
  dvec2 high(-1e300);
  low_ = dvec2(1e300);
  for (const dvec3& p : piece.points) {
    points_.push_back(frame.flat(p));
    low_ = glm::min(low_, points_.back()), high = glm::max(high, points_.back());
  }
  const dvec2 size = high - low_;
  cell_ =
      std::max(std::sqrt(size.x * size.y / double(piece.triangles.size())), 1e-4 * std::max(size.x, size.y));
  cells_ = ivec2(size / cell_) + 1;
  inside_.resize(size_t(cells_.x) * cells_.y);
  for (int f = 0; f < int(piece.triangles.size()); ++f) {
    const dvec2 a = corner(f, 0), b = corner(f, 1), c = corner(f, 2);
    const ivec2 first = cell(glm::min(a, glm::min(b, c))), last = cell(glm::max(a, glm::max(b, c)));
    for (int j = first.y; j <= last.y; ++j)
      for (int i = first.x; i <= last.x; ++i) inside_[size_t(j) * cells_.x + i].push_back(f);
  }
}

ivec2 FlatLocator::cell(const dvec2& p) const {
  return glm::clamp(ivec2(glm::floor((p - low_) / cell_)), ivec2(0), cells_ - 1);
}

int FlatLocator::triangle(const dvec2& p) const {
  const auto cross = [](const dvec2& a, const dvec2& b) { return a.x * b.y - a.y * b.x; };
  const ivec2 at = cell(p);
  int best = 0;
  double deepest = -1e300;
  for (int ring = 0; ring <= std::max(cells_.x, cells_.y); ++ring) {
    for (int j = std::max(0, at.y - ring); j <= std::min(cells_.y - 1, at.y + ring); ++j)
      for (int i = std::max(0, at.x - ring); i <= std::min(cells_.x - 1, at.x + ring); ++i) {
        if (std::max(std::abs(i - at.x), std::abs(j - at.y)) != ring) continue;
        for (const int f : inside_[size_t(j) * cells_.x + i]) {
          double depth = 1e300;  // depth behind the nearest side; negative outside
          for (int k = 0; k < 3; ++k) {
            const dvec2 a = corner(f, k), b = corner(f, (k + 1) % 3);
            depth = std::min(depth, cross(b - a, p - a) / glm::length(b - a));
          }
          if (depth > deepest) deepest = depth, best = f;
        }
      }
    // For a point outside of all pieces, the nearest triangle is in the first cells that hold any, or beside
    // them; SourceSurface::nearest continues from there.
    if (deepest > -1e300 && (deepest >= -1e-9 * cell_ || ring > 1)) break;
  }
  return best;
}

}  // namespace weft
