// F itself, vertex by vertex: to judge steps, and for tests.
#pragma once
#include "sim/grid/descent/step_kernel.h"

namespace weft::block_descent {

/// F of what belongs to each slot: its cell's triangles or its three edges, its hinges, half of its contacts,
/// outer terms (J).
/// Energies of gravity, of constant forces and of the anchor leave out what does not change with the offsets.
template <class Sheet>
struct VertexEnergy {
  StepArguments a;
  Sheet sheet;
  Span<float> energy;

  HD void operator()(int v) const {
    energy[v] = a.grid.inside(v) ? planar(v) + bending(v) + outer_terms(v) + contacts(v) : 0.0f;
  }
  HD float area() const { return sheet.cell * sheet.cell; }
  HD static Vec3<float> vector(const vec3& v) { return {v.x, v.y, v.z}; }
  HD EdgeScale scale(int v) const { return v >= 0 && a.grid.inside(v) ? a.rest.scale(v) : EdgeScale{}; }
  HD Flags flags(int v) const { return v >= 0 ? a.grid.flags[v] : Flags(0); }
  /// Slot at (x, y) cells from v, -1 where there is no block.
  HD int near(int v, int x, int y) const {
    return a.grid.slot(a.grid.block_of(v), a.grid.local_x(v) + x, a.grid.local_y(v) + y);
  }

