// Layers that cross at the start, put over each other in the order in which they are worn.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

struct LiftedLayers {
  std::vector<vec3> positions;   // m
  std::vector<double> farthest;  // of each layer: the longest path of a vertex, m
  std::vector<ivec2> left;  // pairs of triangles that still cross, numbered through all layers and bodies
};

/// Lifts each layer out of bodies and of the layers before it, along their normals, until they are about
/// `distance` (m) apart (lift_out_of_bodies): the first layer is next to the body. Where that does not
/// suffice, distances of up to 16 times as much are tried; a vertex moves by at most `most` (m). Layers do
/// not become free of themselves. Sides: a surface's outside is that towards which its volume about its mean
/// is positive, as of tubes and closed bodies.
/// `positions`: of the vertices of layers and bodies, which share none. Deterministic.
LiftedLayers lift_layers(std::vector<vec3> positions, const std::vector<std::vector<ivec3>>& layers,
                         const std::vector<ivec3>& bodies, float distance, float most);

}  // namespace weft
