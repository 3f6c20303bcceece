// Kernels of contact stencils (stencil.h): adjacency, and their share in an energy's derivatives.
#pragma once
#include "sim/device/launch.h"
#include "sim/linear/stencil.h"

namespace weft::stencils {

/// Key of each corner: its vertex, or `vertices` where there is none.
struct Keys {
  Span<const ContactStencil> stencil;
  Span<const int> count;
  uint32_t vertices = 0;
  Span<uint32_t> key;
  Span<int> entry;
  HD void operator()(int i) const {
    const int v = i / 4 < count[0] ? stencil[i / 4].vertex[i % 4] : -1;
    key[i] = v >= 0 ? uint32_t(v) : vertices;
    entry[i] = i;
  }
};

/// start[v]: the first of the sorted keys that is not below v.
struct Starts {
  Span<const uint32_t> key;
  Span<int> start;
  HD void operator()(int v) const {
    int low = 0, high = key.size;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (key[middle] < uint32_t(v)) low = middle + 1;
      else high = middle;
    }
    start[v] = low;
  }
};

/// S (sum_i w_i u_i - g) - f of each stencil, N; with `linear` S sum_i w_i u_i alone, which is linear in u.
struct Pull {
  Span<const ContactStencil> stencil;
  Span<const vec3> u;
  bool linear = false;
  Span<vec3> pull;
  HD void operator()(int i) const {
    const ContactStencil s = stencil[i];
    pull[i] = linear ? s.stiffness * moved(s, u) : s.stiffness * (moved(s, u) - s.gap) - s.force;
  }
};

/// Adds the stencils' forces at d to those of the vertices, and sets their diagonal blocks.
struct AddForces {
  StencilsView s;
  Span<const vec3> pull;
  Span<vec3> force;
  Span<float> diagonal;  // interleaved 6, set
  HD void operator()(int v) const {
    vec3 sum(0);
    Sym3 d;
    for (int o = s.start[v]; o < s.start[v + 1]; ++o) {
      const ContactStencil& c = s.stencil[s.entry[o] / 4];
      const float w = c.weight[s.entry[o] % 4];
      sum -= w * pull[s.entry[o] / 4];
      d += w * w * c.stiffness;
    }
    force[v] += sum;
    const float parts[6] = {d.xx, d.xy, d.xz, d.yy, d.yz, d.zz};
    for (int k = 0; k < 6; ++k) diagonal[interleaved(v, k, 6)] = parts[k];
  }
};

/// Adds the stencils' part of A p to q, and of p . A p to `inner`.
struct AddProduct {
  StencilsView s;
  Span<const vec3> pull;  // pull of p, N
  Span<const vec3> p;
  Span<const float> free_row;
  Span<vec3> q;
  Span<float> inner;
  HD void operator()(int v) const {
    if (s.start[v] == s.start[v + 1] || free_row[v] <= 0) return;
    vec3 sum(0);
    for (int o = s.start[v]; o < s.start[v + 1]; ++o)
      sum += s.stencil[s.entry[o] / 4].weight[s.entry[o] % 4] * pull[s.entry[o] / 4];
    q[v] += sum;
    inner[v] += glm::dot(p[v], sum);
  }
};

/// Energy of each stencil beyond its slope after a fraction `length` of the step p, J; 0 beyond the count.
struct Merit {
  Span<const ContactStencil> stencil;
  Span<const int> count;
  Span<const vec3> p;
  float length = 1;
  Span<float> merit;
  HD void operator()(int i) const {
    if (i >= count[0]) {
      merit[i] = 0;
      return;
    }
    const vec3 displacement = length * moved(stencil[i], p);
    merit[i] = 0.5f * glm::dot(displacement, stencil[i].stiffness * displacement);
  }
};

}  // namespace weft::stencils
