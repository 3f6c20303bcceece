// Statistics of collision handling, and pairs of close vertices.
#pragma once
#include "sim/base/math.h"
#include "sim/base/span.h"
#include "sim/collision/proximity/neighbor_lists.h"

namespace weft::repulsion {

/// True if the pair (i, j) is in contact. Every pair is visited from its lower vertex only.
HD inline bool is_contact(Span<const vec3> position, int i, int j, float distance) {
  if (j <= i) return false;
  const vec3 d = position[j] - position[i];
  return glm::dot(d, d) < distance * distance;
}

struct CountPairs {
  Span<const vec3> position;
  NeighborLists pairs;
  float distance = 0;  // m
  Span<int> count;     // per vertex of the cloth: pairs with those of a higher number
  HD void operator()(int i) const {
    int n = 0;
    for (int k = 0; k < pairs.count[i]; ++k)
      n += pairs.neighbor[pairs.at(i, k)] < count.size &&
           is_contact(position, i, pairs.neighbor[pairs.at(i, k)], distance);
    count[i] = n;
  }
};

/// 1 where a vertex is nearer than `distance` to another that it should keep away from.
struct TooClose {
  Span<const vec3> position;
  NeighborLists pairs;
  float distance = 0;  // m
  Span<float> out;
  HD void operator()(int i) const {
    bool any = false;
    for (int k = 0; k < pairs.count[i]; ++k) {
      const vec3 d = position[pairs.neighbor[pairs.at(i, k)]] - position[i];
      any |= glm::dot(d, d) < distance * distance;
    }
    out[i] = any ? 1.0f : 0.0f;
  }
};

/// The longest edge at each vertex, m.
struct LongestAt {
  Span<const vec3> position;
  NeighborLists edges;
  Span<float> out;
  HD void operator()(int i) const {
    float squared = 0;
    for (int k = 0; k < edges.count[i]; ++k) {
      const vec3 d = position[edges.neighbor[edges.at(i, k)]] - position[i];
      squared = glm::max(squared, glm::dot(d, d));
    }
    out[i] = sqrtf(squared);
  }
};

/// By how much the nearest of its pairs is nearer to each vertex than `distance`, m.
struct MissingDistance {
  Span<const vec3> position;
  NeighborLists pairs;
  float distance = 0;  // m
  Span<float> out;
  HD void operator()(int i) const {
    float squared = distance * distance;
    for (int k = 0; k < pairs.count[i]; ++k) {
      const vec3 d = position[pairs.neighbor[pairs.at(i, k)]] - position[i];
      squared = glm::min(squared, glm::dot(d, d));
    }
    out[i] = distance - sqrtf(squared);
  }
};

/// Writes the pairs one after the other; where they are too many, every second, third ... of them, all over
/// the cloth.
struct ListPairs {
  Span<const vec3> position;
  NeighborLists pairs;
  float distance = 0;     // m
  Span<const int> start;  // per vertex, and the total at the end
  Span<ivec2> list;
  HD void operator()(int i) const {
    const int total = start[start.size - 1], stride = (total + list.size - 1) / list.size;
    int at = start[i];
    for (int k = 0; k < pairs.count[i]; ++k) {
      const int j = pairs.neighbor[pairs.at(i, k)];
      if (j >= start.size - 1 || !is_contact(position, i, j, distance)) continue;
      if (at % stride == 0) list[at / stride] = ivec2(i, j);
      ++at;
    }
  }
};

/// 1 where a vertex needed this phase.
struct InPhase {
  Span<const float> phase;
  float wanted = 1;
  Span<float> out;
  HD void operator()(int v) const { out[v] = phase[v] == wanted ? 1.0f : 0.0f; }
};

/// Distance of a kinematic vertex from its target, m.
struct PinLag {
  Span<const int> kinematic;
  Span<const vec3> wanted, taken;  // displacements of the step
  Span<float> out;
  HD void operator()(int v) const {
    const vec3 d = wanted[v] - taken[v];
    out[v] = kinematic[v] ? sqrtf(glm::dot(d, d)) : 0.0f;
  }
};

}  // namespace weft::repulsion
