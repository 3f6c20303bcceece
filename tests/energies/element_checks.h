// What every energy over elements (sim/energies/element.h) must fulfil, for any of them.
#pragma once
#include <doctest/doctest.h>

#include <cstring>

#include "sim/energies/element.h"
#include "tests/energies/differences.h"

namespace weft::testing {

using Dense = std::vector<std::vector<double>>;

/// An element of the energy E in double precision.
template <class E>
struct TestElement {
  static constexpr int N = E::kPoints;
  using Points = std::array<P, size_t(N)>;
  typename E::template Rest<double> rest;
  typename E::template Material<double> material;

  static Edges<double, N> edges(const Points& x) {
    Edges<double, N> e;
    for (int i = 1; i < N; ++i) e[i - 1] = lane_vector(x[size_t(i)] - x[0]);
    return e;
  }
  double energy(const Points& x) const { return E::energy(edges(x), rest, material); }
  Points gradient(const Points& x) const {
    const Edges<double, N> g = E::gradient(edges(x), rest, material);
    Points all{};
    for (int i = 1; i < N; ++i) {
      all[size_t(i)] = P(g[i - 1].x, g[i - 1].y, g[i - 1].z);
      all[0] -= all[size_t(i)];
    }
    return all;
  }
  double bound(const Points& x, int point) const { return E::bound(edges(x), rest, material, point); }
  /// Entry (3 a + r, 3 b + c) is row r, column c of d²E/dx_a dx_b, as projected.
  Dense hessian(const Points& x) const {
    const Tangent<E, double> t = E::tangent(edges(x), rest, material);
    Dense h(3 * N, std::vector<double>(3 * N));
    for (int a = 0; a < N; ++a)
      for (int b = 0; b < N; ++b) {
        const Mat3<double> m = hessian_block<E, double>([&](int k) { return t.v[k]; }, a, b);
        const Vec3<double> column[3] = {m.x, m.y, m.z};
        for (size_t c = 0; c < 3; ++c) {
          h[size_t(3 * a)][size_t(3 * b) + c] = column[c].x;
          h[size_t(3 * a) + 1][size_t(3 * b) + c] = column[c].y;
          h[size_t(3 * a) + 2][size_t(3 * b) + c] = column[c].z;
        }
      }
    return h;
  }
  /// The exact Hessian, by differences of the gradient over a thousandth of `length`, on which the element
  /// changes (its smallest height): truncation is 1e-12 of the derivative times a factor of order 100,
  /// rounding 1e-13 of the gradient over `length`.
  Dense differenced(const Points& x, double length) const {
    Dense h(3 * N, std::vector<double>(3 * N));
    for (int j = 0; j < 3 * N; ++j)
      for (int i = 0; i < N; ++i) {
        const P column =
            fourth_order([&](double s) { return gradient(moved(x, j, s))[size_t(i)]; }, 1e-3 * length);
        for (int r = 0; r < 3; ++r) h[size_t(3 * i + r)][size_t(j)] = column[r];
      }
    return h;
  }
  static Points moved(Points x, int coordinate, double by) {
    x[size_t(coordinate / 3)][coordinate % 3] += by;
    return x;
  }
};

/// Holds the gradient against differences of the energy: good to 1e-8 of it, see TestElement::differenced.
template <class E>
void check_gradient(const TestElement<E>& e, const typename TestElement<E>::Points& x, double length) {
  const auto g = e.gradient(x);
  double size = std::abs(e.energy(x)) / length, stiffest = 0;
  for (const auto& row : e.hessian(x))
    for (const double h : row) stiffest = std::max(stiffest, std::abs(h));
  for (const P& v : g) size = std::max(size, glm::length(v));
  size = std::max(size,
                  stiffest * length);  // at rest energy and gradient vanish, yet not where they are sampled
  for (int j = 0; j < 3 * e.N; ++j) {
    const double slope = fourth_order([&](double s) { return e.energy(e.moved(x, j, s)); }, 1e-3 * length);
    CHECK(std::abs(slope - g[size_t(j / 3)][j % 3]) <= 1e-8 * size);
  }
}

/// Holds the projected Hessian against the exact one where nothing needs projection.
template <class E>
void check_exact_hessian(const TestElement<E>& e, const typename TestElement<E>::Points& x, double length) {
  const Dense h = e.hessian(x), exact = e.differenced(x, length);
  CHECK(frobenius(h, exact) <= 1e-7 * (eigenvalue_range(h)[1] + std::abs(e.energy(x)) / (length * length)));
}

/// No negative direction, symmetric, and no stiffer at any point than its bound allows the point's own block.
template <class E>
void check_projection(const TestElement<E>& e, const typename TestElement<E>::Points& x) {
  const Dense h = e.hessian(x);
  const auto [low, most] = eigenvalue_range(h);
  CHECK(low >= -1e-11 * most);
  for (size_t i = 0; i < h.size(); ++i)
    for (size_t j = 0; j < i; ++j) CHECK(std::abs(h[i][j] - h[j][i]) <= 1e-12 * most);
}
template <class E>
void check_bound(const TestElement<E>& e, const typename TestElement<E>::Points& x) {
  const Dense h = e.hessian(x);
  for (int p = 0; p < e.N; ++p) {
    Dense own(3, std::vector<double>(3));
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) own[size_t(r)][size_t(c)] = h[size_t(3 * p + r)][size_t(3 * p + c)];
    CHECK(e.bound(x, p) >= eigenvalue_range(own)[1] * (1 - 1e-9));
  }
}

