// Edges, hinges and adjacency from triangles, on the host.
#pragma once
#include <vector>

#include "sim/scene/model.h"

namespace weft {

struct NamedMesh {
  std::string name;
  TriMesh mesh;
};
/// Concatenates cloths and derives edges, hinges and their neighbours. Deterministic. A mesh without material
/// coordinates gets its projection along the mean normal.
Topology build_topology(const std::vector<NamedMesh>& cloths);

/// Host-side compressed rows: for each of `rows` rows, the entries i*stride+k with items[i][k] == row, ascending.
/// Negative items ("none") belong to no row.
struct HostAdjacency {
  std::vector<int> start, entry;
};
HostAdjacency build_adjacency(int rows, const int* items, int item_count, int stride);

}  // namespace weft
