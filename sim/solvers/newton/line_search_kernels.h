// How much the energy changes along a Newton step p, for one share `length` of it:
//
//   E(d + length p) - E(d) = length slope + merit,     slope = dE/dd . p,     merit = sum of E_e(end) - E_e(start) - length dE_e . p
//
// The slope is known from the linear system. What elements have beyond it is small where steps are, of the size of the change
// itself; the energies would be far larger, and float32 sums of them could not tell whether the last steps descend.
#pragma once
#include "sim/solvers/element_kernels.h"
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
      const Vec3<R> e = (L::gather(position.data, &a.neighbor[o]) - xi) + (L::gather(d.data, &a.neighbor[o]) - di);
      springs = springs + spring<L>(o, e, w, begin);
    }
    const R l2 = L::splat(length * length);
    R sum = 0.5f * springs + 0.5f * l2 * inv_h2 * L::load(&mass[i]) * dot(pi, pi) +
            0.5f * l2 * dot(pi, blocks::times_sym3<L>(&anchor_weight[interleaved(i, 0, 6)], pi));
    if (bending_forces) sum = sum + 0.25f * bending;
    L::store(&merit[i], sum);
  }

  /// k/2 (|e + w| - l0)² - k/2 (|e| - l0)² - k (|e| - l0) n . w without cancellation: with c = |e + w| - |e|,
  /// k ((|e| - l0) (c - n . w) + c² / 2), and (c - n . w) (|e + w| + |e|) = |w|² - (n . w) c.
  template <class L>
  HD typename L::Real spring(int o, const Vec3<typename L::Real>& e, const Vec3<typename L::Real>& w, const typename L::Real& begin) const {
    using R = typename L::Real;
    const R k = L::load(&system.a.stiffness[o]), rest = L::load(&system.a.rest_length[o]);
    const Vec3<R> f = e + w;
    const R before = L::root(dot(e, e)), after = L::root(dot(f, f)), inv = 1.0f / (before + after + 1e-20f);
    const R along = dot(e, w) / (before + 1e-20f), ww = dot(w, w);
    const R c = (2.0f * dot(e, w) + ww) * inv, bow = (ww - along * c) * inv;
    const R range = L::larger(begin - 1.0f, L::splat(1e-6f)), over = before / rest - begin, grown = c / rest;
    const R lock = lock_law<L>(k, rest, before, begin).force * bow + L::splat(kLocked) * k * rest * rest *
                   ((1.0f / range) * (cubed<L>(over, grown) - cubed<L>(over - range, grown)));
    return spring_forces ? k * ((before - rest) * bow + 0.5f * c * c) + lock : lock;
  }

  /// The lock's energy is that of max(x, 0)³ / 6 for the stretch x beyond its begin, less the same beyond its end. What such a cube has
  /// beyond its slope after x has grown by `grown`.
  template <class L>
  HD static typename L::Real cubed(const typename L::Real& x, const typename L::Real& grown) {
    using R = typename L::Real;
    const R zero = L::splat(0), end = x + grown, a = L::larger(x, zero), b = L::larger(end, zero), change = b - a;
    return (1.0f / 6.0f) * change * change * (2.0f * a + b) + 0.5f * a * a * L::larger(-end, zero);
  }
};

/// Energies of elements have no such form; in double precision their differences are good to 1e-16 of the energies.
struct ElementWay {
  Span<const vec3> position, d, p;
  float length = 1;
  HD glm::dvec3 start(int i, int j) const { return glm::dvec3(elements::edge_vector(position, d, i, j)); }
  HD glm::dvec3 way(int i, int j) const { return double(length) * (glm::dvec3(p[j]) - glm::dvec3(p[i])); }
};

struct CorotatedMerit {
  Span<const ivec3> triangles;
  Span<const vec4> inverse;
  Span<const vec3> material;
  ElementWay way;
  Span<float> merit;
  HD void operator()(int t) const {
    const ivec3 v = triangles[t];
    const glm::dvec3 e1 = way.start(v.x, v.y), e2 = way.start(v.x, v.z), w1 = way.way(v.x, v.y), w2 = way.way(v.x, v.z), m(material[t]);
    const glm::dvec4 inv(inverse[t]);
    glm::dvec3 g1, g2;
    triangle_gradient<double>(e1, e2, inv, m, g1, g2);
    merit[t] = float(triangle_energy<double>(e1 + w1, e2 + w2, inv, m) - triangle_energy<double>(e1, e2, inv, m) - glm::dot(g1, w1) - glm::dot(g2, w2));
  }
};

