#include "sim/energies/thread_lock.h"

#include "element_checks.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Element = TestElement<ThreadLock>;
const Element kLock{{0.7}, {300, 1.05}};

Element::Points stretched(Random& random, double stretch) {
  const P from = random.point();
  return {from, from + 0.7 * stretch * glm::normalize(random.point())};
}

}  // namespace

TEST_CASE("a thread lock's gradient and Hessian are the derivatives of its energy") {
  Random random(1);
  for (const double stretch : {0.5, 1.0, 1.06, 1.075, 1.09, 1.2, 2.0}) {
    const Element::Points x = stretched(random, stretch);
    check_gradient(kLock, x, 0.02);
    check_exact_hessian(kLock, x, 0.02);
    check_projection(kLock, x);
    check_bound(kLock, x);
    check_rigid_motion(kLock, x, random.rotation(), random.point());
  }
}

TEST_CASE("threads bring nothing before they lock and thirty times the stiffness once they have") {
  Random random(2);
  CHECK(kLock.energy(stretched(random, 1.0499)) == 0);
  const auto force = [&](double stretch) {
    return glm::length(kLock.gradient(stretched(random, stretch))[1]);
  };
  CHECK(force(1.0499) == 0);
  CHECK(force(1.3) - force(1.2) == doctest::Approx(30 * 300 * 0.07).epsilon(1e-6));
}

TEST_CASE("the stiffness of a lock is known ahead of it and its force is not") {
  const ThreadLock::Rest<double> rest{0.7};
  const ThreadLock::Material<double> m{300, 1.05};
  const auto now = ThreadLock::law<double>(1.04, rest, m),
             ahead = ThreadLock::law<double>(1.04, rest, m, 0.25f);
  CHECK(now.force == 0);
  CHECK(now.tangent == 0);
  CHECK(ahead.force == 0);
  // 0.25 of the range 0.05 further on: 1.0525, a twentieth into the range.
  CHECK(ahead.tangent == doctest::Approx(30 * 300 * 0.05));
}

TEST_CASE("a lock whose range is nothing has finite numbers") {
  for (const double begin : {1.0, 0.9, 1 + 1e-9}) {
    const Element lock{{0.7}, {300, begin}};
    for (const double length : {0.0, 0.1, 0.7, 0.700001, 0.8}) check_finite(lock, {P(0), P(length, 0, 0)});
    // Locked throughout: the whole stiffness.
    const double force = glm::length(lock.gradient({P(0), P(0.8, 0, 0)})[1]);
    CHECK(force == doctest::Approx(30 * 300 * (0.8 - 0.7 * std::max(begin, 0.9))).epsilon(1e-4));
  }
}

TEST_CASE("float32 lanes and double agree about a thread lock") {
  Random random(3);
  // The stretch rounds by some ulps (6e-8), a range of 0.05 makes 20 times that of it.
  for (int i = 0; i < 100; ++i)
    check_numbers(kLock, stretched(random, random.uniform(0.9, 1.3)), 20 * 10 * 6e-8);
}

TEST_CASE("what a lock's energy has beyond its slope is the difference of energies") {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    const Element::Points x = stretched(random, random.uniform(0.8, 1.3));
    const P w = random.point(i % 2 ? 1e-3 : 0.3);
    const double expected =
        kLock.energy({x[0], x[1] + w}) - kLock.energy(x) - glm::dot(kLock.gradient(x)[1], w);
    const auto l = lengthening(lane_vector(x[1] - x[0]), lane_vector(w));
    CHECK(std::abs(ThreadLock::beyond_slope<double>(l, kLock.rest, kLock.material) - expected) <
          1e-11 * 30 * 300);
  }
}
