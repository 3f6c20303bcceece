// What contact adds to the solver's energy: the quadratic repulsion of Wang 2023, section 6.2.
#pragma once
#include "sim/collision/two_way/pair_kernels.h"

namespace weft::two_way {

/// Sums of w n nᵀ and w n (delta - distance) over the contacts of a vertex, times a stiffness: a quadratic energy of each contact,
/// k/2 (delta - distance)^2, with its other points held where they are.
struct Repel {
  PairList pairs[2];        // vertex-triangle, edge-edge
  PointPairs of_points[2];
  Span<const vec3> x;
  Span<const float> inverse_mass;
  float activation = 0, firmness = 0;  // firmness: against inertia, 1/s^2
  Span<Sym3> stiffness;
  Span<vec3> push;
  HD void operator()(int v) const {
    Sym3 sum;
    vec3 force(0);
    if (inverse_mass[v] > 0)
      for (int list = 0; list < 2; ++list)
        for (int e = of_points[list].start[v]; e < of_points[list].start[v + 1]; ++e) {
          const int pair = of_points[list].entry[e] / 4, place = of_points[list].entry[e] % 4;
          if (!(pairs[list].distance[pair] < activation) || !(pairs[list].support[pair] & kOwner)) continue;
          add(PairPoints(pairs[list].points[pair], list == 0, x), place, sum, force);
        }
    stiffness[v] = sum;
    push[v] = force;
  }
  HD void add(const PairPoints& pair, int place, Sym3& sum, vec3& force) const {
    const float distance = sqrtf(pair.closest.squared), w = pair.closest.weight[place];
    if (!(distance > 0) || w == 0) return;
    float compliance = 0;
    for (int k = 0; k < 4; ++k) compliance += pair.closest.weight[k] * pair.closest.weight[k] * inverse_mass[pair.points[k]];
    if (!(compliance > 0)) return;
    const vec3 n = pair.closest.offset * (1 / distance);
    const float k = firmness / compliance;
    sum.add_outer(k * w * w, n);
    force += (k * w * (activation - distance)) * n;
  }
};

/// As anchors about the safe displacement u. A vertex that has left its contacts is not held back.
struct AddRepulsion {
  Span<const Sym3> stiffness;
  Span<const vec3> push, safe, displacement;
  Span<Sym3> weight;
  Span<vec3> force;
  HD void operator()(int v) const {
    const vec3 f = push[v];
    if (!(glm::dot(f, f) > 0)) return;
    if (glm::dot(f, f - stiffness[v] * (displacement[v] - safe[v])) <= 0) return;
    weight[v] += stiffness[v];
    force[v] += stiffness[v] * safe[v] + f;
  }
};

/// By how much a point is nearer to something than contact begins, m.
struct Depths {
  Span<const float> nearest;
  float activation = 0;
  Span<float> depth;
  HD void operator()(int v) const { depth[v] = glm::max(activation - nearest[v], 0.0f); }
};

/// How far each point is from where a script wants it.
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

}  // namespace weft::two_way
