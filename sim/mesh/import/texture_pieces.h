// Pieces of cloth in its material space: panels of a garment, islands of a texture.
#pragma once
#include <vector>

#include "sim/mesh/corner_textures.h"

namespace weft {

/// Of each triangle the number of its piece: triangles belong together where they share an edge with the same
/// texture coordinates at both ends. Numbered by their first triangles. Without corner textures all are piece
/// 0.
std::vector<int> texture_pieces(const std::vector<ivec3>& triangles, const CornerTextures& corners);

/// Edges (vertices) of one piece that no other triangle of it shares.
std::vector<ivec2> outline_of_piece(const std::vector<ivec3>& triangles, const std::vector<int>& pieces,
                                    int piece);

}  // namespace weft
