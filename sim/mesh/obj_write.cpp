#include <fmt/format.h>

#include <iterator>

#include "sim/base/file.h"
#include "sim/mesh/obj.h"
#include "sim/mesh/rest_marks.h"

namespace weft {

std::string one_word(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= ' ') c = '_';
  return name.empty() ? "unnamed" : name;
}

namespace {

/// Writes the texture coordinates of a group and returns how many.
int write_textures(fmt::memory_buffer& text, const ObjGroup& group) {
  const auto put = [&](const vec2& t) { fmt::format_to(std::back_inserter(text), "vt {} {}\n", t.x, t.y); };
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
    write_faces(text, group, first, textures > 0 ? first_texture : 0);
    first += int(group.positions->size());
    first_texture += textures;
  }
  write_text_file(path, fmt::to_string(text));
}

}  // namespace weft
