#include "sim/mesh/topology.h"

#include <algorithm>
#include <cmath>

#include "sim/mesh/sides.h"

namespace weft {
namespace {

/// Corner of a side's triangle that is not on the side.
int opposite(const std::vector<ivec3>& triangles, const TriangleSide& side) {
  return triangles[side.triangle][(side.corner + 2) % 3];
}

/// Where this many triangles or fewer meet at an edge each bends against each other. Of more the pairs would
/// grow with the square: each bends against the next around the edge.
constexpr int kMostInPairs = 8;

void add_hinge(Topology& topology, const TriangleSide& a, const TriangleSide& b) {
  const ivec3& t = topology.triangles[a.triangle];
  const int apex_a = opposite(topology.triangles, a), apex_b = opposite(topology.triangles, b);
  if (apex_a == apex_b) return;  // the same triangle twice has no dihedral angle
  topology.hinges.push_back({t[a.corner], t[(a.corner + 1) % 3], apex_a, apex_b});
}

/// Sides in the order of their triangles' angles around the edge, in the rest shape.
std::vector<TriangleSide> around_edge(const Topology& topology, const TriangleSide* first,
                                      const TriangleSide* last) {
  const dvec3 from(topology.rest[first->edge.first]);
  const dvec3 edge = dvec3(topology.rest[first->edge.second]) - from;
  const auto across = [&](const TriangleSide& s) {
    const dvec3 to = dvec3(topology.rest[opposite(topology.triangles, s)]) - from;
    return to - edge * (glm::dot(to, edge) / std::max(glm::dot(edge, edge), 1e-300));
  };
  const dvec3 u = across(*first), v = glm::cross(edge, u);
  std::vector<std::pair<double, TriangleSide>> order;
  for (const TriangleSide* s = first; s != last; ++s) {
    const dvec3 w = across(*s);
    order.emplace_back(std::atan2(glm::dot(w, v), glm::dot(w, u) * glm::length(edge)), *s);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<TriangleSide> sides;
  for (const auto& [angle, side] : order) sides.push_back(side);
  return sides;
}

void add_hinges(Topology& topology, const TriangleSide* first, const TriangleSide* last) {
  if (last - first > kMostInPairs) {
    const std::vector<TriangleSide> ring = around_edge(topology, first, last);
    for (size_t i = 0; i < ring.size(); ++i) add_hinge(topology, ring[i], ring[(i + 1) % ring.size()]);
    return;
  }
  for (const TriangleSide* a = first; a != last; ++a)
    for (const TriangleSide* b = a + 1; b != last; ++b) add_hinge(topology, *a, *b);
}

void derive_edges(Topology& topology) {
  const int cloth = cloth_triangle_count(topology);
  const size_t likely = topology.triangles.size() * 3 / 2;
  topology.edges.reserve(likely + 16);
  topology.edge_triangles.reserve(likely + 16);
  topology.hinges.reserve(likely);
  for_each_edge(topology.triangles, [&](auto sides) {
    topology.edges.push_back({sides[0].edge.first, sides[0].edge.second});
    topology.edge_triangles.push_back({sides[0].triangle, sides.size() > 1 ? sides[1].triangle : -1});
    if (sides[0].triangle < cloth) add_hinges(topology, sides.data(), sides.data() + sides.size());
  });
}

/// Material coordinates for a mesh without any: the rest shape projected along its mean normal. Exact for
/// flat cloth; on curved cloth only the drawn weave is scaled.
std::vector<vec2> projected_uv(const std::vector<vec3>& rest, const std::vector<ivec3>& triangles) {
  dvec3 normal(0);
  for (const ivec3& t : triangles)
    normal += glm::cross(dvec3(rest[t.y]) - dvec3(rest[t.x]), dvec3(rest[t.z]) - dvec3(rest[t.x]));
  normal = glm::length(normal) > 0 ? glm::normalize(normal) : dvec3(0, 0, 1);
  // Weft runs along x where the cloth faces the viewer or lies on the ground, and along z where it is seen
  // from the side.
  const dvec3 along = std::abs(normal.x) < 0.9 ? dvec3(1, 0, 0) : dvec3(0, 0, -1);
  const dvec3 u = glm::normalize(along - normal * glm::dot(along, normal));
  const dvec3 v = glm::cross(normal, u);
  dvec2 low(1e300);
  for (const vec3& p : rest) low = glm::min(low, dvec2(glm::dot(dvec3(p), u), glm::dot(dvec3(p), v)));
  std::vector<vec2> uv;
  uv.reserve(rest.size());
  for (const vec3& p : rest) uv.push_back(vec2(dvec2(glm::dot(dvec3(p), u), glm::dot(dvec3(p), v)) - low));
  return uv;
}

}  // namespace

std::string in_words(const ModelPart& part) {
  static const char* const kinds[] = {"cloth ", "solid ", "strands ", "grains "};
  return kinds[int(part.kind)] + part.name;
}

int cloth_triangle_count(const Topology& topology) {
  for (const ModelPart& part : topology.parts)
    if (part.kind != PartKind::cloth) return part.first_triangle;
  return int(topology.triangles.size());
}

int cloth_edge_count(const Topology& topology) {
  for (const ModelPart& part : topology.parts)
    if (part.kind != PartKind::cloth)
      return int(std::lower_bound(topology.edges.begin(), topology.edges.end(), part.first_vertex,
                                  [](const ivec2& e, int v) { return e.x < v; }) -
                 topology.edges.begin());
  return int(topology.edges.size());
}

double cell_volume(const std::vector<vec3>& points, const ivec4& cell) {
  const dvec3 a(points[cell.x]);
  const auto edge = [&](int v) { return dvec3(points[v]) - a; };
  return glm::dot(glm::cross(edge(cell.y), edge(cell.z)), edge(cell.w)) / 6;
}

namespace {

/// The tetrahedra of the part that was added last.
void add_cells(Topology& topology, const std::vector<ivec4>& cells) {
  ModelPart& part = topology.parts.back();
  part.kind = PartKind::solid;
  part.first_cell = int(topology.cells.size()), part.cell_count = int(cells.size());
  topology.inner.resize(size_t(part.first_vertex), 0);
  topology.inner.resize(topology.rest.size(), 1);
  for (int t = part.first_triangle; t < part.first_triangle + part.triangle_count; ++t)
    for (int k = 0; k < 3; ++k) topology.inner[topology.triangles[t][k]] = 0;
  double sum = 0;
  for (const ivec4& cell : cells) {
    topology.cells.push_back(cell + ivec4(part.first_vertex));
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b)
        sum += glm::distance(dvec3(topology.rest[topology.cells.back()[a]]),
                             dvec3(topology.rest[topology.cells.back()[b]]));
  }
  part.mean_edge = float(sum / double(6 * cells.size()));
}

/// The part that was added last is a rigid body.
void add_rigid(Topology& topology, const NamedMesh& body) {
  ModelPart& part = topology.parts.back();
  part.rigid_volume = body.rigid_volume;
  topology.mass_share.resize(size_t(part.first_vertex), 0);
  topology.mass_share.insert(topology.mass_share.end(), body.mass_share.begin(), body.mass_share.end());
}

/// The lines of the part that was added last.
void add_lines(Topology& topology, const NamedMesh& strands) {
  ModelPart& part = topology.parts.back();
  part.kind = PartKind::strands;
  part.roots = strands.roots;
  double sum = 0;
  for (const ivec2& line : strands.lines) {
    topology.lines.push_back(line + ivec2(part.first_vertex));
    sum +=
        double(glm::distance(topology.rest[topology.lines.back().x], topology.rest[topology.lines.back().y]));
  }
  part.mean_edge = float(sum / double(strands.lines.size()));
}

/// The part that was added last is grains.
void add_grains(Topology& topology, const NamedMesh& grains) {
  ModelPart& part = topology.parts.back();
  part.kind = PartKind::grains;
  topology.radius.resize(size_t(part.first_vertex), 0);
  topology.radius.insert(topology.radius.end(), grains.radius.begin(), grains.radius.end());
  part.mean_edge = 2 * topology.radius.back();
}

/// Lines are edges without triangles. Strands come last, so that the whole stays sorted.
void add_line_edges(Topology& topology) {
  std::vector<ivec2> edges;
  for (const ivec2& l : topology.lines) edges.push_back({std::min(l.x, l.y), std::max(l.x, l.y)});
  sort_edges(edges);
  topology.edges.insert(topology.edges.end(), edges.begin(), edges.end());
  topology.edge_triangles.resize(topology.edges.size(), ivec2(-1));
}

}  // namespace

Topology build_topology(const std::vector<NamedMesh>& parts) {
  Topology topology;
  for (int c = 0; c < int(parts.size()); ++c) {
    const TriMesh& mesh = parts[c].mesh;
    const std::vector<vec3>& rest = mesh.rest.empty() ? mesh.positions : mesh.rest;
    const std::vector<vec2> uv = mesh.uv.empty() ? projected_uv(rest, mesh.triangles) : mesh.uv;
    const int first = int(topology.rest.size());
    topology.parts.push_back({parts[c].name, first, int(rest.size()), int(topology.triangles.size()),
                              mesh.triangle_count(), mesh.uv_scale, mesh.corners, mesh.rest_angles,
                              mesh.input});
    topology.rest.insert(topology.rest.end(), rest.begin(), rest.end());
    topology.uv.insert(topology.uv.end(), uv.begin(), uv.end());
    topology.vertex_part.insert(topology.vertex_part.end(), rest.size(), c);
    for (const ivec3& t : mesh.triangles) topology.triangles.push_back(t + ivec3(first));
    if (!parts[c].cells.empty()) add_cells(topology, parts[c].cells);
    if (parts[c].rigid_volume > 0) add_rigid(topology, parts[c]);
    if (!parts[c].lines.empty()) add_lines(topology, parts[c]);
    if (!parts[c].radius.empty()) add_grains(topology, parts[c]);
    if (mesh.velocity.empty()) continue;
    topology.velocity.resize(first, vec3(0));
    topology.velocity.insert(topology.velocity.end(), mesh.velocity.begin(), mesh.velocity.end());
  }
  if (!topology.velocity.empty()) topology.velocity.resize(topology.rest.size(), vec3(0));
  if (!topology.inner.empty()) topology.inner.resize(topology.rest.size(), 0);
  if (!topology.radius.empty()) topology.radius.resize(topology.rest.size(), 0);
  if (!topology.mass_share.empty()) topology.mass_share.resize(topology.rest.size(), 0);
  derive_edges(topology);
  add_line_edges(topology);
  return topology;
}

HostAdjacency build_adjacency(int rows, const int* items, int item_count, int stride) {
  HostAdjacency adjacency;
  adjacency.start.assign(rows + 1, 0);
  const int entries = item_count * stride;
  for (int e = 0; e < entries; ++e)
    if (items[e] >= 0) ++adjacency.start[items[e] + 1];
  for (int r = 0; r < rows; ++r) adjacency.start[r + 1] += adjacency.start[r];
  adjacency.entry.resize(adjacency.start[rows]);
  std::vector<int> next(adjacency.start.begin(), adjacency.start.end() - 1);
  for (int e = 0; e < entries; ++e)
    if (items[e] >= 0) adjacency.entry[next[items[e]]++] = e;
  return adjacency;
}

}  // namespace weft
