// Separate parts of an OBJ file: its objects, or groups, if they share no vertices.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/import/obj_text.h"

namespace weft {

/// One piece of a file. Pieces share no vertices.
struct ObjObject {
  // name of its first object or group; "default" for faces before any; empty if the file has no names
  std::string name;
  std::vector<std::string> joined;  // names of further ones that share vertices with it
  int vertices = 0, faces = 0;
  bool answers_to(const std::string& wanted) const;
};

struct ObjObjects {
  std::vector<ObjObject> pieces;  // in the order of their first faces; empty for a file without faces
  std::vector<int> of_face;       // per face of the text its piece
};
/// Objects ("o") where faces lie in two of them at least, else groups ("g"). Those that share vertices are
/// one piece.
ObjObjects find_objects(const ObjText& text);

}  // namespace weft
