#include "sim/energies/stitch.h"

#include "element_checks.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Element = TestElement<Stitch>;
const Element kThread{{0.7}, {300}};

Element::Points ends(Random& random, double length) {
  const P from = random.point();
  return {from, from + length * glm::normalize(random.point())};
}

}  // namespace

TEST_CASE("a thread's gradient and Hessian are the derivatives of its energy, slack and taut") {
  Random random(1);
  for (int i = 0; i < 60; ++i) {
    const double length = i % 3 == 0   ? 0.1
                          : i % 3 == 1 ? random.uniform(0.2, 0.65)
                                       : random.uniform(0.75, 3.0);
    const Element::Points x = ends(random, length);
    check_gradient(kThread, x, 0.01);  // on a scale on which it stays slack or taut
    check_exact_hessian(kThread, x, 0.01);
    check_projection(kThread, x);
    check_bound(kThread, x);
    check_rigid_motion(kThread, x, random.rotation(), random.point());
  }
}

TEST_CASE("a thread pulls with k times what it is too short by, and does not push") {
  CHECK(kThread.gradient({P(0), P(0, 0.77, 0)})[1].y == doctest::Approx(300 * 0.07));
  CHECK(kThread.energy({P(0), P(0, 0.77, 0)}) == doctest::Approx(0.5 * 300 * 0.07 * 0.07));
  for (const double length : {0.7, 0.5, 0.01}) {
    CHECK(kThread.energy({P(0), P(length, 0, 0)}) == 0);
    CHECK(glm::length(kThread.gradient({P(0), P(length, 0, 0)})[1]) < 1e-12);  // 1 - l / |d| rounds at l
  }
}

TEST_CASE("a thread without length has finite numbers in both forms of float32") {
  check_finite(kThread, {P(0), P(0)});
  check_finite(kThread, {P(0), P(1e-20, 0, 0)});
  check_finite(Element{{0}, {1e5}}, {P(0), P(0)});
}

TEST_CASE("float32 lanes and double agree about a thread") {
  Random random(3);
  for (int i = 0; i < 100; ++i) check_numbers(kThread, ends(random, random.uniform(0.2, 2)), 10 * 6e-8);
}
