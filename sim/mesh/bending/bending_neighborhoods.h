// Neighbourhoods of meshless bending (sim/energies/meshless_bending.h), on the host.
#pragma once
#include <vector>

#include "sim/mesh/topology.h"

namespace weft {

/// Entries of vertex i are [start[i], start[i + 1]), by ascending neighbour; j is a neighbour of i where i is
/// one of j.
/// Neighbours are the vertices an edge away, and those two edges away within kNeighborhoodRadius mean lengths
/// of the edges at both ends. Layers that merely lie close are none. Edges may have any number of triangles.
struct BendingNeighborhoods {
  std::vector<int> start, neighbor;
  std::vector<int> reverse;     // per entry (i, j): the entry (j, i)
  std::vector<vec3> reference;  // per entry: (rho, h) in the vertex's principal frame, m
  // per vertex: 1 / sum rho² along both axes, 1/m²; 0 where it does not bend
  std::vector<vec2> inverse_moment;
  std::vector<float> stiffness;  // per vertex: k for B = 1 N m, 1/m²; 0 for neighbours on a line or none
};

/// Radius r of the paper over the mean edge length nearby: six neighbours on an equilateral grid, eight on a
/// square one.
constexpr float kNeighborhoodRadius = 1.5f;

/// k is such that a cylinder of curvature K costs B/2 K² per area, for the mean over all directions; at a
/// free edge for the direction that costs most, which is along the edge.
BendingNeighborhoods bending_neighborhoods(const Topology& topology);

/// One entry of an operator Q.
struct BendingCoupling {
  int row = 0, column = 0;
  float value = 0;  // Q_row,column, 1/m²
};
/// Share of vertex v in an operator Q that bounds the energy's Hessian at rest for B = 1 N m, the same for
/// each component of u.
/// Entries off the diagonal only, since rows sum to 0; several for one place add up. Tight across flat
/// references.
void bending_couplings(const BendingNeighborhoods& n, int v, std::vector<BendingCoupling>& out);

}  // namespace weft
