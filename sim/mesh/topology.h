// Edges, hinges and adjacency from triangles, on the host.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

/// Range of one cloth in the arrays of the model.
struct ClothRange {
  std::string name;
  int first_vertex = 0, vertex_count = 0;
  int first_triangle = 0, triangle_count = 0;
  vec2 uv_scale{1};  // as TriMesh has it, as the next three
  CornerTextures corners = {};
  RestAngles rest_angles = {};
  InputMesh input = {};
};

/// Two triangles (v0 v1 v2) and (v1 v0 v3) that share the edge v0 v1: indices v0, v1, v2, v3.
using Hinge = ivec4;

/// Two vertices that a thread holds together until it is let go (sim/scene/model/stitches.h).
struct StitchedPair {
  ivec2 vertices{0};
  float length = 0;  // m, of the thread: it resists beyond
  int stitch = 0;    // into StitchList
};

/// Host-side topology of all cloths, concatenated.
struct Topology {
  std::vector<vec3> rest;  // rest positions, one per vertex
  std::vector<vec2> uv;    // material coordinates in metres, one per vertex
  std::vector<ivec3> triangles;
  std::vector<ivec2> edges;  // unique, first < second, sorted
  // the one or two triangles at each edge; second -1 on the boundary. A non-manifold edge keeps its first two
  // here.
  std::vector<ivec2> edge_triangles;
  // one per pair of triangles at an edge; non-manifold edges give one per pair
  std::vector<Hinge> hinges;
  std::vector<ClothRange> cloths;
  std::vector<int> vertex_cloth;       // cloth of each vertex
  std::vector<vec3> velocity;          // m/s at the start, one per vertex; empty: 0
  std::vector<StitchedPair> stitched;  // left empty by build_topology
};

struct NamedMesh {
  std::string name;
  TriMesh mesh;
};
/// Concatenates cloths and derives edges, hinges and their neighbours. Deterministic. A mesh without material
/// coordinates gets its projection along the mean normal.
Topology build_topology(const std::vector<NamedMesh>& cloths);

/// Host-side compressed rows: for each of `rows` rows, the entries i*stride+k with items[i][k] == row,
/// ascending.
/// Negative items ("none") belong to no row.
struct HostAdjacency {
  std::vector<int> start, entry;
};
HostAdjacency build_adjacency(int rows, const int* items, int item_count, int stride);

}  // namespace weft
