#include "sim/energies/corotated_triangle.h"

#include "differences.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Inverse = glm::dvec4;
using Corners = std::array<P, 3>;

/// Y = 1000 N/m, nu = 0.3, a rest triangle that is not special.
struct Element {
  glm::dmat2 rest{0.9, 0.1, 0.3, 0.8};  // columns: rest edges
  Inverse inverse;
  P material;
  Element() {
    const glm::dmat2 m = glm::inverse(rest);
    inverse = {m[0][0], m[0][1], m[1][0], m[1][1]};
    material = {0.5 * glm::determinant(rest), 1000 / 2.6, 1000 * 0.3 / 0.91};
  }
  double energy(const Corners& x) const { return triangle_energy<double>(x[1] - x[0], x[2] - x[0], inverse, material); }
  Corners gradient(const Corners& x) const {
    P g1, g2;
    triangle_gradient<double>(x[1] - x[0], x[2] - x[0], inverse, material, g1, g2);
    return {-g1 - g2, g1, g2};
  }
  ElementHessian<double, 3> hessian(const Corners& x, bool positive = false) const {
    return triangle_hessian<double>(x[1] - x[0], x[2] - x[0], inverse, material, positive);
  }
  /// Corners for F = rotation * [diag(s1, s2) in axes turned by `turn`; 0].
  Corners stretched(const glm::dmat3& rotation, double turn, double s1, double s2, const P& origin) const {
    const glm::dmat2 v(std::cos(turn), std::sin(turn), -std::sin(turn), std::cos(turn));
    const glm::dmat2 s = v * glm::dmat2(s1, 0, 0, s2) * glm::transpose(v) * rest;
    return {origin, origin + rotation * P(s[0], 0), origin + rotation * P(s[1], 0)};
  }
};

}  // namespace

TEST_CASE("a triangle's gradient and Hessian are the derivatives of its energy") {
  const Element element;
  Random random(1);
  for (int i = 0; i < 80; ++i) {
    const double s1 = i % 4 == 0 ? 1.0 : random.uniform(0.2, 2.5);
    const double s2 = i % 4 == 0   ? 1.0
                      : i % 4 == 1 ? s1
                      : i % 4 == 2 ? random.uniform(0.002, 0.02)
                                   : random.uniform(0.2, 2.5);
    const Corners x = element.stretched(random.rotation(), random.uniform(0, 3), s1, s2, random.point());
    check_derivatives<3>(
        x, 0.5 * std::min(s1, s2), [&](const auto& p) { return element.energy(p); },
        [&](const auto& p) { return element.gradient(p); }, [&](const auto& p) { return element.hessian(p); });
  }
}

TEST_CASE("a triangle's energy is that of its singular values, whatever the rotation and the place") {
  const Element element;
  Random random(2);
  for (int i = 0; i < 40; ++i) {
    const double s1 = random.uniform(0.0, 2.0), s2 = random.uniform(0.0, 2.0), sum = s1 + s2 - 2;
    const double expected = element.material.x * (element.material.y * ((s1 - 1) * (s1 - 1) + (s2 - 1) * (s2 - 1)) +
                                                  0.5 * element.material.z * sum * sum);
    const Corners x = element.stretched(random.rotation(), random.uniform(0, 3), s1, s2, random.point(10));
    // Positions of size 10 with an ulp of 2e-15 and stiffness times edge of order 1000.
    CHECK(std::abs(element.energy(x) - expected) < 1e-11 * 1000);
    const Corners g = element.gradient(x);
    P torque(0);
    for (int c = 0; c < 3; ++c) torque += glm::cross(x[c] - x[0], g[c]);
    CHECK(glm::length(g[0] + g[1] + g[2]) < 1e-10);
    CHECK(glm::length(torque) < 1e-10 * 1000);
  }
}

TEST_CASE("a triangle pulled along one axis resists with Young's modulus and narrows by Poisson's ratio") {
  const Element element;
  const double strain = 0.01, nu = 0.3, tension = 1000 * strain;  // Y e, N per metre of width
  const Corners x = element.stretched(glm::dmat3(1), 0, 1 + strain, 1 - nu * strain, P(0));
  const Corners g = element.gradient(x);
  // Uniaxial tension: P = diag(Y e, 0); the force on corner i is A P b_i.
  for (int c = 0; c < 3; ++c) {
    const glm::dvec2 b = triangle_shape_gradient<double>(element.inverse, c);
    CHECK(g[c].x == doctest::Approx(element.material.x * tension * b.x).epsilon(1e-9));
    CHECK(std::abs(g[c].y) < 1e-9 * tension);
  }
}

TEST_CASE("a triangle's projected Hessian is positive and differs from the exact one only where that is not") {
  const Element element;
  Random random(3);
  int changed = 0;
  for (int i = 0; i < 60; ++i) {
    const double s1 = random.uniform(0.05, 2.0), s2 = random.uniform(0.05, 2.0);
    const Corners x = element.stretched(random.rotation(), random.uniform(0, 3), s1, s2, P(0));
    const auto exact = dense(element.hessian(x)), projected = dense(element.hessian(x, true));
    const auto range = eigenvalue_range(projected);
    CHECK(range[0] > -1e-12 * range[1]);
    const bool indefinite = eigenvalue_range(exact)[0] < -1e-9 * range[1];
    if (indefinite) ++changed;
    CHECK((frobenius(exact, projected) > 1e-9 * range[1]) == indefinite);
  }
  CHECK(changed > 10);
  CHECK(changed < 60);
}

