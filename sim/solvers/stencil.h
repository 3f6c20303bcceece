// Contact between up to four vertices (vertex against triangle, edge against edge), as a collision method hands it to a solver.
//
//   E = k/2 ( sum_i w_i n . d_i - g )²
//
//        x3                      d_i   displacement of vertex i in this step, m
//       /  \     n               w_i   weights; of a vertex against a triangle 1, -b1, -b2, -b3 (barycentric)
//      /  o-\---->               n     unit normal, fixed while the solver takes one iteration
//    x1------x2                  g     where the sum should be, m:  target distance minus the distance at d = 0
//                                k     stiffness, N/m
//
//   dE/dd_i = k w_i n (sum_j w_j n . d_j - g),      d²E/dd_i dd_j = k w_i w_j n nᵀ      constant, of rank 1
#pragma once
#include "sim/base/math.h"
#include "sim/base/span.h"

namespace weft {

struct ContactStencil {
  ivec4 vertex{-1};     // -1: no vertex
  vec4 weight{0};
  vec3 normal{0};
  float stiffness = 0;  // N/m
  float gap = 0;        // m
};

/// sum_i w_i n . u_i of one stencil, m.
HD inline float along_normal(const ContactStencil& s, Span<const vec3> u) {
  vec3 sum(0);
  for (int i = 0; i < 4; ++i)
    if (s.vertex[i] >= 0) sum += s.weight[i] * u[s.vertex[i]];
  return glm::dot(s.normal, sum);
}

/// The stencils of an iteration. Those of vertex v are entry[start[v]] to entry[start[v + 1] - 1], each stencil * 4 + corner,
/// ascending.
struct StencilsView {
  Span<const ContactStencil> stencil;  // as many as there is room for
  Span<const int> count;               // one element; how many there are
  Span<const int> start, entry;
  HD bool empty() const { return stencil.empty(); }
};

}  // namespace weft
