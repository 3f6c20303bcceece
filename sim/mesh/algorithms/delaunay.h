#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Delaunay triangulation of points in the plane (Qhull): counter-clockwise triangles in ascending order of
/// their indices, without the flat ones that collinear points on the hull would give. Throws Error where the
/// points span no area.
std::vector<ivec3> delaunay(const std::vector<dvec2>& points);

}  // namespace weft
