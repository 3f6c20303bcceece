#include "sim/energies/strand_bend.h"

#include "element_checks.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Points = std::array<P, 3>;

TestElement<StrandBend> element(double angle = 0, double rigidity = 0.02) {
  TestElement<StrandBend> e;
  e.rest = {0.1, angle, 0.09, 0.11};
  e.material = {rigidity};
  return e;
}

/// Two segments about a point, of these lengths, at this angle to a straight line.
Points bent(double angle, double first, double second, const glm::dmat3& turn, const P& at) {
  Points x = {P(0), P(-first, 0, 0), P(second * std::cos(angle), second * std::sin(angle), 0)};
  for (P& p : x) p = turn * p + at;
  return x;
}

}  // namespace

TEST_CASE("a strand's bending force is the derivative of its energy and turns nothing") {
  Random random(1);
  for (int i = 0; i < 60; ++i) {
    const auto e = element(i % 2 ? 0.0 : 0.3);
    const Points x = bent(random.uniform(0.05, 2.5), random.uniform(0.06, 0.15), random.uniform(0.06, 0.15),
                          random.rotation(), random.point());
    check_gradient(e, x, 0.05);
    check_projection(e, x);
    check_rigid_motion(e, x, random.rotation(), random.point());
    check_numbers(e, x, 1e-4);
  }
}

TEST_CASE("a straight strand's Hessian is exact and resists small angles") {
  Random random(2);
  const auto e = element();
  const Points x = bent(0, 0.09, 0.11, random.rotation(), random.point());
  check_exact_hessian(e, x, 0.05);
  check_bound(e, x);
  // B theta² / 2 l
  const double theta = 1e-3;
  CHECK(e.energy(bent(theta, 0.09, 0.11, glm::dmat3(1), P(0))) ==
        doctest::Approx(0.02 * theta * theta / 0.2).epsilon(1e-5));
}

TEST_CASE("a curled strand has no energy at its rest angle whichever way it turns") {
  Random random(3);
  const double theta = 0.4;
  const auto e = element(2 * std::sin(theta / 2));
  const Points x = bent(theta, 0.09, 0.11, random.rotation(), random.point());
  CHECK(e.energy(x) < 1e-15);
  CHECK(e.energy(bent(0.3, 0.09, 0.11, glm::dmat3(1), P(0))) > 0);
  CHECK(e.energy(bent(0.5, 0.09, 0.11, glm::dmat3(1), P(0))) > 0);
  const auto y = StrandBend::project(e.edges(bent(1.0, 0.09, 0.11, glm::dmat3(1), P(0))), e.rest, e.material);
  CHECK(StrandBend::energy(y, e.rest, e.material) < 1e-15);
}

TEST_CASE("a strand that is folded onto itself or has no length gives finite numbers") {
  const auto e = element(0.2);
  check_projection(e, bent(M_PI - 1e-9, 0.1, 0.1, glm::dmat3(1), P(0)));
  check_numbers(e, bent(0, 0.1, 0.1, glm::dmat3(1), P(0)), 1e-4);
  check_numbers(e, {P(0), P(0), P(0.1, 0, 0)}, 1e-3);
}
