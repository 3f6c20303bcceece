// Parts of a mesh that hang together, and which of them are flat.
#pragma once
#include <optional>
#include <vector>

#include "sim/mesh/uniform/outline.h"

namespace weft {

/// One connected part.
struct Piece {
  std::vector<dvec3> points;
  std::vector<ivec3> triangles;
  std::vector<int> face;  // face of the whole mesh, for each triangle
};
std::vector<Piece> pieces_of(const std::vector<dvec3>& points, const std::vector<ivec3>& triangles);

/// A plane with coordinates.
struct PlaneFrame {
  dvec3 origin{0}, x{1, 0, 0}, y{0, 1, 0};
  dvec2 flat(const dvec3& p) const { return {glm::dot(p - origin, x), glm::dot(p - origin, y)}; }
  dvec3 space(const dvec2& p) const { return origin + p.x * x + p.y * y; }
};
/// The plane through a point across a unit normal; across +z it keeps the coordinates x and y.
PlaneFrame frame_across(const dvec3& normal, const dvec3& through);
/// The plane of a piece whose points lie within a ten-thousandth of its size of a plane, with all triangles
/// facing the same way.
std::optional<PlaneFrame> plane_of(const Piece& piece);

/// Finds the triangle of a flat piece that a point is in, or the nearest.
class FlatLocator {
 public:
  FlatLocator(const Piece& piece, const PlaneFrame& frame);
  int triangle(const dvec2& p) const;

 private:
  dvec2 corner(int triangle, int k) const { return points_[(*triangles_)[triangle][k]]; }
  ivec2 cell(const dvec2& p) const;
  std::vector<dvec2> points_;
  const std::vector<ivec3>* triangles_;
  dvec2 low_{0};
  double cell_ = 1;
  ivec2 cells_{1};
  std::vector<std::vector<int>> inside_;
};

}  // namespace weft
