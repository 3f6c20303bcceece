// Contact between up to four vertices (vertex against triangle, edge against edge), as passed from a
// collision method to a solver.
//
//   E = 1/2 (u - g)' S (u - g) - f . u,      u = sum_i w_i d_i
//
//        x3                      d_i   displacement of vertex i in this step, m
//       /  \                     w_i   weights; of a vertex against a triangle 1, -b1, -b2, -b3 (barycentric)
//      /  o-\---->  f            u     relative displacement of the closest points, m
//    x1------x2                  S     stiffness, N/m: of the contact along the normal, of friction across it
//                                g     rest value of u, m
//                                f     constant force, N
//
//   dE/dd_i = w_i (S (u - g) - f),      d2E/dd_i dd_j = w_i w_j S      constant
#pragma once
#include "sim/base/math.h"
#include "sim/base/span.h"

namespace weft {

struct ContactStencil {
  ivec4 vertex{-1};  // -1: no vertex, or a fixed one
  vec4 weight{0};
  Sym3 stiffness;  // S, N/m; positive semidefinite
  vec3 gap{0};     // g, m
  vec3 force{0};   // f, N
};

/// sum_i w_i u_i of one stencil, m.
HD inline vec3 moved(const ContactStencil& s, Span<const vec3> u) {
  vec3 sum(0);
  for (int i = 0; i < 4; ++i)
    if (s.vertex[i] >= 0) sum += s.weight[i] * u[s.vertex[i]];
  return sum;
}

/// The stencils of an iteration. Those of vertex v are entry[start[v]] to entry[start[v + 1] - 1], each
/// stencil * 4 + corner, ascending.
struct StencilsView {
  Span<const ContactStencil> stencil;  // one per unit of capacity
  Span<const int> count;               // one element; how many there are
  Span<const int> start, entry;
  HD bool empty() const { return stencil.empty(); }
};

}  // namespace weft
