#include "sim/energies/stvk_triangle.h"

#include "membrane_element.h"
#include "sim/energies/corotated_triangle.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Corners = std::array<P, 3>;
using Element = Membrane<StvkTriangle>;

/// Warp 1000 N/m, weft 400, shear 60, nu = 0.25.
const Element kElement(StvkTriangle::orthotropic<double>(1000, 400, 60, 0.25));

Corners random_corners(Random& random) {
  const glm::dmat2 f(random.uniform(0.3, 2), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5),
                     random.uniform(0.3, 2));
  return kElement.deformed(random.rotation(), f, random.point());
}

}  // namespace

TEST_CASE("a woven triangle's gradient is the derivative of its energy, and its Hessian that under tension") {
  Random random(1);
  for (int i = 0; i < 80; ++i) {
    const Corners x = random_corners(random);
    check_gradient(kElement, x, 0.2);
    check_projection(kElement, x);
    check_bound(kElement, x);
    const double s1 = random.uniform(1, 2), s2 = random.uniform(1, 2);
    check_exact_hessian(kElement,
                        kElement.deformed(random.rotation(), glm::dmat2(s1, 0, 0, s2), random.point()), 0.2);
  }
}

TEST_CASE("a woven triangle under compression keeps the positive part of its stress alone") {
  // F = diag(s, 1): S = diag(-p, 0) and C12 p; out of plane the exact Hessian is S, which the projection
  // drops.
  const Element element(StvkTriangle::orthotropic<double>(1000, 400, 60, 0));
  const Corners x = element.deformed(glm::dmat3(1), glm::dmat2(0.8, 0, 0, 1.1), P(0));
  const Dense h = element.hessian(x), exact = element.differenced(x, 0.2);
  const double s22 = 400 * 0.5 * (1.1 * 1.1 - 1), s11 = 1000 * 0.5 * (0.8 * 0.8 - 1);
  const auto b = shape_gradient(element.rest, 1);
  CHECK(exact[5][5] ==
        doctest::Approx(element.rest.area * (s11 * b.u * b.u + s22 * b.v * b.v)).epsilon(1e-6));
  CHECK(h[5][5] == doctest::Approx(element.rest.area * s22 * b.v * b.v).epsilon(1e-9));
}

TEST_CASE("a woven triangle is stiff along warp, weft and bias as its moduli say") {
  const double e = 1e-4;
  // Pulled along the warp with the weft free to contract: psi = 1/2 Y e² + O(e³).
  const auto along = [&](bool warp) {
    double least = 1e300;
    for (double t = -0.6 * e; t <= 0; t += 0.001 * e) {
      const glm::dmat2 f = warp ? glm::dmat2(1 + e, 0, 0, 1 + t) : glm::dmat2(1 + t, 0, 0, 1 + e);
      least = std::min(least, kElement.energy(kElement.deformed(glm::dmat3(1), f, P(0))));
    }
    return 2 * least / (kElement.rest.area * e * e);
  };
  CHECK(std::abs(along(true) / 1000 - 1) < 1e-3);
  CHECK(std::abs(along(false) / 400 - 1) < 1e-3);
  // Simple shear by g: psi = 1/2 G g² + O(g^4).
  const double sheared = kElement.energy(kElement.deformed(glm::dmat3(1), glm::dmat2(1, 0, e, 1), P(0)));
  CHECK(std::abs(2 * sheared / (kElement.rest.area * e * e) / 60 - 1) < 1e-3);
}

TEST_CASE("an isotropic woven triangle resists small strains as the co-rotated one does") {
  const Element woven(StvkTriangle::orthotropic<double>(1000, 1000, 0, 0.3));
  const Membrane<CorotatedTriangle> linear({1000 / 2.6, 1000 * 0.3 / 0.91});
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const double e = 1e-5;
    const glm::dmat2 f(1 + random.uniform(-e, e), random.uniform(-e, e), random.uniform(-e, e),
                       1 + random.uniform(-e, e));
    const Corners x = woven.deformed(random.rotation(), f, P(0));
    CHECK(std::abs(woven.energy(x) - linear.energy(x)) < 5 * e * linear.energy(x) + 1e-18);
  }
}

TEST_CASE("a woven triangle does not feel rotations, and its forces balance") {
  Random random(5);
  for (int i = 0; i < 20; ++i) check_rigid_motion(kElement, random_corners(random), random.rotation(), P(0));
}

