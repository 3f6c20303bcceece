// Positions in space at which the triangles of a garment have nearly their rest lengths.
#pragma once
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

/// The placed garment, with seams drawn together until edges have their rest lengths, without regard to
/// crossings: edges are projected one after another, 300 times. For what needs a distance between vertices
/// that share no triangle. Deterministic.
std::vector<vec3> relaxed(const TriMesh& mesh);

}  // namespace weft
