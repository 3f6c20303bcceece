// Whether two triangles have a point in common, by signs of determinants in double: the same function for the
// host, where each sign is settled, and for devices, where a sign that rounding leaves open leaves the answer
// open.
#pragma once
#include "sim/base/math.h"

namespace weft::crossing {

enum class Answer { apart, meet, open };

/// In place of a sign that is not known.
constexpr int kOpen = 2;

// Shewchuk 1997: (7 + 56 u) u of the sum of all terms' absolute values bounds the rounding of a 3x3
// determinant, with u = 2^-53; of a 2x2 determinant it is less. Fused multiplications round less often.
constexpr double kRounding = 8e-16;

/// What rounding leaves open counts as touching: 0.
struct TouchingSigns {
  template <class Zero>
  HD static int of(double determinant, double size, const Zero& /*is_zero*/) {
    return determinant > kRounding * size ? 1 : determinant < -kRounding * size ? -1 : 0;
  }
};

/// Signs that TouchingSigns has, too, wherever and however its sums are rounded; kOpen where that is not
/// sure. Two roundings of one determinant differ by at most twice their bound, so that one beyond three times
/// the bound is beyond it in both. One that is exactly 0, as in flat cloth, is within it in both.
struct CertainSigns {
  static constexpr double kCertain = 3 * kRounding;
  template <class Zero>
  HD static int of(double determinant, double size, const Zero& is_zero) {
    if (determinant > kCertain * size) return 1;
    if (determinant < -kCertain * size) return -1;
    return size == 0 || is_zero() ? 0 : kOpen;
  }
};

/// Differences of coordinates as whole numbers below 2^35 of one unit, where they are that exactly.
/// Determinants of them are computed modulo 2^64: those that CertainSigns asks for are below
/// 4 kRounding 6 2^105 < 2^60, and so are 0 where that is 0.
struct WholeDifferences {
  bool exact;  // so far
  double per_unit;
  HD explicit WholeDifferences(double largest)
      : exact(largest < 1e50), per_unit(exact ? scalbn(1.0, 34 - ilogb(glm::max(largest, 1e-50))) : 0) {}
  HD uint64_t operator()(double from, double to) {
    const double d = to - from, whole = d * per_unit;
    exact = exact && d + from == to && to - d == from && fabs(whole) < 34359738368.0 && whole == floor(whole);
    return exact ? uint64_t(int64_t(whole)) : 0;
  }
};

struct Corners {
  dvec3 at[3];
};

HD inline double largest_of(const dvec3& v) { return glm::max(glm::max(fabs(v.x), fabs(v.y)), fabs(v.z)); }

/// Whether d lies in the plane abc exactly; false also where that is not known.
HD inline bool in_plane(const dvec3& a, const dvec3& b, const dvec3& c, const dvec3& d) {
  WholeDifferences whole(glm::max(glm::max(largest_of(b - a), largest_of(c - a)), largest_of(d - a)));
  uint64_t u[3], v[3], w[3];
  for (int k = 0; k < 3; ++k) u[k] = whole(a[k], b[k]), v[k] = whole(a[k], c[k]), w[k] = whole(a[k], d[k]);
  return whole.exact && u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
                                u[2] * (v[0] * w[1] - v[1] * w[0]) ==
                            0;
}

/// Side of the plane abc on which d lies; 0: on it.
template <class Signs>
HD inline int side_of_plane(const dvec3& a, const dvec3& b, const dvec3& c, const dvec3& d) {
  const dvec3 u = b - a, v = c - a, w = d - a;
  const double yz = v.y * w.z, zy = v.z * w.y, zx = v.z * w.x, xz = v.x * w.z, xy = v.x * w.y, yx = v.y * w.x;
  return Signs::of(u.x * (yz - zy) + u.y * (zx - xz) + u.z * (xy - yx),
                   fabs(u.x) * (fabs(yz) + fabs(zy)) + fabs(u.y) * (fabs(zx) + fabs(xz)) +
                       fabs(u.z) * (fabs(xy) + fabs(yx)),
                   [&] { return in_plane(a, b, c, d); });
}

/// Terms of the area of abc seen along an axis, which is x - y.
HD inline dvec2 area_terms(int axis, const dvec3& a, const dvec3& b, const dvec3& c) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  return {(b[i] - a[i]) * (c[j] - a[j]), (b[j] - a[j]) * (c[i] - a[i])};
}

