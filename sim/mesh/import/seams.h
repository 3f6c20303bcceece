// Seams of a mesh whose rest shape belongs to the corners of its triangles.
#pragma once
#include "sim/mesh/mesh.h"

namespace weft {

/// Multiplies the bending rigidity (CornerTextures::factor) of triangles along seams, where cloth lies
/// double: edges at which triangles meet whose material points differ. None unless CornerTextures::is_rest.
void stiffen_seams(TriMesh& mesh, float factor);

}  // namespace weft
