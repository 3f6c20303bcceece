// Kernels of energies from plug-ins: their elements in the linear system of a solver.
#pragma once
#include "sim/base/math.h"
#include "sim/base/span.h"
#include "sim/device/lanes.h"

namespace weft::host {

/// Elements of `points` vertices each, with their Hessians by rows.
struct ElementsView {
  int energy = 0;  // which of the energies they are of
  int points = 0;
  Span<const int> vertex;       // points per element
  Span<const float> hessian;    // (3 points)² per element, N/m
  Span<const int> start, slot;  // entries [start[v], start[v + 1]) of `slot` are element * points + place
};

/// Adds the forces of plug-ins and their anchors at d to those of the vertices; W d is taken off again by
/// what subtracts anchors.
struct AddForces {
  Span<const vec3> own, d;  // N, m
  Span<const Sym3> own_weight;
  Span<vec3> force;
  Span<float> weight;  // interleaved 6
  HD void operator()(int v) const {
    const Sym3 w = own_weight[v];
    const float parts[6] = {w.xx, w.xy, w.xz, w.yy, w.yz, w.zz};
    for (int k = 0; k < 6; ++k) weight[interleaved(v, k, 6)] += parts[k];
    force[v] += own[v] + w * d[v];
  }
};

/// Adds the diagonal blocks of elements.
struct AddDiagonal {
  ElementsView e;
  Span<float> diagonal;  // interleaved 6
  HD void operator()(int v) const {
    const int n = 3 * e.points;
    float sum[6] = {0, 0, 0, 0, 0, 0};
    for (int o = e.start[v]; o < e.start[v + 1]; ++o) {
      const int element = e.slot[o] / e.points, row = 3 * (e.slot[o] % e.points);
      const float* h = &e.hessian[element * n * n + row * n + row];
      const float block[6] = {h[0], h[1], h[2], h[n + 1], h[n + 2], h[2 * n + 2]};
      for (int k = 0; k < 6; ++k) sum[k] += block[k];
    }
    for (int k = 0; k < 6; ++k) diagonal[interleaved(v, k, 6)] += sum[k];
  }
};

/// Adds the elements' part of A p to q, and of p . A p to `inner`.
struct AddProduct {
  ElementsView e;
  Span<const vec3> p;
  Span<const float> free_row;
  Span<vec3> q;
  Span<float> inner;
  HD void operator()(int v) const {
    if (e.start[v] == e.start[v + 1] || free_row[v] <= 0) return;
    const int n = 3 * e.points;
    vec3 sum(0);
    for (int o = e.start[v]; o < e.start[v + 1]; ++o) {
      const int element = e.slot[o] / e.points, row = 3 * (e.slot[o] % e.points);
      for (int b = 0; b < e.points; ++b) {
        // rows sum to 0, so differences keep their digits
        const vec3 u = p[e.vertex[element * e.points + b]] - p[v];
        for (int k = 0; k < 3; ++k) {
          const float* h = &e.hessian[element * n * n + (row + k) * n + 3 * b];
          sum[k] += h[0] * u.x + h[1] * u.y + h[2] * u.z;
        }
      }
    }
    q[v] += sum;
    inner[v] += glm::dot(p[v], sum);
  }
};

}  // namespace weft::host
