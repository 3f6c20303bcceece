// The last step of Wu et al. 2020, section 6.1: the shortest edge becomes longer and the longest shorter.
#pragma once
#include <functional>
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// A triangulation whose interior vertices may move.
struct RatioProblem {
  std::vector<dvec3> x;  // positions, m
  std::vector<ivec2> edges;
  // counter-clockwise about the normals: none is turned over; may be empty
  std::vector<ivec3> triangles;
  std::vector<char> movable;
  std::vector<dvec3> normals;                          // unit; vertices move in the plane across theirs
  std::function<void(int, dvec3&)> project = nullptr;  // back to the surface, now and then; may be empty
};

/// Lowers eq. 24, max |x_i - x_j| - min |x_i - x_j| over the edges, by moving x_I, the movable vertices. The
/// paper descends along the gradient of the two extreme edges alone with a fixed step. Here the maximum and
/// the minimum are those of a power mean,
///
///   E = sum over edges of (l / L)^b + (L / l)^b,   L^2 = max l min l,
///
/// whose power b grows from 4 to 128: all edges near the extremes count, so that far fewer iterations are
/// needed and patterns of equal extremes do not stall. Jacobi iterations with E'' as weights and momentum.
/// Returns the ratio reached, that of the x it leaves: the best one met.
double improve_edge_ratio(RatioProblem& problem, int iterations_per_power = 60);

/// Smallest over greatest edge length.
double edge_ratio(const std::vector<dvec3>& x, const std::vector<ivec2>& edges);

}  // namespace weft
