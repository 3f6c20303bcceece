// Steps that a GPU plays back from a recording, iterations that it makes in one launch, and the metre of
// cloth on both devices.
#include <algorithm>

#include "sim/run/simulation.h"
#include "sim/scene/text/scene_file.h"
#include "tests/cuda/alike.h"
#include "tests/device/for_each_device.h"
#if WEFT_CUDA
#include "cuda/cuda_device.h"
#endif

using namespace weft;
using namespace weft::testing;

namespace {

/// The metre of cloth; of fewer vertices where a step takes long (tests/cuda_double).
Scene large_scene() {
  Scene scene = read_scene(large_scene_path());
#ifdef WEFT_LARGE_VERTICES
  scene.cloths[0].vertices = WEFT_LARGE_VERTICES;
#endif
  return scene;
}

/// The metre of cloth's positions after some steps.
std::vector<vec3> large_scene_after(Device& device, int steps, bool shaken = false) {
  Simulation simulation(large_scene(), device);
  if (shaken) shake(simulation);
  for (int i = 0; i < steps; ++i) simulation.step();
  return simulation.positions();
}

}  // namespace

TEST_CASE("a metre of cloth is the same on both devices after 1 and after 50 steps") {
  for_cpu_and_cuda([](Device& cpu, Device& gpu) {
    for (const int steps : {1, 50}) {
      CAPTURE(steps);
      const auto exact = large_scene_after(cpu, steps), other = large_scene_after(gpu, steps);
      // The devices differ by roundings: sums in another order, other contractions. How far roundings drive
      // this scene apart is measured by a start that is off by half an ulp at 1 m (6e-8 m). A step of some 40
      // dependent iterations rounds that often.
      const float apart = largest_difference(exact, large_scene_after(cpu, steps, true));
      const float difference = largest_difference(exact, other);
      MESSAGE("difference " << difference << " m; half an ulp at the start becomes " << apart << " m");
      CHECK(difference <= 40 * std::max(apart, 1.2e-7f));
    }
  });
}

#if WEFT_CUDA
namespace {

template <class Change>
std::vector<vec3> dragged(const char* solver, const Change& change, uint64_t& hash, int& launches) {
  const auto device = Device::create(DeviceChoice::cuda);
  change(cuda::cuda_device(*device));
  const bool graphs = cuda::cuda_device(*device).graphs;
  Scene scene = large_scene();
  scene.set("step.solver", solver);
  Simulation simulation(std::move(scene), *device);
  for (int i = 0; i < 60; ++i) {
    if (i == 10) simulation.apply(GrabBegin{1, 100, vec3(0.3f, 0.3f, 0.4f), 0.05f});
    if (i > 10 && i < 30) simulation.apply(GrabMove{1, vec3(0.1f, 1.0f, 0.02f * float(i))});
    if (i == 30) simulation.apply(SetParam{"fabric.stretch_stiffness", "3000"});
    if (i == 40) simulation.apply(GrabEnd{1});
    simulation.step();
  }
  CHECK(cuda::cuda_device(*device).graphs == graphs);  // no recording has failed
  hash = simulation.hash();
  launches = device->profiler().launches();
  return simulation.positions();
}

}  // namespace

TEST_CASE("a step that is played back gives the bits of one that is launched") {
  if (!cuda_missing().empty()) return skip(cuda_missing());
  for (const char* solver : {"newton", "descent"}) {
    CAPTURE(solver);
    uint64_t played = 0, launched = 0;
    int launches = 0, unused = 0;
    dragged(
        solver, [](cuda::CudaDevice&) {}, played, unused);
    dragged(
        solver, [](cuda::CudaDevice& d) { d.graphs = false; }, launched, launches);
    CHECK(played == launched);
    MESSAGE(launches << " launches per step");
    // Newton's method takes as many iterations as a step needs
    if (std::string(solver) == "descent") CHECK(launches <= 150);
  }
}

