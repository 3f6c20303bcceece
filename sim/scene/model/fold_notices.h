// Notices about folds that a scene's bending model does not keep.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/topology.h"
#include "sim/scene/scene.h"

namespace weft {

/// In words, of each cloth: a file with sharp folds that open because their rest angles are flat; fold lines,
/// creases and a rigidity along the weft that the bending model does not know. `start`: positions, m.
std::vector<std::string> fold_notices(const Scene& scene, const Topology& topology,
                                      const std::vector<vec3>& start);

}  // namespace weft
