// A body from a glTF file: one mesh, and where its vertices are at a time.
#pragma once
#include <string>
#include <vector>

#include "sim/base/part_choice.h"
#include "sim/files/file_faces.h"
#include "sim/files/gltf_scene.h"
#include "sim/mesh/mesh.h"

namespace weft {

class GltfBody {
 public:
  /// Reads the file; all meshes of its scene that `parts` takes (by the name of node or mesh) become one.
  /// Vertices of a mesh that are in one place and move alike are joined along edges, as files split them
  /// where normals or texture coordinates change: those no further apart than `weld` (m; 0: in one place,
  /// kNoWeld: none). Triangles that name a vertex twice or have no area, and vertices without triangles, are
  /// dropped. Throws Error.
  GltfBody(const std::string& path, float weld, const PartChoice& parts = {});

  /// See gltf_faces.
  static FileFaces faces(const std::string& path, const PartChoice& parts);

  const std::vector<ivec3>& triangles() const { return triangles_; }
  const std::vector<std::string>& notices() const { return notices_; }
  /// Names of each node that shows a mesh, and of that mesh: those that `parts` may name.
  const std::vector<std::vector<std::string>>& parts() const { return parts_; }
  /// Names of all nodes of the file, empty where it has none; those of joints are bones.
  std::vector<std::string> bones() const;
  /// The node whose joint has the largest share in a vertex; of what is not skinned the node that shows it.
  int bone_of(int vertex) const;
  std::vector<std::string> animations() const;
  /// Index of an animation; -1 for "none", the nodes' own pose, if no animation has this name. Throws Error.
  int find(const std::string& animation) const;
  double duration(int animation) const;  // s

  /// World positions (m) in an animation (-1: none) at a time (s). Linear in joints' matrices (linear blend
  /// skinning), or in unit dual quaternions where the file says so and all joints move rigidly.
  void positions(int animation, double time, std::vector<vec3>& out) const;

 private:
  /// Vertices of one primitive of a node's mesh: those that are kept.
  struct Piece {
    int node = 0, primitive = 0;
    size_t first = 0;  // number of its first vertex in the body
    std::vector<int> vertices;
  };
  /// As the file has its vertices and triangles.
  GltfBody(const std::string& path, const PartChoice& parts, bool textures);
  std::vector<int> piece_of_vertex() const;
  const GltfPrimitive& source(const Piece& piece) const;
  std::vector<std::vector<std::string>> shown_parts() const;
  void clean(float weld);
  void turn_mirrored(const std::vector<int>& piece_of);

  std::string path_;
  std::vector<std::string> notices_;
  GltfScene scene_;
  std::vector<std::vector<std::string>> parts_;
  std::vector<Piece> pieces_;
  std::vector<ivec3> triangles_;
};

}  // namespace weft
