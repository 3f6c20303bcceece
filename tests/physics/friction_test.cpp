#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;

namespace {

/// A small cloth lying on an inclined plane; gravity is turned instead of the plane. Returns the distance slid downhill
/// in `seconds` after 0.2 s from rest.
struct Slide {
  double distance = 0, acceleration = 0;
};

Slide slide(double degrees, float friction, double seconds) {
  Scene s = bare_scene();
  Cloth& c = s.cloths[0];
  c.size = {0.2f, 0.2f};
  c.edge = 0.01f;
  c.placement.rotation = {-90, 0, 0};
  c.placement.position = {0, 0.5f * c.fabric.thickness, 0};
  s.contact.ground = true;
  s.contact.friction = friction;
  const double a = degrees * M_PI / 180;
  s.forces.gravity = {float(9.81 * std::sin(a)), float(-9.81 * std::cos(a)), 0};
  Run run(s);
  auto mean_x = [&] {
    double sum = 0;
    const auto p = run.sim->positions();
    for (auto& q : p) sum += q.x;
    return sum / double(p.size());
  };
  const double h = double(s.step.dt);
  for (int i = 0; i < int(0.2 / h); ++i) run.sim->step();
  const double x0 = mean_x();
  run.sim->step();
  const double v0 = (mean_x() - x0) / h;
  const int n = int(seconds / h);
  double x1 = 0;
  for (int i = 1; i < n; ++i) {
    x1 = mean_x();
    run.sim->step();
  }
  const double v1 = (mean_x() - x1) / h;
  return {mean_x() - x0, (v1 - v0) / ((n - 1) * h)};
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
    MESSAGE("slid " << slid.distance << " m at 27.2 degrees, acceleration " << slid.acceleration << ", theory " << theory);
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
