#include "sim/energies/stvk_triangle.h"

#include "differences.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Corners = std::array<P, 3>;

/// Warp 1000 N/m, weft 400, shear 60, nu = 0.25, a rest triangle that is not special.
struct Element {
  glm::dmat2 rest{0.9, 0.1, 0.3, 0.8};  // columns: rest edges along warp and weft
  glm::dvec4 inverse;
  double area;
  glm::dvec4 c = orthotropic<double>(1000, 400, 60, 0.25);
  Element() {
    const glm::dmat2 m = glm::inverse(rest);
    inverse = {m[0][0], m[0][1], m[1][0], m[1][1]};
    area = 0.5 * glm::determinant(rest);
  }
  double energy(const Corners& x) const { return stvk_energy<double>(x[1] - x[0], x[2] - x[0], inverse, area, c); }
  Corners gradient(const Corners& x) const {
    P g1, g2;
    stvk_gradient<double>(x[1] - x[0], x[2] - x[0], inverse, area, c, g1, g2);
    return {-g1 - g2, g1, g2};
  }
  ElementHessian<double, 3> hessian(const Corners& x, bool positive = false) const {
    return stvk_hessian<double>(x[1] - x[0], x[2] - x[0], inverse, area, c, positive);
  }
  /// Corners for F = rotation * f (2x2 in the material frame).
  Corners deformed(const glm::dmat3& rotation, const glm::dmat2& f, const P& origin) const {
    const glm::dmat2 s = f * rest;
    return {origin, origin + rotation * P(s[0], 0), origin + rotation * P(s[1], 0)};
  }
  Corners random_corners(Random& random) const {
    const glm::dmat2 f(random.uniform(0.3, 2), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(0.3, 2));
    return deformed(random.rotation(), f, random.point());
  }
};

}  // namespace

TEST_CASE("a woven triangle's gradient and Hessian are the derivatives of its energy") {
  const Element element;
  Random random(1);
  for (int i = 0; i < 80; ++i)
    check_derivatives<3>(
        element.random_corners(random), 0.2, [&](const auto& p) { return element.energy(p); },
        [&](const auto& p) { return element.gradient(p); }, [&](const auto& p) { return element.hessian(p); });
}

TEST_CASE("a woven triangle is stiff along warp, weft and bias as its moduli say") {
  const Element element;
  const double e = 1e-4;
  // Pulled along the warp with the weft free to contract: psi = 1/2 Y e² + O(e³).
  const auto along = [&](bool warp) {
    double least = 1e300;
    for (double t = -0.6 * e; t <= 0; t += 0.001 * e) {
      const glm::dmat2 f = warp ? glm::dmat2(1 + e, 0, 0, 1 + t) : glm::dmat2(1 + t, 0, 0, 1 + e);
      least = std::min(least, element.energy(element.deformed(glm::dmat3(1), f, P(0))));
    }
    return 2 * least / (element.area * e * e);
  };
  CHECK(std::abs(along(true) / 1000 - 1) < 1e-3);
  CHECK(std::abs(along(false) / 400 - 1) < 1e-3);
  // Simple shear by g: psi = 1/2 G g² + O(g^4).
  const double sheared = element.energy(element.deformed(glm::dmat3(1), glm::dmat2(1, 0, e, 1), P(0)));
  CHECK(std::abs(2 * sheared / (element.area * e * e) / 60 - 1) < 1e-3);
}

TEST_CASE("an isotropic woven triangle resists small strains as the co-rotated one does") {
  Element element;
  element.c = orthotropic<double>(1000, 1000, 0, 0.3);
  const P material(element.area, 1000 / 2.6, 1000 * 0.3 / 0.91);
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const double e = 1e-5;
    const glm::dmat2 f(1 + random.uniform(-e, e), random.uniform(-e, e), random.uniform(-e, e), 1 + random.uniform(-e, e));
    const Corners x = element.deformed(random.rotation(), f, P(0));
    const double linear = triangle_energy<double>(x[1] - x[0], x[2] - x[0], element.inverse, material);
    CHECK(std::abs(element.energy(x) - linear) < 5 * e * linear + 1e-18);
  }
}

TEST_CASE("a woven triangle does not feel rotations, and its forces balance") {
  const Element element;
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    const Corners x = element.random_corners(random);
    const glm::dmat3 turn = random.rotation();
    const Corners turned{turn * x[0], turn * x[1], turn * x[2]};
    CHECK(std::abs(element.energy(turned) - element.energy(x)) < 1e-10 * (1 + element.energy(x)));
    const Corners g = element.gradient(x);
    P torque(0);
    for (int k = 0; k < 3; ++k) torque += glm::cross(x[size_t(k)], g[size_t(k)]);
    CHECK(glm::length(torque) < 1e-9 * (1 + element.energy(x)));
  }
}

TEST_CASE("the projected Hessian of a woven triangle has no negative direction, and tension keeps it as it is") {
  const Element element;
  Random random(7);
  for (int i = 0; i < 60; ++i) {
    const Corners x = element.random_corners(random);
    const auto h = element.hessian(x, true);
    for (int k = 0; k < 10; ++k) {
      P d[3] = {random.point(), random.point(), random.point()};
      double q = 0;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) q += glm::dot(d[a], h.block[a][b] * d[b]);
      CHECK(q > -1e-9);
    }
  }
  const Corners pulled = element.deformed(random.rotation(), glm::dmat2(1.2, 0, 0, 1.1), P(0));
  const auto exact = element.hessian(pulled), projected = element.hessian(pulled, true);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int k = 0; k < 3; ++k) CHECK(glm::length(exact.block[a][b][k] - projected.block[a][b][k]) < 1e-9);
}

TEST_CASE("tension stiffens a woven triangle along the pull by (3 s^2 - 1) / 2") {
  Element element;
  element.c = orthotropic<double>(1000, 1000, 0, 0);
  const double s = 1.3, e = 1e-5;
  const auto energy = [&](double stretch) { return element.energy(element.deformed(glm::dmat3(1), glm::dmat2(stretch, 0, 0, 1), P(0))); };
  const double curvature = (energy(s + e) - 2 * energy(s) + energy(s - e)) / (e * e) / element.area;
  const Corners x = element.deformed(glm::dmat3(1), glm::dmat2(s, 0, 0, 1), P(0));
  const double factor = stvk_stiffening(green_stress<double>(x[1] - x[0], x[2] - x[0], element.inverse, element.c));
  CHECK(std::abs(curvature / 1000 / factor - 1) < 1e-4);
}
