#include "sim/run/step_reasons.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "sim/device/device.h"
#include "sim/methods/method_table.h"
#include "sim/run/simulation.h"
#include "sim/scene/assets.h"
#include "sim/scene/text/scene_file.h"

using namespace weft;

namespace {

using Kind = StepReason::Kind;
using Settings = std::vector<std::pair<std::string, std::string>>;

struct Run {
  Scene scene;
  MeshFacts mesh;
  StepReasons steps;
  std::vector<StepReason> list(bool slow = false, const VerdictRecord* verdict = nullptr) const {
    return steps.reasons(scene, mesh, verdict, slow);
  }
};

Scene scene_of(const std::string& name, const Settings& settings) {
  Scene scene = read_scene(assets_folder() + "/scenes/" + name + ".toml");
  for (const auto& [key, value] : settings) scene.set(key, value);
  return scene;
}

Run run(const Scene& scene, int count) {
  const auto device = Device::create(DeviceChoice::cpu, 2);
  Simulation simulation(scene, *device);
  Run run;
  for (int i = 0; i < count; ++i) {
    simulation.step();
    run.steps.look(simulation.state().step, simulation.stats(), device->profiler().stages());
  }
  run.scene = simulation.scene();
  run.mesh = mesh_facts(scene_view_of(simulation));
  return run;
}

const StepReason* find(const std::vector<StepReason>& list, Kind kind) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const StepReason& r) { return r.kind == kind; });
  return found == list.end() ? nullptr : &*found;
}

/// The mean of a number before the change of a reason, and after it, of the same steps.
std::pair<double, double> helps(const std::string& name, const Settings& settings, int count, Kind kind,
                                const std::string& number, bool slow = false) {
  const Run before = run(scene_of(name, settings), count);
  const auto list = before.list(slow);
  const StepReason* reason = find(list, kind);
  REQUIRE_MESSAGE(reason, name);
  REQUIRE_FALSE(reason->change.empty());
  CHECK_FALSE(reason->button.empty());
  Scene changed = scene_of(name, settings);
  for (const auto& [key, value] : reason->change) changed.set(key, value);
  const std::pair result(before.steps.mean(number), run(changed, count).steps.mean(number));
  MESSAGE(fmt::format("{}: {} ({}): {} {:.4g}, then {:.4g}", name, reason->words, reason->button, number,
                      result.first, result.second));
  return result;
}

}  // namespace

TEST_CASE("what a solver leaves is told, and the change that goes with it leaves less") {
  for (const auto& [name, settings] :
       std::vector<std::pair<std::string, Settings>>{{"wang2023/spin_small", {{"step.solver", "newton"}}},
                                                     {"wang2023/needle_small", {{"step.solver", "newton"}}},
                                                     {"wang2023/needle_small", {}},
                                                     {"wang2023/spin_small", {}},
                                                     {"wang2021/square_small", {}}}) {
    const auto [before, after] = helps(name, settings, 20, Kind::unsolved, "solver_residual");
    CHECK(after < 0.7 * before);
  }
}

TEST_CASE("contact that ends at its limit of steps is told, and a higher limit lets cloth go on") {
  const auto [before, after] =
      helps("wang2023/funnel_small", {{"two_way.step_limit", "2"}}, 40, Kind::contact_limit, "residual");
  CHECK(after < 0.5 * before);
}

TEST_CASE("layers that lie close are told, and lie further apart with fewer close pairs") {
  const auto [before, after] = helps("wang2023/stack_small", {}, 32, Kind::pairs, "edge_edge_pairs", true);
  CHECK(after < 0.8 * before);
}

TEST_CASE("cloth inside a body is told, and begins with a method that keeps it out") {
  const auto [before, after] = helps("drape_sphere", {{"step.collision", "none"}, {"newton.steps", "4"}}, 30,
                                     Kind::inside_body, "max_penetration");
  CHECK(before > 1e-3);
  CHECK(after == 0);
}

TEST_CASE("soft cloth that a load stretches is told, and stiffer cloth stretches less") {
  const auto [before, after] =
      helps("hanging_corners", {{"fabric.stretch_stiffness", "20"}, {"newton.steps", "32"}}, 60,
            Kind::stretched, "max_stretch");
  CHECK(before > 1.15);
  CHECK(after - 1 < 0.5 * (before - 1));
}

TEST_CASE("steps that are solved and contact that is done give no reason") {
  const Run calm = run(scene_of("curtain", {}), 20);
  for (const StepReason& r : calm.list()) FAIL_CHECK(r.words);
}

TEST_CASE("crossings come first, and two-way contact is offered where the method does not rule them out") {
  Run calm = run(scene_of("curtain", {}), 10);
  VerdictRecord record;
  StateVerdict verdict;
  verdict.step = 7, verdict.own = 2, verdict.triangles = {3, 4};
  record.take(verdict);
  const auto open = calm.list(true, &record);
  REQUIRE_FALSE(open.empty());
  CHECK(open.front().kind == Kind::crosses);
  CHECK(open.front().words == "Cloth crosses itself, since step 7");
  CHECK(open.front().change == Settings{{"step.collision", "two_way"}});
  CHECK(open.front().restart);
  calm.scene.set("step.collision", "two_way");
  const auto promised = calm.list(true, &record);
  REQUIRE_FALSE(promised.empty());
  CHECK(promised.front().kind == Kind::crosses);
  CHECK_FALSE(promised.front().has_change());
}

TEST_CASE("slow steps of a solver are told with their share, and half the vertices are half the vertices") {
  const Run calm = run(scene_of("hanging_corners", {{"newton.steps", "32"}}), 10);
  const auto list = calm.list(true);
  const StepReason* reason = find(list, Kind::solver_time);
  REQUIRE(reason);
  REQUIRE(reason->coarser > 1);
  Scene coarse = calm.scene;
  scale_edges(coarse, reason->coarser, calm.mesh);
  const double share = double(run(coarse, 1).mesh.vertices) / calm.mesh.vertices;
  CHECK(share > 0.42);
  CHECK(share < 0.58);
}

TEST_CASE("a mesh whose vertices are named by pins keeps its edges") {
  Scene scene = scene_of("curtain", {});
  scene.pins.push_back({.vertices = {0}});
  const Run pinned = run(scene, 10);
  CHECK_FALSE(pinned.mesh.other_edges);
  const auto list = pinned.list(true);
  REQUIRE(find(list, Kind::solver_time));
  CHECK_FALSE(find(list, Kind::solver_time)->has_change());
}

TEST_CASE("every key that a method names for reasons is a parameter") {
  Scene scene;
  const ParamTable params = scene.params();
  for (const SolverEntry& e : solvers())
    if (!e.effort.key.empty()) CHECK_MESSAGE(params.find(e.effort.key), e.name);
  for (const CollisionEntry& e : collision_methods())
    for (const std::string& key : {e.limit, e.apart})
      if (!key.empty()) CHECK_MESSAGE(params.find(key), e.name);
}
