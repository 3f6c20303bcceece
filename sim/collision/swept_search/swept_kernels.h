// Kernels of SweptSearch that every method shares: the common motion, and the box of each point over its
// path.
#pragma once
#include "sim/collision/proximity/box_blocks.h"
#include "sim/device/atomics.h"
#include "sim/device/launch.h"

namespace weft::swept_search {

using triangle_search::Box;

/// Bound of the rounding of a box per size of its coordinates: two operations, each within half a unit in the
/// last place (6e-8), are doubled.
constexpr float kRounding = 2.4e-7f;

HD inline bool is_finite(const vec3& v) { return fabsf(v.x) + fabsf(v.y) + fabsf(v.z) < INFINITY; }

/// Displacement of a point of the cloth; 0 if it is not finite.
struct Displacements {
  Span<const vec3> x0, x1;
  Span<vec3> displacement;
  HD void operator()(int i) const {
    const vec3 d = x1[i] - x0[i];
    displacement[i] = is_finite(d) ? d : vec3(0);
  }
};

/// Mean of the displacements from their sum. A kernel of its own: subtracted from every position it must be
/// the same number to the last bit.
struct MeanMotion {
  Span<const vec3> sum;
  float share = 0;  // 1 / number of displacements
  Span<vec3> motion;
  HD void operator()(int) const {
    const vec3 mean = share * sum[0];
    motion[0] = is_finite(mean) ? mean : vec3(0);
  }
};

/// Box of a point over its path in the frame that moves with the common motion c:
///
///     [min(x0, x1 - c) - half - r,  max(x0, x1 - c) + half + r],   r = kRounding max(|x0|, |x1 - c|).
///
/// NaN if it is not finite. A comparison with NaN is false, so that such a box overlaps none.
struct PointBoxes {
  Span<const vec3> x0, x1, motion;
  float half = 0;  // half of the margin, m
  Span<vec3> lower, upper;
  HD void operator()(int i) const {
    const vec3 from = x0[i], to = x1[i] - motion[0];
    const vec3 least = glm::min(from, to), most = glm::max(from, to);
    const vec3 grow = (1 + kRounding) * half + kRounding * glm::max(glm::abs(least), glm::abs(most));
    const vec3 lo = least - grow, hi = most + grow;
    const bool whole = is_finite(from) && is_finite(to) && is_finite(lo) && is_finite(hi);
    lower[i] = whole ? lo : vec3(NAN);
    upper[i] = whole ? hi : vec3(NAN);
  }
};

/// Box of up to three points; NaN if one of theirs is.
HD inline Box box_of(const Span<const vec3>& lower, const Span<const vec3>& upper, int a, int b, int c) {
  const vec3 p = lower[a], q = lower[b], r = lower[c];
  const vec3 lost = (p - p) + (q - q) + (r - r);  // 0 or NaN
  return {glm::min(glm::min(p, q), r) + lost, glm::max(glm::max(upper[a], upper[b]), upper[c]) + lost};
}

/// Box of those of three points that have one; not finite if none has.
HD inline Box box_of_whole(const Span<const vec3>& lower, const Span<const vec3>& upper,
                           const ivec3& points) {
  Box box{vec3(INFINITY), vec3(-INFINITY)};
  for (int k = 0; k < 3; ++k) {
    const vec3 lo = lower[points[k]];
    if (!is_finite(lo)) continue;
    box.lower = glm::min(box.lower, lo);
    box.upper = glm::max(box.upper, upper[points[k]]);
  }
  return box;
}

HD inline bool overlap(const Box& a, const Box& b) {
  return (a.lower.x <= b.upper.x) & (a.lower.y <= b.upper.y) & (a.lower.z <= b.upper.z) &
         (b.lower.x <= a.upper.x) & (b.lower.y <= a.upper.y) & (b.lower.z <= a.upper.z);
}

/// What all methods search in.
struct Swept {
  Span<const vec3> lower, upper;  // per point
  Span<const int> moved;          // per point; empty: all have
  Span<const int> marks;          // per point, bits; empty: no pair is left out
  Span<int64_t> tests;            // one element; empty: tests are not counted

  HD bool left_out(const ivec4& p) const {
    return !marks.empty() && (marks[p.x] & marks[p.y] & marks[p.z] & marks[p.w]) != 0;
  }
  HD void count(int tested) const {
    if (!tests.empty()) atomic_add(&tests[0], int64_t(tested));
  }
};

}  // namespace weft::swept_search
