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

/// Cloth that bodies have passed through goes with them: 1/2 k (n . (d - way))^2 for each vertex.
struct GoWithBodies {
  Span<const vec3> way;     // m
  Span<const vec3> normal;  // unit; 0 for vertices that are free
  Span<const float> mass;   // kg
  float stiffness = 0;      // 1/s^2: k over the mass
  Span<Sym3> weight;        // N/m
  Span<vec3> force;         // N
  HD void operator()(int v) const {
    const vec3 n = normal[v];
    if (!(glm::dot(n, n) > 0)) return;
    const float hold = stiffness * mass[v];
    weight[v].add_outer(hold, n);
    force[v] += hold * glm::dot(n, way[v]) * n;
  }
};

}  // namespace weft::contact
