// The rows of triangles that are stretched between panels before a garment is sewn.
#pragma once
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

struct SeamPull {
  double tension = 30;      // N/m
  double speed = 1;         // m/s
  double stiffness = 4000;  // N/m, of the fabric
};

/// Rest scales and factors (CornerTextures) with which open rows pull with a set tension and do not get
/// shorter faster than a set speed. With principal stretches l_i of a triangle over its rest shape and its
/// extents e_i along them, its rest shape in a step of h is stretched by
///
///   s_i = max(1, l_i - v h / e_i)     v: closing speed
///
/// and its stiffness times min(1, T / (Y max_i (l_i / s_i - 1))). T: tension, Y: stiffness. A triangle is
/// closed, and stays so, once its tension at its own rest shape and stiffness is no more than T.
class SeamRows {
 public:
  /// `mesh`: a garment as placed. Triangles stretched by more than a hundredth there are open.
  explicit SeamRows(const TriMesh& mesh);
  /// Of the coming step of `dt` (s) from positions `x` (m, of the mesh's vertices). False where so little
  /// would change that all stays as it is.
  bool update(const vec3* x, double dt, const SeamPull& pull);
  /// Closes what is still open, whatever its stretch.
  void close();
  const std::vector<vec3>& rest_scale() const { return scale_; }
  const std::vector<vec3>& factor() const { return factor_; }
  int rows() const { return int(all_.size()); }
  int open() const;
  const std::vector<int>& open_triangles() const { return rows_; }
  /// Largest principal stretch of a triangle over its own rest shape.
  double stretch(int triangle, const vec3* x) const;

 private:
  struct Stretch {
    dvec2 value;      // larger first
    dvec2 direction;  // of the larger, in the rest shape
  };
  Stretch stretch_of(int triangle, const vec3* x) const;
  dvec2 extent(int triangle, const dvec2& direction) const;

  std::vector<ivec3> triangles_;
  std::vector<glm::dmat2> rest_;         // of each triangle: its sides as columns, m
  std::vector<vec3> own_scale_, scale_;  // as the pattern has it; of this step
  std::vector<vec3> own_factor_, factor_;
  std::vector<int> all_, rows_;  // triangles that were and are open
};

}  // namespace weft
