// Points inside of a closed surface.
#pragma once
#include <span>
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Those of `points` (numbers of `positions`) that a closed surface encloses: a ray from them passes it an
/// odd number of times, so that either side of a triangle may be out and cavities are outside. A point on
/// the surface may count as either. In the order of `points`.
std::vector<int> enclosed_points(const std::vector<vec3>& positions, const std::vector<ivec3>& surface,
                                 std::span<const int> points);

}  // namespace weft
