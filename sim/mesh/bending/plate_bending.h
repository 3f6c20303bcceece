// The quadratic energy of a plate on any triangle mesh, on the host.
#pragma once
#include <vector>

#include "sim/mesh/bending/bending_neighborhoods.h"
#include "sim/mesh/rest_shape.h"
#include "sim/mesh/topology.h"

namespace weft {

/// Energy of a plate, sum over triangles of A/2 B (|H|² (1 - nu) + nu tr(H)²), as an operator Q: E = B/2
/// sum_ij Q_ij x_i . x_j. Symmetric and positive semidefinite; exact for height fields of second order on
/// every mesh, see the .cpp. A curved rest shape counts as unfolded. Deterministic.
/// Where the rigidities B1 along the warp and B2 along the weft differ, H is that of Huber's orthotropic
/// plate: H_ij (B_i B_j / B²)^(1/4), axes along warp and weft. A cylinder whose curvature makes the angle
/// theta with the warp then costs (sqrt(B1) cos² theta + sqrt(B2) sin² theta)² K²/2 per area.
class PlateBending {
 public:
  /// `clamped`: nonzero for triangles that are pinned; empty for none. At an edge between one that is and one
  /// that is not, the sheet is clamped: its slope is that of the pinned one.
  explicit PlateBending(const Topology& topology, const std::vector<char>& clamped = {});
  /// The share of triangle t in Q for Poisson's ratio nu (-1 < nu < 1): entries off the diagonal only, since
  /// rows sum to 0; several for one place add up. `shares`: B1 / B and B2 / B, at most 1.
  void couplings(int t, double nu, std::vector<BendingCoupling>& out, const vec2& shares = vec2(1)) const;
  /// The share of edges with three triangles and more, which bend as one hinge per pair.
  void crowded_edges(std::vector<BendingCoupling>& out) const;
  /// True if triangle t is regular: not so thin that its height had to be bounded (kThinnest), and surrounded
  /// by vertices that determine the curvature.
  bool sound(int t) const { return sound_[t]; }

  static constexpr double kThinnest = 0.05;  // height over the longest edge

 private:
  static constexpr int kVertices = 8;
  struct Shape {
    // for the edge opposite to each corner: length, foot of the height as a fraction, height
    double area = 0, length[3], share[3], height[3];
    dvec2 normal[3];  // outward, in the triangle's plane
  };
  /// Mean slope along the outward normal of an edge beyond that of each triangle's plane: sum of weight *
  /// height.
  struct Slope {
    int vertex[kVertices];
    double weight[2][kVertices];  // for the first and the second triangle of the edge
    bool exact;                   // to within a few percent, for heights of second order
  };
  void find_edges();
  Shape shape(int t) const;
  Slope slope(int edge) const;
  int third(int t, int a, int b) const;
  dvec2 warp_in_plane(int t) const;

  bool clamped(int t) const { return !clamped_.empty() && clamped_[t]; }

  const Topology& t_;
  const RestShape rest_;
  const std::vector<vec3> factors_;  // triangle_factors
  const std::vector<char> clamped_;
  std::vector<ivec2> edge_triangles_;  // per edge of two triangles, else (-1, -1)
  std::vector<ivec3> triangle_edges_;  // edge opposite to each corner
  std::vector<Shape> shapes_;
  std::vector<Slope> slopes_;
  std::vector<char> sound_;  // per triangle
};

}  // namespace weft
