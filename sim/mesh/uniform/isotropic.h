// Remeshing of a surface to edges of one length (after Botsch and Kobbelt 2004, section 4).
#pragma once
#include <functional>
#include <vector>

#include "sim/mesh/uniform/half_edge.h"

namespace weft {

class SourceSurface;

/// Splits edges longer than 4/3 and collapses those shorter than 4/5 of `edge` (m), flips towards even valence, relaxes along the
/// surface and goes back to it, ten times. Boundary curves are resampled along themselves and keep their corners; at the end their
/// vertices lie evenly between corners. Creases inside are not kept apart from smooth parts.
/// `kept`: vertices of the source that stay, with the triangles between them; empty for none.
HalfEdgeMesh remeshed(const SourceSurface& source, double edge, const std::function<void(double)>& progress, const std::vector<char>& kept = {});

}  // namespace weft
