// Meshes of a scene's cloths and obstacles.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"
#include "sim/scene/scene.h"

namespace weft {

/// `file` as it stands in a scene, resolved against the scene's folder ("" is the working directory).
std::string resolve_path(const std::string& file, const std::string& scene_folder);

/// Makes or loads a cloth: `positions` placed in the world (m), `rest` unplaced but scaled. `notices` receives what
/// import repaired or ignored, in words. Throws Error.
TriMesh build_cloth_mesh(const Cloth& cloth, const std::string& scene_folder, std::vector<std::string>& notices);
/// Makes or loads an obstacle's surface, scaled, not rotated or moved. Planes give a quad of 4 m. Throws Error.
TriMesh build_obstacle_mesh(const Obstacle& obstacle, const std::string& scene_folder, std::vector<std::string>& notices);

}  // namespace weft
