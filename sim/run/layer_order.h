// Whether the layers of garments lie on each other in the order in which they are worn.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/topology.h"
#include "sim/scene/scene.h"

namespace weft {

/// Layer (Panel::layer) of each triangle: of garments from their patterns, of garments in OBJ files from the
/// comment that layer_line makes; 0 for all others. Throws Error where a pattern cannot be read.
std::vector<int> layers_of_triangles(const std::vector<ivec3>& triangles,
                                     const std::vector<ModelPart>& cloths, const Scene& scene);

/// "#weft layers NAME 0 0 1": of the garment's pieces (texture_pieces.h) in their order, for OBJ files. NAME
/// is the group's there (one_word). Empty where all are 0.
std::string layer_line(const std::string& name, const std::vector<int>& layer_of_piece);

/// Of the vertices that belong to one layer alone and are within 30 mm of a layer below, the share that lies
/// on its inner side.
/// Each is compared with the nearest point q of the layers below, and lies inside where (p - q) . n < 0; n:
/// the normal there, interpolated, on the right side of the cloth. Places where p - q is more than 60 degrees
/// off the normal, as beyond hems, are left out.
/// NaN where nothing was compared. Positions in m; `layer`: of each triangle.
double layers_out_of_order(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                           const std::vector<int>& layer);

}  // namespace weft
