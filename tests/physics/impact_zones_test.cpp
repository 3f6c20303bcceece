// Impact zones: friction against theory, layers at rest, impacts against the conservation of momentum.
#include "sim/scene/text/scene_file.h"
#include "tests/physics/scenes.h"
#include "tests/support/incline.h"

using namespace weft;
using namespace weft::physics;

namespace {

/// On a box, or on the ground.
Slide slide(double degrees, float friction, double seconds, bool box, const char* solver) {
  Scene s = cloth_on_incline(degrees, friction, 0.001f);
  s.set("step.collision", "impact_zones");
  s.set("step.solver", solver);
  s.contact.ground = !box;
  if (box) {
    Obstacle o;
    o.shape = ObstacleShape::box, o.size = {4, 0.1f, 4};
    o.placement.position = {0, -0.05f, 0};
    s.obstacles.push_back(o);
  }
  return measure_slide(s, seconds);
}

int64_t counted(Simulation& sim, const std::string& wanted) {
  for (const Counter& c : sim.stats().counters)
    if (c.name == wanted) return int64_t(c.value);
  FAIL("this method does not count " << wanted);
  return 0;
}

/// Two sheets that lie on the ground, one on the other.
Scene two_layers() {
  Scene s = bare_scene();
  s.set("step.collision", "impact_zones");
  s.contact.ground = true;
  s.cloths.clear();
  for (int k = 0; k < 2; ++k) {
    Cloth& c = s.cloths.emplace_back();
    c.name = k ? "upper" : "lower";
    c.size = {0.2f, 0.2f}, c.edge = 0.01f;
    c.placement.rotation = {-90, 20.0f * float(k), 0};
    c.placement.position = {0, 0.0015f + 0.0015f * float(k), 0};
  }
  return s;
}

}  // namespace

TEST_SUITE("physics") {
  TEST_CASE("with impact zones cloth sticks at 20 degrees and slides at 35 by Coulomb's law") {
    for (const char* solver : {"newton", "descent"})
      for (const bool box : {false, true}) {
        const Slide stuck = slide(20, 0.5f, 0.5, box, solver), s = slide(35, 0.5f, 0.4, box, solver);
        MESSAGE(solver << std::string(box ? ", box" : ", ground") << ": slid " << 1e3 * stuck.distance
                       << " mm at 20 degrees; " << s.acceleration << " m/s^2 at 35, theory 1.61");
        CHECK(std::abs(stuck.distance) < 1e-3);
        CHECK(relative_error(s.acceleration, 1.61) < 0.1);
      }
  }

  TEST_CASE("with impact zones cloth slides without friction as a free body on the plane") {
    for (const char* solver : {"newton", "descent"})
      for (const bool box : {false, true}) {
        const Slide s = slide(20, 0, 0.5, box, solver);
        MESSAGE(solver << std::string(box ? ", box" : ", ground") << ": " << s.acceleration
                       << " m/s^2, theory 3.355");
        CHECK(relative_error(s.acceleration, 9.81 * std::sin(20 * M_PI / 180)) < 0.05);
      }
  }

  TEST_CASE("layers at rest need no round of impact zones") {
    Run run(two_layers());
    while (run.sim->stats().time < 1) run.sim->step();
    int64_t rounds = 0, impacts = 0;
    for (int i = 0; i < 60; ++i) {
      run.sim->step();
      rounds += counted(*run.sim, "rounds"), impacts += counted(*run.sim, "impacts");
    }
    CHECK(rounds == 0);
    CHECK(impacts == 0);
  }

  TEST_CASE("a sheet that hits another one in the air goes on with it, and momentum is kept") {
    Scene s = two_layers();
    s.contact.ground = false;
    s.forces.gravity = vec3(0);
    s.cloths[1].placement.position.y = 0.02f;
    Run run(s);
    std::vector<vec3> velocity(size_t(run.sim->model().vertex_count()));
    const ModelPart& upper = run.sim->model().host.parts[1];
    for (int v = upper.first_vertex; v < upper.first_vertex + upper.vertex_count; ++v)
      velocity[size_t(v)] = {0, -2, 0};
    run.sim->state().velocity.upload(velocity);
    const std::vector<float> mass = run.sim->model().mass.download();
    const auto momentum = [&] {
      const std::vector<vec3> now = run.sim->state().velocity.download();
      dvec3 sum(0);
      for (size_t v = 0; v < now.size(); ++v) sum += double(mass[v]) * dvec3(now[v]);
      return sum;
    };
    const dvec3 before = momentum();
    int64_t impacts = 0;
    for (int i = 0; i < 10; ++i) run.sim->step(), impacts += counted(*run.sim, "impacts");
    CHECK(impacts > 0);
    CHECK(glm::length(momentum() - before) < 0.01 * glm::length(before));
  }
}
