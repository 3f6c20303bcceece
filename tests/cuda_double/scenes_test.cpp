// Whole steps of every solver with every collision method through the CUDA side, on the double of its runtime, against the CPU.
#include <doctest/doctest.h>

#include <algorithm>

#include "cuda/cuda_device.h"
#include "sim/methods/method_table.h"
#include "sim/run/simulation.h"
#include "tests/cuda_double/double.h"

using namespace weft;

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

struct Outcome {
  std::vector<vec3> positions;
  uint64_t hash = 0;
};

/// Some steps with a hand and a slider in them, so that steps are launched, recorded, played, and recorded anew.
Outcome after_steps(const Scene& scene, Device& device, int steps) {
  Simulation simulation(scene, device);
  for (int i = 0; i < steps; ++i) {
    if (i == steps / 2) simulation.apply(GrabBegin{1, simulation.model().vertex_count() / 2, vec3(0.3f, 0.3f, 0.4f), 0.05f});
    if (i > steps / 2) simulation.apply(GrabMove{1, vec3(0.05f, 0.35f, 0.01f * float(i))});
    simulation.step();
  }
  simulation.device_scalar(Simulation::Scalar::stretch);
  simulation.device_scalar(Simulation::Scalar::speed);
  simulation.device_scalar(Simulation::Scalar::contact);
  simulation.stats();
  return {simulation.positions(), simulation.hash()};
}

float largest_difference(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  float most = a.size() == b.size() ? 0.0f : 1e9f;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) most = std::max(most, glm::length(a[i] - b[i]));
  return most;
}

/// On the CPU, on the double as the program runs there, and with all its faster ways off: a launch for each iteration.
void compare(const Scene& scene, int steps) {
  const auto cpu = Device::create(DeviceChoice::cpu, 1);
  const Outcome expected = after_steps(scene, *cpu, steps);
  Outcome fast, plain;
  {
    const auto device = Device::create(DeviceChoice::cuda);
    fast = after_steps(scene, *device, steps);
    CHECK(cuda::cuda_device(*device).graphs);  // no recording has failed
  }
  {
    const auto device = Device::create(DeviceChoice::cuda);
    cuda::CudaDevice& d = cuda::cuda_device(*device);
    d.graphs = d.resident_iterations = d.cooperative_iterations = false;
    plain = after_steps(scene, *device, steps);
  }
  MESSAGE("difference to the CPU " << largest_difference(expected.positions, fast.positions) << " m, to plain launches "
                                   << largest_difference(fast.positions, plain.positions) << " m");
  CHECK(largest_difference(expected.positions, fast.positions) < 1e-3f);
  CHECK(largest_difference(fast.positions, plain.positions) < 1e-3f);
}

/// `scene` with one parameter after the other at each of its choices.
void compare_choices(const Scene& scene, const std::vector<std::pair<std::string, std::vector<std::string>>>& choices) {
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
    compare_choices(scene, {{"step.elastic_model", {"finite_elements", "st_venant_kirchhoff"}},
                            {"step.bending_model", {"dihedral", "meshless"}}});
  }
  Scene newton = small_scene();
  newton.set("step.solver", "newton");
  compare_choices(newton, {{"newton.preconditioner", {"block_jacobi"}}});
  Scene two_way = small_scene();
  two_way.set("step.collision", "two_way");
  compare_choices(two_way, {{"two_way.bound", {"half_distance"}}, {"two_way.form", {"gap"}}, {"two_way.lcp", {"jacobi"}},
                            {"two_way.friction_by", {"velocity_filter"}}, {"two_way.together", {"false"}}});
  Scene repulsion = small_scene();
  repulsion.set("step.collision", "repulsion");
  compare_choices(repulsion, {{"repulsion.integration", {"interleaving", "post_processing", "phantom_mesh"}},
                              {"repulsion.soft_phase", {"false"}}});
}
