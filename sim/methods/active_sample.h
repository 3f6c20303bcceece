// A point of the cloth between vertices that keeps the distance of vertices, for view and statistics.
#pragma once
#include "sim/base/math.h"

namespace weft {

/// Lies in the middle of an edge, whatever the state that is drawn.
struct ActiveSample {
  ivec2 ends{-1, -1};    // vertices of the cloth
  bool guarded = false;  // safety depends on it; the others are only pushed
};

}  // namespace weft
