// Evenness of a mesh's edges, which vertex repulsion depends on.
#pragma once
#include "sim/mesh/mesh.h"

namespace weft {

/// Edge lengths over the rest shape (m); each edge counts once. All 0 for a mesh without triangles.
struct Uniformity {
  double shortest = 0, mean = 0, longest = 0;
  int edges = 0;
  ivec2 shortest_edge{-1}, longest_edge{-1};  // their vertices

  /// Smallest over greatest length, the measure of Wu et al. 2020, section 6.1: 1 where all are equal.
  double ratio() const { return longest > 0 ? shortest / longest : 0; }
};

/// The ratio from which on vertex repulsion works well.
constexpr double kUniformEnough = 0.6;

Uniformity uniformity_of(const TriMesh& mesh);
/// "edges 3.9 to 5.7 mm, mean 4.6 mm, ratio 0.684".
std::string in_words(const Uniformity& uniformity);

}  // namespace weft
