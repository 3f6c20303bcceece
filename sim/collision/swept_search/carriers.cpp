#include "sim/collision/swept_search/carriers.h"

#include <map>

#include "sim/collision/proximity/triangle_search.h"
#include "sim/mesh/sides.h"

namespace weft::swept_search {

std::vector<Carrier> build_carriers(const SearchSurface& surface) {
  std::map<Edge, int> free_edges;
  for (int e = 0; e < int(surface.edges.size()); ++e) free_edges[edge_of(surface.edges[e])] = e;
  std::vector<bool> owned(surface.positions.size(), false);
  const auto take = [&](int vertex) {
    const bool is_free = !owned[vertex];
    owned[vertex] = true;
    return is_free ? vertex : -1;
  };
  std::vector<Carrier> carriers;
  for (int t = 0; t < int(surface.triangles.size()); ++t) {
    Carrier c;
    c.corner = surface.triangles[t];
    c.triangle = t;
    for (int k = 0; k < 3; ++k) {
      c.vertex[k] = take(c.corner[k]);
      const auto edge = free_edges.find(edge_of(c.corner[k], c.corner[(k + 1) % 3]));
      if (edge == free_edges.end()) continue;
      c.edge[k] = edge->second;
      free_edges.erase(edge);
    }
    carriers.push_back(c);
  }
  for (const auto& [ends, edge] : free_edges) {
    Carrier c;
    c.corner = {ends.first, ends.second, ends.second};
    c.edge.x = edge;
    c.vertex = {take(ends.first), take(ends.second), -1};
    carriers.push_back(c);
  }
  for (int v = 0; v < int(surface.positions.size()); ++v)
    if (!owned[v]) {
      Carrier c;
      c.corner = ivec3(v);
      c.vertex.x = v;
      carriers.push_back(c);
    }
  return carriers;
}

}  // namespace weft::swept_search
