// Edges of panels that could be sewn on each other, by their lengths and notches: pattern files without
// seams.
#pragma once
#include <string>
#include <vector>

#include "sim/garment/pattern.h"

namespace weft {

/// A run of edges from corner to corner, divided by notches, and the one that fits on it.
struct SeamProposal {
  std::vector<Seam> seams;    // one per part between notches, the second side against its direction
  std::string sides[2];       // "FRONT, edges 2 to 3"
  double length[2] = {0, 0};  // m
  int notches = 0;            // on each side
  int others = 0;             // sides that would fit as well
};

/// Pairs of sides whose parts between notches have the same lengths in the opposite order (within 2 mm and 1
/// %), each side once, those with most notches and then the best fits first. Edges that are sewn already, and
/// sides shorter than 3 cm, are left alone. Lengths alone do not tell what belongs together: `others` says
/// how many sides fit as well.
std::vector<SeamProposal> propose_seams(const Pattern& pattern);

}  // namespace weft
