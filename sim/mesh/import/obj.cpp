#include "sim/mesh/import/obj.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "sim/base/disjoint_sets.h"
#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/nearest.h"
#include "sim/base/shorten.h"
#include "sim/mesh/import/coincident.h"
#include "sim/mesh/import/obj_text.h"
#include "sim/mesh/import/polygon.h"
#include "sim/mesh/import/weld.h"
#include "sim/mesh/sides.h"

namespace weft {
namespace {

/// A triangle with the line of its face and the texture indices of its corners (-1: none).
struct Face {
  ivec3 vertex;  // what import makes of those in the file
  ivec3 texture;
  int line;
  ivec3 in_file;
};

/// Below this ratio of height to longest side, float32 positions no longer determine on which side of its
/// edge a corner is.
constexpr double kFlat = 1e-6;

constexpr const char* kFromShape =
    "material coordinates are computed from the shape; the texture coordinates are written to files "
    "unchanged";

class Importer {
 public:
  /// `piece`: of `objects`, or -1 for all faces. `weld`: see welded_vertices.
  Importer(const ObjText& text, const ObjObjects& objects, int piece, const std::string& path,
           ImportReport& report, float weld)
      : text_(text), objects_(objects), piece_(piece), path_(path), report_(report), weld_(weld) {}

  TriMesh run() {
    report_statements();
    triangulate();
    drop_flat();
    drop_duplicates();
    if (weld()) drop_flat(), drop_duplicates();
    if (faces_.empty()) fail_without_faces();
    report_edges();
    TriMesh mesh = compact();
    report_coincident(mesh);
    material_coordinates(mesh);
    keep_faces(mesh);
    return mesh;
  }

 private:
  void notice(int line, const std::string& what) {
    report_.notices.push_back(line > 0 ? fmt::format("{}:{}: {}", path_, line, what)
                                       : fmt::format("{}: {}", path_, what));
  }
  /// Adds "3 things (the first is here): verdict", if there are any.
  void notice(const ObjTally& tally, const char* one, const char* many, const char* verdict) {
    if (tally.count == 1) notice(tally.first_line, fmt::format("1 {}: {}", one, verdict));
    if (tally.count > 1)
      notice(tally.first_line, fmt::format("{} {} (the first is here): {}", tally.count, many, verdict));
  }

  void report_statements() {
    if (text_.byte_order_mark) notice(1, "the file begins with a byte-order mark: skipped");
    for (const auto& [keyword, tally] : text_.unknown)
      notice(tally.first_line, fmt::format("unknown statement {} ({} times): skipped", keyword, tally.count));
    notice(text_.points, "point statement", "point statements",
           "skipped, since cloth and bodies consist of faces");
    report_lines();
    notice(text_.weights, "vertex with a weight other than 1", "vertices with a weight other than 1",
           "the weight is ignored");
    notice(text_.short_faces, "face of fewer than three corners", "faces of fewer than three corners",
           "skipped");
    notice(text_.mixed_corners, "face whose corners differ in form (v, v/vt, v//vn, v/vt/vn)",
           "faces whose corners differ in form (v, v/vt, v//vn, v/vt/vn)",
           "only the vertex indices are used");
    notice(text_.bad.normals, "normal that is not three numbers", "normals that are not three numbers",
           "normals are not used");
    notice(text_.bad.normal_indices, "corner with a normal index that the file does not define",
           "corners with a normal index that the file does not define", "normals are not used");
    notice(text_.bad.textures, "texture coordinate that is not finite or too large",
           "texture coordinates that are not finite or too large", "treated as missing");
    notice(text_.bad.texture_indices, "corner with a texture coordinate that the file does not define",
           "corners with a texture coordinate that the file does not define", "treated as missing");
  }

