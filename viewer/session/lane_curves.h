// Numbers over time of runs that are compared.
#pragma once
#include <string>
#include <vector>

#include "viewer/session/compared_lanes.h"
#include "viewer/session/curves.h"

namespace weft {

/// The curves of all lanes but the first, whose own are the session's.
class LaneCurves {
 public:
  /// Takes the steps of the lanes up to the states that they show. `first`: the numbers that are shown, those
  /// of comparisons among them (more_of).
  void add(ComparedLanes& lanes, const Curves& first);
  /// Those of the first, then those of the others for each number, over the last `seconds` (0: all). Without
  /// lanes those of the first as they are.
  std::vector<Curve> curves(const ComparedLanes& lanes, const Curves& first, double seconds) const;

 private:
  struct Lane {
    int number = 0;  // ComparedLanes::number
    Curves curves;
    std::vector<std::string> shown, own;  // numbers by the first one's vertices, and by its own
  };
  void keep(const ComparedLanes& lanes);
  std::vector<Lane> lanes_;
};

/// Distances of a lane from the reference and from the first, for its curves.
Curves::More more_of(const ComparedLanes& lanes, size_t lane);

}  // namespace weft
