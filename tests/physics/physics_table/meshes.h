// Bodies and sheets of the physics table, triangulated as users' meshes are.
#pragma once
#include <string>

#include "sim/mesh/mesh.h"

namespace weft::physics {

/// How the triangles of a face lie.
enum class Layout { regular, jittered };

/// A closed box of `size` m, its faces of right triangles with legs of about `edge` m. Its top is in y = 0
/// and its other corners below; x and z are centred. Jittered: vertices inside of a face are moved within it
/// by up to 0.3 edges, and each cell is cut along one of its diagonals by chance.
TriMesh make_slab(vec3 size, float edge, Layout layout);
/// A slab whose x (and z, where `both`) runs along a circle of `radius` m about (0, -radius, 0): a piece of a
/// cylinder or of a ball whose outside goes through the origin.
TriMesh make_dome(vec3 size, float edge, Layout layout, float radius, bool both);

/// Writes an OBJ into this process's own folder of temporary files, which is removed when it ends; returns
/// its path.
std::string temporary_obj(const std::string& name, const TriMesh& mesh);

}  // namespace weft::physics
