// Kernels between the vertices of a model and the slots of a grid, for a time step:
//
//   F = 1/(2 h²) |d - s|²_M + sheet + 1/2 dᵀ W d - f d,      x = x_n + d                       (Wang 2021, eq. 19)
//
// with the inertial target s in Terms::anchor and its target, a weight rho / h² per area.
#pragma once
#include "sim/device/launch.h"
#include "sim/grid/grid_kernels.h"

namespace weft::block_descent {

/// Puts a block's origin at its first vertex, rounded (sim/grid/grid_kernels.h).
struct PlaceBlocks {
  Span<const int> vertex;
  Span<const vec3> position;
  int slots_per_block = 64, unused = 0;  // explicit padding (see Span)
  Span<vec3> origin;
  HD void operator()(int b) const {
    for (int v = b * slots_per_block; v < (b + 1) * slots_per_block; ++v)
      if (vertex[v] >= 0) {
        origin[b] = grid::rounded_origin(position[vertex[v]]);
        return;
      }
  }
};

/// x_n, the target x_n + s, the other start x_n + s, and what is pinned.
struct LoadStep {
  Span<const int> vertex;
  Span<const vec3> position, inertia, prescribed;
  Span<const int> kinematic;
  grid::PositionsView base, target;  // the same origins
  Span<vec3> start;
  Span<unsigned char> pinned;
  HD void operator()(int slot) const {
    const int v = vertex[slot];
    if (v < 0) {
      base.local[slot] = target.local[slot] = start[slot] = vec3(0);
      pinned[slot] = 0;
      return;
    }
    const vec3 at = position[v] - base.origin[slot >> base.log_slots];
    base.local[slot] = at;
    target.local[slot] = at + inertia[v];
    start[slot] = kinematic[v] ? at + prescribed[v] : at + inertia[v];
    pinned[slot] = kinematic[v] != 0;
  }
};

/// x = x_n + d.
struct LoadStart {
  Span<const int> vertex;
  Span<const vec3> displacement, base;
  Span<vec3> x;
  HD void operator()(int slot) const {
    const int v = vertex[slot];
    x[slot] = v < 0 ? vec3(0) : base[slot] + displacement[v];
  }
};

/// Anchors, and the inertia of what vertices weigh beyond Terms::anchor.
struct LoadAnchors {
  Span<const int> vertex;
  Span<const Sym3> anchor_weight;
  Span<const vec3> anchor_force, inertia;
  Span<const float> more_mass;  // kg, per slot; empty: none
  float inv_h2 = 0;
  int unused = 0;  // explicit padding (see Span)
  Span<Sym3> weight;
  Span<vec3> force;
  HD void operator()(int slot) const {
    const int v = vertex[slot];
    weight[slot] = v < 0 ? Sym3{} : anchor_weight[v];
    force[slot] = v < 0 ? vec3(0) : anchor_force[v];
    if (v < 0 || more_mass.empty()) return;
    const float more = more_mass[slot] * inv_h2;
    weight[slot].xx += more, weight[slot].yy += more, weight[slot].zz += more;
    force[slot] += more * inertia[v];
  }
};

/// Factors on the sheet (SheetRest) from those at the vertices of a model; empty: 1.
struct LoadFactors {
  grid::GridView grid;
  Span<const int> vertex;
  Span<const float> stretch, bending;
  Span<vec3> factor;
  HD float at(const Span<const float>& list, int slot) const {
    const int v = slot < 0 ? -1 : vertex[slot];
    return v < 0 || list.empty() ? 1.0f : list[v];
  }
  HD void operator()(int slot) const {
    const int block = grid.block_of(slot), x = grid.local_x(slot), y = grid.local_y(slot);
    const float own = at(stretch, slot), far = at(stretch, grid.slot(block, x + 1, y + 1));
    factor[slot] = {(own + at(stretch, grid.slot(block, x + 1, y)) + far) / 3,
                    (own + far + at(stretch, grid.slot(block, x, y + 1))) / 3, at(bending, slot)};
  }
};

/// Marks blocks in which an anchor pulls.
struct MarkAnchored {
  Span<const Sym3> weight;
  Span<const vec3> force;
  int slots_per_block = 64, unused = 0;  // explicit padding (see Span)
  Span<int> weighted;
  HD void operator()(int b) const {
    int any = 0;
    for (int v = b * slots_per_block; v < (b + 1) * slots_per_block && !any; ++v)
      any = weight[v].trace() > 0 || glm::dot(force[v], force[v]) > 0;
    weighted[b] = any;
  }
};

/// d = x - x_n; what is prescribed stays.
struct StoreStep {
  Span<const int> vertex, kinematic;
  Span<const vec3> x, base;
  Span<vec3> displacement;
  HD void operator()(int slot) const {
    const int v = vertex[slot];
    if (v >= 0 && !kinematic[v]) displacement[v] = x[slot] - base[slot];
  }
};

struct StoreGradient {
  Span<const int> vertex;
  Span<const vec3> gradient;
  Span<vec3> out;
  HD void operator()(int slot) const {
    if (vertex[slot] >= 0) out[vertex[slot]] = gradient[slot];
  }
};

/// What a block as a whole is from its balance: |R|² h² / M, an upper bound of R . A⁻¹ R since A >= M / h²
/// (J).
struct BlockGains {
  Span<const int> vertex;
  Span<const vec3> gradient;
  Span<const unsigned char> pinned;
  Span<const float> mass;
  float h2 = 0;
  int slots_per_block = 64;
  Span<float> gain;
  HD void operator()(int b) const {
    vec3 force(0);
    float weight = 0;
    for (int v = b * slots_per_block; v < (b + 1) * slots_per_block; ++v) {
      if (vertex[v] < 0 || pinned[v]) continue;
      force += gradient[v];
      weight += mass[vertex[v]];
    }
    gain[b] = weight > 0 ? h2 * glm::dot(force, force) / weight : 0.0f;
  }
};

}  // namespace weft::block_descent
