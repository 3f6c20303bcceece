// Samples of a planar pattern and their triangulation: the first three steps of Wu et al. 2020, figure 8.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/mesh/uniform/outline.h"

namespace weft {

/// Points in the plane (m), boundary samples first, loop after loop.
struct PlanarSamples {
  std::vector<dvec2> points;
  int boundary = 0;
  Outline outline;  // through the boundary samples
};

/// Stratified samples inside a resampled outline, spread evenly by particle repulsion (Turk 1992). Their
/// number is what equilateral triangles of this edge length (m) need. Same samples for the same seed.
PlanarSamples sample_inside(const Outline& resampled_outline, double edge, uint64_t seed);

/// Delaunay triangles of the samples, counter-clockwise, those outside left out. Every line of the outline is
/// an edge; where
/// Delaunay would cut across one, it is halved first. Throws Error where halving does not help.
std::vector<ivec3> triangulate(PlanarSamples& samples);

}  // namespace weft
