#include "sim/mesh/topology.h"

#include <algorithm>
#include <cmath>

namespace weft {
namespace {

/// One side of a triangle as an undirected edge; sorting makes the sides of an edge adjacent.
struct Side {
  int low, high;
  int triangle, corner;  // the side runs from `corner` to the next corner
  bool operator<(const Side& o) const {
    if (low != o.low) return low < o.low;
    if (high != o.high) return high < o.high;
    return triangle < o.triangle;
  }
  bool same_edge(const Side& o) const { return low == o.low && high == o.high; }
};

std::vector<Side> sorted_sides(const std::vector<ivec3>& triangles) {
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (int t = 0; t < int(triangles.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), t, k});
    }
  std::sort(sides.begin(), sides.end());
  return sides;
}

/// Corner of a side's triangle that is not on the side.
int opposite(const std::vector<ivec3>& triangles, const Side& side) {
  return triangles[side.triangle][(side.corner + 2) % 3];
}

/// Where this many triangles or fewer meet at an edge each bends against each other. Of more the pairs would
/// grow with the square: each bends against the next around the edge.
constexpr int kMostInPairs = 8;

void add_hinge(Topology& topology, const Side& a, const Side& b) {
  const ivec3& t = topology.triangles[a.triangle];
  const int apex_a = opposite(topology.triangles, a), apex_b = opposite(topology.triangles, b);
  if (apex_a == apex_b) return;  // the same triangle twice has no dihedral angle
  topology.hinges.push_back({t[a.corner], t[(a.corner + 1) % 3], apex_a, apex_b});
}

/// Sides in the order of their triangles' angles around the edge, in the rest shape.
std::vector<Side> around_edge(const Topology& topology, const Side* first, const Side* last) {
  const dvec3 from(topology.rest[size_t(first->low)]);
  const dvec3 edge = dvec3(topology.rest[size_t(first->high)]) - from;
  const auto across = [&](const Side& s) {
    const dvec3 to = dvec3(topology.rest[size_t(opposite(topology.triangles, s))]) - from;
    return to - edge * (glm::dot(to, edge) / std::max(glm::dot(edge, edge), 1e-300));
  };
  const dvec3 u = across(*first), v = glm::cross(edge, u);
  std::vector<std::pair<double, Side>> order;
  for (const Side* s = first; s != last; ++s) {
    const dvec3 w = across(*s);
    order.emplace_back(std::atan2(glm::dot(w, v), glm::dot(w, u) * glm::length(edge)), *s);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Side> sides;
  for (const auto& [angle, side] : order) sides.push_back(side);
  return sides;
}

void add_hinges(Topology& topology, const Side* first, const Side* last) {
  if (last - first > kMostInPairs) {
    const std::vector<Side> ring = around_edge(topology, first, last);
    for (size_t i = 0; i < ring.size(); ++i) add_hinge(topology, ring[i], ring[(i + 1) % ring.size()]);
    return;
  }
  for (const Side* a = first; a != last; ++a)
    for (const Side* b = a + 1; b != last; ++b) add_hinge(topology, *a, *b);
}

void derive_edges(Topology& topology) {
  const std::vector<Side> sides = sorted_sides(topology.triangles);
  topology.edges.reserve(sides.size() / 2 + 16);
  topology.edge_triangles.reserve(sides.size() / 2 + 16);
  topology.hinges.reserve(sides.size() / 2);
  for (size_t i = 0; i < sides.size();) {
    size_t end = i + 1;
    while (end < sides.size() && sides[end].same_edge(sides[i])) ++end;
    topology.edges.push_back({sides[i].low, sides[i].high});
    topology.edge_triangles.push_back({sides[i].triangle, end - i > 1 ? sides[i + 1].triangle : -1});
    add_hinges(topology, sides.data() + i, sides.data() + end);
    i = end;
  }
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

Topology build_topology(const std::vector<NamedMesh>& cloths) {
  Topology topology;
  for (int c = 0; c < int(cloths.size()); ++c) {
    const TriMesh& mesh = cloths[c].mesh;
    const std::vector<vec3>& rest = mesh.rest.empty() ? mesh.positions : mesh.rest;
    const std::vector<vec2> uv = mesh.uv.empty() ? projected_uv(rest, mesh.triangles) : mesh.uv;
    const int first = int(topology.rest.size());
    topology.cloths.push_back({cloths[c].name, first, int(rest.size()), int(topology.triangles.size()),
                               mesh.triangle_count(), mesh.uv_scale, mesh.corners, mesh.rest_angles,
                               mesh.input});
    topology.rest.insert(topology.rest.end(), rest.begin(), rest.end());
    topology.uv.insert(topology.uv.end(), uv.begin(), uv.end());
    topology.vertex_cloth.insert(topology.vertex_cloth.end(), rest.size(), c);
    for (const ivec3& t : mesh.triangles) topology.triangles.push_back(t + ivec3(first));
    if (mesh.velocity.empty()) continue;
    topology.velocity.resize(size_t(first), vec3(0));
    topology.velocity.insert(topology.velocity.end(), mesh.velocity.begin(), mesh.velocity.end());
  }
  if (!topology.velocity.empty()) topology.velocity.resize(topology.rest.size(), vec3(0));
  derive_edges(topology);
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
