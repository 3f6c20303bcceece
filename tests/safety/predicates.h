// The only questions that the checker asks of numbers, answered without rounding. CGAL stays behind this
// header.
#pragma once
#include "sim/base/math.h"

namespace weft::check {

/// Sign of det(b - a, c - a, d - a), exact for all finite doubles: on which side of the plane abc the point d
/// lies; 0 on it.
int orientation(const dvec3& a, const dvec3& b, const dvec3& c, const dvec3& d);

/// Sign of the area of abc as seen along an axis (0 x, 1 y, 2 z), exact: 1 counter-clockwise, 0 in one line.
int orientation_along(int axis, const dvec3& a, const dvec3& b, const dvec3& c);

}  // namespace weft::check