  /// Garment programs write open seams as lines that lead from one vertex of a face to another, possibly over
  /// separate points.
  void report_lines() {
    std::vector<char> in_face(text_.vertices.size(), 0);
    for (const ObjText::Corner& c : text_.corners) in_face[c.vertex] = 1;
    DisjointSets sets(int(text_.vertices.size()));
    for (const ObjText::Line& l : text_.polylines)
      if (const std::vector<int> on = vertices_of(text_, l); !on.empty())
        for (const int v : on) sets.join(v, on[0]);
    std::map<int, int> ends;  // vertices of faces on the lines that hang together
    for (size_t v = 0; v < in_face.size(); ++v)
      if (in_face[v]) ++ends[sets.find(int(v))];
    ObjTally sewing, other;
    for (const ObjText::Line& l : text_.polylines) {
      const std::vector<int> on = vertices_of(text_, l);
      (on.size() > 1 && ends[sets.find(on[0])] > 1 ? sewing : other).add(l.line);
    }
    notice(sewing, "sewing line (an l statement that leads from face to face)",
           "sewing lines (l statements that lead from face to face)",
           "sewing lines are not supported yet; skipped, so what they join stays apart");
    notice(other, "line statement", "line statements", "skipped, since cloth and bodies consist of faces");
  }

  void triangulate() {
    faces_.reserve(text_.face_lines.size());
    ObjTally repeated, crossing;
    std::vector<ObjText::Corner> corners;
    std::vector<dvec3> points;
    for (int f = 0; f < text_.face_count(); ++f) {
      if (piece_ >= 0 && objects_.of_face[f] != piece_) continue;
      corners.assign(text_.corners.begin() + text_.face_starts[f],
                     text_.corners.begin() + text_.face_starts[f + 1]);
      const auto same = [](const ObjText::Corner& a, const ObjText::Corner& b) {
        return a.vertex == b.vertex;
      };
      const size_t before = corners.size();
      corners.erase(std::unique(corners.begin(), corners.end(), same), corners.end());
      while (corners.size() > 1 && same(corners.front(), corners.back())) corners.pop_back();
      if (corners.size() < before) repeated.add(text_.face_lines[f]);
      if (corners.size() < 3) collapsed_.add(text_.face_lines[f]);
      if (corners.size() == 3) add_face(corners, {0, 1, 2}, f);
      if (corners.size() <= 3) continue;
      points.clear();
      for (const ObjText::Corner& c : corners) points.push_back(text_.vertices[c.vertex]);
      bool simple = true;
      for (const ivec3& t : triangulate_polygon(points, simple)) add_face(corners, t, f);
      if (!simple) crossing.add(text_.face_lines[f]);
    }
    notice(repeated, "face that names a vertex twice in a row", "faces that name a vertex twice in a row",
           "the repetition is dropped, and the face with it if fewer than three corners are left");
    notice(crossing, "polygon that crosses itself or has no area",
           "polygons that cross themselves or have no area",
           "the part that ear clipping cannot handle is triangulated as a fan");
  }

  void add_face(const std::vector<ObjText::Corner>& c, const ivec3& t, int face) {
    const ivec3 vertex(c[t.x].vertex, c[t.y].vertex, c[t.z].vertex);
    faces_.push_back(
        {vertex, {c[t.x].texture, c[t.y].texture, c[t.z].texture}, text_.face_lines[face], vertex});
  }

  bool is_flat(const ivec3& t) const {
    const dvec3 a = text_.vertices[t.x], b = text_.vertices[t.y], c = text_.vertices[t.z];
    const double longest = std::max({glm::dot(b - a, b - a), glm::dot(c - b, c - b), glm::dot(a - c, a - c)});
    return !(glm::length(glm::cross(b - a, c - a)) > kFlat * longest);
  }

  void drop_flat() {
    ObjTally flat;
    std::erase_if(faces_, [&](const Face& f) {
      const bool is = is_flat(f.vertex);
      if (is) flat.add(f.line), flat_.add(f.line);
      return is;
    });
    notice(flat, "triangle without area", "triangles without area", "dropped");
  }