TEST_CASE(
    "steps with parts that run on a condition give the same bits played back, also after they have been "
    "recorded anew") {
  if (!cuda_missing().empty()) return skip(cuda_missing());
  const std::pair<const char*, const char*> ways[] = {
      {"descent", "repulsion"}, {"descent", "two_way"}, {"newton", "two_way"}};
  for (const auto& [solver, collision] : ways) {
    CAPTURE(solver);
    CAPTURE(collision);
    uint64_t hash[2] = {0, 0};
    for (int played = 0; played < 2; ++played) {
      const auto device = Device::create(DeviceChoice::cuda);
      cuda::cuda_device(*device).graphs = played == 1;
      Scene scene = read_scene(default_scene_path());
      scene.set("step.solver", solver);
      scene.set("step.collision", collision);
      Simulation simulation(std::move(scene), *device);
      for (int i = 0; i < 24; ++i) {
        if (i == 6) simulation.apply(GrabBegin{1, 5, vec3(0.3f, 0.3f, 0.4f), 0.05f});
        if (i > 6 && i < 15) simulation.apply(GrabMove{1, vec3(0.1f, 1.0f, 0.02f * float(i))});
        if (i == 15) simulation.apply(GrabEnd{1});
        if (i == 18) simulation.apply(SetParam{"fabric.stretch_stiffness", "3000"});
        simulation.step();
      }
      hash[played] = simulation.hash();
      CHECK(cuda::cuda_device(*device).graphs == (played == 1));  // no recording has failed
    }
    CHECK(hash[1] == hash[0]);
  }
}

TEST_CASE(
    "simulations of different sizes that one GPU records one after the other give the bits of launched "
    "ones") {
  if (!cuda_missing().empty()) return skip(cuda_missing());
  // Their coarsest meshes have other numbers of rows, and their recordings as many nodes: clusters of one
  // block and of several.
  std::vector<uint64_t> hashes[2];
  for (int played = 0; played < 2; ++played) {
    const auto device = Device::create(DeviceChoice::cuda);
    cuda::cuda_device(*device).graphs = played == 1;
    for (const int vertices : {250, 2500, 250}) {
      Scene scene = read_scene(large_scene_path());
      scene.cloths[0].vertices = vertices;
      scene.cloths[0].edge = 0;
      scene.set("step.collision", "bodies");
      Simulation simulation(std::move(scene), *device);
      for (int i = 0; i < 4; ++i) simulation.step();
      hashes[played].push_back(simulation.hash());
    }
    CHECK(cuda::cuda_device(*device).graphs == (played == 1));  // no recording has failed
  }
  CHECK(hashes[1] == hashes[0]);
}

TEST_CASE("iterations in one launch give what iterations in a launch each give") {
  if (!cuda_missing().empty()) return skip(cuda_missing());
  uint64_t hash = 0;
  int few = 0, many = 0;
  const auto one = dragged(
      "newton", [](cuda::CudaDevice&) {}, hash, few);
  const auto each = dragged(
      "newton",
      [](cuda::CudaDevice& d) {
        d.graphs = false;
        d.resident_iterations = d.cooperative_iterations = false;
      },
      hash, many);
  // The same operations in the same order; the compiler may contract them differently in the two kernels.
  MESSAGE("difference " << largest_difference(one, each) << " m");
  CHECK(largest_difference(one, each) < 1e-3f);
  CHECK(many > 300);
}

TEST_CASE(
    "with self-collision iterations in one cooperative launch give what single ones give, with hundreds of "
    "launches fewer") {
  if (!cuda_missing().empty()) return skip(cuda_missing());
  std::vector<vec3> after[2];
  int launches[2] = {0, 0};
  for (int together = 0; together < 2; ++together) {
    const auto device = Device::create(DeviceChoice::cuda);
    cuda::cuda_device(*device).graphs = false;
    cuda::cuda_device(*device).cooperative_iterations = together == 1;
    Scene scene = read_scene(default_scene_path());
    scene.set("step.collision", "repulsion");
    Simulation simulation(std::move(scene), *device);
    for (int i = 0; i < 5; ++i)
      simulation.step(), launches[together] = std::max(launches[together], device->profiler().launches());
    after[together] = simulation.positions();
  }
  MESSAGE(launches[1] << " launches per step, " << launches[0] << " with one for each iteration; difference "
                      << largest_difference(after[0], after[1]) << " m");
  CHECK(largest_difference(after[0], after[1]) < 1e-3f);
  CHECK(launches[0] > launches[1] + 300);
}
#endif
