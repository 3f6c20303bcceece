// The faces of a glTF, USD or PLY file as it has them: what cloth is made of.
#pragma once
#include <string>
#include <vector>

#include "sim/base/math.h"
#include "sim/base/part_choice.h"
#include "sim/mesh/painted.h"

namespace weft {

/// All meshes that were chosen, as one: in their first pose, in metres, with y up.
struct FileFaces {
  std::vector<vec3> positions;              // of all vertices, as the file splits them
  std::vector<int> starts{0};               // face f has corners [starts[f], starts[f + 1])
  std::vector<int> corners;                 // vertices
  std::vector<int> texture;                 // of each corner its place in `textures`, -1: none
  std::vector<vec2> textures;               // v grows upwards, as in OBJ and USD
  std::vector<VertexAttribute> attributes;  // of all vertices
  std::vector<std::string> notices;

  /// Of vertices and textures that the mesh counts from 0.
  void add_face(const std::vector<int>& vertices, const std::vector<int>& own_textures) {
    corners.insert(corners.end(), vertices.begin(), vertices.end());
    texture.insert(texture.end(), own_textures.begin(), own_textures.end());
    texture.resize(corners.size(), -1);
    starts.push_back(int(corners.size()));
  }
};

/// Of the meshes that `parts` takes, as GltfBody and UsdaBody take them. Throw Error.
FileFaces gltf_faces(const std::string& path, const PartChoice& parts);
FileFaces usda_faces(const std::string& path, const PartChoice& parts);
/// Of a PLY file, in its own axes and unit. Properties of vertices are attributes by their names, red, green
/// and blue the colour "color"; s and t (or u and v) texture coordinates. Throws Error.
FileFaces ply_faces(const std::string& path);

}  // namespace weft