TEST_CASE("the projection drops the negative eigenvalues of the energy per deformation gradient and nothing else") {
  const Element element;
  Random random(6);
  for (int i = 0; i < 60; ++i) {
    const P f1 = random.point(1.5), f2 = random.point(1.5);
    const TrianglePolar<double> p = triangle_polar<double>(f1, f2, {1, 0, 0, 1});
    auto hessian_of = [&](bool positive) {
      const auto c = triangle_curvature(p, element.material.y, element.material.z, positive);
      ElementHessian<double, 2> h;
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
          h.block[a][b] = triangle_block(p, c, element.material.y, element.material.z, glm::dvec2(a == 0, a == 1),
                                         glm::dvec2(b == 0, b == 1));
      return dense(h);
    };
    double dropped = 0;
    for (const double l : eigenvalues(hessian_of(false))) dropped += l < 0 ? l * l : 0;
    // The nearest positive semidefinite matrix is at the distance of the negative eigenvalues.
    CHECK(frobenius(hessian_of(false), hessian_of(true)) == doctest::Approx(std::sqrt(dropped)).epsilon(1e-9));
  }
}

TEST_CASE("collapsed and inverted triangles give finite numbers in both precisions") {
  const Element element;
  const vec4 inverse(element.inverse);
  const vec3 material(element.material);
  const vec3 line(0.3f, -0.2f, 0.9f);
  const std::array<std::array<vec3, 2>, 6> edges = {{{vec3(0), vec3(0)},
                                                     {line, vec3(0)},
                                                     {line, line},
                                                     {line, -2.0f * line},
                                                     {line, 1.0000001f * line + vec3(1e-9f, 0, 0)},
                                                     {1e-12f * line, vec3(1e-12f, 0, 0)}}};
  for (auto& [e1, e2] : edges) {
    const auto p = triangle_polar<float>(e1, e2, inverse);
    CHECK(std::abs(glm::length(p.r1) - 1) < 1e-3f);
    CHECK(std::abs(glm::length(p.r2) - 1) < 1e-3f);
    CHECK(std::abs(glm::dot(p.r1, p.r2)) < 1e-3f);
    vec3 g1, g2;
    triangle_gradient<float>(e1, e2, inverse, material, g1, g2);
    // |P| <= 2 mu (|F| + sqrt 2) + lambda (|tr S| + 2) sqrt 2
    CHECK(glm::length(g1) < 1e4f);
    CHECK(glm::length(g2) < 1e4f);
    for (const bool positive : {false, true}) {
      const auto h = triangle_hessian<float>(e1, e2, inverse, material, positive);
      for (auto& row : h.block)
        for (auto& block : row)
          for (int c = 0; c < 3; ++c) CHECK(std::isfinite(glm::dot(block[c], block[c])));
    }
  }
}

TEST_CASE("a collapsed triangle opens again: its gradient moves it towards its rest area") {
  const Element element;
  Corners x = element.stretched(glm::dmat3(1), 0.4, 1.0, 0.0, P(0));
  const double before = element.energy(x);
  for (int i = 0; i < 200; ++i) {
    const Corners g = element.gradient(x);
    for (int c = 0; c < 3; ++c) x[c] -= 5e-4 * g[c];
  }
  CHECK(element.energy(x) < 1e-3 * before);
}

TEST_CASE("the diagonal block of a corner is that of the whole Hessian") {
  const Element element;
  Random random(4);
  const Corners x = {random.point(), random.point(), random.point()};
  const auto h = element.hessian(x, true);
  for (int c = 0; c < 3; ++c) {
    const auto block =
        triangle_corner_hessian<double>(x[1] - x[0], x[2] - x[0], element.inverse, element.material, c, true);
    for (int k = 0; k < 3; ++k) CHECK(glm::length(block[k] - h.block[c][c][k]) < 1e-9);
  }
}

TEST_CASE("float32 and double agree about a triangle to the rounding of its strain") {
  const Element element;
  Random random(5);
  for (int i = 0; i < 60; ++i) {
    const Corners x = element.stretched(random.rotation(), random.uniform(0, 3), random.uniform(0.5, 1.5),
                                        random.uniform(0.5, 1.5), P(0));
    vec3 g1, g2;
    triangle_gradient<float>(vec3(x[1]), vec3(x[2]), vec4(element.inverse), vec3(element.material), g1, g2);
    const Corners g = element.gradient(x);
    // F carries a few ulps (6e-8 each); stiffness times edge is of order 1000.
    CHECK(glm::length(P(g1) - g[1]) < 20 * 6e-8 * 1000);
    CHECK(glm::length(P(g2) - g[2]) < 20 * 6e-8 * 1000);
  }
}
