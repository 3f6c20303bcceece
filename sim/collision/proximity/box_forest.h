// Trees of boxes over vertices, edges and triangles, sixteen to a block. The grouping is computed once, from
// the positions at the start: a patch of cloth stays a patch however it moves. The boxes are updated for
// every search.
#pragma once
#include <vector>

#include "sim/base/math.h"
#include "sim/base/span.h"
#include "sim/device/lanes.h"

namespace weft {

struct SearchSurface;

/// One tree each. The first three are the searching primitives, the last four the searched ones.
enum class Tree {
  cloth_vertices,
  obstacle_vertices,
  cloth_edges,
  obstacle_edges,
  cloth_triangles,
  obstacle_triangles
};
constexpr int kTrees = 6;

/// Blocks are numbered through: leaves of all trees in the order of Tree, then their parents, and so on. Slot
/// 16 b + l is place l of block b. A place of a leaf is an item; a place of any other block is a node, whose
/// children are the places of one block below:
///
///      root block          [ 0 1 2 . . ]           a leaf block holds up to 16 items,
///                           /  |  \                compact in space
///      blocks of nodes   [ ] [ ] [ ]
///      leaf blocks      [][] ...
struct BoxForest {
  int leaf_blocks = 0, blocks = 0;
  // per leaf block 4 x 16: three points of each item (repeated where it has fewer), its number
  std::vector<int> corner;
  std::vector<int> used;      // places of each block that are taken
  std::vector<int> child;     // block below, per slot of the blocks that are no leaves
  std::vector<int> node;      // slot of the node above each leaf block
  std::vector<ivec2> levels;  // first and number of the blocks of each level of nodes, from below
  std::vector<int> tree;      // tree of each leaf block
  int root[kTrees] = {-1, -1, -1, -1, -1, -1};  // block; -1 for a tree without items
  int query_blocks = 0;                         // leaf blocks of the first three trees
};

BoxForest build_forest(const SearchSurface& surface);

// numbers per block: corner; boxes (lower, upper, centre, radius)
constexpr int kCorners = 4 * kLanes, kSides = 10 * kLanes;

}  // namespace weft
