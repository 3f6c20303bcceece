// Triangle meshes on the host.
#pragma once
#include <string>
#include <vector>

#include "sim/base/math.h"
#include "sim/mesh/corner_textures.h"
#include "sim/mesh/input_mesh.h"

namespace weft {

/// Angles of edges at rest, for dihedral bending.
struct RestAngles {
  // rest_shape: 0 where it belongs to corners, else that of the vertices at rest
  enum class From { rest_shape, vertices, flat };
  From from = From::rest_shape;
  /// An edge with an angle of its own.
  struct Fold {
    ivec2 edge{0};    // vertices of the mesh
    float angle = 0;  // rad; positive: a ridge on the front
  };
  std::vector<Fold> folds = {};
};

/// Indexed triangles. `positions` in metres; indices are valid (checked where the mesh enters the program).
/// `rest` is either empty (the positions are the rest shape) or one rest position per vertex.
struct TriMesh {
  std::vector<vec3> positions;
  std::vector<ivec3> triangles;
  std::vector<vec3> rest;
  std::vector<vec2> uv;  // material coordinates in metres along warp and weft, one per vertex; may be empty
  vec2 uv_scale{1};      // metres per unit of the texture coordinates that it came with: files get those back
  // original texture coordinates if one per vertex does not suffice; written to files again
  CornerTextures corners = {};
  RestAngles rest_angles = {};
  InputMesh input = {};                          // how the file that it came from numbers it
  std::vector<vec3> velocity = {};               // m/s at the start, one per vertex; empty: 0
  std::vector<VertexAttribute> attributes = {};  // of its file

  int vertex_count() const { return int(positions.size()); }
  int triangle_count() const { return int(triangles.size()); }
};

/// Axis-aligned bounds; min > max for no points.
struct Bounds {
  vec3 min{1e30f}, max{-1e30f};
  bool operator==(const Bounds&) const = default;
  void add(const vec3& p) { min = glm::min(min, p), max = glm::max(max, p); }
  bool empty() const { return min.x > max.x; }
  vec3 center() const { return 0.5f * (min + max); }
  float diagonal() const { return empty() ? 0.0f : glm::length(max - min); }
};
Bounds bounds_of(const std::vector<vec3>& points);

}  // namespace weft
