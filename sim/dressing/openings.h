// The openings of a garment, and which parts of a body go through them.
#pragma once
#include <vector>

#include "sim/dressing/body_limbs.h"

namespace weft {

/// Closed lines of edges that have one triangle: hems, necklines, armholes. Vertices in order. A vertex with
/// more than two such edges ends a line there and begins another. A line that ends where its sheet is sewn
/// onto another, as at the top of a patch pocket, is no opening.
std::vector<std::vector<int>> boundary_lines(const std::vector<ivec3>& triangles);

/// Of each opening and each limb: how often the limb, from the body's middle to its tip and on in its
/// direction, goes through the fan from the opening's line to its mean, counted with its sign. Where cloth
/// and body do not cross, the difference of two limbs is the linking number of the line with the way from tip
/// to tip, whatever the fan. `cloth` and `body`: positions in one frame, m.
std::vector<std::vector<int>> passages(const std::vector<std::vector<int>>& openings,
                                       const std::vector<vec3>& cloth, const BodyLimbs& limbs,
                                       const std::vector<vec3>& body);

/// Whether limbs differ: some go through the opening, and others do not.
bool is_used(const std::vector<int>& passages_of_limbs);

}  // namespace weft
