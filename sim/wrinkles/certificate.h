// Proof that a surface has no crossings beyond neighbouring triangles, from distances of its vertices alone.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/math.h"

namespace weft::wrinkles {

/// Where two triangles cross, an edge of one meets the other. Its nearer end i is at most half its length a
/// from there, and a corner j of the triangle at most the triangle's covering radius r; of the ends and
/// corners two are at most sqrt(a^2 / 4 + r^2) apart (r = b / 2 for a right or obtuse triangle with longest
/// edge b: half the diagonal of a and b). So if all vertices without a common edge are farther apart, with
/// the longest edge at one and the largest covering radius at the other, triangles cross only where one has a
/// vertex that is a corner or a neighbour of a corner of the other: within two rings.
struct Certificate {
  int64_t close_pairs = 0;  // pairs of vertices without a common edge that are too close for the argument
  float most_needed = 0;    // m, the largest of the distances asked for
  float least =
      0;  // m, between vertices without a common edge, as far as it is below most_needed; else most_needed
  bool holds() const { return close_pairs == 0; }
};

/// Searches all vertices of `triangles`; the order of pairs does not matter. Triangles without area count
/// with their edges. A position that is not finite counts as a close pair.
Certificate certify(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles);

}  // namespace weft::wrinkles