  /// True where vertices were joined.
  bool weld() {
    joined_.assign(text_.vertices.size(), false);
    if (weld_ < 0) return false;
    std::vector<ivec3> triangles;
    triangles.reserve(faces_.size());
    for (const Face& f : faces_) triangles.push_back(f.vertex);
    becomes_ = welded_vertices(text_.vertices, triangles, weld_);
    ObjTally joined;
    for (size_t v = 0; v < becomes_.size(); ++v) {
      if (becomes_[v] == int(v)) continue;
      joined_[v] = true;
      joined.add(text_.vertex_lines[v]);
    }
    for (Face& f : faces_)
      for (int k = 0; k < 3; ++k) f.vertex[k] = becomes_[f.vertex[k]];
    notice(joined, "vertex of an edge that lies on another edge", "vertices of edges that lie on other edges",
           "joined with it, so that the surface is continuous; written files have the vertices of this file "
           "(weld = \"never\" in a scene, or --weld never, keeps them apart)");
    return joined.count > 0;
  }

  /// Faces with the same three vertices in any order: the first is kept.
  void drop_duplicates() {
    std::vector<std::array<int, 4>> keys;  // sorted corners, then the face
    keys.reserve(faces_.size());
    for (int f = 0; f < int(faces_.size()); ++f) {
      ivec3 t = faces_[f].vertex;
      if (t.x > t.y) std::swap(t.x, t.y);
      if (t.y > t.z) std::swap(t.y, t.z);
      if (t.x > t.y) std::swap(t.x, t.y);
      keys.push_back({t.x, t.y, t.z, f});
    }
    std::sort(keys.begin(), keys.end());
    std::vector<int> drop;
    for (size_t i = 1; i < keys.size(); ++i)
      if (std::equal(keys[i].begin(), keys[i].begin() + 3, keys[i - 1].begin())) drop.push_back(keys[i][3]);
    if (drop.empty()) return;
    std::sort(drop.begin(), drop.end());
    ObjTally duplicates;
    for (int f : drop) duplicates.add(faces_[f].line), faces_[f].line = -1;
    std::erase_if(faces_, [](const Face& f) { return f.line < 0; });
    notice(duplicates, "face of the same three vertices as an earlier one",
           "faces of the same three vertices as earlier ones", "dropped");
  }

  [[noreturn]] void fail_without_faces() const {
    std::string why;
    const auto add = [&](const ObjTally& t, const char* noun) {
      if (t.count)
        why += fmt::format("{}{} {} (line {})", why.empty() ? "" : ", ", t.count, noun, t.first_line);
    };
    add(text_.short_faces, "of fewer than three corners");
    add(collapsed_, "of fewer than three different vertices");
    add(flat_, "without area");
    add(text_.lines, "line statements");
    add(text_.points, "point statements");
    for (const auto& [keyword, tally] : text_.unknown) add(tally, ("statements " + keyword).c_str());
    const int line = std::max({1, text_.short_faces.first_line, collapsed_.first_line, flat_.first_line,
                               text_.lines.first_line, text_.points.first_line});
    throw Error(why.empty() ? "the mesh has no faces" : "the mesh has no usable faces: " + why,
                fmt::format("{}:{}", path_, line), "export it with its faces");
  }

  void report_edges() {
    std::vector<ivec3> faces;
    for (const Face& f : faces_) faces.push_back({f.vertex[0], f.vertex[1], f.vertex[2]});
    ObjTally crowded, opposed;
    // edges come in order of vertices, so keep the earliest line
    const auto add = [](ObjTally& tally, int line) {
      tally.first_line = tally.count++ ? std::min(tally.first_line, line) : line;
    };
    for_each_edge(faces, [&](auto sides) {
      if (sides.size() > 2) add(crowded, faces_[sides[2].triangle].line);
      else if (sides.size() == 2 && sides[0].forward == sides[1].forward)
        add(opposed, faces_[sides[1].triangle].line);
    });
    notice(crowded, "edge of more than two faces (non-manifold)",
           "edges of more than two faces (non-manifold)", "kept");
    notice(opposed, "edge whose two faces are wound in opposite directions",
           "edges whose two faces are wound in opposite directions",
           "kept; front and back are swapped there");
  }

