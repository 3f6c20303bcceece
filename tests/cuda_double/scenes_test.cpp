// Whole steps of every solver with every collision method through the CUDA side, on the double of its
// runtime, against the CPU.
#include <doctest/doctest.h>

#include "cuda/cuda_device.h"
#include "sim/methods/method_table.h"
#include "sim/run/simulation.h"
#include "tests/cuda/alike.h"
#include "tests/cuda_double/double.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// About 200 vertices that hang from a corner and meet a sphere, a plane and themselves.
Scene small_scene() {
  Scene scene;
  Cloth cloth;
  cloth.size = {0.4f, 0.4f};
  cloth.vertices = 200;
  cloth.placement.position = {0, 0.35f, 0};
  cloth.placement.rotation = {-80, 0, 0};
  scene.cloths.push_back(cloth);
  Pin pin;
  pin.where = "top_left";
  scene.pins.push_back(pin);
  Obstacle sphere;
  sphere.placement.position = {0, 0.22f, 0};
  scene.obstacles.push_back(sphere);
  scene.forces.wind = {0, 0, 3};
  return scene;
}

/// Against the CPU, with a hand in the second half, so that steps are launched, recorded, played and recorded
/// anew; and the bits of steps that are launched. Then with all faster ways off: a launch for each iteration.
void compare(const Scene& scene, int steps) {
  const auto hand = [&](Simulation& s, int i) {
    if (i == steps / 2) s.apply(GrabBegin{1, s.model().vertex_count() / 2, vec3(0.3f, 0.3f, 0.4f), 0.05f});
    if (i > steps / 2) s.apply(GrabMove{1, vec3(0.05f, 0.35f, 0.01f * float(i))});
  };
  const auto cpu = Device::create(DeviceChoice::cpu, 1);
  uint64_t hashes[2] = {};
  for (const bool graphs : {false, true}) {
    const auto device = Device::create(DeviceChoice::cuda);
    cuda::cuda_device(*device).graphs = graphs;
    Simulation simulation(scene, *device);
    for (int i = 0; i < steps; ++i) hand(simulation, i), simulation.step();
    for (const auto scalar :
         {Simulation::Scalar::stretch, Simulation::Scalar::speed, Simulation::Scalar::contact})
      simulation.device_scalar(scalar);
    simulation.stats();
    hashes[graphs] = simulation.hash();
    CHECK(cuda::cuda_device(*device).graphs == graphs);  // no recording has failed
  }
  CHECK(hashes[0] == hashes[1]);
  for (const bool faster : {true, false}) {
    CAPTURE(faster);
    const auto device = Device::create(DeviceChoice::cuda);
    cuda::CudaDevice& d = cuda::cuda_device(*device);
    if (!faster) d.graphs = d.resident_iterations = d.cooperative_iterations = false;
    check_alike(scene, *cpu, *device, steps, hand);
  }
}

/// `scene` with one parameter after the other at each of its choices.
void compare_choices(const Scene& scene,
                     const std::vector<std::pair<std::string, std::vector<std::string>>>& choices) {
  for (const auto& [key, values] : choices)
    for (const std::string& value : values) {
      INFO(key << " = " << value);
      Scene changed = scene;
      changed.set(key, value);
      compare(changed, 4);
    }
}

}  // namespace

TEST_CASE("every solver with every collision method moves a small cloth as on the CPU") {
  for (const SolverEntry& solver : solvers())
    for (const CollisionEntry& collision : collision_methods()) {
      if (!why_not(solver, collision).empty()) continue;
      INFO(solver.name << " with " << collision.name);
      Scene scene = small_scene();
      if (solver.refuses) scene.cloths[0].pattern = "square";
      scene.set("step.solver", solver.name);
      scene.set("step.collision", collision.name);
      compare(scene, 8);
    }
}

TEST_CASE("every model and every variant of a method moves a small cloth as on the CPU") {
  for (const SolverEntry& solver : solvers()) {
    INFO(solver.name);
    Scene scene = small_scene();
    scene.set("step.solver", solver.name);
    if (solver.refuses) scene.cloths[0].pattern = "square";
    compare_choices(scene, {{"step.elastic_model", {"finite_elements", "st_venant_kirchhoff"}}});
    if (!solver.refuses) compare_choices(scene, {{"step.bending_model", {"dihedral", "meshless"}}});
  }
  Scene newton = small_scene();
  newton.set("step.solver", "newton");
  compare_choices(newton, {{"newton.preconditioner", {"block_jacobi"}}});
  Scene two_way = small_scene();
  two_way.set("step.collision", "two_way");
  compare_choices(two_way, {{"two_way.bound", {"half_distance"}},
                            {"two_way.form", {"gap"}},
                            {"two_way.lcp", {"jacobi"}},
                            {"two_way.friction_by", {"velocity_filter"}},
                            {"two_way.together", {"false"}}});
  Scene ndb = small_scene();
  ndb.set("step.collision", "ndb");
  ndb.set("step.solver", "projective");
  compare_choices(ndb, {{"ndb.barrier", {"distance"}},
                        {"ndb.samples", {"bernstein", "six"}},
                        {"ndb.exit", {"toi"}},
                        {"ndb.advance", {"exit"}},
                        {"ndb.keep_weights", {"false"}}});
  Scene repulsion = small_scene();
  repulsion.set("step.collision", "repulsion");
  compare_choices(repulsion, {{"repulsion.integration", {"interleaving", "post_processing", "phantom_mesh"}},
                              {"repulsion.soft_phase", {"false"}}});
}
