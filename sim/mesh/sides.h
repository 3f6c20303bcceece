// Sides of triangles, and the edges that they are.
#pragma once
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// The ends of an edge, ascending.
using Edge = std::pair<int, int>;
inline Edge edge_of(int a, int b) { return {std::min(a, b), std::max(a, b)}; }
inline Edge edge_of(const ivec2& ends) { return edge_of(ends.x, ends.y); }

/// A side of a triangle, which runs from `corner` to the next.
struct TriangleSide {
  Edge edge;
  int triangle, corner;
  bool forward;  // towards the higher vertex
};
/// Sides of all triangles, sorted by edge, triangle and corner.
std::vector<TriangleSide> triangle_sides(std::span<const ivec3> triangles);

/// Calls work(sides) with the sides of each edge, a span sorted like those above. Edges ascend.
template <class Work>
void for_each_edge(std::span<const ivec3> triangles, const Work& work) {
  const std::vector<TriangleSide> sides = triangle_sides(triangles);
  for (size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    while (end < sides.size() && sides[end].edge == sides[begin].edge) ++end;
    work(std::span(sides).subspan(begin, end - begin));
  }
}

/// Sorts edges whose ends ascend and drops repetitions.
void sort_edges(std::vector<ivec2>& edges);
/// Each edge once, ends ascending, sorted.
std::vector<ivec2> unique_edges(const std::vector<ivec3>& triangles);
/// Place of the edge from a to b in a list that sort_edges made; -1 if it has none.
int find_edge(const std::vector<ivec2>& edges, int a, int b);

/// Vertices at the other ends of each vertex's edges, ascending.
std::vector<std::vector<int>> neighbours_of(int vertices, const std::vector<ivec3>& triangles);

}  // namespace weft