  /// Leaves out vertices that no face uses.
  TriMesh compact() {
    std::vector<int> renamed(text_.vertices.size(), -1);
    for (const Face& f : faces_)
      for (int k = 0; k < 3; ++k) renamed[f.vertex[k]] = 0;
    std::vector<char> of_others(text_.vertices.size(), 0);
    for (int f = 0; piece_ >= 0 && f < text_.face_count(); ++f)
      for (int c = text_.face_starts[f]; c < text_.face_starts[f + 1]; ++c)
        of_others[text_.corners[c].vertex] = objects_.of_face[f] != piece_;
    TriMesh mesh;
    for (const VertexAttribute& a : text_.attributes) mesh.attributes.push_back({a.name, {}});
    ObjTally unused;
    report_.kept_vertices.clear();
    for (size_t v = 0; v < renamed.size(); ++v) {
      if (renamed[v] < 0) {
        if (!of_others[v] && !joined_[v]) unused.add(text_.vertex_lines[v]);
        continue;
      }
      renamed[v] = mesh.vertex_count();
      mesh.positions.push_back(text_.vertices[v]);
      for (size_t a = 0; a < mesh.attributes.size(); ++a)
        mesh.attributes[a].values.push_back(text_.attributes[a].values[v]);
      report_.kept_vertices.push_back(int(v));
      kept_lines_.push_back(text_.vertex_lines[v]);
    }
    mesh.triangles.reserve(faces_.size());
    for (Face& f : faces_) {
      for (int k = 0; k < 3; ++k) f.vertex[k] = renamed[f.vertex[k]];
      mesh.triangles.push_back(f.vertex);
    }
    notice(unused, "vertex that no face uses", "vertices that no face uses",
           "left out of the simulation; written files have it");
    keep_numbers(mesh, renamed);
    return mesh;
  }

  /// The numbers of the file's vertices, or of those in the piece's faces, where they are not the mesh's.
  void keep_numbers(TriMesh& mesh, const std::vector<int>& renamed) {
    std::vector<char> here(text_.vertices.size(), piece_ < 0);
    for (int f = 0; piece_ >= 0 && f < text_.face_count(); ++f)
      for (int c = text_.face_starts[f]; objects_.of_face[f] == piece_ && c < text_.face_starts[f + 1]; ++c)
        here[text_.corners[c].vertex] = 1;
    numbers_.assign(text_.vertices.size(), -1);
    InputMesh& input = mesh.input;
    bool same = true;
    for (size_t v = 0; v < here.size(); ++v) {
      if (!here[v]) continue;
      const int becomes = renamed[becomes_.empty() ? v : size_t(becomes_[v])];
      numbers_[v] = int(input.vertex.size());
      same &= becomes == numbers_[v];
      if (becomes < 0) input.unused.push_back(text_.vertices[v]);
      input.vertex.push_back(becomes >= 0 ? becomes : -int(input.unused.size()));
    }
    if (same) input = {};
    for (const Face& f : faces_)
      if (!same)
        input.triangles.push_back({numbers_[f.in_file.x], numbers_[f.in_file.y], numbers_[f.in_file.z]});
  }

