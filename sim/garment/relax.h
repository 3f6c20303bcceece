// Positions in space at which the triangles of a garment have nearly their rest lengths.
#pragma once
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft {

/// Projects edges on their rest lengths, one after another, again and again: seams that are stretched between
/// placed panels draw together. Does not regard crossings. Deterministic.
class Relaxation {
 public:
  /// Takes the rest lengths of a mesh, and nothing of its positions.
  explicit Relaxation(const TriMesh& mesh);
  void sweep(std::vector<dvec3>& x, int sweeps) const;
  /// Mean over the edges of their relative difference from rest length.
  double strain(const std::vector<vec3>& x) const;

 private:
  std::vector<ivec2> edges_;
  std::vector<double> rest_;  // m
};

/// The placed garment after 300 sweeps. For what needs a distance between vertices that share no triangle.
std::vector<vec3> relaxed(const TriMesh& mesh);

}  // namespace weft
