// OBJ import that checks everything, and export.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/corner_textures.h"
#include "sim/mesh/import/obj_objects.h"
#include "sim/mesh/import/weld.h"
#include "sim/mesh/mesh.h"

namespace weft {

/// Notices of an import, each with file and line.
struct ImportReport {
  std::vector<std::string> notices;
  // in `notices`: that texture coordinates have a seam and are kept for files only
  int seam = -1;
  std::vector<int> kept_vertices;  // for each vertex of the last mesh: its number in the file, from 0
};

/// Reads triangles and polygons (triangulated by ear clipping, which handles concave ones). Throws Error
/// "file:line" for a vertex index out of range or 0, a coordinate that is not a finite number or beyond 1000
/// km, no faces. Reports and skips or keeps, each with a notice: points, lines and sewing lines, faces of
/// fewer than three corners, zero-area and duplicate faces (dropped), non-manifold edges and neighbours of
/// opposite winding (kept), unreferenced vertices (left out), coincident vertices (kept apart), a byte-order
/// mark and unknown statements (skipped), missing or invalid normals and texture coordinates (not used).
/// Welds within the distance `weld` (in the file's unit; see welded_vertices), by default not at all. Texture
/// coordinates without seams become material coordinates, scaled to metres (TriMesh::uv_scale); others are
/// kept for files only (TriMesh::corners). Written files have the numbering of the text (TriMesh::input).
TriMesh read_obj(const std::string& path, ImportReport& report, float weld = kNoWeld);
TriMesh parse_obj(const std::string& text, const std::string& path_for_messages, ImportReport& report,
                  float weld = kNoWeld);

/// An OBJ file that was read once, to be taken apart.
class ObjFile {
 public:
  /// Throws Error for text that cannot be read.
  explicit ObjFile(const std::string& path);
  ObjFile(const std::string& text, const std::string& path_for_messages);
  /// Statements that come from another format; those without a line are told without one.
  ObjFile(ObjText text, const std::string& path_for_messages);
  const std::string& path() const { return path_; }
  /// Its objects, or groups, that share no vertices.
  const std::vector<ObjObject>& objects() const { return objects_.pieces; }
  /// Index of `object` in objects(). Throws Error naming the nearest name if it does not exist.
  int find(const std::string& object) const;
  /// All of the file (-1), or one of objects(). Throws Error as read_obj does.
  TriMesh mesh(ImportReport& report, int piece = -1, float weld = kNoWeld) const;
  /// All vertices, in the order of the file.
  const std::vector<vec3>& vertices() const;
  /// Empty if `other` has as many vertices and the same faces; else what differs in it, in words.
  std::string difference(const ObjFile& other) const;

 private:
  std::string path_;
  ObjText text_;
  ObjObjects objects_;
};

/// Metres per unit of texture coordinates, one per vertex: means of |dx/du| and |dx/dv| over the area.
dvec2 metres_per_unit(const TriMesh& mesh, const std::vector<vec2>& uv);

/// Texture coordinates of all corners of a mesh's triangles, as places in `textures`: without seams they
/// become its material coordinates, scaled to metres (TriMesh::uv_scale), unless they span no area. Returns
/// the first triangle at a seam, where they are kept for files only (TriMesh::corners), or -1.
int take_textures(TriMesh& mesh, const std::vector<vec2>& textures, std::vector<ivec3> of_triangle);

/// A name as one word, as OBJ requires: how write_obj names a group.
std::string one_word(std::string name);

/// One group in an OBJ file.
struct ObjGroup {
  std::string name;
  const std::vector<vec3>* positions;
  const std::vector<ivec3>* triangles;
  mat4 transform{1};
  std::string kind = {};  // "cloth", "solid", "strands" or "body": written as a comment; may be empty
  const std::vector<vec2>* uv = nullptr;      // one per vertex, written as texture coordinates; may be absent
  vec2 uv_scale{1};                           // divisor of `uv`
  const CornerTextures* corners = nullptr;    // written instead of `uv` where not empty
  const InputMesh* input = nullptr;           // its faces are written instead of `triangles`, if it has any
  const std::vector<ivec2>* lines = nullptr;  // of strands, written as polylines; may be absent
};
/// Writes groups one after another ("g name"), vertices in order, each coordinate as the shortest text that
/// reads back to the same float32. Throws Error naming the file.
/// `comment`: one line at the head; may be empty.
void write_obj(const std::string& path, const std::vector<ObjGroup>& groups, const std::string& comment = {});

}  // namespace weft