/// Whether abc lie in one line exactly, seen along an axis; false also where that is not known.
HD inline bool in_line(int axis, const dvec3& a, const dvec3& b, const dvec3& c) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  WholeDifferences whole(glm::max(largest_of(b - a), largest_of(c - a)));
  const uint64_t left = whole(a[i], b[i]) * whole(a[j], c[j]), right = whole(a[j], b[j]) * whole(a[i], c[i]);
  return whole.exact && left == right;
}

/// Sign of that area.
template <class Signs>
HD inline int turn(int axis, const dvec3& a, const dvec3& b, const dvec3& c) {
  const dvec2 t = area_terms(axis, a, b, c);
  return Signs::of(t.x - t.y, fabs(t.x) + fabs(t.y), [&] { return in_line(axis, a, b, c); });
}

/// The first axis along which the triangle is seen with nearly its largest area; -1: not known. Nearly, so
/// that triangles at 45 degrees are no special case.
template <class Signs>
HD inline int widest_axis(const Corners& t) {
  constexpr double kNearly = 1.1;
  dvec2 term[3];
  for (int k = 0; k < 3; ++k) term[k] = area_terms(k, t.at[0], t.at[1], t.at[2]);
  const auto less = [&](int k, int than) {  // 1: no, -1: yes, 0: neither can be seen
    const dvec2 &own = term[k], &other = term[than];
    return Signs::of(kNearly * fabs(own.x - own.y) - fabs(other.x - other.y),
                     kNearly * (fabs(own.x) + fabs(own.y)) + fabs(other.x) + fabs(other.y),
                     [] { return false; });
  };
  const int xy = less(0, 1), xz = less(0, 2);
  if (xy != -1 && xz != -1) return xy == kOpen || xz == kOpen ? -1 : 0;
  const int yz = less(1, 2);
  return yz == kOpen ? -1 : yz == -1 ? 2 : 1;
}

/// `meet`: the triangle has area, `apart`: it has none.
template <class Signs>
HD inline Answer has_area(const Corners& t) {
  Answer answer = Answer::apart;
  for (int axis = 0; axis < 3; ++axis) {
    const int s = turn<Signs>(axis, t.at[0], t.at[1], t.at[2]);
    if (s == 1 || s == -1) return Answer::meet;
    if (s == kOpen) answer = Answer::open;
  }
  return answer;
}

/// Which signs were seen.
struct Seen {
  bool above = false, below = false, on = false, open = false;
  HD void add(int sign) { above |= sign == 1, below |= sign == -1, on |= sign == 0, open |= sign == kOpen; }
};

/// All in one plane: apart where a side of the triangle or the segment has all of the other strictly beyond
/// it.
template <class Signs>
HD inline Answer meet_in_plane(const dvec3& p, const dvec3& q, const Corners& t) {
  const int axis = widest_axis<Signs>(t);
  const int inside = axis < 0 ? kOpen : turn<Signs>(axis, t.at[0], t.at[1], t.at[2]);
  if (inside == kOpen) return Answer::open;
  bool open = false;
  for (int k = 0; k < 3; ++k) {
    const dvec3 &a = t.at[k], &b = t.at[(k + 1) % 3];
    const int at_p = turn<Signs>(axis, a, b, p), at_q = turn<Signs>(axis, a, b, q);
    if (at_p == -inside && at_q == -inside) return Answer::apart;
    open |= (at_p == -inside || at_p == kOpen) && (at_q == -inside || at_q == kOpen);
  }
  Seen line;
  for (int k = 0; k < 3; ++k) line.add(turn<Signs>(axis, p, q, t.at[k]));
  const bool meets = line.on || (line.above && line.below);
  if (!meets && !line.open) return Answer::apart;
  return open || !meets ? Answer::open : Answer::meet;
}

