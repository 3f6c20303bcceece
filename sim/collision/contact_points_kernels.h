// Measures of points of cloth and bodies.
#pragma once
#include "sim/base/math.h"
#include "sim/base/span.h"

namespace weft::contact {

/// Distance of each point from its scripted target.
struct Lag {
  Span<const vec3> x, aim;
  Span<const int> kinematic;
  int cloth_points = 0;
  bool bodies = false;  // else pinned and scripted vertices
  Span<float> lag;
  HD void operator()(int i) const {
    const bool body = i >= cloth_points;
    const vec3 d = aim[i] - x[i];
    lag[i] = body == bodies && (body || kinematic[i]) ? sqrtf(glm::dot(d, d)) : 0.0f;
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
