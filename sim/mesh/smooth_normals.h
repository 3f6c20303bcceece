// Normals at the vertices of a mesh, on the host.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Unit normals of `count` vertices, weighted by triangle area; z where a vertex has none.
std::vector<vec3> smooth_normals(const vec3* positions, int count, const std::vector<ivec3>& triangles);

}  // namespace weft
