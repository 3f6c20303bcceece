#include <fmt/format.h>

#include <iterator>

#include "sim/base/file.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/import/rest_marks.h"
#include "sim/mesh/polylines.h"

namespace weft {

std::string one_word(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= ' ') c = '_';
  return name.empty() ? "unnamed" : name;
}

namespace {

/// The faces of the file that a group came from, unless its triangles carry marks of their own.
const InputMesh* faces_of(const ObjGroup& group) {
  const bool marked = group.corners && (!group.corners->rest_scale.empty() || !group.corners->factor.empty());
  return group.input && group.input->has_faces() && !marked ? group.input : nullptr;
}

/// Writes the texture coordinates of a group and returns how many.
int write_textures(fmt::memory_buffer& text, const ObjGroup& group) {
  const auto put = [&](const vec2& t) { fmt::format_to(std::back_inserter(text), "vt {} {}\n", t.x, t.y); };
  if (const InputMesh* faces = faces_of(group); faces && !faces->texture.empty()) {
    for (const vec2& t : faces->textures) put(t);
    return int(faces->textures.size());
  }
  if (group.corners && !group.corners->empty()) {
    for (const vec2& t : group.corners->values) put(t);
    return int(group.corners->values.size());
  }
  if (!group.uv || group.uv->size() != group.positions->size()) return 0;
  for (const vec2& t : *group.uv) put(t / group.uv_scale);
  return int(group.uv->size());
}

/// `first` and `first_texture`: numbers of the group's first vertex and texture coordinate; the latter 0: it
/// has none.
void write_faces(fmt::memory_buffer& text, const ObjGroup& group, int first, int first_texture) {
  const bool cornered = group.corners && !group.corners->empty();
  for (size_t f = 0; f < group.triangles->size(); ++f) {
    const ivec3 &t = (*group.triangles)[f], &own = cornered ? group.corners->of_triangle[f] : t;
    text.push_back('f');
    for (int k = 0; k < 3; ++k) {
      fmt::format_to(std::back_inserter(text), " {}", t[k] + first);
      if (first_texture > 0 && own[k] >= 0)
        fmt::format_to(std::back_inserter(text), "/{}", own[k] + first_texture);
    }
    text.push_back('\n');
    if (cornered && group.corners->is_rest) text.append(rest_mark(*group.corners, f));
  }
}

/// The same for faces of any number of corners.
void write_faces(fmt::memory_buffer& text, const InputMesh& faces, int first, int first_texture) {
  for (int f = 0; f < faces.face_count(); ++f) {
    text.push_back('f');
    for (int c = faces.face_starts[f]; c < faces.face_starts[f + 1]; ++c) {
      const int vertex = faces.corners[c], texture = faces.texture.empty() ? vertex : faces.texture[c];
      fmt::format_to(std::back_inserter(text), " {}", vertex + first);
      if (first_texture > 0 && texture >= 0)
        fmt::format_to(std::back_inserter(text), "/{}", texture + first_texture);
    }
    text.push_back('\n');
  }
}

/// One "l" statement per strand; a closed one ends at its first point.
void write_lines(fmt::memory_buffer& text, const ObjGroup& group, int first) {
  if (!group.lines) return;
  for (const Polyline& strand : polylines_of(*group.lines, int(group.positions->size()))) {
    text.push_back('l');
    for (const int v : strand.points) fmt::format_to(std::back_inserter(text), " {}", v + first);
    if (strand.closed) fmt::format_to(std::back_inserter(text), " {}", strand.points.front() + first);
    text.push_back('\n');
  }
}

}  // namespace

void write_obj(const std::string& path, const std::vector<ObjGroup>& groups, const std::string& comment) {
  fmt::memory_buffer text;
  if (!comment.empty()) fmt::format_to(std::back_inserter(text), "# {}\n", comment);
  int first = 1, first_texture = 1;
  for (const ObjGroup& group : groups) {
    if (!group.kind.empty()) fmt::format_to(std::back_inserter(text), "# {}\n", group.kind);
    fmt::format_to(std::back_inserter(text), "g {}\n", one_word(group.name));
    const bool moved = group.transform != mat4(1);
    for (const vec3& rest : *group.positions) {
      const vec3 p = moved ? vec3(group.transform * vec4(rest, 1)) : rest;
      fmt::format_to(std::back_inserter(text), "v {} {} {}\n", p.x, p.y, p.z);
    }
    const int textures = write_textures(text, group);
    const int textured = textures > 0 ? first_texture : 0;
    if (const InputMesh* faces = faces_of(group)) write_faces(text, *faces, first, textured);
    else write_faces(text, group, first, textured);
    write_lines(text, group, first);
    first += int(group.positions->size());
    first_texture += textures;
  }
  write_text_file(path, fmt::to_string(text));
}

}  // namespace weft
