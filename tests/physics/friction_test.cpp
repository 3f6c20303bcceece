#include "tests/physics/scenes.h"
#include "tests/support/incline.h"

using namespace weft;
using namespace weft::physics;

namespace {

/// On the ground, at half the fabric's thickness.
Slide slide(double degrees, float friction, double seconds) {
  return measure_slide(cloth_on_incline(degrees, friction, 0.5f * FabricParams().thickness), seconds);
}

}  // namespace

TEST_SUITE("physics") {
  TEST_CASE("cloth sticks on an incline of 26.0 degrees at friction 0.5") {
    // tan 26.0 = 0.4877 < 0.5 < tan 27.2 = 0.5139.
    const Slide stuck = slide(26.0, 0.5f, 2.0);
    MESSAGE("slid " << stuck.distance << " m at 26.0 degrees");
    CHECK(std::abs(stuck.distance) < 1e-6);
  }

  TEST_CASE("cloth slides on an incline of 27.2 degrees at friction 0.5") {
    const Slide slid = slide(27.2, 0.5f, 2.0);
    const double theory = 9.81 * (std::sin(27.2 * M_PI / 180) - 0.5 * std::cos(27.2 * M_PI / 180));
    MESSAGE("slid " << slid.distance << " m at 27.2 degrees, acceleration " << slid.acceleration
                    << ", theory " << theory);
    CHECK(slid.distance > 0.1);
    CHECK(relative_error(slid.acceleration, theory) < 0.03);
  }

  TEST_CASE("cloth slides down an incline of 35 degrees with g (sin - mu cos)") {
    const Slide s = slide(35, 0.5f, 0.6);
    MESSAGE("acceleration " << s.acceleration << " m/s^2");
    CHECK(relative_error(s.acceleration, 1.61) < 0.03);
  }

  TEST_CASE("without friction cloth slides as a free body on the plane") {
    CHECK(relative_error(slide(20, 0, 0.5).acceleration, 9.81 * std::sin(20 * M_PI / 180)) < 0.01);
  }
}