  /// The faces of the file, where they are not the mesh's triangles.
  void keep_faces(TriMesh& mesh) const {
    std::vector<int> starts{0}, corners, texture;
    bool triangles = true;
    for (int f = 0; f < text_.face_count(); ++f) {
      if (piece_ >= 0 && objects_.of_face[f] != piece_) continue;
      for (int c = text_.face_starts[f]; c < text_.face_starts[f + 1]; ++c) {
        corners.push_back(numbers_[text_.corners[c].vertex]);
        texture.push_back(text_.corners[c].texture);
      }
      starts.push_back(int(corners.size()));
      triangles &= starts[starts.size() - 1] - starts[starts.size() - 2] == 3;
    }
    if (triangles && starts.size() == mesh.triangles.size() + 1) return;
    mesh.input.face_starts = std::move(starts), mesh.input.corners = std::move(corners);
    if (mesh.corners.empty()) return;
    std::vector<int> place(text_.textures.size(), -1);
    for (const int t : texture)
      if (t >= 0) place[t] = 0;
    for (size_t t = 0; t < place.size(); ++t)
      if (place[t] == 0)
        place[t] = int(mesh.input.textures.size()), mesh.input.textures.push_back(text_.textures[t]);
    for (int& t : texture)
      if (t >= 0) t = place[t];
    mesh.input.texture = std::move(texture);
  }

  void report_coincident(const TriMesh& mesh) {
    ObjTally coincident;
    for (const int v : coincident_vertices(mesh.positions)) coincident.add(kept_lines_[v]);
    notice(coincident, "vertex in the same place as another", "vertices in the same place as others",
           "kept apart; the mesh is open there");
  }

  /// Texture coordinates, if each vertex has one, are scaled per axis so that one unit is a metre on average;
  /// the scale is kept.
  void material_coordinates(TriMesh& mesh) {
    if (text_.textures.empty()) return;
    ObjTally bare;
    for (const Face& f : faces_)
      if (std::min({f.texture.x, f.texture.y, f.texture.z}) < 0) bare.add(f.line);
    if (bare.count == int(faces_.size())) return;
    notice(bare, "triangle without texture coordinates, which others have",
           "triangles without texture coordinates, which others have", kFromShape);
    if (bare.count) return keep_corners(mesh);
    std::vector<ivec3> of_triangle;
    of_triangle.reserve(faces_.size());
    for (const Face& f : faces_) of_triangle.push_back(f.texture);
    const int seam = take_textures(mesh, text_.textures, std::move(of_triangle));
    if (seam >= 0) {
      report_.seam = int(report_.notices.size());
      notice(faces_[size_t(seam)].line, std::string("texture coordinates have a seam: ") + kFromShape);
    } else if (mesh.uv.empty()) {
      notice(faces_.front().line,
             "texture coordinates span no area: material coordinates are made from the shape instead");
    }
  }

  void keep_corners(TriMesh& mesh) {
    std::vector<ivec3> of_triangle;
    of_triangle.reserve(faces_.size());
    for (const Face& f : faces_) of_triangle.push_back(f.texture);
    mesh.corners = used_textures(text_.textures, std::move(of_triangle));
  }

