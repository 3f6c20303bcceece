// Triangles that carry vertices and edges: each vertex and each edge belongs to one of them.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {
struct SearchSurface;
}

namespace weft::swept_search {

/// A triangle with the vertices and edges that it owns. A vertex or an edge without a triangle has a carrier
/// of its own, with repeated corners.
struct Carrier {
  ivec3 corner{0};
  int triangle = -1;  // -1: none
  ivec3 vertex{-1};   // owned vertices; -1: none
  ivec3 edge{-1};     // owned edges; -1: none
};

/// Carriers of the triangles in their order, each of which owns what no earlier one does; then those of edges
/// and vertices without a triangle.
std::vector<Carrier> build_carriers(const SearchSurface& surface);

}  // namespace weft::swept_search
