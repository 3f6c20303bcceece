// Draws the seams of a placed garment together, around bodies and without a simulation.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sim/geometry_processing/crossing_free_path.h"

namespace weft {

struct SewingOptions {
  PathOptions path;      // path.steps: of one round
  int rounds = 100;      // at most
  double enough = 0.01;  // mean relative difference of edges from their rest lengths, at which it ends
  std::function<void(double)> progress = nullptr;  // share done, 0 to 1
};

struct SewnGarment {
  std::vector<vec3> positions;
  double strain = 0;  // mean relative difference of edges from their rest lengths
  int rounds = 0;
};

/// From the garment's positions, in which panels stand around the bodies and seams are stretched between them:
/// each round relaxes edges (relax.h), and goes there along a path on which the garment crosses neither itself
/// nor bodies. Ends where edges have their rest lengths, or no longer come nearer. Throws Error, naming triangles,
/// where the start crosses itself or a body; Interrupted where options.path.give_up says so.
SewnGarment sewn_around(const TriMesh& garment, const SewingOptions& options, const std::string& where);

}  // namespace weft
