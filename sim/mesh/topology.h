// Edges, hinges and adjacency from triangles, on the host.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

/// What a part of what is simulated is made of: a sheet, tetrahedra, lines, or points.
enum class PartKind { cloth, solid, strands, grains };

/// Range of one part in the arrays of the model. Parts of one kind follow each other, cloths first.
struct ModelPart {
  std::string name;
  int first_vertex = 0, vertex_count = 0;
  int first_triangle = 0, triangle_count = 0;  // of a solid: its skin
  vec2 uv_scale{1};                            // as TriMesh has it, as the next three
  CornerTextures corners = {};
  RestAngles rest_angles = {};
  InputMesh input = {};
  PartKind kind = PartKind::cloth;
  int first_cell = 0, cell_count = 0;  // tetrahedra of a solid
  float mean_edge = 0;                 // m, of a solid's cells or of lines at rest; diameter of grains
  double rigid_volume = 0;      // m³ of a rigid body, which has one cell (solid/rigid_frame.h); else 0
  std::vector<int> roots = {};  // of strands: their first two points each, counted in the part
};

/// Two triangles (v0 v1 v2) and (v1 v0 v3) that share the edge v0 v1: indices v0, v1, v2, v3.
using Hinge = ivec4;

/// Two vertices that a thread holds together until it is let go (sim/scene/model/stitches.h).
struct StitchedPair {
  ivec2 vertices{0};
  float length = 0;  // m, of the thread: it resists beyond
  int stitch = 0;    // into StitchList
};

/// Host-side topology of all parts, concatenated. Triangles and edges are what can touch and what is drawn.
struct Topology {
  std::vector<vec3> rest;  // rest positions, one per vertex
  std::vector<vec2> uv;    // material coordinates in metres, one per vertex
  std::vector<ivec3> triangles;
  std::vector<ivec2> edges;  // unique, first < second, sorted
  // the one or two triangles at each edge; second -1 on the boundary, both at the line of a strand. A
  // non-manifold edge keeps its first two here.
  std::vector<ivec2> edge_triangles;
  // one per pair of triangles of cloth at an edge; non-manifold edges give one per pair
  std::vector<Hinge> hinges;
  std::vector<ivec2> lines;  // of strands, in the order along them; among the edges too
  std::vector<ivec4> cells;  // tetrahedra of solids; (b - a) x (c - a) . (d - a) > 0 at rest
  std::vector<ModelPart> parts;
  std::vector<int> vertex_part;   // part of each vertex
  std::vector<char> inner;        // per vertex: 1 inside of a solid, where nothing can touch it; empty: none
  std::vector<vec3> velocity;     // m/s at the start, one per vertex; empty: 0
  std::vector<float> radius;      // m, per vertex: of a grain, else 0; empty: there is none
  std::vector<float> mass_share;  // per vertex: its share of the mass of its rigid body; empty: none is rigid
  std::vector<StitchedPair> stitched;  // left empty by build_topology
};

/// A cloth; or, with cells, a solid, whose skin the triangles are; or, with lines, strands; or, with radii,
/// grains.
struct NamedMesh {
  std::string name;
  TriMesh mesh;
  std::vector<ivec4> cells = {};
  std::vector<ivec2> lines = {};
  std::vector<int> roots = {};
  double rigid_volume = 0;             // as ModelPart has it
  std::vector<float> mass_share = {};  // of a rigid body, one per point
  std::vector<float> radius = {};      // m, of grains, one per point
};
/// Concatenates parts, cloths first, and derives edges, hinges and their neighbours. Deterministic. A mesh
/// without material coordinates gets its projection along the mean normal.
Topology build_topology(const std::vector<NamedMesh>& parts);
/// "cloth flag" or "solid ball", for messages.
std::string in_words(const ModelPart& part);
/// Whether an edge with these triangles (Topology::edge_triangles) has exactly one: lines have none.
inline bool is_border(const ivec2& triangles) { return triangles.x >= 0 && triangles.y < 0; }
/// Number of the triangles of cloth, which come first.
int cloth_triangle_count(const Topology& topology);
/// The same of edges.
int cloth_edge_count(const Topology& topology);
/// Volume (m³) of a tetrahedron with these corners, positive as in Topology::cells.
double cell_volume(const std::vector<vec3>& points, const ivec4& cell);

/// Host-side compressed rows: for each of `rows` rows, the entries i*stride+k with items[i][k] == row,
/// ascending.
/// Negative items ("none") belong to no row.
struct HostAdjacency {
  std::vector<int> start, entry;
};
HostAdjacency build_adjacency(int rows, const int* items, int item_count, int stride);

}  // namespace weft
