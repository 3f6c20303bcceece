// OBJ import that checks everything, and export.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/corner_textures.h"
#include "sim/mesh/mesh.h"
#include "sim/mesh/obj_objects.h"
#include "sim/mesh/weld.h"

namespace weft {

/// What import found and did, each in words with file and line.
struct ImportReport {
  std::vector<std::string> notices;
  std::vector<int> kept_vertices;  // for each vertex of the last mesh: its number in the file, from 0
};

/// Reads triangles and polygons (triangulated by ear clipping, so that concave ones come out right). Throws Error
/// "file:line" for what cannot be meant: a vertex index out of range or 0, a coordinate that is no number, NaN, infinite or
/// beyond 1000 km, no faces. Reports and skips or keeps, each with a notice: points, lines and sewing lines, faces of fewer than
/// three corners, zero-area and duplicate faces (dropped), non-manifold edges and neighbours of opposite winding (kept),
/// unreferenced vertices (dropped), coincident vertices (kept apart), a byte-order mark and unknown statements
/// (skipped), normals and texture coordinates that are not there or no numbers (not used). Joins what welded_vertices says of the distance `weld` (in the
/// file's unit), and nothing unless told. Texture coordinates without seams become material coordinates, scaled to metres
/// (TriMesh::uv_scale); others are kept for files alone (TriMesh::corners).
TriMesh read_obj(const std::string& path, ImportReport& report, float weld = kNoWeld);
TriMesh parse_obj(const std::string& text, const std::string& path_for_messages, ImportReport& report, float weld = kNoWeld);

/// An OBJ file that was read once, to be taken apart.
class ObjFile {
 public:
  /// Throws Error for text that cannot be read.
  explicit ObjFile(const std::string& path);
  ObjFile(const std::string& text, const std::string& path_for_messages);
  const std::string& path() const { return path_; }
  /// Its objects, or groups, that share no vertices.
  const std::vector<ObjObject>& objects() const { return objects_.pieces; }
  /// Where `object` lies in objects(). Throws Error that names the nearest where the file has none of this name.
  int find(const std::string& object) const;
  /// All of the file (-1), or one of objects(). Throws Error as read_obj does.
  TriMesh mesh(ImportReport& report, int piece = -1, float weld = kNoWeld) const;

 private:
  std::string path_;
  ObjText text_;
  ObjObjects objects_;
};

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
