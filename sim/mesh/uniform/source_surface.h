// The surface to be remeshed, and its nearest points.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/mesh/uniform/half_edge.h"

namespace weft {

/// A boundary loop of a surface.
struct BoundaryCurve {
  std::vector<int> vertex;    // in the direction of the triangles' sides
  std::vector<int> triangle;  // beside the line from vertex i to the next
  std::vector<double> along;  // length up to each vertex; one more for the whole
  std::vector<int> corner;    // places in `vertex` where it turns by more than the corner angle
  double length() const { return along.back(); }
};

/// Throws Error for edges of more than two triangles, neighbours of opposite winding and vertices where parts
/// meet in a point only: names the place, its vertices (from 1, as OBJ counts) and a cure.
void check_manifold(const std::vector<dvec3>& points, const std::vector<ivec3>& triangles,
                    const std::string& where);

/// Triangles with neighbours and boundary curves. Does not change.
class SourceSurface {
 public:
  /// `corner_angle` in degrees. The surface is manifold (check_manifold).
  SourceSurface(std::vector<dvec3> points, std::vector<ivec3> triangles, double corner_angle);

  /// From triangle `from` downhill to a local minimum of the distance to p, and from there the nearest point
  /// of the connected surface within the ball about p through that minimum. So a vertex never jumps to
  /// another close layer, as it would with the nearest triangle of all.
  Site nearest(const dvec3& p, int from) const;
  /// Triangles visited by all searches so far: a measure of cost that is the same on every machine.
  int64_t triangles_visited() const { return visited_; }
  dvec3 point(const Site& site) const;
  /// Unit normal of a triangle.
  dvec3 normal(int triangle) const;
  /// Place on a boundary curve, `along` taken modulo its length.
  Site on_curve(int curve, double along) const;

  const std::vector<dvec3>& points() const { return points_; }
  const std::vector<ivec3>& triangles() const { return triangles_; }
  const std::vector<BoundaryCurve>& curves() const { return curves_; }
  /// A triangle at each vertex.
  int triangle_at(int vertex) const { return around_[start_[vertex]]; }

  /// A value per source vertex at a place, by barycentric weights in double precision.
  dvec3 interpolated(const std::vector<vec3>& values, const Site& site) const {
    return mixed<dvec3>(values, site);
  }
  dvec2 interpolated(const std::vector<vec2>& values, const Site& site) const {
    return mixed<dvec2>(values, site);
  }

 private:
  int downhill(const dvec3& p, int from) const;
  double squared_distance(const dvec3& p, int triangle) const;
  template <class D, class V>
  D mixed(const std::vector<V>& values, const Site& site) const {
    const ivec3& t = triangles_[site.triangle];
    return site.barycentric.x * D(values[t.x]) + site.barycentric.y * D(values[t.y]) +
           site.barycentric.z * D(values[t.z]);
  }
  void find_curves(double corner_angle);
  std::vector<dvec3> points_;
  std::vector<ivec3> triangles_;
  std::vector<int> start_, around_;  // triangles at each vertex
  std::vector<BoundaryCurve> curves_;
  // per triangle: the number of the last search that met it; not for several threads
  mutable std::vector<int> seen_;
  mutable std::vector<int> queue_;
  mutable int search_ = 0;
  mutable int64_t visited_ = 0;
};

}  // namespace weft
