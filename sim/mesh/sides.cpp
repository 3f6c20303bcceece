#include "sim/mesh/sides.h"

#include <tuple>

namespace weft {
namespace {

bool before(const ivec2& a, const ivec2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }

}  // namespace

std::vector<TriangleSide> triangle_sides(std::span<const ivec3> triangles) {
  std::vector<TriangleSide> sides;
  sides.reserve(3 * triangles.size());
  for (size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      sides.push_back({edge_of(a, b), int(t), k, a < b});
    }
  std::sort(sides.begin(), sides.end(), [](const TriangleSide& s, const TriangleSide& t) {
    return std::tie(s.edge, s.triangle, s.corner) < std::tie(t.edge, t.triangle, t.corner);
  });
  return sides;
}

void sort_edges(std::vector<ivec2>& edges) {
  std::sort(edges.begin(), edges.end(), before);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
}

std::vector<ivec2> unique_edges(const std::vector<ivec3>& triangles) {
  std::vector<ivec2> edges;
  for_each_edge(triangles, [&](auto sides) { edges.push_back({sides[0].edge.first, sides[0].edge.second}); });
  return edges;
}

int find_edge(const std::vector<ivec2>& edges, int a, int b) {
  const ivec2 ends(std::min(a, b), std::max(a, b));
  const auto at = std::lower_bound(edges.begin(), edges.end(), ends, before);
  return at != edges.end() && *at == ends ? int(at - edges.begin()) : -1;
}

std::vector<std::vector<int>> neighbours_of(int vertices, const std::vector<ivec3>& triangles) {
  std::vector<std::vector<int>> all(vertices);
  for (const ivec2& e : unique_edges(triangles)) all[e.x].push_back(e.y), all[e.y].push_back(e.x);
  for (std::vector<int>& own : all) std::sort(own.begin(), own.end());
  return all;
}

}  // namespace weft
