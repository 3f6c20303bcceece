// Points that stay where they are relative to the surface of a body that moves and deforms.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/scene/model/deformation.h"

namespace weft {

class SurfacePins {
 public:
  /// `points`: at time 0, m, in the world; each belongs to the nearest triangle of the obstacle. Throws
  /// Error for an obstacle that cannot be made and for a plane, which has no triangles.
  SurfacePins(const Obstacle& obstacle, const std::string& scene_folder, const std::vector<vec3>& points);
  /// Positions at a time (s), m: as far from the triangle and as far along its sides as at time 0. `hand`:
  /// where the body was moved since.
  std::vector<vec3> at(double time, const HandMove& hand = {}) const;

 private:
  struct Place {
    ivec3 triangle;
    vec3 barycentric;  // of the foot of the perpendicular
    float height;      // m, along the triangle's normal
    vec3 beside;       // m, what is left: along the first side, across it in the plane, 0
  };
  std::vector<vec3> vertices(double time, const HandMove& hand) const;

  Obstacle obstacle_;
  TriMesh mesh_;
  std::unique_ptr<Deformation> deformation_;  // nullptr: rigid
  std::vector<Place> places_;
};

}  // namespace weft
