// Patches of connected triangles and the tree over them.
#pragma once
#include <vector>

#include "sim/collision/swept_search/block_collector.h"

namespace weft::swept_search {

constexpr int kFewestInPatch = 5, kMostInPatch = 8;  // triangles (Lan 2024, section 8.1)

/// Groups of connected triangles of `surface`, by number: 5 to 8 where the mesh allows, fewer where it leaves
/// no more, and at most 16 edges in each. Every triangle is in one.
std::vector<std::vector<int>> build_patches(const SearchSurface& surface);

/// Three blocks for each patch (its triangles, the vertices and the edges that it owns), and a tree each over
/// the patches of the cloth and of the obstacles.
BlockLayout patch_layout(const SearchSurface& surface);

}  // namespace weft::swept_search
