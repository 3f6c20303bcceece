// Springs along the three edges of a triangle that are nowhere softer than its linear elasticity.
//
//        x2                     e_k    strain of edge k, t_kᵀ eps t_k with its unit direction t_k; A eps = e
//       /  \                    eps    (eps11, eps22, 2 eps12)
//      2    1                   C      plane stress, N/m: rows (C11 C12 0), (C12 C22 0), (0 0 G)
//     /      \                  G_ij   stiffness against the edges' elongations l_k e_k, N/m
//   x0 --0--- x1
//
//   energy = 1/2 area epsᵀ C eps = 1/2 sum_ij G_ij (l_i e_i) (l_j e_j),     G = area L⁻¹ A⁻ᵀ C A⁻¹ L⁻¹
//
// Springs k_i bound it where diag(k) - G has no negative direction. |2 G_ij a b| <= |G_ij| (a² w_j / w_i + b²
// w_i / w_j) gives k_i = sum_j |G_ij| w_j / w_i for any weights w; with w_i = G_ii^(-1/2) they are at most
// three times as stiff as G_ii, which none may be softer than. Then all three are scaled by the largest
// eigenvalue of diag(k)⁻¹ G, so that one direction is met exactly.
//
// On an equilateral triangle all three are equal. Where two edges are at a right angle, only the third one
// feels shear, and has to be as stiff as that asks for on its own: springs of Young's modulus, right for
// equilateral meshes, are three times too soft there.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/math.h"

namespace weft {

/// G of the triangle whose edges 0-1 and 0-2 are the columns of `rest` (m, along warp and weft): edges 0-1,
/// 1-2 and 2-0. Zero for a triangle without area.
inline glm::dmat3 edge_stiffness_matrix(const glm::dmat2& rest, const glm::dvec4& c) {
  const double area = 0.5 * std::abs(glm::determinant(rest));
  const glm::dvec2 edge[3] = {rest[0], rest[1] - rest[0], -rest[1]};
  glm::dmat3 rows(0.0), elasticity(0.0);
  double length[3];
  for (int k = 0; k < 3; ++k) {
    length[k] = glm::length(edge[k]);
    const glm::dvec2 t = edge[k] / std::max(length[k], 1e-30);
    rows[0][k] = t.x * t.x, rows[1][k] = t.y * t.y, rows[2][k] = t.x * t.y;
  }
  if (!(std::abs(glm::determinant(rows)) > 1e-12)) return glm::dmat3(0.0);
  elasticity[0][0] = c.x, elasticity[1][1] = c.y, elasticity[0][1] = elasticity[1][0] = c.z,
  elasticity[2][2] = c.w;
  const glm::dmat3 strain = glm::inverse(rows);
  glm::dmat3 g = area * glm::transpose(strain) * elasticity * strain;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) g[i][j] /= length[i] * length[j];
  return g;
}

/// The largest eigenvalue of a symmetric positive semidefinite matrix, by its characteristic polynomial.
inline double largest_eigenvalue(const glm::dmat3& m) {
  const double mean = (m[0][0] + m[1][1] + m[2][2]) / 3;
  const glm::dmat3 rest = m - glm::dmat3(mean);
  double size = 0;
  for (int i = 0; i < 3; ++i) size += glm::dot(rest[i], rest[i]);
  const double p = std::sqrt(size / 6);
  if (!(p > 0)) return mean;
  const double half = std::clamp(0.5 * glm::determinant(rest / p), -1.0, 1.0);
  return mean + 2 * p * std::cos(std::acos(half) / 3);
}

/// Stiffness (N/m) of the springs along edges 0-1, 1-2 and 2-0. Zero for a triangle without area.
inline std::array<double, 3> bounding_springs(const glm::dmat2& rest, const glm::dvec4& c) {
  const glm::dmat3 g = edge_stiffness_matrix(rest, c);
  std::array<double, 3> k{0, 0, 0};
  if (!(g[0][0] > 0 && g[1][1] > 0 && g[2][2] > 0)) return k;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) k[i] += std::abs(g[i][j]) * std::sqrt(g[i][i] / g[j][j]);
  glm::dmat3 relative(0.0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) relative[i][j] = g[i][j] / std::sqrt(k[i] * k[j]);
  const double scale = largest_eigenvalue(relative);
  for (double& stiffness : k) stiffness *= scale;
  return k;
}

}  // namespace weft
