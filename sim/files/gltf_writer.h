// One frame as glTF 2.0.
#pragma once
#include <string>

#include "sim/files/run.h"

namespace weft {

/// Writes a frame with smooth normals and, for groups that have them, texture coordinates: a single .glb, or
/// a .gltf with its
/// .bin beside it. One node and mesh per group; strands are lines
/// (mode 1). Material coordinates (u, v) become (u, 1 - v), because glTF
/// counts v downwards. Vertices with several texture coordinates come once for each, the others of them after
/// all that the group has.
/// Throws Error naming the file.
void write_gltf(const std::string& path, const RunInfo& info, const RunFrame& frame);

}  // namespace weft
