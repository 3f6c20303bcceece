// Meshes of a scene's cloths and obstacles.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "sim/garment/garment_mesh.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/mesh.h"
#include "sim/scene/scene.h"

namespace weft {

/// `file` as in a scene, resolved against the scene's folder ("" is the working directory).
std::string resolve_path(const std::string& file, const std::string& scene_folder);

/// The garment of a cloth of that shape: its pattern, meshed and placed, with the fabrics of its panels as
/// factors.
/// `elastic`: as of make_garment.
GarmentMesh make_cloth_garment(const Cloth& cloth, const std::string& scene_folder,
                               const LayerDistances& layers, std::vector<std::string>& notices,
                               double elastic = kUsualElastic);

/// True if the collision method needs edges of nearly equal length (Uniformity::ratio of at least
/// kUniformEnough).
bool needs_uniform_mesh(const Scene& scene);
/// Words `remesh` of `tuned`'s cloths so that they get the meshes that `built` gave them, though another
/// collision method was chosen since: a state fits the mesh it was made on, and no other.
void keep_meshes(Scene& tuned, const Scene& built);
/// One object of an OBJ file, as in Cloth::file: "meshes/stack.obj#sleeve"; `object` is empty for the whole
/// file.
struct ObjReference {
  std::string path, object;
};
ObjReference split_object(const std::string& file);
std::string with_object(const std::string& path, const std::string& object);

/// OBJ files by their paths, each read once, for cloths that are objects of one file.
using ObjFiles = std::map<std::string, ObjFile>;

/// Makes or loads a cloth: `positions` placed in the world (m), `rest` unplaced but scaled. `notices`
/// receives what import repaired or ignored, in words, and that the cloth was made uniform: because its
/// `remesh` says so or because `uniform` is wanted and it is not. `files` keeps what was read; `others`:
/// surfaces in the world that it must not cross for that; may be null.
/// `elastic`: of garments, as of make_garment. `dt`: s, a time step, which is between frames of a start whose
/// file has no rate. Throws Error; where a WorkWatch says so, Interrupted.
TriMesh build_cloth_mesh(const Cloth& cloth, const std::string& scene_folder,
                         std::vector<std::string>& notices, bool uniform = false, ObjFiles* files = nullptr,
                         const TriMesh* others = nullptr, double elastic = kUsualElastic, double dt = 0.01);
/// All cloths of a scene, as its collision method needs them: remeshing creates no new crossings.
std::vector<TriMesh> build_cloth_meshes(const Scene& scene, const std::string& scene_folder,
                                        std::vector<std::string>& notices, ObjFiles& files);
/// True if build_cloth_mesh may remesh a cloth.
bool may_be_remeshed(const Cloth& cloth, bool uniform);
/// Notices about cloths made from `files`: which objects became which cloths, and which form one cloth.
void report_objects(const Scene& scene, const ObjFiles& files, std::vector<std::string>& notices);
/// Makes or loads an obstacle's surface, scaled, not rotated or moved. Planes give a quad of 4 m. Throws
/// Error.
TriMesh build_obstacle_mesh(const Obstacle& obstacle, const std::string& scene_folder,
                            std::vector<std::string>& notices);

}  // namespace weft