TEST_CASE("tension stiffens a woven triangle along the pull by (3 s^2 - 1) / 2") {
  const Element element(StvkTriangle::orthotropic<double>(1000, 1000, 0, 0));
  const double s = 1.3, e = 1e-5;
  const auto pulled = [&](double stretch) {
    return element.deformed(glm::dmat3(1), glm::dmat2(stretch, 0, 0, 1), P(0));
  };
  const auto energy = [&](double stretch) { return element.energy(pulled(stretch)); };
  const double curvature = (energy(s + e) - 2 * energy(s) + energy(s - e)) / (e * e) / element.rest.area;
  const auto stress = StvkTriangle::stress(Element::edges(pulled(s)), element.rest, element.material);
  CHECK(std::abs(curvature / 1000 / StvkTriangle::stiffening(stress) - 1) < 1e-4);
}

TEST_CASE("float32 lanes and double agree about a woven triangle, collapsed ones included") {
  Random random(6);
  // Strain and stress carry a few ulps (6e-8) of squares of the stretch.
  for (int i = 0; i < 60; ++i) check_numbers(kElement, random_corners(random), 30 * 6e-8);
  check_collapsed(kElement);
}

TEST_CASE(
    "a woven triangle whose moduli grow with strain has a gradient and a Hessian that are derivatives") {
  const Element element(StvkTriangle::stiffened<double>(kElement.material, 8, 3, 12, 0.15));
  const Element gentle(StvkTriangle::stiffened<double>(kElement.material, 8, 3, 2, 0.15));
  Random random(5);
  for (int i = 0; i < 80; ++i) {
    const glm::dmat2 f(random.uniform(0.6, 1.5), random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4),
                       random.uniform(0.6, 1.5));
    const Corners x = element.deformed(random.rotation(), f, random.point());
    const double e11 = 0.5 * (glm::dot(f[0], f[0]) - 1), e22 = 0.5 * (glm::dot(f[1], f[1]) - 1);
    bool smooth = true;  // differences reach over 4e-4: w'' has kinks at strains of 0 and at the knee
    for (const double strain : {e11, e22, std::abs(glm::dot(f[0], f[1]))})
      smooth &= std::abs(strain) > 2e-3 && std::abs(strain - 0.15) > 2e-3;
    if (smooth) check_gradient(element, x, 0.2);
    check_projection(element, x);
    // Tension with some shear, all below the knee and all above it: at g = 0 and at the knee moduli have a
    // kink.
    const bool below = i % 2;
    const double s1 = below ? random.uniform(1.03, 1.1) : random.uniform(1.2, 1.5),
                 s2 = below ? random.uniform(1.03, 1.1) : random.uniform(1.2, 1.5), g = below ? 0.03 : 0.17;
    const glm::dmat2 pulled(s1, 0, g / s1, s2);  // f1 . f2 = g
    check_exact_hessian(gentle, gentle.deformed(random.rotation(), pulled, random.point()), 0.2);
  }
}

TEST_CASE("a modulus grows linearly up to the knee and is constant beyond, under tension alone") {
  // No Poisson's ratio, pulled along the warp: psi = C11 w(E11), so that second differences give w''.
  const double factor = 5, knee = 0.1;
  const Element element(StvkTriangle::stiffened<double>(StvkTriangle::orthotropic<double>(1000, 400, 60, 0),
                                                        factor, 2, 3, knee));
  const auto energy = [&](double strain) {
    const glm::dmat2 f(std::sqrt(1 + 2 * strain), 0, 0, 1);
    return element.energy(element.deformed(glm::dmat3(1), f, P(0))) / element.rest.area;
  };
  const double h = 1e-4;
  for (const auto& [strain, modulus] : {std::pair{-0.2, 1000.0},
                                        {-0.01, 1000.0},
                                        {0.025, 2000.0},
                                        {0.05, 3000.0},
                                        {0.09, 4600.0},
                                        {0.12, 5000.0},
                                        {0.5, 5000.0}}) {
    CAPTURE(strain);
    CHECK((energy(strain + h) - 2 * energy(strain) + energy(strain - h)) / (h * h) ==
          doctest::Approx(modulus).epsilon(1e-5));
  }
}
