// Kernels over the elements of any energy (sim/energies/element.h): 16 elements side by side on the CPU.
#pragma once
#include "sim/device/launch.h"
#include "sim/energies/element.h"
#include "sim/solvers/element_set.h"
#include "sim/solvers/energy_list.h"

namespace weft::elements {

/// Double precision in the place of lanes.h's access types.
struct OneDouble {
  using Real = double;
  HD static Real load(const float* p) { return double(*p); }
  HD static Vec3<Real> gather(const vec3* v, const int* index) {
    return {double(v[*index].x), double(v[*index].y), double(v[*index].z)};
  }
};

/// Numbers of element i, as a struct of nothing but numbers.
template <class L, class Data>
HD inline Data load_numbers(const Span<const float>& from, int i) {
  using R = typename L::Real;
  constexpr int n = int(sizeof(Data) / sizeof(R));
  R number[n];
  for (int c = 0; c < n; ++c) number[c] = L::load(&from[interleaved(i, c, n)]);
  Data data;
  memcpy(&data, number, sizeof data);
  return data;
}

/// Elements at x + d. Differences come before sums, so that float32 keeps its digits.
template <class E>
struct Elements {
  ElementView<E> set;
  Span<const vec3> position, d;

  template <class L>
  using RestOf = typename E::template Rest<typename L::Real>;
  template <class L>
  using MaterialOf = typename E::template Material<typename L::Real>;

  template <class L>
  HD RestOf<L> rest(int i) const {
    return load_numbers<L, RestOf<L>>(set.rest, i);
  }
  template <class L>
  HD MaterialOf<L> material(int i) const {
    return load_numbers<L, MaterialOf<L>>(set.material, i);
  }
  HD const int* point(int i, int p) const { return &set.point[interleaved(i, p, E::kPoints)]; }
  template <class L>
  HD EdgesOf<E, typename L::Real> edges(int i) const {
    EdgesOf<E, typename L::Real> e;
    const auto x0 = L::gather(position.data, point(i, 0)), d0 = L::gather(d.data, point(i, 0));
    for (int p = 1; p < E::kPoints; ++p)
      e[p - 1] = (L::gather(position.data, point(i, p)) - x0) + (L::gather(d.data, point(i, p)) - d0);
    return e;
  }
  /// Differences of another field between the points.
  template <class L>
  HD EdgesOf<E, typename L::Real> differences(Span<const vec3> field, int i) const {
    EdgesOf<E, typename L::Real> e;
    const auto x0 = L::gather(field.data, point(i, 0));
    for (int p = 1; p < E::kPoints; ++p) e[p - 1] = L::gather(field.data, point(i, p)) - x0;
    return e;
  }
};

/// Forces on the points of each element; and where the bound of its Hessian moves with it, that too.
template <class E>
struct Forces {
  Elements<E> elements;
  Span<vec3> force;   // N, per point of an element: at interleaved(element, point, kPoints)
  Span<float> bound;  // N/m, likewise; may be empty

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    const auto x = elements.template edges<L>(i);
    const auto rest = elements.template rest<L>(i);
    const auto material = elements.template material<L>(i);
    const EdgesOf<E, R> g = E::gradient(x, rest, material);
    Vec3<R> first = g[0];
    for (int p = 1; p < E::kPoints; ++p) {
      if (p > 1) first = first + g[p - 1];
      L::store_rows(&force[interleaved(i, p, E::kPoints)], -g[p - 1]);
    }
    L::store_rows(&force[interleaved(i, 0, E::kPoints)], first);
    if constexpr (E::kBoundMoves)
      if (!bound.empty()) store_bounds<L>(i, x, rest, material);
  }
  template <class L, class X, class Rest, class Material>
  HD void store_bounds(int i, const X& x, const Rest& rest, const Material& material) const {
    for (int p = 0; p < E::kPoints; ++p)
      L::store(&bound[interleaved(i, p, E::kPoints)], E::bound(x, rest, material, p));
  }
};

