// Cuts a mesh open along lines of its edges.
#pragma once
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

/// Makes each vertex of `lines` one vertex for each fan of triangles around it that hangs together by edges
/// which no line runs along: the sides of a cut, or the sheets that meet in a point alone. The first fan
/// keeps the vertex, others get new ones, which come last. The sides of a cut are moved `gap` (m) apart, each
/// into its own sheet, and so is their rest shape; sheets that met in a point are moved apart towards their
/// own rings. A vertex moves by a quarter of the way to its ring at most. Returns the pairs of a kept vertex
/// and one that was split off. Lines are vertices one after the other; edges between them that the mesh lacks
/// are no cut.
std::vector<ivec2> split_mesh(TriMesh& mesh, const std::vector<std::vector<int>>& lines, float gap);

}  // namespace weft
