#pragma once
#include "sim/mesh/uniform/half_edge.h"

namespace weft {

class SourceSurface;

/// Improves the ratio of the shortest to the longest edge by moving all vertices that are neither on the
/// boundary nor corners, on
/// `source` or, where there is none, in the plane z = 0 (edge_ratio.h). Returns the ratio.
double move_to_even_edges(HalfEdgeMesh& mesh, const SourceSurface* source, int iterations_per_power);

}  // namespace weft
