#include "sim/energies/bending.h"

#include "differences.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Points = std::array<P, 4>;
constexpr double kStiffness = 2.5, kRestAngle = 0.3;

/// Edge of length 1 along x, the triangles' heights, and the angle between them.
Points hinge(double height_a, double height_b, double angle, const glm::dmat3& rotation, const P& origin) {
  const P x[4] = {P(0), P(1, 0, 0), P(0.4, height_a, 0),
                  P(0.7, -height_b * std::cos(angle), -height_b * std::sin(angle))};
  Points r;
  for (int i = 0; i < 4; ++i) r[i] = origin + rotation * x[i];
  return r;
}
double angle_of(const Points& x) { return hinge_angle<double>(x[1] - x[0], x[2] - x[0], x[3] - x[0]).theta; }
double energy(const Points& x) {
  return dihedral_energy<double>(x[1] - x[0], x[2] - x[0], x[3] - x[0], kStiffness, kRestAngle);
}
Points gradient(const Points& x) {
  P g[4];
  dihedral_gradient<double>(x[1] - x[0], x[2] - x[0], x[3] - x[0], kStiffness, kRestAngle, g);
  return {g[0], g[1], g[2], g[3]};
}
ElementHessian<double, 4> hessian(const Points& x) {
  return dihedral_hessian<double>(x[1] - x[0], x[2] - x[0], x[3] - x[0], kStiffness, kRestAngle);
}

}  // namespace

TEST_CASE("a hinge's angle is the one that it was built with, with its sign") {
  Random random(1);
  for (const double angle : {-3.0, -1.5, -1e-6, 0.0, 1e-6, 0.7, 2.0, 3.1}) {
    const Points x = hinge(0.8, 0.5, angle, random.rotation(), random.point());
    CHECK(std::abs(angle_of(x) - angle) < 1e-13);
    vec3 f[4];
    for (int i = 0; i < 4; ++i) f[i] = vec3(x[i] - x[0]);
    // atan2 keeps a flat hinge's angle to the rounding of the points, not to its square root.
    CHECK(std::abs(hinge_angle<float>(f[1], f[2], f[3]).theta - float(angle)) < 1e-6f);
  }
}

TEST_CASE("a dihedral hinge's gradient and Hessian are the derivatives of its energy") {
  Random random(2);
  for (int i = 0; i < 60; ++i) {
    const double angle = i % 3 == 0 ? random.uniform(-0.01, 0.01) : random.uniform(-2.7, 2.7);
    const double height = i % 3 == 2 ? random.uniform(0.003, 0.02) : random.uniform(0.2, 1.5);
    const Points x = hinge(random.uniform(0.2, 1.5), height, angle, random.rotation(), random.point());
    check_derivatives<4>(x, std::min(height, 0.2), energy, gradient, hessian);
  }
}

TEST_CASE("a dihedral hinge pushes with no net force and no net torque") {
  Random random(3);
  for (int i = 0; i < 30; ++i) {
    const Points x = {random.point(), random.point(), random.point(), random.point()};
    const Points g = gradient(x);
    P force(0), torque(0);
    double size = 0;
    for (int k = 0; k < 4; ++k) force += g[k], torque += glm::cross(x[k], g[k]), size += glm::length(g[k]);
    CHECK(glm::length(force) < 1e-13 * size);
    CHECK(glm::length(torque) < 1e-12 * size);
  }
}

TEST_CASE("the Gauss-Newton Hessian of a hinge is positive, and exact at its rest angle") {
  Random random(4);
  const Points at_rest = hinge(0.8, 0.6, kRestAngle, random.rotation(), P(0));
  const auto newton = dense(dihedral_gauss_newton<double>(at_rest[1] - at_rest[0], at_rest[2] - at_rest[0],
                                                          at_rest[3] - at_rest[0], kStiffness));
  CHECK(frobenius(newton, dense(hessian(at_rest))) < 1e-12 * eigenvalue_range(newton)[1]);
  const Points x = {random.point(), random.point(), random.point(), random.point()};
  const auto range =
      eigenvalue_range(dense(dihedral_gauss_newton<double>(x[1] - x[0], x[2] - x[0], x[3] - x[0], kStiffness)));
  CHECK(range[0] > -1e-12 * range[1]);
  CHECK(eigenvalue_range(dense(hessian(x)))[0] < 0);
}

TEST_CASE("degenerate hinges give finite, bounded derivatives in both precisions") {
  const std::array<std::array<vec3, 3>, 6> cases = {
      {{vec3(0), vec3(0), vec3(0)},                           // all in one point
       {vec3(0), vec3(0, 1, 0), vec3(0, -1, 0)},              // no edge
       {vec3(1, 0, 0), vec3(0.5f, 0, 0), vec3(0.3f, -1, 0)},  // A has no area
       {vec3(1, 0, 0), vec3(0.5f, 0, 0), vec3(0.3f, 0, 0)},   // neither has
       {vec3(1, 0, 0), vec3(0.5f, 1e-8f, 0), vec3(0.3f, 0, 1e-9f)},
       {vec3(1, 0, 0), vec3(0.5f, 1, 0), vec3(0.5f, 1, 0)}}};  // folded flat
  for (auto& [e, a, b] : cases) {
    vec3 g[4];
    dihedral_gradient<float>(e, a, b, 1.0f, 0.0f, g);
    for (auto& v : g) CHECK(glm::length(v) < 3.2f * 2000);  // angle at most pi, 1/height at most 1000, twice
    const auto h = dihedral_hessian<float>(e, a, b, 1.0f, 0.0f);
    for (auto& row : h.block)
      for (auto& block : row)
        for (int c = 0; c < 3; ++c) CHECK(std::isfinite(glm::dot(block[c], block[c])));
  }
}

TEST_CASE("a hinge folded past half a turn takes the short way back to its rest angle") {
  CHECK(angle_change(-3.0, 3.0) == doctest::Approx(2 * 3.14159265358979 - 6.0));
  CHECK(angle_change(3.0, -3.0) == doctest::Approx(6.0 - 2 * 3.14159265358979));
  CHECK(angle_change(1.0, 0.25) == 0.75);
}

TEST_CASE("a quadratic hinge's gradient and Hessian are the derivatives of its energy") {
  Random random(5);
  const glm::dvec4 c(-0.4, -0.9, 0.6, 0.7);
  for (int i = 0; i < 20; ++i) {
    const Points x = {random.point(), random.point(), random.point(), random.point()};
    check_derivatives<4>(
        x, 1.0,
        [&](const auto& p) {
          return quadratic_hinge_energy<double>(p[1] - p[0], p[2] - p[0], p[3] - p[0], c, kStiffness);
        },
        [&](const auto& p) {
          P g[4];
          quadratic_hinge_gradient<double>(p[1] - p[0], p[2] - p[0], p[3] - p[0], c, kStiffness, g);
          return Points{g[0], g[1], g[2], g[3]};
        },
        [&](const auto&) {
          ElementHessian<double, 4> h;
          for (int a = 0; a < 4; ++a)
            for (int b = 0; b < 4; ++b)
              h.block[a][b] = Block3<double>(quadratic_hinge_hessian<double>(c, kStiffness, a, b));
          return h;
        });
  }
}
