// Grains, points with a radius: which overlap, and which are inside of closed surfaces.
#pragma once
#include <span>
#include <vector>

#include "sim/base/math.h"

namespace weft::check {

struct GrainOverlap {
  int a = 0, b = 0;  // vertices, a < b
  double depth = 0;  // m, by which they are nearer than the sum of their radii
  bool operator==(const GrainOverlap&) const = default;
};

/// How much nearer than the sum of their radii, `radii`, two grains may be, m: a ten-thousandth of it, which
/// is what tests/physics holds contact to, and what floats round. Two roundings of each of the six
/// coordinates, the largest of which is `largest` (m), and one of each radius.
double grain_tolerance(double largest, double radii);

/// All pairs of grains that are nearer than the sum of their radii by more than the tolerance, ordered by a,
/// then b. `radius`: m, of each vertex; 0: it is no grain. Throws Error for positions that are no numbers.
std::vector<GrainOverlap> find_grain_overlaps(std::span<const dvec3> positions,
                                              std::span<const double> radius);

}  // namespace weft::check