  HD float planar(int v) const {
    const Flags f = a.grid.flags[v];
    const int east = near(v, 1, 0), north = near(v, 0, 1), far = near(v, 1, 1);
    const EdgeScale own = a.rest.scale(v);
    const vec3 factor = a.rest.factor_at(v);
    const float h = sheet.cell;
    if constexpr (Sheet::kTriangles) {
      using E = typename Sheet::Energy;
      const auto material = sheet.template lanes<float>();
      float sum = 0;
      if (f & grid::kLower) {
        const TriangleRest<float> rest =
            lower_rest<float>(h * own.x, h * scale(east).y, 1.41421356f * h * own.diagonal);
        sum +=
            factor.x * E::energy(Edges<float, 3>{{vector(a.x.between(v, east)), vector(a.x.between(v, far))}},
                                 rest, material);
      }
      if (f & grid::kUpper) {
        const TriangleRest<float> rest =
            upper_rest<float>(h * scale(north).x, h * own.y, 1.41421356f * h * own.diagonal);
        sum += factor.y *
               E::energy(Edges<float, 3>{{vector(a.x.between(v, far)), vector(a.x.between(v, north))}}, rest,
                         material);
      }
      return sum;
    } else {
      const int south = near(v, 0, -1), west = near(v, -1, 0);
      const float lower = f & grid::kLower ? factor.x : 0.0f, upper = f & grid::kUpper ? factor.y : 0.0f,
                  below = flags(south) & grid::kUpper ? a.rest.factor_at(south).y : 0.0f,
                  left = flags(west) & grid::kLower ? a.rest.factor_at(west).x : 0.0f;
      const auto spring = [&](int to, float triangles, float k, float rest) {
        if (triangles == 0) return 0.0f;
        return Spring::energy<float>(Edges<float, 2>{{vector(a.x.between(v, to))}}, {rest},
                                     {0.5f * k * triangles});
      };
      return spring(east, lower + below, sheet.edges.x, h * own.x) +
             spring(far, lower + upper, sheet.edges.diagonal, 1.41421356f * h * own.diagonal) +
             spring(north, upper + left, sheet.edges.y, h * own.y);
    }
  }
  HD float bending(int v) const {
    const Flags f = a.grid.flags[v];
    const int east = near(v, 1, 0), north = near(v, 0, 1), west = near(v, -1, 0), south = near(v, 0, -1);
    const HingeWeight w = a.rest.factor_at(v).z *
                          hinge_weight(f, scale(v), scale(west), scale(south), scale(east), scale(north));
    const float c = sheet.bending();
    float sum = 0;
    if (w.x > 0) {
      const vec3 d = a.x.between(v, east) + a.x.between(v, west);
      sum += 0.5f * c * w.x * glm::dot(d, d);
    }
    if (w.y > 0) {
      const vec3 d = a.x.between(v, north) + a.x.between(v, south);
      sum += 0.5f * c * w.y * glm::dot(d, d);
    }
    if (w.cell > 0) {
      const vec3 d = a.x.between(v, east) + a.x.between(v, north) - a.x.between(v, near(v, 1, 1));
      sum += c * w.cell * glm::dot(d, d);
    }
    return sum;
  }
  HD float outer_terms(int v) const {
    if (a.grid.ghost(v) || a.pinned(v)) return -a.terms.air * volume(v);
    const vec3 x = a.x.local[v];
    float sum = -sheet.density * glm::dot(a.terms.gravity, x);
    if (a.terms.anchor > 0) {
      const vec3 off = x - a.target.local[v];
      sum += 0.5f * a.terms.anchor * glm::dot(off, off);
    }
    if (a.layer.any()) {
      const vec3 n = grid::unpack_unit(a.layer.normal[v]);
      const float height = glm::dot(n, x) - a.layer.offset[v], squeezed = a.terms.thickness - height;
      sum -= a.terms.pressure * height;
      if (squeezed > 0) sum += 0.5f * a.terms.fill * squeezed * squeezed;
    }
    return area() * a.grid.share(v) * sum - a.terms.air * volume(v) + anchored(v);
  }
  HD float anchored(int v) const {
    if (a.anchors.weighted.empty() || !a.anchors.weighted[a.grid.block_of(v)]) return 0;
    const vec3 d = a.x.local[v] - a.anchors.base.local[v];
    return 0.5f * glm::dot(d, a.anchors.weight[v] * d) - glm::dot(a.anchors.force[v], d);
  }
  /// The part of the volume between the sheet and the block's origin that belongs to the vertex's cell, m³.
  /// Its gradient over all cells is that of the air's term where the sheet's edge is pinned or closed.
  HD float volume(int v) const {
    if (a.terms.air == 0) return 0;
    const Flags f = a.grid.flags[v];
    const vec3 x = a.x.local[v] + a.x.origin[a.grid.block_of(v)];
    const int far = near(v, 1, 1);
    float six = 0;
    if (f & grid::kLower) six += glm::dot(x, glm::cross(a.x.between(v, near(v, 1, 0)), a.x.between(v, far)));
    if (f & grid::kUpper) six += glm::dot(x, glm::cross(a.x.between(v, far), a.x.between(v, near(v, 0, 1))));
    return (a.grid.panel[a.grid.block[a.grid.block_of(v)].panel].mirrored ? -six : six) * (1.0f / 6);
  }
  HD float contacts(int v) const {
    if (a.contacts.start.empty()) return 0;
    const int b = a.grid.block_of(v);
    float sum = 0;
    int low = a.contacts.start[b], high = a.contacts.start[b + 1];
    const int end = high;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (a.contacts.contact[middle].vertex < v) low = middle + 1;
      else high = middle;
    }
    for (int k = low; k < end && a.contacts.contact[k].vertex == v; ++k) {
      const int other = a.contacts.contact[k].other;
      const vec3 d = a.x.between(v, other);
      const float deep = a.terms.radius * a.rest.reach_scale(v, other) - sqrtf(glm::dot(d, d));
      if (deep > 0) sum += 0.25f * a.terms.repulsion * area() * deep * deep;  // half of 1/2
    }
    return sum;
  }
};

// What decides between outer iterations, all on the device.

/// Chebyshev weight of the next iteration: 1 for some iterations, then 2 / (2 - rho²), 4 / (4 - rho² omega).
/// Cloth that buckles would carry its first large steps on.
struct NextOmega {
  Span<float> control;
  float rho2 = 0;   // rho squared; 0: no acceleration
  int restart = 0;  // iterations after which momentum begins anew; 0: never
  int delay = 0;    // iterations without momentum at the start
  HD void operator()(int) const {
    float since = control[kSince];
    if (restart > 0 && since >= float(restart)) since = 0;
    const float past = since - float(delay);
    control[kOmega] = past <= 0 || rho2 <= 0 ? 1.0f
                      : past == 1            ? 2 / (2 - rho2)
                                             : 4 / (4 - rho2 * control[kOmega]);
    control[kSince] = since + 1;
    control[kAccelerated] += control[kOmega] > 1 ? 1.0f : 0.0f;
  }
};

