// Moving pairs for tests and measurements of collision queries: made to meet, made hard for rounding, or as
// published.
#pragma once
#include <cmath>
#include <random>

#include "sim/geometry/primitive_distance.h"
#include "tests/geometry/float_rounding.h"
#include "tests/support/exact_impact.h"

namespace weft::testing {

/// The points of a pair in R.
template <class R>
struct PairIn {
  Vec<R> start[4], end[4];
  explicit PairIn(const MovingPair& q) {
    for (int k = 0; k < 4; ++k) start[k] = Vec<R>(q.start[k]), end[k] = Vec<R>(q.end[k]);
  }
};

/// Coordinates that R holds exactly.
template <class R>
MovingPair rounded_to(const MovingPair& q) {
  if (sizeof(R) == 8) return q;
  MovingPair r = q;
  for (dvec3* side : {r.start, r.end})
    for (int k = 0; k < 4; ++k) side[k] = rounded_to_float(side[k]);
  return r;
}

class ImpactPairMaker {
 public:
  explicit ImpactPairMaker(unsigned seed) : random_(seed) {}

  /// In [0, 1), and in a cube of half side 1; the same with every compiler.
  double share() { return double(random_() >> 5) / double(1 << 27); }
  dvec3 anywhere() {
    const double x = 2 * share() - 1, y = 2 * share() - 1;
    return {x, y, 2 * share() - 1};
  }

  /// Sides of size about 1 that move by about `speed`, so that a point inside of each meets the other's at a
  /// time within the step, but for rounding.
  MovingPair meeting(bool edges, double speed) {
    MovingPair q{.edges = edges};
    const dvec3 common = speed * anywhere();
    for (int k = 0; k < 4; ++k) {
      q.start[k] = anywhere();
      q.end[k] = q.start[k] + 0.5 * speed * anywhere() + (first_side(q, k) ? common : -common);
    }
    const double t = 0.02 + 0.96 * share(), s = share();
    double u = share(), v = share();
    if (!edges && u + v > 1) u = 1 - u, v = 1 - v;
    dvec3 x[4];
    for (int k = 0; k < 4; ++k) x[k] = q.start[k] + t * (q.end[k] - q.start[k]);
    const dvec3 own = edges ? x[0] + s * (x[1] - x[0]) : x[0];
    const dvec3 other = x[2] + u * (x[3] - x[2]);
    const dvec3 target = edges ? other : x[1] + u * (x[2] - x[1]) + v * (x[3] - x[1]);
    for (int k = 0; k < 4; ++k)
      if (first_side(q, k)) q.start[k] += target - own, q.end[k] += target - own;
    return q;
  }

  /// Sides that touch at the end of the step in a point of an edge that is 2^-22 to 2^-26 of it (double:
  /// 2^-51 to 2^-55) away from a corner, and come from there by a longer way, at a right angle to the edge
  /// but for rounding. f changes its sign so near to the corner that only the last digits of the Bernstein
  /// coefficients tell. The corner is the origin.
  template <class R>
  MovingPair near_corner(bool edges) {
    MovingPair q{.edges = edges};
    const int corner = edges ? 2 : 1;
    const double fraction = std::exp2(-std::floor((sizeof(R) == 4 ? 22 : 51) + 5 * share()));
    const dvec3 along = anywhere();
    dvec3 across = anywhere();
    if (glm::dot(across, along) < 0) across = -across;
    const dvec3 sideways = across - glm::dot(across, along) / glm::dot(along, along) * along;
    const double length = std::exp2(std::floor(7 * share()));
    const dvec3 way = length * (glm::cross(along, across) - 0.3 * sideways) - 2 * fraction * share() * along;
    q.start[corner + 1] = q.end[corner + 1] = along;
    q.end[0] = fraction * along;
    q.start[0] = way;
    if (edges) q.start[1] = way - across, q.end[1] = -across;
    else q.start[3] = q.end[3] = across;
    q = rounded_to<R>(q);
    q.end[0] = fraction * q.end[corner + 1];  // on the edge whatever the rounding
    return q;
  }

 private:
  static bool first_side(const MovingPair& q, int k) { return k < (q.edges ? 2 : 1); }
  std::mt19937 random_;
};

/// Two queries that a published finder of approximate roots misses
/// (github.com/zfergus/fast-approximate-root-ccd). The edges come within 5e-7 of each other and do not touch.
inline MovingPair published_vertex_triangle() {
  MovingPair q;
  q.start[0] = {-5066329 / 1048576.0, 3747703 / 8388608.0, -9110393 / 4194304.0};
  q.start[1] = {-5097349 / 1048576.0, 15565867 / 33554432.0, -8419809 / 4194304.0};
  q.start[2] = {-10108719 / 2097152.0, 4441449 / 8388608.0, -2398085 / 1048576.0};
  q.start[3] = {-10030265 / 2097152.0, 5321347 / 8388608.0, -4791705 / 2097152.0};
  q.end[0] = {-9984255 / 2097152.0, 8516467 / 16777216.0, -7675421 / 4194304.0};
  q.end[1] = {-5031053 / 1048576.0, 7841285 / 16777216.0, -14946117 / 8388608.0};
  q.end[2] = {-4854525 / 1048576.0, 4763077 / 8388608.0, -269775 / 131072.0};
  q.end[3] = {-9736347 / 2097152.0, 10062471 / 16777216.0, -4408415 / 2097152.0};
  return q;
}
inline MovingPair published_edges() {
  MovingPair q{.edges = true};
  q.start[0] = {1, 0.50803125, 2.10835646075301e-18};
  q.start[1] = {-2.38233935445388e-18, 0.50803125, 1};
  q.end[0] = {1, 0.47124375, 4.11078309465837e-18};
  q.end[1] = {-2.8526707189104e-18, 0.47124375, 1};
  q.start[2] = q.end[2] = {-4.99999999958867e-07, 0.5, 0};
  q.start[3] = q.end[3] = {-4.99999999958867e-07, 0.5, 1};
  return q;
}

}  // namespace weft::testing
