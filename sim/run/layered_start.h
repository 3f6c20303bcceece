// Outfits whose layers cross at the start.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/topology.h"
#include "sim/scene/scene.h"

namespace weft {

struct LayeredStart {
  bool changed = false;
  std::vector<std::string> notices;  // how far which layer was moved, and what still crosses
};

/// Lifts cloths that have layers (ClothLayers) over each other and out of bodies in the order of their
/// numbers, where they cross (lift_layers); cloths of one number are one layer, others stay. `bodies`: in the
/// world at time 0, m; `positions`: of all cloths. Pins hold vertices where these were before. Deterministic.
LayeredStart put_in_order(const Scene& scene, const Topology& cloths, const std::vector<TriMesh>& bodies,
                          std::vector<vec3>& positions);

}  // namespace weft
