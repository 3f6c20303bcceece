// Fewer triangles for a surface over a regular grid, by a balanced quadtree.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Which diagonal divides the squares of a grid: `rising` joins (i, j) and (i + 1, j + 1), `falling` the
/// other two corners.
enum class GridDiagonal { rising, falling };

/// A surface over a grid: vertex (i, j) is entry j * width + i of both lists.
struct GridSurface {
  int width = 0, height = 0;
  std::vector<vec3> positions;    // m
  std::vector<uint8_t> occupied;  // 0: there is no vertex
  // per vertex, of the square whose lower corner it is: bit 0, 1: its first, second triangle does not exist
  // though its corners do; empty: all do. The first is the one at the edge from (i, j) to (i + 1, j)
  std::vector<uint8_t> missing = {};
  GridDiagonal diagonal = GridDiagonal::rising;
  // per vertex, not 0: it stays, as a corner of every triangle that it touches; empty: none has to
  std::vector<uint8_t> needed = {};

  size_t at(int i, int j) const { return size_t(j) * width + i; }
};

/// Triangles over some vertices of a grid.
struct GridTriangles {
  std::vector<int> vertices;     // entries of the GridSurface that are used, in increasing order
  std::vector<ivec3> triangles;  // numbers in `vertices`
};

/// Every triangle of the grid whose three corners are occupied and that is not missing, wound from the first
/// axis to the second.
GridTriangles all_triangles(const GridSurface& surface);

/// Triangles of a surface with fewer vertices (Wang 2021, section 6.4). A square of 2^k cells is subdivided
/// where a vertex in it is missing or farther than `tolerance` (m) from the bilinear interpolation of its
/// corners; then where a neighbour has cells of less than half its size, and where a vertex would lie farther
/// than `tolerance` from the triangle at its place in the grid. What is left has at most four vertices inside
/// its edges and gets at most six triangles. There are no T-junctions: an edge belongs to two triangles or to
/// the boundary, and the covered part of the grid is that of all_triangles. 0: all_triangles. Layers that are
/// closer than twice the tolerance may cross. Throws Error for lists that do not fit the grid, and for a
/// tolerance that is negative or not finite.
GridTriangles simplified(const GridSurface& surface, float tolerance);

}  // namespace weft
