#include "tests/physics/strips.h"

using namespace weft;
using namespace weft::physics;

TEST_SUITE("physics") {
  TEST_CASE("a stiff strip on a hinge swings with the period of a physical pendulum at 60 degrees") {
    // A rod about one end: T0 = 2 pi sqrt(2L / 3g); T / T0 at 60 degrees is 1.0732.
    const float length = kPendulumLength;
    Scene s = pendulum(1e-3f);
    REQUIRE(s.pins[0].vertices.size() >= 2);
    Run run(s);
    // A quarter of the period is from release to the lowest point: z of the mean crosses zero.
    auto mean_z = [&] { return weft::physics::mean_z(run.sim->positions()); };
    double previous = mean_z(), crossing = 0, first = 0;
    for (int i = 1; i < 2000 && crossing == 0; ++i) {
      run.sim->step();
      const double z = mean_z();
      if ((previous > 0) != (z > 0)) {
        const double t = (i - 1 + previous / (previous - z)) * double(s.step.dt);
        if (first == 0) first = t;
        else crossing = t;  // half a period after the first
      }
      previous = z;
    }
    REQUIRE(crossing > 0);
    const double period = 2 * (crossing - first);
    // Lumped masses of this strip: the moment of inertia is that of the discrete strip, summed here.
    double inertia = 0, moment = 0;
    const auto& rest = run.sim->model().host.rest;
    for (size_t v = 0; v < rest.size(); ++v) {
      const double r = length / 2 - double(rest[v].y), m = run.sim->model().host_mass[v];
      inertia += m * r * r;
      moment += m * r;
    }
    const double t0 = 2 * M_PI * std::sqrt(inertia / (moment * 9.81));
    MESSAGE("T/T0 " << period / t0);
    CHECK(relative_error(t0, 2 * M_PI * std::sqrt(2 * length / (3 * 9.81))) < 0.01);
    CHECK(relative_error(period / t0, 1.0732) < 0.01);
  }
}
