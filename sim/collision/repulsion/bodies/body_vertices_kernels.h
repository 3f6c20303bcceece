// Vertices of bodies behind those of the cloth.
#pragma once
#include "sim/device/atomics.h"
#include "sim/device/launch.h"

namespace weft::repulsion {

/// Targets of the bodies' vertices in this step.
struct AimBodies {
  Span<const vec3> target, position;  // m, per body vertex
  Span<vec3> displacement;
  HD void operator()(int i) const { displacement[i] = target[i] - position[i]; }
};

/// Applies the safe part of the motion; the rest is lag.
struct MoveBodies {
  Span<const vec3> target, u;  // per body vertex
  Span<vec3> position;
  Span<float> lag;  // m
  HD void operator()(int i) const {
    position[i] += u[i];
    const vec3 left = target[i] - position[i];
    lag[i] = sqrtf(glm::dot(left, left));
  }
};

/// The share of the initial motion that takes no body vertex further from where it shall be than `budget`.
struct ShareOfBodies {
  int first = 0;
  Span<const vec3> motion,
      displacement;            // m, per vertex: of one part by the smoothed field; of all parts by command
  Span<const float> scale;     // one element: share of the field that is taken
  float part = 1, budget = 0;  // 1 / parts; m
  Span<float> share;           // one element, lowered
  HD void operator()(int k) const {
    const int i = first + k;
    const vec3 off = scale[0] * (motion[i] - part * displacement[i]);
    const float length = sqrtf(glm::dot(off, off));
    if (length > budget) atomic_min(&share[0], budget / length);
  }
};

/// Body vertices take part in the initial motion by command, where the cloth follows the field.
struct LeadBodies {
  int first = 0;
  Span<const vec3> u, displacement;
  Span<const float> scale, share;  // one element each
  float part = 1;
  Span<vec3> init;
  Span<float> allowed;
  HD void operator()(int k) const {
    const int i = first + k;
    init[i] = u[i] + scale[0] * share[0] * part * displacement[i];
    allowed[i] = 0;
  }
};

}  // namespace weft::repulsion
