// When do a moving vertex and a moving triangle, or two moving edges, come within a gap of each other? A lower bound that is never
// late, in float or double: pure functions.
//
// All four points move along straight lines during t in [0, 1]. For a fixed direction n each n . (p_i(t) - q_j(t)), p_i a corner of the
// one side and q_j of the other, is linear in t. Where all of them exceed gap |n| at both ends of a piece of time, the two sides
// keep their distance throughout it. Time is walked through in such pieces from 0 on; n is the direction between the closest points in
// the middle of the piece. A piece that has no such direction is halved; one shorter than `smallest_piece` is where they meet.
// Every rounding error is bounded and taken off, so that "apart" is proven and "meet" may be a near miss.
#pragma once
#include <limits>

#include "sim/geometry/primitive_distance.h"

namespace weft {

/// Result of the tests for pairs that never come within the gap; any time in [0, 1] is one before which they provably do not.
constexpr int kNoImpact = 2;

template <class R>
struct ImpactOptions {
  R gap = 0;                                              // m
  R smallest_piece = sizeof(R) == 4 ? R(1e-6) : R(1e-13); // of the step
  int most_pieces = 256;                                  // tries; after them the time reached so far is the answer
};

/// Vertex 0 against triangle 1 2 3, positions at the start and the end of the step.
template <class R>
HD R vertex_triangle_impact(const Vec<R> start[4], const Vec<R> end[4], const ImpactOptions<R>& options = {});

/// Edge 0 1 against edge 2 3.
template <class R>
HD R edge_edge_impact(const Vec<R> start[4], const Vec<R> end[4], const ImpactOptions<R>& options = {});

}  // namespace weft

#include "sim/geometry/time_of_impact_inl.h"
