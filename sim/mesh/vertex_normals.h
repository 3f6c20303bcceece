// Normals at the vertices of a mesh.
#pragma once
#include "sim/base/math.h"
#include "sim/base/span.h"

namespace weft {

/// Unit vertex normals, weighted by triangle area.
struct VertexNormals {
  Span<const vec3> position;
  Span<const ivec3> triangles;
  Span<const int> start, entry;
  Span<vec3> normal;
  HD void operator()(int v) const {
    vec3 sum(0);
    for (int o = start[v]; o < start[v + 1]; ++o) {
      const ivec3 t = triangles[entry[o] / 3];
      sum += glm::cross(position[t.y] - position[t.x], position[t.z] - position[t.x]);
    }
    const float length = sqrtf(glm::dot(sum, sum));
    normal[v] = length > 0 ? sum / length : vec3(0, 1, 0);
  }
};

}  // namespace weft
