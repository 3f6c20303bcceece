// Positions and velocities with which a cloth begins, from a frame of a run or another program's mesh.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/import/obj.h"
#include "sim/scene/scene.h"

namespace weft {

/// A file as Cloth::start names it: "run.weftcache#120"; `step` is the number of a frame's step, -1: the
/// last.
struct StartReference {
  std::string path;
  long long step = -1;
};
StartReference split_start(const std::string& start);
std::string with_step(const std::string& path, long long step);
/// True for a file in place of a garment's "sewn", "placed" and "dressed".
bool is_start_file(const std::string& start);
/// True for another program's OBJ, which has the vertices, the unit and the axes of the cloth's own file;
/// runs of Weft are in the world.
bool is_pose_of_file(const std::string& path);

/// The vertices of `mesh`, which `file` gave (`report`: of that import), in an OBJ file of the same vertices
/// and faces: another pose or the shape at rest. Throws Error that says what differs.
std::vector<vec3> vertices_of_pose(const ObjFile& file, const ImportReport& report, const std::string& path);

/// Takes positions (world, m) from a frame of a run: a cache, a folder of --states or one of its arrays, PC2,
/// USD, an OBJ sequence or one OBJ file; velocities from the frame before it, where there is one (`dt`, s,
/// apart in files without a rate). The cloth is the group of its name, else the only one that fits; its
/// vertices are those of the simulation or of the file that it came from. Throws Error where counts or faces
/// differ.
void take_start(TriMesh& mesh, const Cloth& cloth, const std::string& path, long long step, double dt);

}  // namespace weft
