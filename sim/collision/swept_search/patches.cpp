#include "sim/collision/swept_search/patches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "sim/collision/proximity/triangle_search.h"
#include "sim/collision/swept_search/carriers.h"
#include "sim/mesh/sides.h"

namespace weft::swept_search {
namespace {

/// Triangles of a patch before those between patches are given away: at most 13 edges.
constexpr int kGrown = 6;

/// Triangles and their neighbours across edges.
struct PatchBuilder {
  const std::vector<ivec3>& triangles;
  std::vector<std::vector<int>> neighbor;
  std::vector<int> patch;  // of each triangle; -1: none yet
  std::vector<std::vector<int>> patches;

  explicit PatchBuilder(const SearchSurface& surface)
      : triangles(surface.triangles), neighbor(triangles.size()), patch(triangles.size(), -1) {
    for_each_edge(triangles, [&](auto sides) {
      for (const TriangleSide& a : sides)
        for (const TriangleSide& b : sides)
          if (a.triangle != b.triangle) neighbor[a.triangle].push_back(b.triangle);
    });
  }
  int free_neighbors(int t) const {
    const auto& n = neighbor[t];
    return int(std::count_if(n.begin(), n.end(), [&](int o) { return patch[o] < 0; }));
  }
  int points_and_edges(const std::vector<int>& members, int added) const {
    std::set<Edge> sides;
    std::set<int> points;
    const auto add = [&](int t) {
      const ivec3& c = triangles[t];
      for (int k = 0; k < 3; ++k) sides.insert(edge_of(c[k], c[(k + 1) % 3])), points.insert(c[k]);
    };
    for (const int t : members) add(t);
    add(added);
    return int(std::max(sides.size(), points.size()));
  }
  bool may_join(int t, const std::vector<int>& members) const {
    return int(members.size()) < kMostInPatch && points_and_edges(members, t) <= kLanes;
  }
  void join(int t, int p) {
    patch[t] = p;
    patches[p].push_back(t);
  }

  /// Grows from a seed: next comes the free triangle with the most neighbours in the patch, then that with
  /// the fewest free ones, so that no holes are left, then the lowest.
  void grow(int seed) {
    const int p = int(patches.size());
    patches.emplace_back();
    join(seed, p);
    while (int(patches[p].size()) < kGrown) {
      std::array<int, 3> best{0, 0, -1};
      for (const int member : patches[p])
        for (const int t : neighbor[member]) {
          if (patch[t] >= 0) continue;
          const auto& around = neighbor[t];
          const auto inside =
              std::count_if(around.begin(), around.end(), [&](int o) { return patch[o] == p; });
          const std::array<int, 3> key{-int(inside), free_neighbors(t), t};
          if (best[2] < 0 || key < best) best = key;
        }
      if (best[2] < 0) return;
      join(best[2], p);
    }
  }

