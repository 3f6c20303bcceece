#include "sim/energies/bounding_springs.h"

#include "sim/energies/corotated_triangle.h"

#include <doctest/doctest.h>

#include <random>

using namespace weft;

namespace {

/// The smallest and the largest eigenvalue of diag(k)^(-1/2) G diag(k)^(-1/2).
double largest_share(const glm::dmat2& rest, const glm::dvec4& c, const std::array<double, 3>& k) {
  glm::dmat3 g = edge_stiffness_matrix(rest, c);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) g[i][j] /= std::sqrt(k[size_t(i)] * k[size_t(j)]);
  return largest_eigenvalue(g);
}

glm::dmat2 triangle(double x1, double y1, double x2, double y2) { return glm::dmat2(x1, y1, x2, y2); }

/// J of a small strain (11, 22, 2 12), by the law itself and by springs along the edges.
double by_law(const glm::dmat2& rest, const glm::dvec4& c, const glm::dvec3& e) {
  return 0.25 * std::abs(glm::determinant(rest)) *
         (c.x * e.x * e.x + c.y * e.y * e.y + 2 * c.z * e.x * e.y + c.w * e.z * e.z);
}
double by_springs(const glm::dmat2& rest, const std::array<double, 3>& k, const glm::dvec3& e) {
  const glm::dvec2 edge[3] = {rest[0], rest[1] - rest[0], -rest[1]};
  double energy = 0;
  for (int i = 0; i < 3; ++i) {
    const double grown =
        (edge[i].x * edge[i].x * e.x + edge[i].y * edge[i].y * e.y + edge[i].x * edge[i].y * e.z) /
        glm::length(edge[i]);
    energy += 0.5 * k[size_t(i)] * grown * grown;
  }
  return energy;
}

}  // namespace

TEST_CASE(
    "springs along a triangle's edges are nowhere softer than the triangle, whatever its shape and its "
    "weave") {
  std::mt19937_64 random(5);
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int trial = 0; trial < 2000; ++trial) {
    const double x = std::pow(10.0, number(-3, 0)), height = x * std::pow(10.0, number(-1.5, 1.5));
    const glm::dmat2 rest = triangle(x, 0, number(-0.5, 1.5) * x, height);
    const double warp = number(10, 5000), weft = number(10, 5000), nu = number(0, 0.49),
                 mean = std::sqrt(warp * weft) / (1 - nu * nu);
    const glm::dvec4 c(warp / (1 - nu * nu), weft / (1 - nu * nu), nu * mean, number(5, 2000));
    const auto k = bounding_springs(rest, c);
    REQUIRE(k[0] > 0);
    for (int i = 0; i < 20; ++i) {
      const glm::dvec3 strain(number(-1, 1), number(-1, 1), number(-1, 1));
      CHECK(by_springs(rest, k, strain) >= by_law(rest, c, strain) * (1 - 1e-6));
    }
    // and no stiffer than one direction asks for
    CHECK(largest_share(rest, c, k) == doctest::Approx(1).epsilon(1e-6));
  }
}

TEST_CASE("an equilateral triangle has three equal springs, and one with a right angle stiffer ones") {
  const double y = 1000, nu = 0.3;
  const glm::dvec4 c = CorotatedTriangle::plane_stress(CorotatedTriangle::isotropic(float(y), float(nu)));
  const auto even = bounding_springs(triangle(1, 0, 0.5, std::sqrt(0.75)), c);
  const double area = std::sqrt(0.75) / 2;
  // shear decides, Y / (1 + nu) against 3/4
  for (const double k : even) CHECK(k == doctest::Approx(y * area / (0.75 * (1 + nu))));
  const auto right = bounding_springs(triangle(1, 0, 0, 1), c);
  CHECK(right[0] * 1 > 1.8 * y * 0.5);  // each edge's share is area / l² of Young's modulus
  CHECK(right[1] * 2 > 1.8 * y * 0.5);
  CHECK(right[0] == doctest::Approx(right[2]));
  for (const double k : bounding_springs(triangle(1, 0, 2, 0), c)) CHECK(k == 0);  // no area, no bound
}
