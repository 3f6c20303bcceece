#include "sim/collision/swept_search/carriers.h"

#include <map>

#include "sim/collision/proximity/triangle_search.h"

namespace weft::swept_search {

std::vector<Carrier> build_carriers(const SearchSurface& surface, const std::vector<int>& order) {
  std::map<std::pair<int, int>, int> free_edges;
  for (int e = 0; e < int(surface.edges.size()); ++e) {
    const ivec2 ends = surface.edges[size_t(e)];
    free_edges[std::minmax(int(ends.x), int(ends.y))] = e;
  }
  std::vector<bool> owned(surface.positions.size(), false);
  const auto take = [&](int vertex) {
    const bool is_free = !owned[size_t(vertex)];
    owned[size_t(vertex)] = true;
    return is_free ? vertex : -1;
  };
  std::vector<Carrier> carriers;
  for (const int t : order) {
    Carrier c;
    c.corner = surface.triangles[size_t(t)];
    c.triangle = t;
    for (int k = 0; k < 3; ++k) {
      c.vertex[k] = take(c.corner[k]);
      const auto edge = free_edges.find(std::minmax(int(c.corner[k]), int(c.corner[(k + 1) % 3])));
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
    if (!owned[size_t(v)]) {
      Carrier c;
      c.corner = ivec3(v);
      c.vertex.x = v;
      carriers.push_back(c);
    }
  return carriers;
}

}  // namespace weft::swept_search
