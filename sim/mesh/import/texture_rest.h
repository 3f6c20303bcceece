// Texture coordinates as the rest shape of a garment's triangles.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

/// Makes the texture coordinates of a mesh its rest shape (CornerTextures::is_rest): the flat panels that it
/// was sewn from. One factor for both axes turns them into metres: 1 where that fits the mesh's area to a
/// tenth, else what makes the areas equal, with a notice. Throws Error, with `where` in front, for a mesh
/// without them or with triangles that lack them, and where lengths then differ from those of the mesh by
/// more than a fifth on average.
void take_texture_as_rest(TriMesh& mesh, const std::string& where, std::vector<std::string>& notices);

}  // namespace weft
