// Meshes of a scene's cloths and obstacles.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"
#include "sim/scene/scene.h"

namespace weft {

/// `file` as it stands in a scene, resolved against the scene's folder ("" is the working directory).
std::string resolve_path(const std::string& file, const std::string& scene_folder);

/// Whether the scene's collision method asks for edges of nearly equal length (Uniformity::ratio of kUniformEnough or more).
bool needs_uniform_mesh(const Scene& scene);
/// Words `remesh` of `tuned`'s cloths so that they get the meshes that `built` gave them, though another collision method was chosen since:
/// a state fits the mesh it was made on, and no other.
void keep_meshes(Scene& tuned, const Scene& built);
/// Makes or loads a cloth: `positions` placed in the world (m), `rest` unplaced but scaled. `notices` receives what
/// import repaired or ignored, in words, and that the cloth was made uniform: because its `remesh` says so or because `uniform` is
/// wanted and it is not. Throws Error.
TriMesh build_cloth_mesh(const Cloth& cloth, const std::string& scene_folder, std::vector<std::string>& notices, bool uniform = false);
/// Makes or loads an obstacle's surface, scaled, not rotated or moved. Planes give a quad of 4 m. Throws Error.
TriMesh build_obstacle_mesh(const Obstacle& obstacle, const std::string& scene_folder, std::vector<std::string>& notices);

}  // namespace weft
