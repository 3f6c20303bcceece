// What every solver owes with every collision method and every model of the cloth, on every device: a new entry in one
// of the tables is tried here without another line.
//
//   upper sheet, falls       ______________
//   lower sheet, its         ==============  pinned boundary
//   ball, rises                    ( )
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/methods/method_table.h"
#include "sim/run/simulation.h"
#include "tests/device/for_each_device.h"
#include "tests/physics/scenes.h"
#include "tests/safety/scene_trials.h"

using namespace weft;

namespace {

struct Combination {
  const SolverEntry* solver;
  const CollisionEntry* collision;
  std::string elastic, bending;
  std::string name() const { return solver->name + ", " + collision->name + ", " + elastic + ", " + bending; }
  void apply(Scene& scene) const {
    scene.set("step.solver", solver->name);
    scene.set("step.collision", collision->name);
    scene.set("step.elastic_model", elastic);
    scene.set("step.bending_model", bending);
  }
};

std::vector<Combination> every_combination() {
  Scene any;
  const ParamTable params = any.params();
  std::vector<Combination> all;
  for (const SolverEntry& s : solvers())
    for (const CollisionEntry& c : collision_methods())
      for (const std::string& elastic : params.find("step.elastic_model")->info().choices)
        for (const std::string& bending : params.find("step.bending_model")->info().choices)
          all.push_back({&s, &c, elastic, bending});
  return all;
}

/// A sheet of 12 mm edges, about 75 vertices, flat at a height (m).
Cloth sheet(const char* name, float height) {
  Cloth c;
  c.name = name;
  c.size = {0.1f, 0.1f};
  c.edge = 0.012f;
  c.unevenness = 0;
  c.placement.position = {0, height, 0};
  c.placement.rotation = {-90, 0, 0};
  return c;
}

/// The drawing above: the ball touches the lower sheet in the second step, the upper one the lower in the seventh.
Scene sheets_and_ball() {
  Scene scene;
  scene.contact.ground = false;
  scene.cloths = {sheet("lower", 0.5f), sheet("upper", 0.522f)};
  Pin pin;
  pin.cloth = "lower";
  pin.where = "boundary";
  scene.pins.push_back(pin);
  Obstacle ball;
  ball.size.x = 0.03f;
  ball.placement.position = {0, 0.468f, 0};
  ball.motion.keys = {{0, vec3(0)}, {0.1f, vec3(0, 0.015f, 0)}};
  scene.obstacles.push_back(ball);
  return scene;
}

bool finite(const std::vector<vec3>& positions) {
  for (const vec3& p : positions)
    if (!std::isfinite(p.x + p.y + p.z)) return false;
  return true;
}

constexpr int kSteps = 12;

/// One run from the start; looks at every state for what the method promises. Hash at the end.
uint64_t run_watched(Simulation& sim, check::Trial& trial) {
  for (int k = 0; k < kSteps; ++k) {
    sim.step();
    check::look(sim, trial, check::promised_places(sim));
  }
  CHECK(finite(sim.positions()));
  return sim.hash();
}

/// Six steps, a snapshot, the rest, back to the snapshot and the rest again. Hash at the end.
uint64_t run_with_restore(Simulation& sim) {
  for (int k = 0; k < kSteps / 2; ++k) sim.step();
  const Snapshot half = sim.snapshot();
  const uint64_t at_half = sim.hash();
  for (int k = kSteps / 2; k < kSteps; ++k) sim.step();
  const uint64_t first = sim.hash();
  sim.restore(half);
  CHECK(sim.hash() == at_half);
  for (int k = kSteps / 2; k < kSteps; ++k) sim.step();
  CHECK(sim.hash() == first);
  return first;
}

void check_promises(const Guarantee& promised, const check::Trial& trial) {
  CAPTURE(trial.first_crossing);
  if (promised.self == Protection::intersection_free) {
    CHECK(trial.unpromised == 0);
    CHECK(trial.crossed_states == 0);
  } else {
    CHECK(trial.crossed_states > 0);  // so that the scene would show it
  }
  if (promised.bodies == Protection::bounded_penetration) CHECK(trial.told_depth <= double(promised.body_bound));
}

/// m. Two-way contact may leave its threshold, 1e-4, of a step's way undone: of the 5 mm of the fifth step 5e-7 m. Solvers
/// end with forces of rounding in them: a position of 0.9 m is rounded by up to 3e-8 m, in each of 5 steps and as much
/// again in the displacement, 3e-7 m.
constexpr double kFallTolerance = 1e-6;

/// Largest distance (m) of a vertex from where backward Euler has a free fall after `steps`: -g h^2 n (n + 1) / 2.
double error_of_free_fall(Simulation& sim, int steps) {
  const std::vector<vec3> start = sim.positions();
  for (int k = 0; k < steps; ++k) sim.step();
  const double h = double(sim.scene().step.dt), g = -double(sim.scene().forces.gravity.y);
  const dvec3 fall(0, g * h * h * steps * (steps + 1) / 2, 0);
  double worst = 0;
  const std::vector<vec3> end = sim.positions();
  for (size_t v = 0; v < start.size(); ++v)
    worst = std::max(worst, glm::length(dvec3(end[v]) - (dvec3(start[v]) - fall)));
  return worst;
}

}  // namespace

TEST_SUITE("methods") {
  TEST_CASE("every combination of methods and models keeps its promises, and repeats and replays to the last bit") {
    std::map<std::string, uint64_t> on_cpu;  // the same with any number of threads
    testing::for_each_device([&](Device& device) {
      for (const Combination& c : every_combination()) {
        CAPTURE(c.name());
        Scene scene = sheets_and_ball();
        c.apply(scene);
        if (const std::string reason = why_not(*c.solver, *c.collision); !reason.empty()) {
          CHECK_THROWS_WITH_AS(Simulation(scene, device), doctest::Contains(reason.c_str()), Error);
          continue;
        }
        Simulation sim(scene, device), again(scene, device);
        check::Trial trial;
        const uint64_t hash = run_watched(sim, trial);
        check_promises(sim.promises(), trial);
        CHECK(run_with_restore(again) == hash);
        if (device.kind() == DeviceKind::cpu) CHECK(on_cpu.try_emplace(c.name(), hash).first->second == hash);
      }
    });
  }

  TEST_CASE("in every combination of methods and models a cloth that touches nothing falls as theory has it") {
    double worst = 0;
    testing::for_each_device([&](Device& device) {
      for (const Combination& c : every_combination()) {
        if (!why_not(*c.solver, *c.collision).empty()) continue;
        CAPTURE(c.name());
        Scene scene = physics::bare_scene();  // solved to convergence
        scene.cloths = {sheet("sheet", 0.9f)};
        scene.cloths[0].fabric.internal_damping = 0;
        c.apply(scene);
        Simulation sim(scene, device);
        const double error = error_of_free_fall(sim, 5);
        worst = std::max(worst, error);
        CHECK(error < kFallTolerance);
      }
    });
    MESSAGE("largest error: " << 1e6 * worst << " micrometres");
  }
}
