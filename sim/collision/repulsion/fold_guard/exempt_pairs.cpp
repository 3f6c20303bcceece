#include "sim/collision/repulsion/fold_guard/exempt_pairs.h"

#include <algorithm>

#include "sim/collision/proximity/neighbor_lists.h"
#include "sim/collision/repulsion/constraints/repulsion_constants.h"
#include "sim/collision/repulsion/fold_guard/fold_pairs.h"

namespace weft {
namespace {

std::vector<std::vector<int>> first_rings(const Topology& t) {
  std::vector<std::vector<int>> ring(t.rest.size());
  for (auto& e : t.edges) {
    ring[e.x].push_back(e.y);
    ring[e.y].push_back(e.x);
  }
  return ring;
}

/// Adds to the ascending list of vertices within two edges of `i` those that rest within `reach` (m) of it,
/// and are joined to it by vertices that do.
void add_near_at_rest(const Topology& t, const std::vector<std::vector<int>>& ring, int i, float reach,
                      std::vector<int>& near) {
  std::vector<int> front = near;
  while (!front.empty()) {
    std::vector<int> found;
    for (const int j : front)
      for (const int k : ring[j])
        if (k != i && glm::length(t.rest[k] - t.rest[i]) < reach &&
            !std::binary_search(near.begin(), near.end(), k))
          found.push_back(k);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    const auto known = std::ptrdiff_t(near.size());
    near.insert(near.end(), found.begin(), found.end());
    std::inplace_merge(near.begin(), near.begin() + known, near.end());
    front = std::move(found);
  }
}

/// Ragged rows, 16 side by side.
EdgeLists lists_of(const std::vector<std::vector<int>>& rows) {
  const int n = padded_rows(int(rows.size()));
  EdgeLists lists;
  for (auto& r : rows) lists.width = std::max(lists.width, int(r.size()));
  lists.width = std::max(lists.width, 1);
  lists.count.assign(size_t(n), 0);
  lists.neighbor.resize(size_t(n) * size_t(lists.width));
  const NeighborLists place{{}, {}, lists.width};
  for (int i = 0; i < n; ++i) {
    const size_t count = size_t(i) < rows.size() ? rows[i].size() : 0;
    lists.count[i] = int(count);
    for (int k = 0; k < lists.width; ++k) lists.neighbor[place.at(i, k)] = size_t(k) < count ? rows[i][k] : i;
  }
  return lists;
}

}  // namespace

std::vector<std::vector<int>> exempt_pairs(const Topology& t) {
  const std::vector<std::vector<int>> ring = first_rings(t);
  const float reach = repulsion_constants(RepulsionParams(), edge_range(t)).soft_distance;
  std::vector<std::vector<int>> exempt(ring.size());
  for (size_t i = 0; i < ring.size(); ++i) {
    std::vector<int>& out = exempt[i];
    for (const int j : ring[i]) {
      out.push_back(j);
      out.insert(out.end(), ring[j].begin(), ring[j].end());
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    std::erase(out, int(i));
    add_near_at_rest(t, ring, int(i), reach, out);
  }
  return exempt;
}

EdgeLists edge_lists(const Topology& t) {
  EdgeLists lists = lists_of(first_rings(t));
  lists.edge.assign(lists.neighbor.size(), -1);
  const NeighborLists place{{}, {}, lists.width};
  std::vector<int> found(t.rest.size(), 0);
  for (size_t e = 0; e < t.edges.size(); ++e)  // in the order of first_rings
    for (const int v : {t.edges[e].x, t.edges[e].y}) lists.edge[place.at(v, found[v]++)] = int(e);
  return lists;
}

NearLists near_lists(const Topology& t) {
  const std::vector<std::vector<int>> near = exempt_pairs(t);
  NearLists lists;
  static_cast<EdgeLists&>(lists) = lists_of(near);
  lists.distance.assign(lists.neighbor.size(), 0.0f);
  const NeighborLists place{{}, {}, lists.width};
  const auto ring = first_rings(t);
  const auto is_edge = [&](int i, int j) {
    return std::find(ring[i].begin(), ring[i].end(), j) != ring[i].end();
  };
  for (size_t i = 0; i < near.size(); ++i)
    for (size_t k = 0; k < near[i].size(); ++k)
      lists.distance[place.at(int(i), int(k))] = (is_edge(int(i), near[i][k]) ? kEdgeShare : kNearShare) *
                                                 glm::length(t.rest[near[i][k]] - t.rest[i]);
  return lists;
}

}  // namespace weft