struct WovenMerit {
  Span<const ivec3> triangles;
  Span<const vec4> inverse;
  Span<const vec3> material;
  Span<const vec4> weave;
  ElementWay way;
  Span<float> merit;
  HD void operator()(int t) const {
    const ivec3 v = triangles[t];
    const glm::dvec3 e1 = way.start(v.x, v.y), e2 = way.start(v.x, v.z), w1 = way.way(v.x, v.y), w2 = way.way(v.x, v.z);
    const glm::dvec4 inv(inverse[t]), c(weave[t]);
    const double area = double(material[t].x);
    glm::dvec3 g1, g2;
    stvk_gradient<double>(e1, e2, inv, area, c, g1, g2);
    merit[t] = float(stvk_energy<double>(e1 + w1, e2 + w2, inv, area, c) - stvk_energy<double>(e1, e2, inv, area, c) - glm::dot(g1, w1) - glm::dot(g2, w2));
  }
};

struct HingeMerit {
  Span<const ivec4> hinges;
  Span<const vec2> material;  // k, rest angle
  ElementWay way;
  Span<float> merit;
  HD void operator()(int h) const {
    const ivec4 v = hinges[h];
    const double k = double(material[h].x), rest = double(material[h].y);
    glm::dvec3 e[3], w[3], g[4];
    for (int i = 0; i < 3; ++i) e[i] = way.start(v.x, v[i + 1]), w[i] = way.way(v.x, v[i + 1]);
    dihedral_gradient<double>(e[0], e[1], e[2], k, rest, g);
    double change = dihedral_energy<double>(e[0] + w[0], e[1] + w[1], e[2] + w[2], k, rest) - dihedral_energy<double>(e[0], e[1], e[2], k, rest);
    for (int i = 0; i < 3; ++i) change -= glm::dot(g[i + 1], w[i]);
    merit[h] = float(change);
  }
};

/// Double precision in the place of lanes.h's access types, for arithmetic only.
struct OneDouble {
  using Real = double;
  HD static double splat(double v) { return v; }
  HD static double root(double v) { return ::sqrt(v); }
};

/// Meshless bending of each vertex against its neighbours.
struct NeighborhoodMerit {
  neighborhoods::NeighborhoodsView n;
  ElementWay way;
  Span<float> merit;
  using V = Vec3<double>;

  HD static V vec(const glm::dvec3& v) { return {v.x, v.y, v.z}; }
  HD V edge(int i, int o, bool end) const {
    const glm::dvec3 e = way.start(i, n.neighbor[o]);
    return vec(end ? e + way.way(i, n.neighbor[o]) : e);
  }
  HD V reference(int o) const {
    return {double(n.reference[interleaved(o, 0, 3)]), double(n.reference[interleaved(o, 1, 3)]), double(n.reference[interleaved(o, 2, 3)])};
  }
  HD double inverse(int i, int c) const { return double(n.inverse_moment[interleaved(i, c, 2)]); }

  HD meshless::Fit<double> fit(int i, int begin, int stop, bool end) const {
    V a1{0, 0, 0}, a2{0, 0, 0};
    for (int o = begin; o < stop; o += kLanes) {
      const V r = reference(o), e = edge(i, o, end);
      a1 = a1 + (r.x * inverse(i, 0)) * e;
      a2 = a2 + (r.y * inverse(i, 1)) * e;
    }
    return meshless::fit<OneDouble>(a1, a2);
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
      change += meshless::energy(meshless::residual(end, edge(i, o, true), reference(o)), k) - meshless::energy(before, k);
      gradient.add(start, before, reference(o));
    }
    gradient.turn_normal(start);
    for (int o = begin; o < stop; o += kLanes) {
      if (n.neighbor[o] == i) continue;
      const auto before = meshless::residual(start, edge(i, o, false), reference(o));
      change -= k * dot(meshless::gradient(gradient, before.y, reference(o), inverse(i, 0), inverse(i, 1)), vec(way.way(i, n.neighbor[o])));
    }
    merit[i] = float(change);
  }
};

/// Shares of the Newton step that are tried, the first before all others.
constexpr int kLengths = 8;
HD constexpr float step_length(int i) {
  constexpr float lengths[kLengths] = {1, 1.0f / 2, 1.0f / 4, 1.0f / 8, 1.0f / 16, 1.0f / 32, 1.0f / 128, 1.0f / 1024};
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

struct Negate {
  Span<const vec3> in;
  Span<vec3> out;
  HD void operator()(int i) const { out[i] = -in[i]; }
};

}  // namespace weft::newton
