// The surface of a body with vertices all over it, for methods that keep vertices apart.
#pragma once
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

/// A point of a mesh: mixes up to three of its vertices. Unused places have weight 0.
struct MeshPoint {
  int vertex[3] = {0, 0, 0};
  float weight[3] = {1, 0, 0};
  vec3 at(const std::vector<vec3>& positions) const {
    vec3 p = weight[0] * positions[vertex[0]];
    for (int k = 1; k < 3; ++k)
      if (weight[k] > 0) p += weight[k] * positions[vertex[k]];
    return p;
  }
};

/// The same surface as a mesh, with more vertices: those of the mesh first.
struct SampledSurface {
  std::vector<MeshPoint> points;
  std::vector<ivec3> triangles;
  std::vector<ivec2> edges;  // each once, a < b
};

/// Splits edges until none is longer than `longest` (m). The surface is unchanged, also when the mesh deforms
/// later. Throws Error with `where` in front if that takes more than `most` vertices.
SampledSurface sampled_surface(const TriMesh& mesh, float longest, int most, const std::string& where);

/// Meshes with edges up to `longest` that contain the ball, or the capsule along y, as tightly as their edges
/// allow.
TriMesh sphere_around(float radius, float longest);
TriMesh capsule_around(float radius, float length, float longest);

}  // namespace weft
