#include "sim/collision/proximity/box_forest.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/collision/proximity/triangle_search.h"

namespace weft {
namespace {

/// Orders items so that every aligned run of 16, 256, 4096... is compact: halves along the longest side of
/// their box, split at the ends of such runs. `centre`: of each item, finite.
void arrange(int* items, int count, const std::vector<vec3>& centre) {
  if (count <= kLanes) return;
  int run = kLanes;
  while (run * kLanes < count) run *= kLanes;
  const int left = (count + run - 1) / run / 2 * run;
  vec3 lower(INFINITY), upper(-INFINITY);
  for (int i = 0; i < count; ++i) {
    lower = glm::min(lower, centre[items[i]]);
    upper = glm::max(upper, centre[items[i]]);
  }
  const vec3 side = upper - lower;
  const int axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
  std::nth_element(items, items + left, items + count, [&](int a, int b) {
    const float ca = centre[a][axis], cb = centre[b][axis];
    return ca != cb ? ca < cb : a < b;
  });
  arrange(items, left, centre);
  arrange(items + left, count - left, centre);
}

struct Items {
  std::vector<ivec3> corners;
  std::vector<int> number;
};

void add_leaves(BoxForest& forest, Tree tree, const Items& items, const std::vector<vec3>& positions) {
  std::vector<vec3> centre;
  for (const ivec3& c : items.corners) {
    const vec3 p = (positions[c.x] + positions[c.y] + positions[c.z]) / 3.0f;
    centre.push_back(std::isfinite(p.x + p.y + p.z) ? p : vec3(0));
  }
  std::vector<int> order(items.corners.size());
  std::iota(order.begin(), order.end(), 0);
  arrange(order.data(), int(order.size()), centre);
  for (size_t first = 0; first < order.size(); first += kLanes) {
    const int used = int(std::min(order.size() - first, size_t(kLanes)));
    forest.used.push_back(used);
    forest.tree.push_back(int(tree));
    for (int row = 0; row < 4; ++row)
      for (int l = 0; l < kLanes; ++l) {
        // places that are left repeat the last item
        const size_t item = size_t(order[first + size_t(std::min(l, used - 1))]);
        forest.corner.push_back(row < 3 ? items.corners[item][row] : items.number[item]);
      }
  }
}

/// Adds the nodes over `leaf_blocks` blocks, whose `tree` ascends: 16 blocks to a node's, level by level,
/// until the nodes of a tree fit one block.
void add_nodes(BoxForest& forest) {
  ivec2 below[kTrees];
  int leaf = 0;
  for (int t = 0; t < kTrees; ++t) {
    const int first = leaf;
    while (leaf < forest.leaf_blocks && forest.tree[leaf] == t) ++leaf;
    below[t] = {first, leaf};
  }
  forest.node.assign(size_t(forest.leaf_blocks), 0);
  forest.blocks = forest.leaf_blocks;
  for (bool more = true; more;) {
    more = false;
    const int level = forest.blocks;
    for (int t = 0; t < kTrees; ++t) {
      const ivec2 children = below[t];
      if (children.x == children.y) continue;
      below[t].x = forest.blocks;
      for (int c = children.x; c < children.y; ++c) {
        const int place = (c - children.x) % kLanes;
        if (place == 0) {
          forest.used.push_back(0);
          forest.child.insert(forest.child.end(), kLanes, 0);
          ++forest.blocks;
        }
        ++forest.used.back();
        const int slot = (forest.blocks - 1) * kLanes + place;
        forest.child[slot - forest.leaf_blocks * kLanes] = c;
        if (c < forest.leaf_blocks) forest.node[c] = slot;
      }
      below[t].y = forest.blocks;
      if (below[t].y - below[t].x == 1) {
        forest.root[t] = below[t].x;
        below[t].x = below[t].y;
      } else {
        more = true;
      }
    }
    if (forest.blocks > level) forest.levels.push_back({level, forest.blocks - level});
  }
}

}  // namespace

BoxForest build_forest(const SearchSurface& surface) {
  Items items[kTrees];
  const auto add = [&](int kind, const ivec3& corners, int number) {
    Items& of = items[2 * kind + (corners.x >= surface.obstacle_from ? 1 : 0)];
    of.corners.push_back(corners);
    of.number.push_back(number);
  };
  const auto inner = [&](int v) { return v < int(surface.inner.size()) && surface.inner[v] != 0; };
  for (int v = 0; v < int(surface.positions.size()); ++v)
    if (!inner(v)) add(0, ivec3(v), v);
  for (int e = 0; e < int(surface.edges.size()); ++e)
    add(1, {surface.edges[e].x, surface.edges[e].y, surface.edges[e].y}, e);
  for (int t = 0; t < int(surface.triangles.size()); ++t) add(2, surface.triangles[t], t);
  BoxForest forest;
  for (int t = 0; t < kTrees; ++t) {
    add_leaves(forest, Tree(t), items[t], surface.positions);
    if (t == int(Tree::cloth_edges)) forest.query_blocks = int(forest.used.size());
  }
  forest.leaf_blocks = int(forest.used.size());
  add_nodes(forest);
  return forest;
}

}  // namespace weft
