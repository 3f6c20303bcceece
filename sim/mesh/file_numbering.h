// How the vertices of a file became those of a mesh, where import joined some.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Outputs have the file's numbers again: what was joined stands there as often as in the file. Empty where
/// the mesh has the file's vertices.
struct FileNumbering {
  std::vector<int> vertex;       // of each vertex of the file: the mesh's; -1: no face of the mesh uses it
  std::vector<ivec3> triangles;  // those of the mesh, with the file's numbers

  bool empty() const { return vertex.empty(); }
};

}  // namespace weft
