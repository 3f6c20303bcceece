// Dihedral and quadratic hinges.
#include "element_checks.h"
#include "sim/energies/dihedral_hinge.h"
#include "tests/solvers/quadratic_hinge.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Element = TestElement<DihedralHinge>;
using Points = Element::Points;
constexpr double kRestAngle = 0.3;
const Element kHinge{{kRestAngle, 1.25}, {2}};  // k = 2.5

/// Edge of length 1 along x, the triangles' heights, and the angle between them.
Points hinge(double height_a, double height_b, double angle, const glm::dmat3& rotation, const P& origin) {
  const P x[4] = {P(0), P(1, 0, 0), P(0.4, height_a, 0),
                  P(0.7, -height_b * std::cos(angle), -height_b * std::sin(angle))};
  Points r;
  for (size_t i = 0; i < 4; ++i) r[i] = origin + rotation * x[i];
  return r;
}
Points any_points(Random& random) { return {random.point(), random.point(), random.point(), random.point()}; }

}  // namespace

TEST_CASE("a hinge's angle is the one that it was built with, with its sign") {
  Random random(1);
  for (const double angle : {-3.0, -1.5, -1e-6, 0.0, 1e-6, 0.7, 2.0, 3.1}) {
    const Points x = hinge(0.8, 0.5, angle, random.rotation(), random.point());
    CHECK(std::abs(hinge_angle(Element::edges(x)).theta - angle) < 1e-13);
    Edges<float, 4> f;
    for (int i = 1; i < 4; ++i) f[i - 1] = lane_vector(vec3(x[size_t(i)] - x[0]));
    // atan2 keeps a flat hinge's angle to the rounding of the points, not to its square root.
    CHECK(std::abs(hinge_angle(f).theta - float(angle)) < 1e-6f);
  }
}

TEST_CASE("a dihedral hinge's gradient is the derivative of its energy") {
  Random random(2);
  for (int i = 0; i < 60; ++i) {
    const double angle = i % 3 == 0 ? random.uniform(-0.01, 0.01) : random.uniform(-2.7, 2.7);
    const double height = i % 3 == 2 ? random.uniform(0.003, 0.02) : random.uniform(0.2, 1.5);
    const Points x = hinge(random.uniform(0.2, 1.5), height, angle, random.rotation(), random.point());
    check_gradient(kHinge, x, std::min(height, 0.2));
    check_projection(kHinge, x);
    check_bound(kHinge, x);
  }
}

TEST_CASE("a dihedral hinge does not feel rigid motion") {
  Random random(3);
  for (int i = 0; i < 30; ++i)
    check_rigid_motion(kHinge, any_points(random), random.rotation(), random.point());
}

TEST_CASE("the projected Hessian of a hinge is the exact one at its rest angle") {
  Random random(4);
  check_exact_hessian(kHinge, hinge(0.8, 0.6, kRestAngle, random.rotation(), P(0)), 0.2);
}

TEST_CASE("degenerate hinges give finite and bounded forces") {
  const std::array<std::array<P, 3>, 6> cases = {{{P(0), P(0), P(0)},               // all in one point
                                                  {P(0), P(0, 1, 0), P(0, -1, 0)},  // no edge
                                                  {P(1, 0, 0), P(0.5, 0, 0), P(0.3, -1, 0)},  // A has no area
                                                  {P(1, 0, 0), P(0.5, 0, 0), P(0.3, 0, 0)},   // neither has
                                                  {P(1, 0, 0), P(0.5, 1e-8, 0), P(0.3, 0, 1e-9)},
                                                  {P(1, 0, 0), P(0.5, 1, 0), P(0.5, 1, 0)}}};  // folded flat
  const Element unit{{0, 1}, {1}};
  for (auto& [e, a, b] : cases) {
    const Points x{P(0), e, a, b};
    check_finite(unit, x);
    for (const P& g : unit.gradient(x))
      CHECK(glm::length(g) < 3.2 * 2000);  // at most pi, 1/height at most 1000, twice
  }
}

TEST_CASE("a hinge folded past half a turn takes the short way back to its rest angle") {
  CHECK(angle_change(-3.0, 3.0) == doctest::Approx(2 * 3.14159265358979 - 6.0));
  CHECK(angle_change(3.0, -3.0) == doctest::Approx(6.0 - 2 * 3.14159265358979));
  CHECK(angle_change(1.0, 0.25) == 0.75);
}

TEST_CASE("float32 lanes and double agree about a dihedral hinge") {
  Random random(6);
  for (int i = 0; i < 100; ++i) {
    const Points x = hinge(random.uniform(0.3, 1.5), random.uniform(0.3, 1.5), random.uniform(-2, 2),
                           random.rotation(), P(0));
    // The angle carries some ulps (6e-8) of a turn, over heights of 0.3.
    check_numbers(kHinge, x, 50 * 6e-8);
  }
}

TEST_CASE("a quadratic hinge's gradient and Hessian are the derivatives of its energy") {
  Random random(5);
  const TestElement<QuadraticHinge> element{{-0.4, -0.9, 0.6, 0.7, 1.25}, {2}};
  for (int i = 0; i < 20; ++i) {
    const Points x = any_points(random);
    check_gradient(element, x, 1);
    check_exact_hessian(element, x, 1);
    check_projection(element, x);
    check_bound(element, x);
    check_numbers(element, x, 20 * 6e-8);
  }
}
