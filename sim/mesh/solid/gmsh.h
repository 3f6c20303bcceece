// Tetrahedra from files of Gmsh.
#pragma once
#include <string>

#include "sim/mesh/solid/tet_mesh.h"

namespace weft {

/// The tetrahedra of a .msh file in ASCII, versions 2.2 and 4.1; of curved ones their corners. Triangles,
/// lines and points in it are left out. Units of the file. Throws Error "file:line".
TetMesh read_gmsh(const std::string& path);
/// The same of a text; `path` is for messages.
TetMesh parse_gmsh(const std::string& text, const std::string& path);

}  // namespace weft
