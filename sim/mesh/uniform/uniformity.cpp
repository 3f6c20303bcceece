#include "sim/mesh/uniform/uniformity.h"

#include <fmt/format.h>

#include "sim/mesh/sides.h"

namespace weft {

Uniformity uniformity_of(const TriMesh& mesh) {
  const std::vector<vec3>& rest = mesh.rest.empty() ? mesh.positions : mesh.rest;
  const std::vector<ivec2> edges = unique_edges(mesh.triangles);
  Uniformity u;
  u.edges = int(edges.size());
  double sum = 0;
  for (const ivec2& e : edges) {
    const double length = glm::length(dvec3(rest[e.x]) - dvec3(rest[e.y]));
    sum += length;
    if (u.shortest_edge.x < 0 || length < u.shortest) u.shortest = length, u.shortest_edge = e;
    if (u.longest_edge.x < 0 || length > u.longest) u.longest = length, u.longest_edge = e;
  }
  if (u.edges) u.mean = sum / u.edges;
  return u;
}

std::string in_words(const Uniformity& u) {
  const bool small = u.mean < 0.1;
  const double unit = small ? 1e3 : 1;
  return fmt::format("edges {:.3g} to {:.3g} {}, mean {:.3g} {}, ratio {:.3f}", unit * u.shortest,
                     unit * u.longest, small ? "mm" : "m", unit * u.mean, small ? "mm" : "m", u.ratio());
}

}  // namespace weft
