// A whole scene on both devices.
#include <algorithm>

#include "sim/run/simulation.h"
#include "tests/cuda/alike.h"
#include "tests/device/for_each_device.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// A cloth that hangs from two corners and swings into a sphere, which it meets in the fourth step: every
/// kernel of the default step at work.
Scene small_scene() {
  Scene scene;
  Cloth cloth;
  cloth.size = {0.5f, 0.5f};
  cloth.vertices = 900;
  cloth.placement.position = {0, 1, 0};
  scene.cloths.push_back(cloth);
  Pin pin;
  pin.where = "top_left";
  scene.pins.push_back(pin);
  pin.where = "top_right";
  scene.pins.push_back(pin);
  Obstacle sphere;
  sphere.placement.position = {0, 0.8f, 0.12f};
  scene.obstacles.push_back(sphere);
  scene.forces.wind = {0, 0, 3};
  return scene;
}

void run_steps(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) simulation.step();
}

}  // namespace

TEST_CASE("a scene moves alike on the CPU and on CUDA, with every solver") {
  for_cpu_and_cuda([](Device& cpu, Device& gpu) {
    // Of Newton's method: conditional nodes, the coarsest level in one resident launch, single launches and
    // cooperative ones.
    const std::pair<const char*, const char*> ways[] = {
        {"descent", "springs"}, {"newton", "springs"}, {"newton", "finite_elements"}};
    for (const auto& [solver, elastic] : ways) {
      CAPTURE(solver);
      CAPTURE(elastic);
      Scene scene = small_scene();
      scene.set("step.solver", solver);
      scene.set("step.elastic_model", elastic);
      check_alike(scene, cpu, gpu, 10, [](Simulation&, int) {});
    }
  });
}

TEST_CASE("a scene has the same bits from run to run on every device") {
  for_each_device([](Device& device) {
    uint64_t first = 0;
    for (int run = 0; run < 3; ++run) {
      Simulation simulation(small_scene(), device);
      run_steps(simulation, 30);
      if (run == 0) first = simulation.hash();
      CHECK(simulation.hash() == first);
    }
  });
}

TEST_CASE("a state that moves from device to device keeps its bits") {
  for_cpu_and_cuda([](Device& cpu, Device& gpu) {
    Simulation a(small_scene(), cpu), b(small_scene(), gpu);
    run_steps(a, 10);
    b.restore(a.snapshot());
    CHECK(b.hash() == a.hash());
    run_steps(b, 10);
    a.restore(b.snapshot());
    CHECK(a.hash() == b.hash());
  });
}
