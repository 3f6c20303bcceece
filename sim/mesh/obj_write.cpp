#include <fmt/format.h>

#include <iterator>

#include "sim/base/file.h"
#include "sim/mesh/obj.h"

namespace weft {
namespace {

/// A name as one word, as OBJ wants it.
std::string one_word(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= ' ') c = '_';
  return name.empty() ? "unnamed" : name;
}

}  // namespace

void write_obj(const std::string& path, const std::vector<ObjGroup>& groups) {
  fmt::memory_buffer text;
  int first = 1, first_texture = 1;
  for (const ObjGroup& group : groups) {
    if (!group.kind.empty()) fmt::format_to(std::back_inserter(text), "# {}\n", group.kind);
    fmt::format_to(std::back_inserter(text), "g {}\n", one_word(group.name));
    const bool moved = group.transform != mat4(1);
    for (const vec3& rest : *group.positions) {
      const vec3 p = moved ? vec3(group.transform * vec4(rest, 1)) : rest;
      fmt::format_to(std::back_inserter(text), "v {} {} {}\n", p.x, p.y, p.z);
    }
    const bool textured = group.uv && group.uv->size() == group.positions->size();
    if (textured)
      for (const vec2& t : *group.uv) fmt::format_to(std::back_inserter(text), "vt {} {}\n", t.x, t.y);
    const int shift = first_texture - first;
    for (const ivec3& t : *group.triangles) {
      const ivec3 v = t + first;
      if (textured) fmt::format_to(std::back_inserter(text), "f {}/{} {}/{} {}/{}\n", v.x, v.x + shift, v.y, v.y + shift, v.z, v.z + shift);
      else fmt::format_to(std::back_inserter(text), "f {} {} {}\n", v.x, v.y, v.z);
    }
    first += int(group.positions->size());
    if (textured) first_texture += int(group.uv->size());
  }
  write_text_file(path, fmt::to_string(text));
}

}  // namespace weft
