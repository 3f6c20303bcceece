// Meshes of a scene's solids.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/topology.h"
#include "sim/scene/solids.h"

namespace weft {

/// A solid as a part of the model: points where they start (mesh.positions, with their velocities), at rest
/// where its file or shape has them, scaled. `folder`: of the scene. Throws Error.
NamedMesh build_solid(const SolidParams& solid, const std::string& folder, std::vector<std::string>& notices);

}  // namespace weft
