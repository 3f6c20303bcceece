// Kernels on the points of cloth and bodies that several methods launch.
#pragma once
#include "sim/base/math.h"
#include "sim/base/span.h"

namespace weft::contact {

/// 1 / mass of each point that contact may move, else 0 (1/kg).
struct InverseMasses {
  Span<const float> mass;
  Span<const int> kinematic;
  int cloth_points = 0;
  Span<float> inverse_mass;
  HD void operator()(int i) const {
    inverse_mass[i] = i < cloth_points && !kinematic[i] && mass[i] > 0 ? 1 / mass[i] : 0.0f;
  }
};

/// End of a path: the safe displacement of the cloth, and where bodies have come to.
struct LeavePath {
  Span<const vec3> x, base;
  int cloth_points = 0;
  Span<vec3> displacement, body;
  HD void operator()(int i) const {
    if (i < cloth_points) displacement[i] = x[i] - base[i];
    else body[i - cloth_points] = x[i];
  }
};

}  // namespace weft::contact
