// Points of one mesh of a scene in another mesh of the same scene: finer, coarser, or the same.
#pragma once
#include <optional>
#include <vector>

#include "sim/mesh/topology.h"
#include "sim/scene/command.h"

namespace weft {

/// A point of a mesh that moves with it: the mean of three vertices by weights that sum up to 1. Vertices of
/// -1: it has none.
struct MaterialPlace {
  ivec3 vertices{0};
  vec3 weights{1, 0, 0};
};

/// What a map needs of a mesh, as SceneView and Topology have it. Not owned.
struct MappedMesh {
  const std::vector<ModelPart>& parts;
  const std::vector<vec3>& rest;  // m, at rest: where material is compared
  const std::vector<ivec3>& triangles;
};

/// From each vertex of one mesh to the nearest point at rest of the part of the same name in the other: on
/// its triangles, or of a part without any its nearest vertex. Points inside of solids have a place in the
/// same mesh only.
class MaterialMap {
 public:
  /// Throws Error where a part has no other of its name, with that name.
  MaterialMap(const MappedMesh& from, const MappedMesh& to);

  /// Both have the same triangles and rest positions: every vertex is itself.
  bool same() const { return same_; }
  /// The place of a vertex of `from`.
  const MaterialPlace& place(int vertex) const { return places_[size_t(vertex)]; }
  /// The vertex of `to` with the largest weight there; -1 without a place.
  int nearest_vertex(int vertex) const;
  /// A triangle of `to` and a point on it that is nearest to a point of a triangle of `from`; empty where the
  /// part has no triangle.
  std::optional<std::pair<int, vec3>> on_triangle(int triangle, const vec3& barycentric) const;
  /// What a hand did to `from`, done to `to`; empty where the part has nothing to be taken hold of.
  std::optional<Command> carried_over(const Command& command) const;
  /// Distance (m) of each vertex of `from`, at positions `x`, from its place in `to`, at positions `y`; NaN
  /// without a place.
  void distances(const std::vector<vec3>& x, const std::vector<vec3>& y, std::vector<float>& out) const;

 private:
  void find_places(const ModelPart& part, const ModelPart& other);
  bool same_ = false;
  std::vector<MaterialPlace> places_;
  std::vector<ivec3> from_, to_;  // triangles
  std::vector<vec3> from_rest_, to_rest_;
  std::vector<ModelPart> to_parts_;
  std::vector<int> triangle_part_;  // of `from`: the part of `to`
};

/// How far two runs are apart at one time, m, over the vertices that have a place.
struct RunDifference {
  double mean = 0, largest = 0;
};
RunDifference difference_of(const std::vector<float>& distances);

}  // namespace weft
