// Seams of a mesh whose rest shape belongs to the corners of its triangles.
#pragma once
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

/// Edges (first < second, sorted) at which triangles meet whose material points differ: seams. Empty unless
/// CornerTextures::is_rest.
std::vector<ivec2> seam_edges(const TriMesh& mesh);

/// Multiplies the bending rigidity (CornerTextures::factor) of triangles along seams, where cloth lies
/// double.
void stiffen_seams(TriMesh& mesh, float factor);

}  // namespace weft
