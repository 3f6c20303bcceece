// Kernels of elements that do not fit into row couplings.
#pragma once
#include "sim/device/launch.h"
#include "sim/energies/bending.h"
#include "sim/energies/corotated_triangle.h"
#include "sim/energies/stvk_triangle.h"

namespace weft::elements {

/// x_j - x_i + d_j - d_i: differences before sums, so that float32 keeps its digits.
HD inline vec3 edge_vector(Span<const vec3> x, Span<const vec3> d, int i, int j) { return (x[j] - x[i]) + (d[j] - d[i]); }

/// Forces on the corners of each triangle (co-rotated linear).
struct TriangleForces {
  Span<const ivec3> triangles;
  Span<const vec4> inverse;
  Span<const vec3> material;
  Span<const vec3> position, d;
  Span<vec3> force;  // 3 per triangle
  HD void operator()(int t) const {
    const ivec3 v = triangles[t];
    vec3 g1, g2;
    triangle_gradient<float>(edge_vector(position, d, v.x, v.y), edge_vector(position, d, v.x, v.z), inverse[t], material[t], g1, g2);
    force[3 * t] = g1 + g2;
    force[3 * t + 1] = -g1;
    force[3 * t + 2] = -g2;
  }
};

/// The same for St. Venant-Kirchhoff triangles; and by how much tension has stiffened each.
struct WovenForces {
  Span<const ivec3> triangles;
  Span<const vec4> inverse;
  Span<const vec3> material;
  Span<const vec4> weave;    // C11, C22, C12, G
  Span<const vec3> position, d;
  Span<vec3> force;          // 3 per triangle
  Span<float> stiffening;
  HD void operator()(int t) const {
    const ivec3 v = triangles[t];
    const vec3 e1 = edge_vector(position, d, v.x, v.y), e2 = edge_vector(position, d, v.x, v.z);
    vec3 g1, g2;
    stvk_gradient<float>(e1, e2, inverse[t], material[t].x, weave[t], g1, g2);
    force[3 * t] = g1 + g2;
    force[3 * t + 1] = -g1;
    force[3 * t + 2] = -g2;
    // With room for what the coming iterations stretch it further.
    stiffening[t] = 1 + 2 * (stvk_stiffening(green_stress<float>(e1, e2, inverse[t], weave[t])) - 1);
  }
};

/// Forces on the four vertices of each dihedral hinge.
struct HingeForces {
  Span<const ivec4> hinges;
  Span<const vec2> material;  // k, rest angle
  Span<const vec3> position, d;
  Span<vec3> force;           // 4 per hinge
  HD void operator()(int h) const {
    const ivec4 v = hinges[h];
    vec3 g[4];
    dihedral_gradient<float>(edge_vector(position, d, v.x, v.y), edge_vector(position, d, v.x, v.z),
                             edge_vector(position, d, v.x, v.w), material[h].x, material[h].y, g);
    for (int i = 0; i < 4; ++i) force[4 * h + i] = -g[i];
  }
};

/// Sum of the elements' forces at each vertex, in a fixed order.
struct GatherForces {
  Span<const int> triangle_start, triangle_entry, hinge_start, hinge_entry;
  Span<const vec3> triangle_force, hinge_force;  // either may be empty
  Span<vec3> total;
  HD void operator()(int v) const {
    vec3 sum(0);
    if (!triangle_force.empty())
      for (int o = triangle_start[v]; o < triangle_start[v + 1]; ++o) sum += triangle_force[triangle_entry[o]];
    if (!hinge_force.empty())
      for (int o = hinge_start[v]; o < hinge_start[v + 1]; ++o) sum += hinge_force[hinge_entry[o]];
    total[v] = sum;
  }
};

/// Isotropic bound of the triangles' Hessian at each vertex beyond twice the stiffness of the springs that stand in for them
/// (sim/energies/bounding_springs.h). At rest there is none; tension stiffens triangles beyond those springs.
struct TriangleBound {
  Span<const int> triangle_start, triangle_entry, edge_start, edge_entry;
  Span<const vec4> inverse;
  Span<const vec3> material;
  Span<const vec4> weave;          // of woven triangles; else empty
  Span<const float> stiffening;    // of woven triangles
  Span<const float> edge_stiffness;
  Span<float> bound;
  HD void operator()(int v) const {
    float triangles = 0, springs = 0;
    for (int o = triangle_start[v]; o < triangle_start[v + 1]; ++o) {
      const int t = triangle_entry[o] / 3;
      const glm::vec2 g = triangle_shape_gradient<float>(inverse[t], triangle_entry[o] % 3);
      // Area (2 mu + lambda) |grad N|² is the corner's own stiffness; a triangle couples it to two more.
      triangles += 2.5f * material[t].x * stiffest(t) * glm::dot(g, g);
    }
    for (int o = edge_start[v]; o < edge_start[v + 1]; ++o) springs += edge_stiffness[edge_entry[o] / 2];
    // Springs around a vertex hold each direction of the sheet with half of their sum, and P counts them twice.
    bound[v] = triangles > springs ? triangles - springs : 0.0f;
  }
  HD float stiffest(int t) const {
    if (weave.empty()) return 2 * material[t].y + material[t].z;
    const vec4 c = weave[t];
    return stiffening[t] * ((c.x > c.y ? c.x : c.y) + c.w);
  }
};

}  // namespace weft::elements
