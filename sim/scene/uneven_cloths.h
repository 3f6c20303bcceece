// What is said where vertex repulsion is chosen for cloths that were built for another collision method.
#pragma once
#include <string>
#include <vector>

#include "sim/scene/model.h"

namespace weft {

/// One notice for each cloth from a file whose edges are too uneven for vertex repulsion. The mesh of a run that goes on stays as it is.
std::vector<std::string> uneven_cloths(const Scene& scene, const Topology& topology);

}  // namespace weft
