// The fabric at a vertex of a model, whatever part it belongs to.
#pragma once
#include "sim/mesh/topology.h"
#include "sim/scene/solids.h"

namespace weft {

/// Of a solid what its surface has of a fabric, which resists nothing.
inline const FabricParams& fabric_at(const Topology& topology, const Scene& scene, int vertex) {
  return surface_of(scene, topology.vertex_part[vertex]);
}

}  // namespace weft
