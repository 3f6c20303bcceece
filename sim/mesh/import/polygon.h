#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Triangles of a simple polygon in space, by ear clipping in the plane of its mean normal: concave corners
/// come out right, and among the possible ears the best-shaped is cut first (first found above 64 corners).
/// Returns corner numbers 0..n-1, wound like the polygon. `simple` is set to false where no ear was left, as
/// in polygons that cross themselves; the rest is then a fan.
std::vector<ivec3> triangulate_polygon(const std::vector<dvec3>& corners, bool& simple);

}  // namespace weft
