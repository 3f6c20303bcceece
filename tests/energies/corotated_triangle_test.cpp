#include "sim/energies/corotated_triangle.h"

#include "membrane_element.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Corners = std::array<P, 3>;

/// Y = 1000 N/m, nu = 0.3.
const Membrane<CorotatedTriangle> kElement({1000 / 2.6, 1000 * 0.3 / 0.91});

}  // namespace

TEST_CASE("a triangle's gradient is the derivative of its energy, and its Hessian that under tension") {
  Random random(1);
  for (int i = 0; i < 80; ++i) {
    const double s1 = random.uniform(0.2, 2.0), s2 = random.uniform(0.2, 2.0);
    const Corners x = kElement.stretched(random.rotation(), random.uniform(0, 3), s1, s2, random.point());
    check_gradient(kElement, x, 0.2);
    check_projection(kElement, x);
    if (s1 > 1 && s2 > 1) check_exact_hessian(kElement, x, 0.2);
  }
}

TEST_CASE("a triangle's energy is that of its singular values, whatever the rotation and the place") {
  Random random(2);
  for (int i = 0; i < 40; ++i) {
    const double s1 = random.uniform(0.0, 2.0), s2 = random.uniform(0.0, 2.0), sum = s1 + s2 - 2;
    const double expected =
        kElement.rest.area * (kElement.material.mu * ((s1 - 1) * (s1 - 1) + (s2 - 1) * (s2 - 1)) +
                              0.5 * kElement.material.lambda * sum * sum);
    const Corners x = kElement.stretched(random.rotation(), random.uniform(0, 3), s1, s2, random.point(10));
    // Positions of size 10 with an ulp of 2e-15 and stiffness times edge of order 1000.
    CHECK(std::abs(kElement.energy(x) - expected) < 1e-11 * 1000);
    check_rigid_motion(kElement, kElement.stretched(random.rotation(), 1, s1 + 0.1, s2 + 0.1, P(0)),
                       random.rotation(), random.point());
  }
}

TEST_CASE("a triangle pulled along one axis resists with Young's modulus and narrows by Poisson's ratio") {
  const double strain = 0.01, nu = 0.3, tension = 1000 * strain;  // Y e, N per metre of width
  const Corners x = kElement.stretched(glm::dmat3(1), 0, 1 + strain, 1 - nu * strain, P(0));
  const Corners g = kElement.gradient(x);
  // Uniaxial tension: P = diag(Y e, 0); the force on corner i is A P b_i.
  for (int c = 0; c < 3; ++c) {
    CHECK(g[size_t(c)].x ==
          doctest::Approx(kElement.rest.area * tension * shape_gradient(kElement.rest, c).u).epsilon(1e-9));
    CHECK(std::abs(g[size_t(c)].y) < 1e-9 * tension);
  }
}

TEST_CASE(
    "the projection drops the negative eigenvalues of the energy per deformation gradient and nothing else") {
  // With Dm = I and area 1 the blocks of corners 1 and 2 are the second derivative by F.
  TestElement<CorotatedTriangle> unit{{.u1 = 1, .u2 = 0, .v1 = 0, .v2 = 1, .area = 1}, kElement.material};
  Random random(6);
  int changed = 0;
  for (int i = 0; i < 60; ++i) {
    const double s1 = random.uniform(0.3, 1.8), s2 = random.uniform(0.3, 1.8), turn = random.uniform(0, 3);
    const glm::dmat3 r = random.rotation();
    const glm::dmat2 v(std::cos(turn), std::sin(turn), -std::sin(turn), std::cos(turn));
    const glm::dmat2 f = v * glm::dmat2(s1, 0, 0, s2) * glm::transpose(v);
    const Corners x{P(0), r * P(f[0], 0), r * P(f[1], 0)};
    const auto by_f = [](const Dense& h) {
      Dense b(6, std::vector<double>(6));
      for (size_t k = 0; k < 6; ++k)
        for (size_t l = 0; l < 6; ++l) b[k][l] = h[3 + k][3 + l];
      return b;
    };
    Dense exact = by_f(unit.differenced(x, 0.3));
    const Dense projected = by_f(unit.hessian(x));
    for (size_t k = 0; k < 6; ++k)
      for (size_t l = 0; l < k; ++l) exact[k][l] = exact[l][k] = 0.5 * (exact[k][l] + exact[l][k]);
    double dropped = 0;
    for (const double l : eigenvalues(exact)) dropped += l < 0 ? l * l : 0;
    changed += dropped > 1;
    // The nearest positive semidefinite matrix is at the distance of the negative eigenvalues. Differences
    // are good to 1e-7 of the stiffness, 1000.
    CHECK(std::abs(frobenius(exact, projected) - std::sqrt(dropped)) < 1e-6 * 1000);
  }
  CHECK(changed > 10);
  CHECK(changed < 60);
}

TEST_CASE("the polar decomposition of collapsed and inverted triangles is a rotation") {
  check_collapsed(kElement);
  const Vec3<float> line{0.3f, -0.2f, 0.9f}, none{0, 0, 0};
  for (const DeformationGradient<float>& f : {DeformationGradient<float>{none, none},
                                              {line, none},
                                              {none, line},
                                              {line, line},
                                              {line, -2.0f * line}}) {
    const auto p = triangle_polar(f);
    CHECK(std::abs(length_of(p.r1) - 1) < 1e-3f);
    CHECK(std::abs(length_of(p.r2) - 1) < 1e-3f);
    CHECK(std::abs(dot(p.r1, p.r2)) < 1e-3f);
  }
}

TEST_CASE("a collapsed triangle opens again: its gradient moves it towards its rest area") {
  Corners x = kElement.stretched(glm::dmat3(1), 0.4, 1.0, 0.0, P(0));
  const double before = kElement.energy(x);
  for (int i = 0; i < 200; ++i) {
    const Corners g = kElement.gradient(x);
    for (size_t c = 0; c < 3; ++c) x[c] -= 5e-4 * g[c];
  }
  CHECK(kElement.energy(x) < 1e-3 * before);
}

TEST_CASE("the bound of a triangle at rest holds the block of each corner") {
  Random random(4);
  check_bound(kElement, kElement.stretched(random.rotation(), 0.4, 1, 1, random.point()));
}

TEST_CASE("float32 lanes and double agree about a triangle to the rounding of its strain") {
  Random random(5);
  // F carries a few ulps (6e-8 each) of a strain of order one.
  for (int i = 0; i < 60; ++i)
    check_numbers(kElement,
                  kElement.stretched(random.rotation(), random.uniform(0, 3), random.uniform(0.5, 1.5),
                                     random.uniform(0.5, 1.5), P(0)),
                  20 * 6e-8);
}
