// An OBJ file unchanged: every vertex in the file's order, with its groups. Nothing is dropped or repaired.
#pragma once
#include <string>
#include <vector>

#include "sim/files/run.h"

namespace weft {

struct ObjGroups {
  std::vector<RunGroup> groups;
  std::vector<vec3> positions;
};
/// Groups ("g" or "o") that share no vertices stay separate, otherwise the whole file is one. A comment "#
/// body", "# rigid body" or "# grains DIAMETER" before a group, as Weft writes it (kind_line), gives its
/// kind; the default is cloth. Texture coordinates are a group's `uv` if each of its vertices has exactly
/// one, else its `corners`. Throws Error "file:line".
ObjGroups read_obj_groups(const std::string& path);

}  // namespace weft
