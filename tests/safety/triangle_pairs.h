// Two triangles, exactly: nothing here rounds, every answer follows from signs of determinants.
#pragma once
#include <array>

#include "sim/base/math.h"

namespace weft::check {

using Corners = std::array<dvec3, 3>;

/// False where the corners lie in one line.
bool has_area(const Corners& t);

/// Closed segments pq and rs have a point in common. Either may be a single point.
bool segments_meet(const dvec3& p, const dvec3& q, const dvec3& r, const dvec3& s);

/// Closed segment pq and closed triangle t have a point in common. Either may be degenerate.
bool segment_meets_triangle(const dvec3& p, const dvec3& q, const Corners& t);

/// Closed triangles have a point in common. Either may be degenerate.
bool triangles_meet(const Corners& a, const Corners& b);

/// Triangles that share their first corner only, both with area: true where they have another point in
/// common.
/// Such a point's ray from the corner leaves one of the two first, through its opposite edge and inside of
/// the other; so the opposite edges against the triangles are all there is to test.
bool meet_beyond_corner(const Corners& a, const Corners& b);

/// Triangles (u, v, c) and (u, v, d), both with area: true where they overlap in more than the edge uv, that
/// is where one lies folded flat onto the other.
bool folded_over(const dvec3& u, const dvec3& v, const dvec3& c, const dvec3& d);

}  // namespace weft::check
