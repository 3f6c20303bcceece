#include "sim/garment/relax.h"

#include <cmath>

#include "sim/mesh/rest_shape.h"

namespace weft {

Relaxation::Relaxation(const TriMesh& mesh) {
  const Topology topology = build_topology({{"garment", mesh}});
  const EdgeSprings springs = edge_springs(RestShape(mesh), topology.triangles, topology.edges);
  edges_ = topology.edges;
  rest_.assign(springs.rest.begin(), springs.rest.end());
}

void Relaxation::sweep(std::vector<dvec3>& x, int sweeps) const {
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (size_t e = 0; e < edges_.size(); ++e) {
      dvec3 &a = x[edges_[e].x], &b = x[edges_[e].y];
      const dvec3 d = b - a;
      const double l = glm::length(d);
      if (!(l > 0)) continue;
      const dvec3 move = 0.5 * (1 - rest_[e] / l) * d;
      a += move, b -= move;
    }
}

double Relaxation::strain(const std::vector<vec3>& x) const {
  double sum = 0;
  for (size_t e = 0; e < edges_.size(); ++e) {
    const double l = glm::length(dvec3(x[edges_[e].y]) - dvec3(x[edges_[e].x]));
    sum += std::abs(l - rest_[e]) / std::max(rest_[e], 1e-12);
  }
  return edges_.empty() ? 0 : sum / double(edges_.size());
}

std::vector<vec3> relaxed(const TriMesh& mesh) {
  constexpr int kSweeps = 300;
  std::vector<dvec3> x(mesh.positions.begin(), mesh.positions.end());
  Relaxation(mesh).sweep(x, kSweeps);
  return {x.begin(), x.end()};
}

}  // namespace weft
