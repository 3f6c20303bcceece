// Stitches under the exact checker: cloth that is cut and stitched, and let go, with every method that
// promises freedom from crossings.
#include <doctest/doctest.h>

#include "sim/scene/model/stitches.h"
#include "tests/physics/scenes.h"
#include "tests/safety/path_sample.h"

using namespace weft;

namespace {

/// A sheet of 40 cm, pinned along its top, over a ball; cut twice and let go, one cut after the other, in a
/// wind that changes.
Scene cut_sheet(const std::string& method, unsigned seed) {
  Scene s = physics::bare_scene();
  s.set("newton.tolerance", "0.1");
  s.set("step.collision", method);
  s.step.dt = 1.0f / 60;
  s.duration = 1;
  s.forces.lift = 0.6f, s.forces.drag = 1;
  s.forces.wind = {float(seed % 7) - 3, 0, float(seed % 5) - 2};
  s.forces.wind_gusts = 0.5f;
  Cloth& c = s.cloths[0];
  c.size = {0.4f, 0.4f};
  c.edge = 0.02f;
  c.pattern = seed % 2 ? "square" : "equilateral";
  c.placement.position = {0, 0.75f, 0};
  Pin top;
  top.where = "top";
  s.pins.push_back(top);
  Obstacle ball;
  ball.size.x = 0.12f, ball.placement.position = {0.02f, 0.3f, 0.02f};
  s.obstacles.push_back(ball);
  StitchParams across, down;
  across.name = "across", across.cut = {{0, 0.5f}, {1, 0.5f}}, across.release = 0.2f;
  down.name = "down", down.cut = {{0.5f, 0}, {0.5f, 0.45f}}, down.release = 0.4f;
  s.of<StitchList>().list = {across, down};
  return s;
}

}  // namespace

TEST_SUITE("safety") {
  TEST_CASE("where stitches hold, and where they let go, nothing crosses") {
    const unsigned seed = check::safety_seed();
    for (const std::string method : {"two_way", "ndb", "impact_zones"}) {
      CAPTURE(method);
      CAPTURE(seed);
      std::mt19937 random(seed);
      const auto device = Device::create(DeviceChoice::cpu, 0);
      Simulation sim(cut_sheet(method, seed), *device);
      REQUIRE(sim.model().host.stitched.size() > 20);
      check::PathSampler sampler(sim, random, {1, 20});
      const check::Trial trial = check::run_under_check(sim, sim.scene().duration, check::BodyPlaces::reached,
                                                        [&] { sampler.step(); });
      const std::string first = trial.first_crossing, contact = sampler.found.first_contact;
      CAPTURE(first);
      CAPTURE(contact);
      MESSAGE(method << ": " << trial.states << " states, stretch " << trial.stretch << ", "
                     << sampler.found.pieces << " pieces");
      CHECK(trial.crossed_states == 0);
      CHECK(trial.unpromised == 0);
      CHECK(sampler.found.touching == 0);
      float lowest = 1;
      for (const vec3& p : sim.positions()) lowest = std::min(lowest, p.y);
      CHECK(lowest < 0.5f);  // it did come apart: 0.55 m is where it hung to
    }
  }
}
