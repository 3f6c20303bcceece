// Points of a scene's grains.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/topology.h"
#include "sim/scene/grains.h"

namespace weft {

/// Grains as a part of the model: points without triangles, with their radii, that fill a box or a closed
/// surface. The same scene gives the same grains. `folder`: of the scene. Throws Error.
NamedMesh build_grains(const GrainParams& grains, const std::string& folder,
                       std::vector<std::string>& notices);

}  // namespace weft
