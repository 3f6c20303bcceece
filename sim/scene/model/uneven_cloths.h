// Notices about meshes that do not suit the chosen methods.
#pragma once
#include <string>
#include <vector>

#include "sim/scene/model/model.h"

namespace weft {

/// One notice for each cloth with edges of more than two triangles, where the chosen bending model is not
/// made for them.
std::vector<std::string> crowded_edges(const Scene& scene, const Topology& topology);
/// One notice for each cloth that starts below the floor by more than a millimetre. `start`: positions of all
/// vertices (m).
std::vector<std::string> below_floor(const Scene& scene, const Topology& topology,
                                     const std::vector<vec3>& start);
/// One notice for each cloth from a file whose edges are too uneven for vertex repulsion. A running
/// simulation keeps its mesh.
std::vector<std::string> uneven_cloths(const Scene& scene, const Topology& topology);

}  // namespace weft