/// Bounds of Hessians that do not depend on positions, N/m, as Forces has them.
template <class E>
struct FixedBounds {
  ElementView<E> set;
  Span<float> bound;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    const Elements<E> elements{set, {}, {}};
    const EdgesOf<E, R> anywhere{};
    const auto rest = elements.template rest<L>(i);
    const auto material = elements.template material<L>(i);
    for (int p = 0; p < E::kPoints; ++p)
      L::store(&bound[interleaved(i, p, E::kPoints)], E::bound(anywhere, rest, material, p));
  }
};

/// Projected Hessians: vector k of an element lies at interleaved(element, k, kTangent).
template <class E>
struct Tangents {
  Elements<E> elements;
  Span<vec3> tangent;

  HD void operator()(int i) const { row<OneRow>(i); }
  void sixteen(int first) const { row<SixteenRows>(first); }

  template <class L>
  HD void row(int i) const {
    using R = typename L::Real;
    const Tangent<E, R> t = E::tangent(elements.template edges<L>(i), elements.template rest<L>(i),
                                       elements.template material<L>(i));
    for (int k = 0; k < E::kTangent; ++k) L::store_rows(&tangent[interleaved(i, k, E::kTangent)], t.v[k]);
  }
};

/// d²E/dx_a dx_b of an element, from its tangent's vectors.
template <class E>
HD inline Mat3<float> stored_block(Span<const vec3> tangent, int element, int a, int b) {
  const auto read = [&](int k) {
    const vec3 v = tangent[interleaved(element, k, E::kTangent)];
    return Vec3<float>{v.x, v.y, v.z};
  };
  return E::template block<float>(read, a, b);
}

/// What an element's energy has beyond its slope along `length` p, J: E(end) - E(start) - length dE . p. In
/// double precision, where differences are good to 1e-16 of the energies.
template <class E>
struct Merit {
  Elements<E> elements;
  Span<const vec3> p;
  float length = 1;
  Span<float> merit;

  HD void operator()(int i) const {
    const auto rest = elements.template rest<OneDouble>(i);
    const auto material = elements.template material<OneDouble>(i);
    const EdgesOf<E, double> start = elements.template edges<OneDouble>(i);
    EdgesOf<E, double> end = elements.template differences<OneDouble>(p, i);
    const EdgesOf<E, double> g = E::gradient(start, rest, material);
    double slope = 0;
    for (int e = 0; e < E::kPoints - 1; ++e) {
      const Vec3<double> way = double(length) * end[e];
      slope += dot(g[e], way);
      end[e] = start[e] + way;
    }
    merit[i] = float(E::energy(end, rest, material) - E::energy(start, rest, material) - slope);
  }
};

/// What each vertex gets of the elements of a set; empty views where there are none.
struct ForceSource {
  IncidenceView incidence;
  Span<const vec3> force;
};
struct BoundSource {
  IncidenceView incidence;
  Span<const float> bound;
};

/// Sum of the elements' forces at each vertex, in a fixed order.
struct GatherForces {
  ForceSource source[kEnergies];
  Span<vec3> total;
  HD void operator()(int v) const {
    vec3 sum(0);
    for (const ForceSource& s : source)
      if (!s.force.empty())
        for (int o = s.incidence.start[v]; o < s.incidence.start[v + 1]; ++o)
          sum += s.force[s.incidence.slot[o]];
    total[v] = sum;
  }
};

/// Isotropic bound of the elements' Hessian at each vertex beyond twice the stiffness of the springs that
/// stand in for them (sim/energies/bounding_springs.h). At rest there is none; tension stiffens triangles
/// beyond those springs.
struct GatherBounds {
  BoundSource source[kEnergies];
  Span<const int> edge_start, edge_entry;
  Span<const float> edge_stiffness;
  Span<float> bound;
  HD void operator()(int v) const {
    float sum = 0, springs = 0;
    for (const BoundSource& s : source)
      if (!s.bound.empty())
        for (int o = s.incidence.start[v]; o < s.incidence.start[v + 1]; ++o)
          sum += s.bound[s.incidence.slot[o]];
    for (int o = edge_start[v]; o < edge_start[v + 1]; ++o) springs += edge_stiffness[edge_entry[o] / 2];
    // Springs around a vertex hold each direction of the sheet with half of their sum, and a bound counts
    // them twice.
    bound[v] = sum > springs ? sum - springs : 0.0f;
  }
};

}  // namespace weft::elements
