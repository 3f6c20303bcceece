// Inverses of 3x3 blocks.
#include "sim/linear/block_inverse.h"

#include <doctest/doctest.h>

#include <random>

#include "sim/base/math.h"

using namespace weft;

namespace {

using M = glm::dmat3;

/// A block with these eigenvalues in directions that `random` turns.
M turned(const glm::dvec3& eigenvalues, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const glm::dvec3 a = glm::normalize(glm::dvec3(normal(random), normal(random), normal(random)));
  const glm::dvec3 b = glm::normalize(
                       glm::cross(a, glm::dvec3(normal(random), normal(random), normal(random)))),
                   c = glm::cross(a, b);
  return eigenvalues.x * glm::outerProduct(a, a) + eigenvalues.y * glm::outerProduct(b, b) +
         eigenvalues.z * glm::outerProduct(c, c);
}

M inverse_of(const M& m, float active = 1) {
  const float block[6] = {float(m[0][0]), float(m[0][1]), float(m[0][2]),
                          float(m[1][1]), float(m[1][2]), float(m[2][2])};
  float out[6 * kLanes];
  blocks::store_inverse<OneRow>(out, block, active);
  const auto at = [&](int c) { return double(out[c * kLanes]); };
  return M(at(0), at(1), at(2), at(1), at(3), at(4), at(2), at(4), at(5));
}

}  // namespace

TEST_CASE("the inverse of a block is right to the rounding of its condition") {
  std::mt19937 random(1);
  for (const double scale : {1e-6, 1.0, 1e7})
    for (const double least : {1.0, 1e-2, 1e-4})
      for (int i = 0; i < 200; ++i) {
        const M m = turned(scale * glm::dvec3(1, 0.7, least), random), product = m * inverse_of(m);
        for (int c = 0; c < 3; ++c)
          for (int r = 0; r < 3; ++r) CHECK(std::abs(product[c][r] - (c == r)) < 3e-6 / least);
      }
}

TEST_CASE(
    "the inverse of a block that hardly resists in one or two directions stays positive, and pushes no "
    "harder there than a millionth of its trace allows") {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (const double least : {1e-5, 1e-6, 1e-7, 3e-8, 1e-8, 1e-12, 0.0})
    for (const double middle : {0.9, least})
      for (int i = 0; i < 500; ++i) {
        const M m = turned(5e4 * glm::dvec3(1, middle, least), random), inverse = inverse_of(m);
        const double trace = m[0][0] + m[1][1] + m[2][2];
        CAPTURE(least);
        CAPTURE(middle);
        CAPTURE(i);
        for (int k = 0; k < 20; ++k) {
          const glm::dvec3 v = glm::normalize(glm::dvec3(normal(random), normal(random), normal(random)));
          const double gain = glm::dot(v, inverse * v) * trace;
          // the inverse of a block of trace 1 has no eigenvalue below 1, but for its entries' rounding
          CHECK(gain > 0.3);
          CHECK(gain < 1.5e6);  // of a millionth the elimination's rounding takes a third at most
        }
      }
}

TEST_CASE("a row that is not free gets no inverse at all") {
  std::mt19937 random(3);
  const M inverse = inverse_of(turned({1, 0.5, 0.2}, random), 0);
  CHECK(inverse == M(0));
}
