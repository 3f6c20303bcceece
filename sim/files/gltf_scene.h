// What a glTF 2.0 file says about shapes and their motion, checked: every index is in range, every number
// finite.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/math.h"
#include "sim/mesh/painted.h"

namespace weft {

/// Translation, rotation (of unit length) and scale, applied in the order scale, rotation, translation; or a
/// matrix.
struct GltfTransform {
  dvec3 translation{0};
  glm::dquat rotation{1, 0, 0, 0};
  dvec3 scale{1};
  std::optional<glm::dmat4> matrix;
  glm::dmat4 local() const;
};

struct GltfNode {
  std::string name;
  int parent = -1;  // comes before its children in GltfScene::order
  int mesh = -1, skin = -1;
  bool shown = false;  // belongs to the scene that is shown
  GltfTransform transform;
  std::vector<double> weights;  // of the mesh's targets; empty: those of the mesh
};

/// One joint's share in a vertex.
struct GltfInfluence {
  int joint = 0;     // index within the skin
  double share = 0;  // those of a vertex add up to 1
};

/// Vertices and triangles of one part of a mesh.
struct GltfPrimitive {
  std::vector<dvec3> positions;
  std::vector<std::vector<dvec3>> targets;  // offsets of all vertices, per morph target
  std::vector<ivec3> triangles;
  std::vector<vec2> textures;  // the first set, one per vertex, v downwards; empty: none, or not asked for
  std::vector<VertexAttribute> attributes;  // COLOR_n and those of a file's own (_NAME); as textures
  int per_vertex = 0;                       // influences of each vertex; 0: not skinned
  std::vector<GltfInfluence> influences;    // vertices x per_vertex
};

struct GltfMesh {
  std::string name;
  std::vector<GltfPrimitive> primitives;
  std::vector<double> weights;  // one per target
};

struct GltfSkin {
  std::vector<int> joints;  // nodes
  std::vector<glm::dmat4> inverse_bind;
  bool dual_quaternions = false;  // joints' rigid motions are blended as such; otherwise their matrices
};

/// The values of one quantity of a node over time. At its keys it has their values, and before and after them
/// that of the first and the last.
struct GltfChannel {
  enum class Path { translation, rotation, scale, weights };
  enum class Interpolation { linear, step, cubic_spline };
  int node = 0;
  Path path = Path::translation;
  Interpolation interpolation = Interpolation::linear;
  int width = 3;               // numbers of a value
  std::vector<double> times;   // s, ascending
  std::vector<double> values;  // times x width; cubic splines: times x (in-tangent, value, out-tangent)
  /// `out`: `width` numbers. Rotations are of unit length.
  void at(double time, double* out) const;
};

struct GltfAnimation {
  std::string name;     // differs from all others of the file
  double duration = 0;  // s, the last key
  std::vector<GltfChannel> channels;
};

struct GltfScene {
  std::vector<GltfNode> nodes;
  std::vector<int> order;  // of all nodes, parents first
  std::vector<GltfMesh> meshes;
  std::vector<GltfSkin> skins;
  std::vector<GltfAnimation> animations;
};

/// Reads a .glb or .gltf with buffers in it or beside it. `notices` receives what was left out. Throws Error,
/// with the file and what to do, for files that are damaged, that break the format's rules, or that need an
/// extension for their shapes or their motion. `textures`: with texture coordinates and
/// attributes.
GltfScene read_gltf(const std::string& path, std::vector<std::string>& notices, bool textures = false);

}  // namespace weft
