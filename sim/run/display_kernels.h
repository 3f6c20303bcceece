// Kernels for display and statistics: normals, colours, numbers of a state.
#pragma once
#include "sim/collision/bodies.h"
#include "sim/device/launch.h"

namespace weft::display {

/// Length of each edge over its rest length.
struct EdgeStretch {
  Span<const vec3> position;
  Span<const ivec2> edges;
  Span<const float> rest;
  Span<float> stretch;
  HD void operator()(int e) const {
    const vec3 d = position[edges[e].y] - position[edges[e].x];
    stretch[e] = sqrtf(glm::dot(d, d)) / rest[e];
  }
};

/// Largest stretch of the edges at each vertex.
struct VertexStretch {
  Span<const float> edge_stretch;
  Span<const int> start, entry;
  Span<float> out;
  HD void operator()(int v) const {
    float most = start[v] < start[v + 1] ? 0.0f : 1.0f;
    for (int o = start[v]; o < start[v + 1]; ++o) {
      const float s = edge_stretch[entry[o] / 2];
      most = s > most ? s : most;
    }
    out[v] = most;
  }
};

struct VertexSpeed {
  Span<const vec3> velocity;
  Span<float> out;
  HD void operator()(int v) const { out[v] = sqrtf(glm::dot(velocity[v], velocity[v])); }
};

/// Per vertex: kinetic energy, height, minus height, and depth below the nearest body's surface, of bodies that have an inside.
struct VertexNumbers {
  Span<const vec3> position, velocity;
  Span<const float> mass;
  BodiesView bodies;
  Span<float> energy, height, minus_height, depth;
  HD void operator()(int v) const {
    energy[v] = 0.5f * mass[v] * glm::dot(velocity[v], velocity[v]);
    height[v] = position[v].y;
    minus_height[v] = -position[v].y;
    float deepest = 0;
    for (int b = 0; b < bodies.count; ++b) {
      const vec3 p = bodies.pose[b].local_at_end(position[v]);
      if (bodies.shape[b].open || bodies.shape[b].lower_bound(p) > 0) continue;
      vec3 n;
      const float d = -bodies.shape[b].distance(p, n);
      deepest = d > deepest ? d : deepest;
    }
    depth[v] = deepest;
  }
};

/// 1 where a vertex is in contact.
struct IsContact {
  Span<const float> depth;
  Span<float> out;
  HD void operator()(int v) const { out[v] = depth[v] > 0 ? 1.0f : 0.0f; }
};

struct Magnitude {
  Span<const vec3> in;
  Span<float> out;
  HD void operator()(int v) const { out[v] = glm::dot(in[v], in[v]); }
};

}  // namespace weft::display
