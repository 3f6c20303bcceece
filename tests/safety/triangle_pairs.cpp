#include "tests/safety/triangle_pairs.h"

#include "tests/safety/predicates.h"

namespace weft::check {
namespace {

/// p lies on the segment rs, seen along the axis; p is known to be in line with it.
bool within(int axis, const dvec3& p, const dvec3& r, const dvec3& s) {
  for (int k = 1; k <= 2; ++k) {
    const int c = (axis + k) % 3;
    if (p[c] < glm::min(r[c], s[c]) || p[c] > glm::max(r[c], s[c])) return false;
  }
  return true;
}

bool segments_meet_along(int axis, const dvec3& p, const dvec3& q, const dvec3& r, const dvec3& s) {
  const int r_side = orientation_along(axis, p, q, r), s_side = orientation_along(axis, p, q, s);
  const int p_side = orientation_along(axis, r, s, p), q_side = orientation_along(axis, r, s, q);
  if (r_side * s_side < 0 && p_side * q_side < 0) return true;
  return (r_side == 0 && within(axis, r, p, q)) || (s_side == 0 && within(axis, s, p, q)) ||
         (p_side == 0 && within(axis, p, r, s)) || (q_side == 0 && within(axis, q, r, s));
}

bool segment_meets_triangle_along(int axis, const dvec3& p, const dvec3& q, const Corners& t) {
  bool left = false, right = false;  // of the edges, as p sees them
  for (int k = 0; k < 3; ++k) {
    const int side = orientation_along(axis, t[k], t[(k + 1) % 3], p);
    left |= side > 0, right |= side < 0;
  }
  // p inside; of a triangle seen edge-on this may say yes too often, see below
  if (!(left && right)) return true;
  for (int k = 0; k < 3; ++k)
    if (segments_meet_along(axis, p, q, t[k], t[(k + 1) % 3])) return true;
  return false;
}

/// Segment and triangle in one plane. Figures that meet do so in every view, and along at least one axis the
/// plane is not seen edge-on, so that what meets in that view meets in space. Asking all three views needs no
/// choice of the right one.
bool meet_in_plane(const dvec3& p, const dvec3& q, const Corners& t) {
  for (int axis = 0; axis < 3; ++axis)
    if (!segment_meets_triangle_along(axis, p, q, t)) return false;
  return true;
}

/// Spares most determinants of neighbours in flat cloth, whose signs are expensive because they are 0.
bool boxes_apart(const dvec3& p, const dvec3& q, const Corners& t) {
  for (int c = 0; c < 3; ++c)
    if (glm::max(p[c], q[c]) < glm::min(t[0][c], glm::min(t[1][c], t[2][c])) ||
        glm::min(p[c], q[c]) > glm::max(t[0][c], glm::max(t[1][c], t[2][c])))
      return true;
  return false;
}

/// Signs of the corners of t against the plane of `plane`: strictly on one side.
bool on_one_side(const Corners& plane, const Corners& t) {
  const int first = orientation(plane[0], plane[1], plane[2], t[0]);
  if (first == 0) return false;
  for (int k = 1; k < 3; ++k)
    if (orientation(plane[0], plane[1], plane[2], t[k]) != first) return false;
  return true;
}

}  // namespace

bool has_area(const Corners& t) {
  for (int axis = 0; axis < 3; ++axis)
    if (orientation_along(axis, t[0], t[1], t[2]) != 0) return true;
  return false;
}

bool segments_meet(const dvec3& p, const dvec3& q, const dvec3& r, const dvec3& s) {
  if (orientation(p, q, r, s) != 0) return false;
  for (int axis = 0; axis < 3; ++axis)
    if (!segments_meet_along(axis, p, q, r, s)) return false;
  return true;
}

bool segment_meets_triangle(const dvec3& p, const dvec3& q, const Corners& t) {
  if (boxes_apart(p, q, t)) return false;
  if (!has_area(t))
    return segments_meet(p, q, t[0], t[1]) || segments_meet(p, q, t[1], t[2]) ||
           segments_meet(p, q, t[2], t[0]);
  const int p_side = orientation(t[0], t[1], t[2], p), q_side = orientation(t[0], t[1], t[2], q);
  if (p_side * q_side > 0) return false;
  if (p_side == 0 && q_side == 0) return meet_in_plane(p, q, t);
  // The line pq meets the plane in one point, which belongs to the segment: is it in the triangle?
  bool left = false, right = false;
  for (int k = 0; k < 3; ++k) {
    const int side = orientation(p, q, t[k], t[(k + 1) % 3]);
    left |= side > 0, right |= side < 0;
  }
  return !(left && right);
}

bool triangles_meet(const Corners& a, const Corners& b) {
  if (has_area(a) && on_one_side(a, b)) return false;
  if (has_area(b) && on_one_side(b, a)) return false;
  // Where triangles meet, an edge of one of them meets the other.
  for (int k = 0; k < 3; ++k)
    if (segment_meets_triangle(a[k], a[(k + 1) % 3], b) || segment_meets_triangle(b[k], b[(k + 1) % 3], a))
      return true;
  return false;
}

bool meet_beyond_corner(const Corners& a, const Corners& b) {
  return segment_meets_triangle(a[1], a[2], b) || segment_meets_triangle(b[1], b[2], a);
}

bool folded_over(const dvec3& u, const dvec3& v, const dvec3& c, const dvec3& d) {
  bool same_side = false;  // of uv, in a view that tells
  for (int axis = 0; axis < 3; ++axis) {
    const int c_side = orientation_along(axis, u, v, c), d_side = orientation_along(axis, u, v, d);
    // in one plane the views agree, and out of one plane nothing overlaps
    if (c_side * d_side < 0) return false;
    same_side |= c_side * d_side > 0;
  }
  return same_side && orientation(u, v, c, d) == 0;
}

}  // namespace weft::check
