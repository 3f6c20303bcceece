// Central differences of fourth order against which derivatives are held, eigenvalues of small matrices, and
// a generator of random configurations.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "sim/base/math.h"

namespace weft::testing {

using P = glm::dvec3;

struct Random {
  std::mt19937_64 engine;
  explicit Random(uint64_t seed) : engine(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
  P point(double scale = 1) {
    return {uniform(-scale, scale), uniform(-scale, scale), uniform(-scale, scale)};
  }
  glm::dmat3 rotation() {
    const double angle = uniform(0, 6.28);
    return glm::dmat3(glm::rotate(glm::dmat4(1), angle, glm::normalize(point() + P(1e-3))));
  }
};

/// (-f(2h) + 8 f(h) - 8 f(-h) + f(-2h)) / 12h of any type that adds up. Its error is h⁴ f⁽⁵⁾ / 30 and 1.5 eps
/// |f| / h.
template <class F>
auto fourth_order(const F& f, double h) {
  return (8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12.0 * h);
}

/// Eigenvalues of a symmetric matrix by Jacobi rotations.
inline std::vector<double> eigenvalues(std::vector<std::vector<double>> a) {
  const int n = int(a.size());
  for (int sweep = 0; sweep < 60; ++sweep)
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        if (std::abs(a[p][q]) < 1e-300) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < n; ++k) {
          const double u = a[k][p], v = a[k][q];
          a[k][p] = c * u - s * v, a[k][q] = s * u + c * v;
        }
        for (int k = 0; k < n; ++k) {
          const double u = a[p][k], v = a[q][k];
          a[p][k] = c * u - s * v, a[q][k] = s * u + c * v;
        }
      }
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(a[i][i]);
  return values;
}

/// The smallest eigenvalue and the largest magnitude.
inline std::array<double, 2> eigenvalue_range(const std::vector<std::vector<double>>& a) {
  double low = 1e300, most = 0;
  for (const double l : eigenvalues(a)) low = std::min(low, l), most = std::max(most, std::abs(l));
  return {low, most};
}

/// Frobenius norm of a - b.
inline double frobenius(const std::vector<std::vector<double>>& a,
                        const std::vector<std::vector<double>>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < a.size(); ++j) sum += (a[i][j] - b[i][j]) * (a[i][j] - b[i][j]);
  return std::sqrt(sum);
}

}  // namespace weft::testing
