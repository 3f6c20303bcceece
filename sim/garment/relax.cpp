#include "sim/garment/relax.h"

#include "sim/mesh/rest_shape.h"

namespace weft {

std::vector<vec3> relaxed(const TriMesh& mesh) {
  constexpr int kSweeps = 300;
  const Topology topology = build_topology({{"garment", mesh}});
  const EdgeSprings springs = edge_springs(RestShape(mesh), topology.triangles, topology.edges);
  std::vector<dvec3> x(mesh.positions.begin(), mesh.positions.end());
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (size_t e = 0; e < topology.edges.size(); ++e) {
      dvec3 &a = x[size_t(topology.edges[e].x)], &b = x[size_t(topology.edges[e].y)];
      const dvec3 d = b - a;
      const double l = glm::length(d);
      if (!(l > 0)) continue;
      const dvec3 move = 0.5 * (1 - double(springs.rest[e]) / l) * d;
      a += move, b -= move;
    }
  return std::vector<vec3>(x.begin(), x.end());
}

}  // namespace weft
