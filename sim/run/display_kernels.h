// Kernels for display and statistics: normals, colours, numbers of a state.
#pragma once
#include "sim/collision/bodies/bodies.h"
#include "sim/device/launch.h"
#include "sim/energies/triangle.h"
#include "sim/linear/stencil.h"

namespace weft::display {

/// 1 for cells that are flat or inside out, else 0.
struct CellTurned {
  Span<const ivec4> cells;
  Span<const vec3> position;
  Span<float> turned;
  HD void operator()(int i) const {
    const ivec4 c = cells[i];
    const vec3 a = position[c.x];
    const vec3 u = position[c.y] - a, v = position[c.z] - a, w = position[c.w] - a;
    turned[i] = glm::dot(glm::cross(u, v), w) > 0 ? 0.0f : 1.0f;
  }
};

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

/// Length of the columns of the deformation gradient F: f1 = a u1 + b u2 along the warp, f2 = a v1 + b v2
/// along the weft, with sides a and b of the triangle and the inverse (u1 v1; u2 v2) of its rest shape.
struct WeaveStretch {
  Span<const vec3> position;
  Span<const ivec3> triangles;
  Span<const TriangleRest<float>> rest;
  bool weft = false;
  Span<float> stretch;
  HD void operator()(int t) const {
    const ivec3& v = triangles[t];
    const vec3 a = position[v.y] - position[v.x], b = position[v.z] - position[v.x];
    const TriangleRest<float>& r = rest[t];
    const vec3 f = weft ? a * r.v1 + b * r.v2 : a * r.u1 + b * r.u2;
    stretch[t] = sqrtf(glm::dot(f, f));
  }
};

/// Mean over the triangles at each vertex, by rest area; 1 for a vertex without.
struct VertexMean {
  Span<const float> of_triangle;
  Span<const TriangleRest<float>> rest;
  Span<const int> start, entry;
  Span<float> out;
  HD void operator()(int v) const {
    float sum = 0, area = 0;
    for (int o = start[v]; o < start[v + 1]; ++o) {
      const int t = entry[o] / 3;
      sum += rest[t].area * of_triangle[t], area += rest[t].area;
    }
    out[v] = area > 0 ? sum / area : 1.0f;
  }
};

/// Force of contact with bodies along the cloth's normal n over the vertex's area A, Pa:
///
///   p = |n . F| / A,   F = sum over stencils with a body of w_i (f - S (u - g)) + sum of W t - W d
///
/// with the stencils and anchors of the solver's last iteration (sim/linear/stencil.h, StepContext) at the
/// displacement d of the step. A stencil has a body among its points if the weights of its vertices do not
/// add up to 0. Anchors count as a whole: of solvers that take contact as anchors it is the force of all
/// contact at the vertex, cloth on cloth included.
struct BodyPressure {
  StencilsView stencils;
  Span<const Sym3> anchor_weight;
  Span<const vec3> anchor_force, displacement, normal;
  Span<const float> area;
  Span<const int> kinematic;
  Span<float> out;
  HD void operator()(int v) const {
    out[v] = 0;
    if (kinematic[v] || !(area[v] > 0)) return;
    vec3 force = anchor_force[v] - anchor_weight[v] * displacement[v];
    const int end = stencils.empty() ? 0 : stencils.start[v + 1];
    for (int o = stencils.empty() ? 0 : stencils.start[v]; o < end; ++o) {
      const ContactStencil& s = stencils.stencil[stencils.entry[o] / 4];
      float sum = 0;
      for (int k = 0; k < 4; ++k) sum += s.vertex[k] >= 0 ? s.weight[k] : 0.0f;
      if (sum > -kOwn && sum < kOwn) continue;
      force += s.weight[stencils.entry[o] % 4] * (s.force - s.stiffness * (moved(s, displacement) - s.gap));
    }
    const float push = glm::dot(force, normal[v]) / area[v];
    out[v] = push < 0 ? -push : push;
  }
  static constexpr float kOwn = 1e-3f;  // sum of weights up to which a stencil is cloth against cloth
};

struct VertexSpeed {
  Span<const vec3> velocity;
  Span<float> out;
  HD void operator()(int v) const { out[v] = sqrtf(glm::dot(velocity[v], velocity[v])); }
};

/// Per vertex: kinetic energy, height, minus height, and depth below the nearest body's surface, of bodies
/// that have an inside.
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
