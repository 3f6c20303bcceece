// Names of the panels that triangles of garments belong to, for messages.
#pragma once
#include <string>

#include "sim/mesh/topology.h"
#include "sim/scene/scene.h"

namespace weft {

/// "front" of a triangle of a garment with a pattern; empty for other cloth. `triangle`: of all cloths.
std::string panel_of_triangle(const Scene& scene, const Topology& cloth, int triangle);

/// "vertex 3 of shirt (panel front)": its number within its cloth, from 0. `vertex`: of all cloths.
std::string vertex_in_words(const Scene& scene, const Topology& cloth, int vertex);

}  // namespace weft
