#include "sim/plugin/projection.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace weft {
namespace {

constexpr int kMost = 12, kSweeps = 30;
using Square = std::array<std::array<double, kMost>, kMost>;

/// a <- Jᵀ a J and v <- v J with the rotation J in the plane of p and q that makes a[p][q] 0.
void rotate(Square& a, Square& v, int n, int p, int q) {
  const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < n; ++k) {
    const double x = a[k][p], y = a[k][q];
    a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
  }
  for (int k = 0; k < n; ++k) {
    const double x = a[p][k], y = a[q][k];
    a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
    const double vx = v[k][p], vy = v[k][q];
    v[k][p] = c * vx - s * vy, v[k][q] = s * vx + c * vy;
  }
}

}  // namespace

bool project_definite(std::span<double> m, int n) {
  Square a{}, v{};
  double size = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      a[i][j] = 0.5 * (m[i * n + j] + m[j * n + i]);
      v[i][j] = i == j ? 1 : 0;
      size += a[i][j] * a[i][j];
    }
  if (!std::isfinite(size)) return false;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double off = 0;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) off += a[p][q] * a[p][q];
    if (off <= 1e-30 * size) break;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q)
        if (a[p][q] != 0) rotate(a, v, n, p, q);
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += std::max(a[k][k], 0.0) * v[i][k] * v[j][k];
      m[i * n + j] = sum;
    }
  return true;
}

}  // namespace weft
