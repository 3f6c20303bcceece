// The rest shape of triangles: of their vertices, or of their corners, as in garments, where a seam joins
// vertices but not material.
#pragma once
#include <vector>

#include "sim/mesh/topology.h"

namespace weft {

/// Two sides of every triangle at rest (m). Where the rest shape belongs to corners (CornerTextures::is_rest)
/// a triangle is flat: with material points X and rest scale S its sides are S (X1 - X0) and S (X2 - X0), in
/// the plane z = 0, x along the warp. Mirrored material is turned over. Elsewhere they are differences of
/// Topology::rest.
class RestShape {
 public:
  explicit RestShape(const Topology& topology);
  explicit RestShape(const TriMesh& mesh);

  /// From corner 0 to corner 1, and to corner 2.
  const dvec3& first(int triangle) const { return sides_[triangle].first; }
  const dvec3& second(int triangle) const { return sides_[triangle].second; }
  bool flat(int triangle) const { return !flat_.empty() && flat_[triangle]; }
  bool any_flat() const { return !flat_.empty(); }
  double area(int triangle) const { return 0.5 * glm::length(glm::cross(first(triangle), second(triangle))); }
  /// Of the cloth that a triangle is made of: CornerTextures::rest_scale changes its shape, not its matter.
  double cloth_area(int triangle) const {
    return cloth_area_.empty() || cloth_area_[triangle] < 0 ? area(triangle) : cloth_area_[triangle];
  }
  /// From corner `corner` to the next.
  dvec3 side(int triangle, int corner) const;

 private:
  void add(const std::vector<vec3>& rest, const ivec3* triangles, int count, int all,
           const CornerTextures& corners, const vec2& scale);
  std::vector<std::pair<dvec3, dvec3>> sides_;
  std::vector<char> flat_;          // empty: none
  std::vector<double> cloth_area_;  // m², where it is not area(); negative: it is; may be empty
};

/// CornerTextures::factor of all triangles: on stretch stiffness, bending rigidity and density. Empty: all 1.
std::vector<vec3> triangle_factors(const Topology& topology);

/// Springs along edges for a modulus of 1 N/m: each triangle of area A has one of stiffness A / L² along a
/// side of rest length L, and those of one edge act as one, of stiffness sum A / L² and rest length (sum A /
/// L) / (sum A / L²). At a seam with gathers L differs. `factors`: of the triangles on their springs, first
/// components count; empty: 1.
struct EdgeSprings {
  std::vector<float> rest;       // m
  std::vector<float> stiffness;  // N/m
};
/// `edges`: unique, first < second, sorted; each is a side of a triangle.
EdgeSprings edge_springs(const RestShape& shape, const std::vector<ivec3>& triangles,
                         const std::vector<ivec2>& edges, const std::vector<vec3>& factors = {});
/// Rest lengths of the topology's edges (m), and areas of the cloth in its triangles (m²).
std::vector<float> rest_lengths(const Topology& topology);
std::vector<float> rest_areas(const Topology& topology);

}  // namespace weft
