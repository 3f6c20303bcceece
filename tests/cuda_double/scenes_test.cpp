// Whole steps of every solver with every collision method, and of every choice that they offer, through the
// CUDA side, on the double of its runtime, against the CPU.
//
// Threads of a launch run in another order each time, so that equal bits also mean that no row reads what
// another one writes (as far as an order shows it; see races_test.cpp).
#include <doctest/doctest.h>

#include "cuda/cuda_device.h"
#include "tests/cuda/alike.h"
#include "tests/cuda_double/double.h"
#include "tests/support/variants.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Of steps that are launched, recorded, played and, with a hand in the second half, recorded anew; and of
/// steps that are launched.
void compare_recorded(const Scene& scene, int steps) {
  uint64_t hashes[2] = {};
  for (const bool graphs : {false, true}) {
    const auto device = Device::create(DeviceChoice::cuda);
    cuda::cuda_device(*device).graphs = graphs;
    hashes[graphs] = hash_after(scene, *device, steps);
    CHECK(cuda::cuda_device(*device).graphs == graphs);  // no recording has failed
  }
  CHECK(hashes[0] == hashes[1]);
}

/// Against the CPU; `faster`: with all faster ways, else a launch for each iteration.
void compare_with_cpu(const Scene& scene, int steps, bool faster) {
  CAPTURE(faster);
  const auto cpu = Device::create(DeviceChoice::cpu, 1), device = Device::create(DeviceChoice::cuda);
  cuda::CudaDevice& d = cuda::cuda_device(*device);
  if (!faster) d.graphs = d.resident_iterations = d.cooperative_iterations = false;
  check_alike(scene, *cpu, *device, steps, [&](Simulation& s, int i) {
    if (i == steps / 2) s.apply(GrabBegin{1, s.model().vertex_count() / 2, vec3(0.3f, 0.3f, 0.4f), 0.05f});
    if (i > steps / 2) s.apply(GrabMove{1, vec3(0.05f, 0.35f, 0.01f * float(i))});
  });
}

}  // namespace

TEST_CASE("every solver with every collision method moves a small cloth as on the CPU") {
  for (const Variant& v : every_variant()) {
    if (!v.key.empty()) continue;
    INFO(v.name());
    compare_recorded(v.scene(200), 8);
    for (const bool faster : {true, false}) compare_with_cpu(v.scene(200), 8, faster);
  }
}

TEST_CASE("every choice of every method moves a small cloth as on the CPU") {
  for (const Variant& v : every_variant()) {
    if (v.key.empty()) continue;
    INFO(v.name());
    compare_recorded(v.scene(120), 5);
    compare_with_cpu(v.scene(120), 3, true);
  }
}
