// Lines of a scene's strands.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/topology.h"
#include "sim/scene/strands.h"

namespace weft {

/// Strands as a part of the model: points and the lines between them, one strand after the other, and the
/// first two points of each as its roots (rings: none). The same scene gives the same strands. Throws Error.
NamedMesh build_strands(const StrandParams& strands, const Scene& scene, const std::string& folder,
                        std::vector<std::string>& notices);

}  // namespace weft