/// After some iterations: whether F has grown since the last time. Then the positions of that time come back,
/// with a smaller step; else they are the new ones to come back to, and the step recovers slowly.
struct Judge {
  Span<float> control;
  float rounding = 0;    // growth of F that rounding explains, over its size
  float largest = 0.4f;  // alpha
  int first = 0;         // there is nothing yet to come back to
  HD void operator()(int) const {
    const bool worse = !first && !(control[kEnergy] <= control[kSaved] + rounding * fabsf(control[kSaved]));
    control[kBack] = worse ? 1.0f : 0.0f;
    if (worse) {
      control[kAlpha] *= kShrink;
      control[kSince] = 0;
      control[kReturns] += 1;
    } else {
      control[kSaved] = control[kEnergy];
      if (!first) control[kAlpha] = fminf(largest, control[kAlpha] * kGrow);
    }
  }
  static constexpr float kShrink = 0.7f, kGrow = 1.02f;
};

/// What Judge decided.
struct KeepOrReturn {
  Span<const float> control;
  Span<vec3> x, before, saved;
  int conjugate = 0;  // `before` is a direction, which ends
  HD void operator()(int v) const {
    if (control[kBack] > 0) {
      x[v] = saved[v];
      before[v] = conjugate ? vec3(0) : saved[v];
    } else {
      saved[v] = x[v];
    }
  }
};

/// Puts vertices that lie behind their planes on them: states to come back to keep to the planes.
struct ProjectPlanes {
  PlaneView plane;
  Span<vec3> x;
  HD void operator()(int v) const {
    const vec3 n = grid::unpack_unit(plane.normal[v]);
    x[v] += fmaxf(plane.offset[v] - glm::dot(n, x[v]), 0.0f) * n;
  }
};

/// All begins anew.
struct ResetControl {
  Span<float> control;
  float alpha = 0.4f;
  HD void operator()(int) const {
    for (int k = 0; k < kNumbers; ++k) control[k] = 0;
    control[kAlpha] = alpha, control[kOmega] = 1;
  }
};

/// F as it was measured is the one to compare with.
struct SaveEnergy {
  Span<float> control;
  HD void operator()(int) const { control[kSaved] = control[kEnergy]; }
};

/// Goes back to saved positions unless F is less now.
struct KeepBetter {
  Span<const float> control;
  Span<const vec3> saved;
  Span<vec3> x;
  HD void operator()(int v) const {
    if (!(control[kEnergy] < control[kSaved])) x[v] = saved[v];
  }
};

/// Momentum of conjugate gradients (Fletcher and Reeves): beta is the growth of g . P⁻¹ g, and 0 every
/// `restart` iterations.
struct NextBeta {
  Span<float> control;
  int restart = 14;
  HD void operator()(int) const {
    const float since = control[kSince] >= float(restart) ? 0.0f : control[kSince];
    const float beta = since == 0 ? 0.0f : control[kProduct] / fmaxf(control[kLastProduct], 1e-37f);
    control[kBeta] = fminf(fmaxf(beta, 0.0f), 1.0f);
    control[kLastProduct] = control[kProduct];
    control[kSince] = since + 1;
  }
};

/// d <- displacement + beta d,  x <- x + d.
struct Conjugate {
  Span<const float> control;
  Span<const vec3> displacement;
  Span<vec3> d, x;
  PlaneView plane;
  Span<const float> longest;  // as MovementLimits::path
  int width = 8, unused = 0;  // of blocks; explicit padding (see Span)
  HD void operator()(int v) const {
    const float beta = control[kBeta];
    vec3 y = x[v] + (beta > 0 ? displacement[v] + beta * d[v] : displacement[v]);
    if (plane.any()) {
      const vec3 n = grid::unpack_unit(plane.normal[v]);
      y += fmaxf(plane.offset[v] - glm::dot(n, y), 0.0f) * n;
    }
    if (!longest.empty()) y = no_farther(x[v], y, longest[grid::collision_block(v, width)]);
    d[v] = y - x[v];
    x[v] = y;
  }
};

}  // namespace weft::block_descent
