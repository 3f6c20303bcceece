#include "sim/mesh/smooth_normals.h"

namespace weft {

std::vector<vec3> smooth_normals(const vec3* positions, int count, const std::vector<ivec3>& triangles) {
  std::vector<vec3> normals(count, vec3(0));
  for (const ivec3& t : triangles) {
    const vec3 n = glm::cross(positions[t.y] - positions[t.x], positions[t.z] - positions[t.x]);
    for (int k = 0; k < 3; ++k) normals[t[k]] += n;
  }
  for (vec3& n : normals) {
    const double length = glm::length(dvec3(n));
    n = length > 0 ? vec3(dvec3(n) / length) : vec3(0, 0, 1);
  }
  return normals;
}

}  // namespace weft
