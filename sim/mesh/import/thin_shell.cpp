#include "sim/mesh/import/thin_shell.h"

#include <cmath>

#include "sim/base/disjoint_sets.h"
#include "sim/mesh/sides.h"

namespace weft {
namespace {

/// Per triangle whether its part, connected by vertices, has two triangles at every edge.
std::vector<char> in_closed_parts(const TriMesh& mesh) {
  DisjointSets sets(int(mesh.positions.size()));
  for (const ivec3& t : mesh.triangles) sets.join(t.x, t.y), sets.join(t.y, t.z);
  std::vector<char> open(mesh.positions.size(), 0);  // of the root of a part
  for_each_edge(mesh.triangles, [&](auto sides) {
    if (sides.size() != 2) open[sets.find(sides[0].edge.first)] = 1;
  });
  std::vector<char> closed;
  for (const ivec3& t : mesh.triangles) closed.push_back(!open[sets.find(t.x)]);
  return closed;
}

}  // namespace

double shell_thickness(const TriMesh& mesh) {
  constexpr double kThickest = 3e-3;
  const std::vector<char> closed = in_closed_parts(mesh);
  const Bounds box = bounds_of(mesh.positions);
  const dvec3 origin(box.center());
  double volume = 0, area = 0;
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (!closed[t]) continue;
    dvec3 c[3];
    for (int k = 0; k < 3; ++k) c[k] = dvec3(mesh.positions[mesh.triangles[t][k]]) - origin;
    volume += glm::dot(c[0], glm::cross(c[1], c[2])) / 6;
    area += glm::length(glm::cross(c[1] - c[0], c[2] - c[0])) / 2;
  }
  const double thickness = area > 0 ? 2 * std::abs(volume) / area : 0;
  if (!(thickness > 1e-6) || thickness > kThickest || thickness > 0.01 * double(box.diagonal())) return 0;
  int across = 0;
  for (size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; closed[t] && k < 3; ++k)
      across += double(glm::distance(mesh.positions[mesh.triangles[t][k]],
                                     mesh.positions[mesh.triangles[t][(k + 1) % 3]])) <= 1.5 * thickness;
  return across >= 2 * 4 ? thickness : 0;  // two triangles have each
}

}  // namespace weft
