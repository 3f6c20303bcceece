// Forward steps of two-way collision handling, scene by scene. Bounds may only fall.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "sim/device/device.h"
#include "sim/run/simulation.h"
#include "sim/scene/text/scene_file.h"

using namespace weft;

namespace {

/// Forward steps per time step: mean, most. `steps`: time steps; 0: the scene's whole duration.
struct ForwardStepBound {
  const char* scene;
  int steps;
  double mean;
  int most;
};

/// Bounds are a quarter above measured means and a half above the most: where layers are packed, rounding
/// decides how long a pair stays in the way, and rounding differs between processors and compilers.
constexpr ForwardStepBound kBeginnings[] = {
    {"wang2023/needle_small", 16, 13.3, 57},
    {"wang2023/spin_small", 4, 134.7, 207},
    {"wang2023/reef_knot_small", 40, 2.7, 8},
    {"wang2023/bow_knot_small", 40, 2.2, 5},
    {"wang2023/sphere_small", 20, 3.4, 6},
    {"wang2023/tube_small", 40, 2.5, 6},
    {"wang2023/stack_small", 12, 7.3, 15},
    {"wang2023/table_small", 25, 4.8, 12},
    {"wang2023/blade_small", 5, 46.8, 107},
    {"wang2023/funnel_small", 14, 16.6, 26},
    {"drape_table", 30, 6.2, 12},
};

/// Whole scenes, or as far as two minutes lead.
constexpr ForwardStepBound kScenes[] = {
    {"wang2023/needle_small", 0, 8.6, 57},
    {"wang2023/spin_small", 0, 58.7, 207},
    {"wang2023/reef_knot_small", 0, 4.9, 12},
    {"wang2023/bow_knot_small", 0, 3.7, 11},
    {"wang2023/sphere_small", 0, 7.4, 26},
    {"wang2023/tube_small", 0, 6.4, 24},
    {"wang2023/table_small", 0, 4.2, 12},
    {"wang2023/stack_small", 60, 12.6, 36},
    {"wang2023/funnel_small", 0, 44.7, 254},
    {"wang2023/blade_small", 8, 79.9, 200},
    {"wang2023/gown_small", 120, 3.6, 8},
    {"wang2023/layered_dress_small", 60, 2.6, 8},
    {"lan2024/kick_small", 100, 6.8, 26},
    {"lan2024/skirt_kick_small", 60, 2.5, 5},
    {"tang2018/kung_fu_small", 200, 5.3, 12},
    {"drape_table", 120, 5.0, 12},
    {"default", 150, 2.4, 11},
};

void count_forward_steps(const ForwardStepBound& bound) {
  const std::string file = bound.scene;
  CAPTURE(file);
  Scene scene = read_scene(assets_folder() + "/scenes/" + file + ".toml");
  scene.set("step.collision", "two_way");
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(std::move(scene), *device);
  int taken = 0, most = 0;
  double sum = 0;
  while (bound.steps > 0 ? taken < bound.steps : sim.stats().time < sim.scene().duration) {
    sim.step();
    ++taken;
    sum += sim.stats().collision_steps;
    most = std::max(most, sim.stats().collision_steps);
  }
  MESSAGE(file << ", " << taken << " time steps: " << sum / taken << " (" << most
               << ") forward steps, bounds " << bound.mean << " (" << bound.most << ")");
  CHECK(sum / taken <= bound.mean);
  CHECK(most <= bound.most);
}

}  // namespace

TEST_CASE("forward steps at the beginning of small scenes stay within bounds that only fall") {
  for (const ForwardStepBound& bound : kBeginnings) count_forward_steps(bound);
}

TEST_SUITE("full") {
  TEST_CASE("forward steps of small scenes to their ends stay within bounds that only fall") {
    for (const ForwardStepBound& bound : kScenes) count_forward_steps(bound);
  }
}
