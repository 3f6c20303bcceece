#include "sim/mesh/uniform/uniformity.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace weft {

Uniformity uniformity_of(const TriMesh& mesh) {
  const std::vector<vec3>& rest = mesh.rest.empty() ? mesh.positions : mesh.rest;
  std::vector<std::pair<int, int>> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const ivec3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) edges.push_back(std::minmax(t[k], t[(k + 1) % 3]));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  Uniformity u;
  u.edges = int(edges.size());
  double sum = 0;
  for (const auto& [a, b] : edges) {
    const double length = glm::length(dvec3(rest[a]) - dvec3(rest[b]));
    sum += length;
    if (u.shortest_edge.x < 0 || length < u.shortest) u.shortest = length, u.shortest_edge = {a, b};
    if (u.longest_edge.x < 0 || length > u.longest) u.longest = length, u.longest_edge = {a, b};
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
