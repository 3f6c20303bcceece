// Coarser versions of a cloth mesh for the mesh hierarchy of Wu 2020, section 5.1.
#pragma once
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// A triangle mesh in its rest shape, on the host. Cloths are parts that share no edge.
struct LevelMesh {
  std::vector<vec3> rest;
  std::vector<ivec3> triangles;
  std::vector<ivec2> edges;  // unique, first < second, sorted; also those without a triangle
  // of the edges, where the rest shape belongs to corners of triangles (rest_shape.h): m, N/m; empty: those
  // of `rest`
  std::vector<float> edge_rest, edge_stiffness;
  std::vector<float> bending = {};  // of triangles: painted factors on the bending rigidity; empty: 1
};

/// A mesh with about a quarter of the vertices, each of which is a vertex of the fine mesh, and linear
/// interpolation.
struct Coarsening {
  LevelMesh mesh;
  std::vector<int> fine_vertex;  // per coarse vertex
  // Interpolation: per fine vertex one to three coarse vertices with weights that sum to 1; none for those
  // that are left out.
  std::vector<int> start, column;
  std::vector<float> weight;
};

/// Picks vertices about 1.9 mean edges apart (corners of the boundary first, then the boundary, then the
/// interior), divides the mesh into their neighbourhoods, and takes the dual of that division as the coarse
/// triangles. Works on any surface, also where rest layers lie close together, because neighbourhoods grow
/// along edges. Deterministic. `left_out`: of each vertex, not 0 where the coarse mesh is to know nothing of
/// it; edges must not reach it; empty: none.
Coarsening coarsen(const LevelMesh& fine, const std::vector<char>& left_out = {});

/// Compressed rows of the transposed interpolation: per coarse vertex its fine vertices.
void transpose(const Coarsening& c, std::vector<int>& start, std::vector<int>& column,
               std::vector<float>& weight);

}  // namespace weft
