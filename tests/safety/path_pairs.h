// When does a moving vertex touch a moving triangle, or an edge an edge? In double, with a bound for every
// rounding error: "never" is proven, "at t" may be a near miss.
//
// All four points move along straight lines during t in [0, 1]. The pair does not touch within [t0, t1] if
// some direction n separates the two sides at t0 and at t1, because n . (p(t) - q(t)) is linear in t for all
// points p and q of the two sides. So
// [0, 1] is halved until every piece has such a direction; which direction does not matter for the proof, and
// the one between the closest points in the middle of the piece nearly always serves:
//
//      p(t0) ------> p(t1)                      one n for all of the piece, both ends of it,
//   ------------------------  n ^               every corner
//      a-----b-----c   ------> ...
//
// A piece that cannot be separated at a length of 2^-48 counts as touching. So a pair that touches is always
// found, and one that does not is reported only where its gap is of the order of the rounding bound, 1e-14 of
// the coordinates, or the motion during 2^-48 of the step.
#pragma once
#include <array>
#include <optional>

#include "sim/base/math.h"

namespace weft::check {

/// Four points (metres) at the start and at the end of their straight paths.
struct FourPaths {
  std::array<dvec3, 4> start, end;
};

/// Vertex 0 against triangle 1 2 3. Returns a time in [0, 1] before which they provably do not touch and
/// close to which they do, or nothing where they provably do not touch. Touching at time 0 counts.
std::optional<double> vertex_meets_triangle(const FourPaths& paths);

/// Edge 0 1 against edge 2 3, likewise.
std::optional<double> edge_meets_edge(const FourPaths& paths);

}  // namespace weft::check
