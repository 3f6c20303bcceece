// Pairs of vertices exempt by topology.
#pragma once
#include <vector>

#include "sim/scene/model/model.h"

namespace weft {

/// Per vertex, ascending: the vertices within two edges of it, which keep no minimum distance (Wu 2020,
/// section 8.3), and on uneven meshes those around them that rest closer than layers do: they would be pushed
/// apart for ever, by forces that do not add up to nothing.
std::vector<std::vector<int>> exempt_pairs(const Topology& topology);

/// The vertices at the other ends of each vertex's edges, laid out as NeighborLists.
struct EdgeLists {
  std::vector<int> count, neighbor;
  std::vector<int> edge;  // number of the edge per place; -1 in places without one. Of edge_lists only
  int width = 0;
};
EdgeLists edge_lists(const Topology& topology);

/// The vertices within two edges of each vertex and the distance that they keep (m): a share of that at rest;
/// 0 in places without one.
struct NearLists : EdgeLists {
  std::vector<float> distance;
};
NearLists near_lists(const Topology& topology);

}  // namespace weft
