// Handles and pins made by hand, as they are shown.
#pragma once
#include "sim/base/math.h"

namespace weft {

/// A live grab, for drawing.
struct HandleView {
  bool operator==(const HandleView&) const = default;
  int id = 0;
  bool scripted = false;
  vec3 point{0};    // on the cloth
  vec3 target{0};   // where it pulls to (speed- and force-limited)
  float force = 0;  // N
};

/// A vertex that was pinned by hand, and where it is held (world space); it may still be on its way there.
struct HandPin {
  int vertex = 0;
  vec3 place{0};
};

}  // namespace weft