/// Neither energy nor net force nor net torque comes of moving or turning an element.
template <class E>
void check_rigid_motion(const TestElement<E>& e, const typename TestElement<E>::Points& x,
                        const glm::dmat3& rotation, const P& by) {
  auto turned = x;
  for (P& p : turned) p = rotation * p + by;
  const auto g = e.gradient(x), h = e.gradient(turned);
  double size = 0, length = 0, stiffest = 0;
  for (const auto& row : e.hessian(x))
    for (const double v : row) stiffest = std::max(stiffest, std::abs(v));
  P force(0), torque(0);
  for (int i = 0; i < e.N; ++i) {
    force += g[size_t(i)], torque += glm::cross(x[size_t(i)] - x[0], g[size_t(i)]);
    size = std::max(size, glm::length(g[size_t(i)])), length = std::max(length, glm::length(x[size_t(i)]));
  }
  // Positions round by 1e-16 of their size, forces by as much of the stiffness times that.
  size += stiffest * (length + glm::length(by));
  length += glm::length(by);
  CHECK(std::abs(e.energy(turned) - e.energy(x)) <= 1e-12 * size * length);
  CHECK(glm::length(force) <= 1e-13 * size);
  CHECK(glm::length(torque) <= 1e-12 * size * length);
  for (int i = 0; i < e.N; ++i) CHECK(glm::length(h[size_t(i)] - rotation * g[size_t(i)]) <= 1e-12 * size);
}

template <class To, class R, class From>
To convert_numbers(const From& from) {
  using S = std::remove_reference_t<decltype(from)>;
  constexpr size_t n = sizeof(To) / sizeof(R);
  double in[n];
  static_assert(sizeof(S) == sizeof in);
  std::memcpy(in, &from, sizeof in);
  To to;
  for (size_t c = 0; c < n; ++c) {
    const R v = splat<R>(in[c]);
    std::memcpy(reinterpret_cast<char*>(&to) + c * sizeof(R), &v, sizeof v);
  }
  return to;
}

/// The same element in the numbers R: its energy, and the forces and the tangent of lane `lane` of R.
template <class E, class R>
std::vector<float> in_numbers(const TestElement<E>& e, const typename TestElement<E>::Points& x, int lane) {
  const auto rest = convert_numbers<typename E::template Rest<R>, R>(e.rest);
  const auto material = convert_numbers<typename E::template Material<R>, R>(e.material);
  Edges<R, E::kPoints> edges;
  for (int i = 1; i < e.N; ++i) {
    const P v = x[size_t(i)] - x[0];
    edges[i - 1] = {splat<R>(v.x), splat<R>(v.y), splat<R>(v.z)};
  }
  std::vector<float> out;
  const auto take = [&](const R& v) {
    float all[sizeof(R) / sizeof(float)];
    std::memcpy(all, &v, sizeof v);
    out.push_back(all[lane]);
  };
  take(E::energy(edges, rest, material));
  const auto g = E::gradient(edges, rest, material);
  const auto t = E::tangent(edges, rest, material);
  for (int i = 0; i + 1 < e.N; ++i) take(g[i].x), take(g[i].y), take(g[i].z);
  for (const auto& v : t.v) take(v.x), take(v.y), take(v.z);
  return out;
}

/// Sixteen lanes say what one says, and float32 says what double does. `share`: of the largest entry, for the
/// rounding of float32.
template <class E>
void check_numbers(const TestElement<E>& e, const typename TestElement<E>::Points& x, double share) {
  const std::vector<float> one = in_numbers<E, float>(e, x, 0), lanes = in_numbers<E, Pack>(e, x, 5);
  std::vector<double> exact{e.energy(x)};
  const auto g = e.gradient(x);
  for (int i = 1; i < e.N; ++i)
    for (int c = 0; c < 3; ++c) exact.push_back(g[size_t(i)][c]);
  const Tangent<E, double> t = E::tangent(e.edges(x), e.rest, e.material);
  for (const auto& v : t.v) exact.insert(exact.end(), {v.x, v.y, v.z});
  REQUIRE(one.size() == exact.size());
  double most = 0;
  for (const double v : exact) most = std::max(most, std::abs(v));
  for (size_t k = 0; k < exact.size(); ++k) {
    CHECK(std::abs(double(one[k]) - exact[k]) <= share * most);
    CHECK(std::abs(double(lanes[k]) - exact[k]) <= share * most);
  }
}

/// Finite numbers from degenerate elements in both forms of float32.
template <class E>
void check_finite(const TestElement<E>& e, const typename TestElement<E>::Points& x) {
  for (const float v : in_numbers<E, float>(e, x, 0)) CHECK(std::isfinite(v));
  for (const float v : in_numbers<E, Pack>(e, x, 11)) CHECK(std::isfinite(v));
}

}  // namespace weft::testing
