// Area that a cloth covers, seen from above.
#pragma once
#include <vector>

#include "sim/base/math.h"
#include "sim/base/span.h"

namespace weft {

/// Area of the union of the triangles' projections along y, m². Counted on a grid of `cells` along the longer
/// side: within a share of about
/// 0.3 / cells of the outline's length times the side.
double silhouette_area(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                       int cells = 1024);

/// (silhouette - held) / (rest area - held), where `held` is the rest area of triangles whose vertices are
/// all pinned. `rest` and `positions` have one entry per vertex, `pinned` is nonzero for pinned vertices. NaN
/// if no triangle is free.
double drape_coefficient(const std::vector<vec3>& rest, const std::vector<vec3>& positions,
                         const std::vector<ivec3>& triangles, const std::vector<int>& pinned);

}  // namespace weft
