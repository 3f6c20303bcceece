// Errors fall with the time step as the order of the method says. (With the mesh size: cantilever_test.cpp.)
#include <array>

#include "sim/solvers/newton/newton_params.h"
#include "tests/physics/strips.h"

using namespace weft;
using namespace weft::physics;

TEST_SUITE("physics") {
  TEST_CASE("a swing converges with the first order in dt") {
    // Backward Euler: halving dt halves the distance to the limit, and with it the distance of successive
    // answers.
    const std::array<float, 4> steps{4e-3f, 2e-3f, 1e-3f, 0.5e-3f};
    std::vector<double> z;
    for (const float dt : steps) {
      Scene s = pendulum(dt);
      s.of<NewtonParams>().steps = 20;
      s.of<NewtonParams>().tolerance = 1e-5f;
      Run run(s);
      for (int i = 0; i < int(std::lround(0.24 / dt)); ++i) run.sim->step();
      z.push_back(mean_z(run.sim->positions()));
    }
    for (size_t i = 0; i + 1 < z.size(); ++i)
      MESSAGE("| " << 1000 * steps[i] << " ms | z " << 1000 * z[i] << " mm | change when halved "
                   << 1000 * (z[i + 1] - z[i]) << " mm |");
    for (size_t i = 0; i + 2 < z.size(); ++i) {
      const double ratio = (z[i + 1] - z[i]) / (z[i + 2] - z[i + 1]);
      CAPTURE(i);
      CHECK(ratio > 1.6);
      CHECK(ratio < 2.4);
    }
  }
}