  /// Gives the triangles of patches that stayed small to patches beside them.
  void give_away() {
    for (auto& members : patches) {
      if (int(members.size()) >= kFewestInPatch) continue;
      bool given = true;
      while (given && !members.empty()) {
        given = false;
        for (size_t i = 0; i < members.size() && !given; ++i) given = give(members[i], members);
      }
    }
    patches.erase(std::remove_if(patches.begin(), patches.end(), [](const auto& m) { return m.empty(); }),
                  patches.end());
  }
  bool give(int t, std::vector<int>& from) {
    int smallest = -1;
    for (const int o : neighbor[t]) {
      const int p = patch[o];
      const auto& members = patches[p];
      if (&members == &from || int(members.size()) < int(from.size()) || !may_join(t, members)) continue;
      if (smallest < 0 || members.size() < patches[smallest].size()) smallest = p;
    }
    if (smallest < 0) return false;
    from.erase(std::find(from.begin(), from.end(), t));
    join(t, smallest);
    return true;
  }
};

/// Carriers of one patch and the block of each of its kinds.
struct PatchBlocks {
  std::vector<Carrier> carriers;
  vec3 centre{0};
  bool of_cloth = true;
};

PatchBlocks make_blocks(const SearchSurface& surface, const Carrier* first, int count) {
  PatchBlocks b;
  b.carriers.assign(first, first + count);
  b.of_cloth = first->corner.x < surface.obstacle_from;
  vec3 sum(0);
  for (const Carrier& c : b.carriers)
    for (int k = 0; k < 3; ++k) sum += surface.positions[c.corner[k]];
  sum /= float(3 * count);
  if (std::isfinite(sum.x + sum.y + sum.z)) b.centre = sum;
  return b;
}

/// Patches of triangles, then groups of carriers without a triangle: those of the cloth, then the others,
/// each compact in runs of 16.
std::vector<PatchBlocks> arranged_patches(const SearchSurface& surface) {
  const std::vector<std::vector<int>> patches = build_patches(surface);
  std::vector<int> order;
  for (const auto& members : patches) order.insert(order.end(), members.begin(), members.end());
  const std::vector<Carrier> carriers = build_carriers(surface, order);
  std::vector<PatchBlocks> blocks[2];
  const auto add = [&](size_t first, size_t count) {
    const PatchBlocks b = make_blocks(surface, &carriers[first], int(count));
    blocks[b.of_cloth ? 0 : 1].push_back(b);
  };
  size_t first = 0;
  for (const auto& members : patches) add(first, members.size()), first += members.size();
  while (first < carriers.size()) {
    const auto of_cloth = [&](size_t c) { return carriers[c].corner.x < surface.obstacle_from; };
    size_t end = first + 1;
    while (end < carriers.size() && end - first < size_t(kMostInPatch) && of_cloth(end) == of_cloth(first))
      ++end;
    add(first, end - first), first = end;
  }
  std::vector<PatchBlocks> all;
  for (const auto& part : blocks) {
    std::vector<vec3> centres;
    for (const PatchBlocks& b : part) centres.push_back(b.centre);
    std::vector<int> rank(part.size());
    std::iota(rank.begin(), rank.end(), 0);
    arrange(rank.data(), int(rank.size()), centres);
    for (const int r : rank) all.push_back(part[r]);
  }
  return all;
}

/// Items of one block: three points and a number each.
struct BlockItems {
  std::vector<ivec4> items;
  int searched = 0;
};

void write_block(BlockLayout& layout, int block, const BlockItems& b) {
  layout.forest.used[block] = int(b.items.size());
  layout.searched[block] = b.searched;
  for (int l = 0; l < kLanes && !b.items.empty(); ++l)
    for (int row = 0; row < 4; ++row)
      layout.forest.corner[block * kCorners + row * kLanes + l] =
          b.items[std::min(size_t(l), b.items.size() - 1)][row];
}

}  // namespace

std::vector<std::vector<int>> build_patches(const SearchSurface& surface) {
  PatchBuilder builder(surface);
  std::set<std::pair<int, int>> seeds;  // free neighbours, triangle: beside patches first
  for (int t = 0; t < int(surface.triangles.size()); ++t) {
    if (builder.patch[t] >= 0) continue;
    seeds.insert({builder.free_neighbors(t), t});
    while (!seeds.empty()) {
      const int seed = seeds.begin()->second;
      seeds.erase(seeds.begin());
      if (builder.patch[seed] >= 0) continue;
      builder.grow(seed);
      for (const int member : builder.patches.back())
        for (const int beside : builder.neighbor[member])
          if (builder.patch[beside] < 0) seeds.insert({builder.free_neighbors(beside), beside});
    }
  }
  builder.give_away();
  return builder.patches;
}

BlockLayout patch_layout(const SearchSurface& surface) {
  const std::vector<PatchBlocks> patches = arranged_patches(surface);
  const int count = int(patches.size());
  BlockLayout layout;
  BoxForest& forest = layout.forest;
  forest.leaf_blocks = count;
  forest.used.assign(size_t(count), 0);
  for (const PatchBlocks& p : patches)
    forest.tree.push_back(int(p.of_cloth ? Tree::cloth_triangles : Tree::obstacle_triangles));
  add_nodes(forest);
  for (int& tree : forest.tree)  // all ask for triangles, obstacles only for those of the cloth
    tree = int(Tree(tree) == Tree::cloth_triangles ? Tree::cloth_vertices : Tree::obstacle_vertices);
  layout.blocks = forest.blocks + 2 * count;
  layout.ask = {2 * count, std::max(1, count), forest.blocks, count, forest.blocks + count};
  forest.used.resize(size_t(layout.blocks), 0);
  forest.corner.assign(size_t(layout.blocks) * kCorners, 0);
  layout.searched.assign(size_t(layout.blocks), 0);
  for (int p = 0; p < count; ++p) {
    BlockItems triangles, vertices, edges;
    for (const Carrier& c : patches[p].carriers) {
      triangles.items.push_back({c.corner.x, c.corner.y, c.corner.z, c.triangle});
      triangles.searched += c.triangle >= 0 ? 1 : 0;
      for (int k = 0; k < 3; ++k) {
        if (c.vertex[k] >= 0) vertices.items.push_back(ivec4(c.vertex[k]));
        if (c.edge[k] < 0) continue;
        const ivec2 ends = surface.edges[c.edge[k]];
        edges.items.push_back({ends.x, ends.y, ends.y, c.edge[k]});
      }
    }
    edges.searched = int(edges.items.size());
    write_block(layout, p, triangles);
    write_block(layout, layout.ask.first + p, vertices);
    write_block(layout, layout.ask.edge_offset + p, edges);
  }
  return layout;
}

}  // namespace weft::swept_search
