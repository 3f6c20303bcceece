// Measures of points of cloth and bodies.
#pragma once
#include "sim/base/math.h"
#include "sim/base/span.h"

namespace weft::contact {

/// Distance of each pinned or scripted vertex from its target; 0 for others.
struct PinLag {
  Span<const vec3> x, aim;
  Span<const int> kinematic;
  Span<float> lag;  // m
  HD void operator()(int v) const {
    const vec3 d = aim[v] - x[v];
    lag[v] = kinematic[v] ? sqrtf(glm::dot(d, d)) : 0.0f;
  }
};

/// Distance of each point of a body from its place.
struct BodyLag {
  Span<const vec3> now, target;
  Span<float> lag;  // m
  HD void operator()(int i) const {
    const vec3 d = target[i] - now[i];
    lag[i] = sqrtf(glm::dot(d, d));
  }
};

}  // namespace weft::contact
