#include "sim/energies/spring.h"

#include "element_checks.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Element = TestElement<Spring>;
const Element kSpring{{0.7}, {300}};

Element::Points ends(Random& random, double length) {
  const P from = random.point();
  return {from, from + length * glm::normalize(random.point())};
}

}  // namespace

TEST_CASE("a spring's gradient and Hessian are the derivatives of its energy") {
  Random random(1);
  for (int i = 0; i < 60; ++i) {
    const double length = i % 3 == 0   ? 0.7
                          : i % 3 == 1 ? 1e-3
                                       : random.uniform(0.1, 3.0);  // at rest, collapsed, any
    const Element::Points x = ends(random, length);
    check_gradient(kSpring, x, length);
    if (length > 0.7001) check_exact_hessian(kSpring, x, length);
    check_projection(kSpring, x);
    check_bound(kSpring, x);
    check_rigid_motion(kSpring, x, random.rotation(), random.point());
  }
}

TEST_CASE("a spring at rest pulls with no force and one stretched by a tenth with k times the change") {
  CHECK(glm::length(kSpring.gradient({P(0), P(0, 0.7, 0)})[1]) < 1e-12);
  CHECK(kSpring.gradient({P(0), P(0, 0.77, 0)})[1].y == doctest::Approx(300 * 0.07));
  CHECK(kSpring.energy({P(0), P(0, 0.77, 0)}) == doctest::Approx(0.5 * 300 * 0.07 * 0.07));
}

TEST_CASE("a compressed spring's projected Hessian is that along it alone") {
  Random random(2);
  const Element::Points x = ends(random, 0.3);
  const P n = glm::normalize(x[1] - x[0]);
  const Dense h = kSpring.hessian(x);
  for (size_t r = 0; r < 3; ++r)
    for (size_t c = 0; c < 3; ++c) CHECK(h[3 + r][3 + c] == doctest::Approx(300 * n[int(r)] * n[int(c)]));
}

TEST_CASE("a spring without length has finite numbers in both forms of float32") {
  check_finite(kSpring, {P(0), P(0)});
  check_finite(kSpring, {P(0), P(1e-20, 0, 0)});
  check_finite(Element{{0}, {1e5}}, {P(0), P(0)});
}

TEST_CASE("float32 lanes and double agree about a spring") {
  Random random(3);
  // Length, tension and products round by a few ulps (6e-8) of k times the length.
  for (int i = 0; i < 100; ++i) check_numbers(kSpring, ends(random, random.uniform(0.2, 2)), 10 * 6e-8);
}

TEST_CASE("what a spring's energy has beyond its slope is the difference of energies") {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const Element::Points x = ends(random, random.uniform(0.1, 2));
    const P w = random.point(i % 2 ? 1e-3 : 1.0);
    const double expected =
        kSpring.energy({x[0], x[1] + w}) - kSpring.energy(x) - glm::dot(kSpring.gradient(x)[1], w);
    const auto l = lengthening(lane_vector(x[1] - x[0]), lane_vector(w));
    CHECK(std::abs(Spring::beyond_slope<double>(l, kSpring.rest, kSpring.material) - expected) < 1e-12 * 300);
  }
}
