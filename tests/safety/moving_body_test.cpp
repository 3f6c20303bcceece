// Cloth on a body that moves far in a step, under the exact checker.
#include <doctest/doctest.h>

#include "tests/collision/bending_arm.h"
#include "tests/safety/path_sample.h"

using namespace weft;

namespace {

/// A sleeve on the forearm, which turns by `degrees` in 0.2 s, in steps of 1/30 s.
Scene sleeve(float degrees) {
  Scene s = physics::bare_scene();
  s.set("newton.tolerance", "0.1");
  s.set("step.collision", "two_way");
  s.set("contact.friction", "0.5");
  s.step.dt = 1.0f / 30;
  s.duration = 0.3f;
  Cloth& c = s.cloths[0];
  c.shape = ClothShape::tube;
  c.size = {0.19f, 0.2f};
  c.edge = 0.008f;
  c.unevenness = 0.002f;
  c.placement.position = {0, 0.15f, 0};
  s.obstacles.push_back(physics::arm(degrees, 0.2f));
  return s;
}

struct Followed {
  check::Trial trial;
  check::PathTrial path;
};

Followed follow(Scene scene, unsigned seed) {
  std::mt19937 random(seed);
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(std::move(scene), *device);
  check::jitter(sim, random);
  check::PathSampler sampler(sim, random, {1, 20});
  Followed f;
  f.trial =
      check::run_under_check(sim, sim.scene().duration, check::BodyPlaces::reached, [&] { sampler.step(); });
  f.path = sampler.found;
  return f;
}

}  // namespace

TEST_SUITE("safety") {
  TEST_CASE(
      "a sleeve on an arm that swings far in a step follows it in fewer forward steps and nothing crosses") {
    const unsigned seed = check::safety_seed();
    const float degrees = 20 + float(seed % 30);
    CAPTURE(seed);
    CAPTURE(degrees);
    double steps[2];
    for (const bool together : {true, false}) {
      Scene scene = sleeve(degrees);
      scene.set("two_way.together", together ? "true" : "false");
      const Followed f = follow(std::move(scene), seed);
      steps[together] = f.trial.steps;
      const std::string first = f.trial.first_crossing, contact = f.path.first_contact;
      CAPTURE(together);
      CAPTURE(first);
      CAPTURE(contact);
      MESSAGE("together " << together << ": " << f.trial.steps << " forward steps (" << f.trial.most_steps
                          << "), stretch " << f.trial.stretch << ", " << f.path.pieces << " pieces of up to "
                          << 1e3 * f.path.farthest << " mm");
      CHECK(f.trial.crossed_states == 0);
      CHECK(f.trial.unpromised == 0);
      CHECK(f.path.touching == 0);
      CHECK(f.path.pieces > 10);
      CHECK(f.trial.stretch < 1.3f);
      CHECK(f.trial.body_lag < 1e-4f);
    }
    CHECK(steps[1] < 0.8 * steps[0]);  // measured: 0.59 to 0.67
  }
}
