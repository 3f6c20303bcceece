// OBJ import that checks everything, and export.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/corner_textures.h"
#include "sim/mesh/mesh.h"

namespace weft {

/// What import found and did, each in words with file and line.
struct ImportReport {
  std::vector<std::string> notices;
  std::vector<int> kept_vertices;  // for each vertex of the last mesh: its number in the file, from 0
};

/// Reads triangles and polygons (triangulated by ear clipping, so that concave ones come out right). Throws Error
/// "file:line" for what cannot be meant: an index out of range or 0, a number that is none, NaN, infinite or beyond
/// 1000 km, no faces. Reports and skips or keeps, each with a notice: points and lines, faces of fewer than three
/// corners, zero-area and duplicate faces (dropped), non-manifold edges and neighbours of opposite winding (kept),
/// unreferenced vertices (dropped), coincident vertices (kept apart), a byte-order mark and unknown statements
/// (skipped). Welds nothing. Texture coordinates without seams become material coordinates, scaled to metres
/// (TriMesh::uv_scale); others are kept for files alone (TriMesh::corners).
TriMesh read_obj(const std::string& path, ImportReport& report);
TriMesh parse_obj(const std::string& text, const std::string& path_for_messages, ImportReport& report);

/// One group in an OBJ file.
struct ObjGroup {
  std::string name;
  const std::vector<vec3>* positions;
  const std::vector<ivec3>* triangles;
  mat4 transform{1};
  std::string kind = {};  // "cloth" or "body": said in a comment; may be empty
  const std::vector<vec2>* uv = nullptr;  // one per vertex, written as texture coordinates; may be absent
  vec2 uv_scale{1};                       // what they are divided by
  const CornerTextures* corners = nullptr;  // written instead of `uv` where not empty
};
/// Writes groups one after another ("g name"), vertices in order, each coordinate as the shortest text that reads back
/// to the same float32. Throws Error naming the file.
void write_obj(const std::string& path, const std::vector<ObjGroup>& groups);

}  // namespace weft
