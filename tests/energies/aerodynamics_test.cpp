#include "sim/energies/aerodynamics.h"

#include "differences.h"

using namespace weft;
using namespace weft::testing;

namespace {

const P kCorner[3] = {P(0), P(0.2, 0, 0), P(0, 0.3, 0)};  // 0.03 m² in the x-y plane
P force(const P& wind, double lift, double drag, double limit = 1e30) {
  return aerodynamic_force<double>(kCorner[0], kCorner[1], kCorner[2], wind, lift, drag, limit);
}
/// Dynamic pressure times area.
double full(double speed) { return 0.5 * double(kAirDensity) * speed * speed * 0.03; }

}  // namespace

TEST_CASE(
    "a plate square to the wind feels dynamic pressure times area times the drag coefficient and no lift") {
  const P f = force(P(0, 0, 5), 0.6, 1.1);
  CHECK(f.z == doctest::Approx(1.1 * full(5)));
  CHECK(std::abs(f.x) + std::abs(f.y) < 1e-15);
}

TEST_CASE("the wind may meet either side of a triangle") {
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const P wind = random.point(8);
    const P turned = aerodynamic_force<double>(kCorner[0], kCorner[2], kCorner[1], wind, 0.6, 1.0);
    CHECK(glm::length(turned - force(wind, 0.6, 1.0)) < 1e-14);
    CHECK(glm::length(force(-wind, 0.6, 1.0) + force(wind, 0.6, 1.0)) < 1e-14);
  }
}

TEST_CASE("lift is at a right angle to the wind, drag along it, and both vanish where the wind grazes") {
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    const P wind = random.point(8);
    CHECK(std::abs(glm::dot(force(wind, 1.0, 0.0), wind)) < 1e-13 * full(8) * 8);
    CHECK(glm::length(glm::cross(force(wind, 0.0, 1.0), wind)) < 1e-13 * full(8) * 8);
    CHECK(glm::dot(force(wind, 0.0, 1.0), wind) >= 0);
  }
  CHECK(glm::length(force(P(3, 4, 0), 1.0, 1.0)) < 1e-15);
  // sin 45 cos 45
  CHECK(glm::length(force(P(1, 0, 1), 1.0, 0.0)) == doctest::Approx(full(std::sqrt(2.0)) * 0.5));
}

TEST_CASE("the force of the air never exceeds its limit and keeps its direction") {
  const P wind(10, 4, 30), free_force = force(wind, 0.6, 1.0), held = force(wind, 0.6, 1.0, 0.01);
  CHECK(glm::length(free_force) > 0.01);
  CHECK(glm::length(held) == doctest::Approx(0.01));
  CHECK(glm::length(glm::cross(held, free_force)) < 1e-14);
}

TEST_CASE("still air and triangles without area give no force") {
  CHECK(force(P(0), 0.6, 1.0) == P(0));
  CHECK(aerodynamic_force<float>(vec3(1), vec3(1), vec3(2), vec3(3, 0, 0), 0.6f, 1.0f) == vec3(0));
}
