// Kernels of a step's residual that several solvers launch.
#pragma once
#include <cmath>

#include "sim/base/math.h"
#include "sim/base/span.h"

namespace weft::residual {

/// The parts of r . A⁻¹ r, which are no less than 0, as StepContext::solver_residual has them
/// (residual_unit).
struct SumGains {
  Span<const float> gains;
  float unit = 1;
  Span<float> residual;
  HD void operator()(int) const {
    float sum = 0;
    for (int i = 0; i < gains.size; ++i) sum += gains[i];
    residual[0] = sqrtf(sum > 0 || sum != sum ? sum : 0.0f) / unit;
  }
};

/// The gradient is minus the forces.
struct Negate {
  Span<const vec3> in;
  Span<vec3> out;
  HD void operator()(int i) const { out[i] = -in[i]; }
};

}  // namespace weft::residual
