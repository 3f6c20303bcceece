// How much the energy changes along a Newton step p, for one share `length` of it:
//
//   E(d + length p) - E(d) = length slope + merit,     slope = dE/dd . p,     merit = sum of E_e(end) - E_e(start) - length dE_e . p
//
// The slope is known from the linear system. What elements have beyond it is small where steps are, of the
// size of the change itself; the energies would be far larger, and float32 sums of them could not tell
// whether the last steps descend.
#pragma once
#include "sim/solvers/neighborhood_kernels.h"
#include "sim/solvers/newton/assemble_kernels.h"

namespace weft::newton {

/// r . p of each row: minus the slope.
struct Slope {
  Span<const vec3> residual, p;
  Span<float> inner;
  HD void operator()(int i) const { inner[i] = glm::dot(residual[i], p[i]); }
};

/// Springs (half of each at either end), quadratic bending, anchors and inertia.
struct RowMerit {
  SystemView system;
  Span<const vec3> position, d, p;
  Span<const float> mass, anchor_weight;
  float inv_h2 = 0, length = 1;
  int spring_forces = 1, bending_forces = 1;
  Span<float> merit;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    const RowsView& a = system.a;
    const Vec3<R> xi = L::rows(&position[i]), di = L::rows(&d[i]), pi = L::rows(&p[i]);
    const R begin = L::load(&a.lock[i]);
    R springs = L::splat(0), bending = L::splat(0);
    const int slice = i / kLanes, end = a.slice_start[slice + 1];
    for (int o = a.slice_start[slice] + i % kLanes; o < end; o += kLanes) {
      const Vec3<R> w = L::splat(length) * (L::gather(p.data, &a.neighbor[o]) - pi);
      bending = bending + L::load(&a.bending[o]) * dot(w, w);
      if (o >= a.spring_end[slice]) continue;
      const Vec3<R> e =
          (L::gather(position.data, &a.neighbor[o]) - xi) + (L::gather(d.data, &a.neighbor[o]) - di);
      springs = springs + spring<L>(o, e, w, begin);
    }
    const R l2 = L::splat(length * length);
    R sum = 0.5f * springs + 0.5f * l2 * inv_h2 * L::load(&mass[i]) * dot(pi, pi) +
            0.5f * l2 * dot(pi, blocks::times_sym3<L>(&anchor_weight[interleaved(i, 0, 6)], pi));
    if (bending_forces) sum = sum + 0.25f * bending;
    L::store(&merit[i], sum);
  }

  /// What a spring and its thread lock have beyond their slope.
  template <class L>
  HD typename L::Real spring(int o, const Vec3<typename L::Real>& e, const Vec3<typename L::Real>& w,
                             const typename L::Real& begin) const {
    using R = typename L::Real;
    const R k = L::load(&system.a.stiffness[o]), rest = L::load(&system.a.rest_length[o]);
    const Lengthening<R> l = lengthening(e, w);
    const R lock = ThreadLock::beyond_slope<R>(l, {rest}, {k, begin});
    return spring_forces ? Spring::beyond_slope<R>(l, {rest}, {k}) + lock : lock;
  }
};

/// Meshless bending of each vertex against its neighbours, in double precision.
struct NeighborhoodMerit {
  neighborhoods::NeighborhoodsView n;
  Span<const vec3> position, d, p;
  float length = 1;
  Span<float> merit;
  using V = Vec3<double>;

  HD V edge_displacement(int i, int o) const {
    const int j = n.neighbor[o];
    return double(length) * lane_vector(glm::dvec3(p[j]) - glm::dvec3(p[i]));
  }
  HD V edge(int i, int o, bool end) const {
    const int j = n.neighbor[o];
    const V e = lane_vector(glm::dvec3((position[j] - position[i]) + (d[j] - d[i])));
    return end ? e + edge_displacement(i, o) : e;
  }
  HD V reference(int o) const {
    return {double(n.reference[interleaved(o, 0, 3)]), double(n.reference[interleaved(o, 1, 3)]),
            double(n.reference[interleaved(o, 2, 3)])};
  }
  HD double inverse(int i, int c) const { return double(n.inverse_moment[interleaved(i, c, 2)]); }

  HD meshless::Fit<double> fit(int i, int begin, int stop, bool end) const {
    V a1{0, 0, 0}, a2{0, 0, 0};
    for (int o = begin; o < stop; o += kLanes) {
      const V r = reference(o), e = edge(i, o, end);
      a1 = a1 + (r.x * inverse(i, 0)) * e;
      a2 = a2 + (r.y * inverse(i, 1)) * e;
    }
    return meshless::fit(a1, a2);
  }

  HD void operator()(int i) const {
    const int begin = n.slice_start[i / kLanes] + i % kLanes, stop = n.slice_start[i / kLanes + 1];
    const double k = double(n.stiffness[i]);
    const meshless::Fit<double> start = fit(i, begin, stop, false), end = fit(i, begin, stop, true);
    meshless::FitGradient<double> gradient{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double change = 0;
    for (int o = begin; o < stop; o += kLanes) {
      if (n.neighbor[o] == i) continue;  // what pads a slice
      const auto before = meshless::residual(start, edge(i, o, false), reference(o));
      change += meshless::energy(meshless::residual(end, edge(i, o, true), reference(o)), k) -
                meshless::energy(before, k);
      gradient.add(start, before, reference(o));
    }
    gradient.turn_normal(start);
    for (int o = begin; o < stop; o += kLanes) {
      if (n.neighbor[o] == i) continue;
      const auto before = meshless::residual(start, edge(i, o, false), reference(o));
      const V slope = meshless::gradient(gradient, before.y, reference(o), inverse(i, 0), inverse(i, 1));
      change -= k * dot(slope, edge_displacement(i, o));
    }
    merit[i] = float(change);
  }
};

/// Shares of the Newton step that are tried, the first before all others.
constexpr int kLengths = 8;
HD constexpr float step_length(int i) {
  constexpr float lengths[kLengths] = {1,         1.0f / 2,  1.0f / 4,   1.0f / 8,
                                       1.0f / 16, 1.0f / 32, 1.0f / 128, 1.0f / 1024};
  return lengths[i];
}
/// A full step is taken where it brings at least this share of what its slope promises (Armijo).
constexpr float kArmijo = 1e-4f;

struct TakeFullStep {
  Span<const float> descent;  // minus the slope
  Span<const float> merit;    // per length
  Span<float> length;
  Span<int> look_further;
  HD void operator()(int) const {
    length[0] = 1;
    look_further[0] = merit[0] - descent[0] > -kArmijo * descent[0];
  }
};

/// The length that lowers the energy most; 0 if none does.
struct ChooseLength {
  Span<const float> descent, merit;
  Span<float> length;
  HD void operator()(int) const {
    float best = 0;
    length[0] = 0;
    for (int i = 0; i < kLengths; ++i) {
      const float change = merit[i] - step_length(i) * descent[0];
      if (change < best) best = change, length[0] = step_length(i);
    }
  }
};

/// d += length p. Where forces are no numbers, neither is d: nobody may take it for a step.
struct Move {
  Span<const float> length;  // empty: all of p
  Span<const vec3> residual, p;
  Span<vec3> d;
  HD void operator()(int i) const {
    const vec3 r = residual[i];
    const bool finite = absolute(r.x) + absolute(r.y) + absolute(r.z) < 1e30f;
    d[i] += finite ? (length.empty() ? 1.0f : length[0]) * p[i] : vec3(NAN);
  }
};

}  // namespace weft::newton