/// `at_p`, `at_q`: their sides of the triangle's plane.
template <class Signs>
HD inline Answer segment_meets(const dvec3& p, const dvec3& q, const Corners& t, int at_p, int at_q) {
  if (at_p == kOpen || at_q == kOpen) return Answer::open;
  if (at_p != 0 && at_p == at_q) return Answer::apart;
  if (at_p == 0 && at_q == 0) return meet_in_plane<Signs>(p, q, t);
  Seen pass;  // on which sides of the line the triangle's edges pass it
  for (int k = 0; k < 3; ++k) pass.add(side_of_plane<Signs>(p, q, t.at[k], t.at[(k + 1) % 3]));
  if (pass.above && pass.below) return Answer::apart;
  return pass.open ? Answer::open : Answer::meet;
}

/// Both have the edge vw: folded flat onto each other?
template <class Signs>
HD inline Answer folded_flat(const dvec3& v, const dvec3& w, const dvec3& a, const dvec3& b) {
  const int side = side_of_plane<Signs>(v, w, a, b);
  if (side != 0) return side == kOpen ? Answer::open : Answer::apart;
  const int axis = widest_axis<Signs>({{v, w, a}});
  if (axis < 0) return Answer::open;
  const int at_a = turn<Signs>(axis, v, w, a), at_b = turn<Signs>(axis, v, w, b);
  if (at_a == kOpen || at_b == kOpen) return Answer::open;
  return at_a == at_b ? Answer::meet : Answer::apart;
}

struct Pair {
  ivec3 ta, tb;  // numbers of the corners
  Corners a, b;
};

/// Corners that two triangles have in common.
struct Common {
  int count = 0, own_a = -1, own_b = -1;  // own: places of the last corners that are not common
  ivec3 of_a{0}, of_b{0};                 // not 0: this corner is
  HD explicit Common(const Pair& p) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (p.ta[i] == p.tb[j]) ++count, of_a[i] = of_b[j] = 1;
    for (int i = 0; i < 3; ++i) {
      if (!of_a[i]) own_a = i;
      if (!of_b[i]) own_b = i;
    }
  }
};

/// Sides of a plane on which the corners of a triangle lie that are not common; 3: it is.
template <class Signs>
HD inline ivec3 sides_of(const Corners& plane, const Corners& t, const ivec3& common) {
  ivec3 side(3);
  for (int k = 0; k < 3; ++k)
    if (!common[k]) side[k] = side_of_plane<Signs>(plane.at[0], plane.at[1], plane.at[2], t.at[k]);
  return side;
}

HD inline bool all_on_one_side(const ivec3& side) {
  Seen seen;
  for (int k = 0; k < 3; ++k) seen.add(side[k]);
  return seen.above != seen.below && !seen.on && !seen.open;
}

/// Whether two triangles have a point in common that is no corner or edge of both, by touching too. Edges of
/// both are tested: if two triangles cross, an edge of one meets the other. Corners that are not finite leave
/// it open.
template <class Signs>
HD inline Answer cross(const Pair& p) {
  const Common common(p);
  if (common.count >= 3) return Answer::meet;
  if (common.count == 2)
    return folded_flat<Signs>(p.a.at[(common.own_a + 1) % 3], p.a.at[(common.own_a + 2) % 3],
                              p.a.at[common.own_a], p.b.at[common.own_b]);
  const ivec3 side_b = sides_of<Signs>(p.a, p.b, common.of_b);
  if (all_on_one_side(side_b)) return Answer::apart;
  const ivec3 side_a = sides_of<Signs>(p.b, p.a, common.of_a);
  if (all_on_one_side(side_a)) return Answer::apart;
  Answer answer = Answer::apart;
  for (int k = 0; k < 6; ++k) {  // edges of a, then of b
    const bool of_a = k < 3;
    const int i = k % 3, j = (i + 1) % 3;
    const ivec3& is_common = of_a ? common.of_a : common.of_b;
    if (is_common[i] || is_common[j]) continue;
    const ivec3& side = of_a ? side_a : side_b;
    const Corners &edge = of_a ? p.a : p.b, &other = of_a ? p.b : p.a;
    const Answer met = segment_meets<Signs>(edge.at[i], edge.at[j], other, side[i], side[j]);
    if (met == Answer::meet) return met;
    if (met == Answer::open) answer = met;
  }
  return answer;
}

}  // namespace weft::crossing