  const ObjText& text_;
  const ObjObjects& objects_;
  int piece_;
  const std::string& path_;
  ImportReport& report_;
  std::vector<Face> faces_;
  std::vector<int> kept_lines_;
  ObjTally flat_, collapsed_;  // faces left out: without area; with fewer than three different vertices
  float weld_;
  // per vertex of the file: whether it was joined with another, which (empty: none was), its number among
  // those of the piece
  std::vector<bool> joined_;
  std::vector<int> becomes_, numbers_;
};

}  // namespace

dvec2 metres_per_unit(const TriMesh& mesh, const std::vector<vec2>& uv) {
  dvec2 sum(0);
  double total = 0;
  for (const ivec3& t : mesh.triangles) {
    const dvec3 e1 = dvec3(mesh.positions[t.y]) - dvec3(mesh.positions[t.x]),
                e2 = dvec3(mesh.positions[t.z]) - dvec3(mesh.positions[t.x]);
    const dvec2 d1 = dvec2(uv[t.y]) - dvec2(uv[t.x]), d2 = dvec2(uv[t.z]) - dvec2(uv[t.x]);
    const double determinant = d1.x * d2.y - d1.y * d2.x, area = 0.5 * glm::length(glm::cross(e1, e2));
    if (determinant == 0) continue;
    sum += area / std::abs(determinant) *
           dvec2(glm::length(d2.y * e1 - d1.y * e2), glm::length(d1.x * e2 - d2.x * e1));
    total += area;
  }
  return total > 0 ? sum / total : dvec2(0);
}

int take_textures(TriMesh& mesh, const std::vector<vec2>& textures, std::vector<ivec3> of_triangle) {
  std::vector<vec2> uv(mesh.positions.size(), vec2(NAN));
  vec2 low(1e30f), high(-1e30f);
  for (const vec2& t : textures) low = glm::min(low, t), high = glm::max(high, t);
  const float same = 1e-6f * glm::distance(low, high);  // as of positions (coincident_distance)
  for (size_t t = 0; t < of_triangle.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      vec2& seen = uv[mesh.triangles[t][k]];
      const vec2 here = textures[of_triangle[t][k]];
      if (!std::isnan(seen.x) && glm::distance(seen, here) > same) {
        mesh.corners = used_textures(textures, std::move(of_triangle));
        return int(t);
      }
      seen = here;
    }
  const dvec2 scale = metres_per_unit(mesh, uv);
  if (!(scale.x > 1e-30 && scale.y > 1e-30 && scale.x < 1e30 && scale.y < 1e30)) return -1;
  for (vec2& t : uv) t = vec2(dvec2(t) * scale);
  mesh.uv = std::move(uv);
  mesh.uv_scale = vec2(scale);
  return -1;
}

ObjFile::ObjFile(const std::string& path) : ObjFile(read_text_file(path, "an OBJ mesh"), path) {}

ObjFile::ObjFile(const std::string& text, const std::string& path_for_messages)
    : ObjFile(read_obj_text(text, path_for_messages), path_for_messages) {}

ObjFile::ObjFile(ObjText text, const std::string& path_for_messages)
    : path_(path_for_messages), text_(std::move(text)), objects_(find_objects(text_)) {}

int ObjFile::find(const std::string& object) const {
  std::vector<std::string> names;
  for (size_t i = 0; i < objects().size(); ++i) {
    if (objects()[i].answers_to(object)) return int(i);
    if (!objects()[i].name.empty()) names.push_back(objects()[i].name);
    names.insert(names.end(), objects()[i].joined.begin(), objects()[i].joined.end());
  }
  throw Error("the file has no object or group '" + shortened(object, 80) + "'", path_,
              names.empty() ? "it names none: leave out 'object'" : did_you_mean(object, names));
}

const std::vector<vec3>& ObjFile::vertices() const { return text_.vertices; }

std::string ObjFile::difference(const ObjFile& other) const {
  const ObjText &a = text_, &b = other.text_;
  if (a.vertices.size() != b.vertices.size())
    return fmt::format("it has {} vertices, {} has {}", b.vertices.size(), path_, a.vertices.size());
  if (a.face_count() != b.face_count())
    return fmt::format("it has {} faces, {} has {}", b.face_count(), path_, a.face_count());
  for (int f = 0; f < a.face_count(); ++f) {
    const int first = a.face_starts[f], end = a.face_starts[f + 1];
    bool same = b.face_starts[f] == first && b.face_starts[f + 1] == end;
    for (int c = first; same && c < end; ++c) same = a.corners[c].vertex == b.corners[c].vertex;
    if (!same)
      return fmt::format("face {} (line {}) has other vertices than in {}", f + 1, b.face_lines[f], path_);
  }
  return {};
}

TriMesh ObjFile::mesh(ImportReport& report, int piece, float weld) const {
  return Importer(text_, objects_, piece, path_, report, weld).run();
}

TriMesh parse_obj(const std::string& text, const std::string& path_for_messages, ImportReport& report,
                  float weld) {
  return ObjFile(text, path_for_messages).mesh(report, -1, weld);
}

TriMesh read_obj(const std::string& path, ImportReport& report, float weld) {
  return ObjFile(path).mesh(report, -1, weld);
}

}  // namespace weft
