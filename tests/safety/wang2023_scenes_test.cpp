// Two-way collision handling (Wang 2023) under the exact checker: cloth against cloth and against bodies.
#include <doctest/doctest.h>

#include "sim/scene/scene_file.h"
#include "tests/safety/scene_trials.h"

using namespace weft;

namespace {

enum class Way { plain, violent_drag, long_steps };
const char* name_of(Way w) { return w == Way::plain ? "as it is" : w == Way::violent_drag ? "dragged at 5 m/s" : "dt 1/20 s"; }

void run_safely(const std::string& file, Way way, unsigned seed, float longest) {
  CAPTURE(file);
  CAPTURE(seed);
  const std::string what = name_of(way);
  CAPTURE(what);
  std::mt19937 random(seed);
  Scene scene = read_scene(assets_folder() + "/scenes/" + file);
  scene.set("step.collision", "two_way");
  if (way == Way::violent_drag) check::add_violent_drag(scene, random);
  if (way == Way::long_steps) scene.step.dt = 1.0f / 20;
  const float seconds = std::min(scene.duration, longest);
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(std::move(scene), *device);
  check::jitter(sim, random);
  const check::Trial out = check::run_under_check(sim, seconds);
  MESSAGE(file << ", " << what << ", seed " << seed << ": " << out.crossed_states << " of " << out.states << " states crossed; forward steps " << out.steps << " ("
               << out.most_steps << "), stretch " << out.stretch);
  const std::string& first = out.first_crossing;
  CAPTURE(first);
  CHECK(out.crossed_states == 0);
}

/// Three seeds in a row take all ways.
void default_run(const std::string& file, unsigned index) {
  const unsigned seed = check::safety_seed();
  run_safely(file, Way((seed + index) % 3), seed, 1.0f);
}

}  // namespace

TEST_SUITE("safety") {
  TEST_CASE("triangles of the small funnel never cross anything") { default_run("wu2020/funnel_small.toml", 0); }
  TEST_CASE("triangles of the small table never cross anything") { default_run("wu2020/table_small.toml", 1); }
  TEST_CASE("triangles of the small sphere never cross anything") { default_run("wu2020/sphere_drape_small.toml", 2); }
  TEST_CASE("triangles of the small stack never cross anything") { default_run("wu2020/stack_small.toml", 0); }
  TEST_CASE("triangles of the small curtain never cross anything") { default_run("wu2020/curtain_small.toml", 1); }
}
