// Remeshing of a surface to edges of one length (after Botsch and Kobbelt 2004, section 4).
#pragma once
#include <functional>
#include <vector>

#include "sim/mesh/uniform/half_edge.h"

namespace weft {

class SourceSurface;

/// Splits edges longer than 4/3 and collapses those shorter than 4/5 of `edge` (m), flips towards even
/// valence, relaxes along the surface and projects back to it, ten times. Boundary curves are resampled along
/// themselves and keep their corners; in the end their vertices are evenly spaced between corners. Interior
/// creases are treated like smooth parts. `kept`: fixed vertices of the source, with the triangles between
/// them; may be empty.
HalfEdgeMesh remeshed(const SourceSurface& source, double edge, const std::function<void(double)>& progress,
                      const std::vector<char>& kept = {});

}  // namespace weft
