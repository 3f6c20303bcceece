// Loads that take their time: what they tell, and how they are cancelled.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/work_watch.h"
#include "sim/dressing/dress.h"
#include "sim/run/runner.h"
#include "test_paths.h"
#include "tests/runner/small_scene.h"
#include "tests/support/wait.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// A T-shirt that is dressed before the first step. The tension makes it differ from any result in the cache.
Scene dressed_shirt() {
  Scene scene =
      dressing_scene(std::string(WEFT_TEST_ASSETS) + "/../assets/garments/tshirt.json", {}, 0.05, {});
  scene.cloths[0].start = "dressed";
  scene.set("step.collision", "two_way");
  scene.set("sewing.tension", "31.7");
  return scene;
}

}  // namespace

TEST_CASE("garments that are put on are seen while a load or the first scene waits for them") {
  const auto fits = [](const SeenWork& seen) {
    return seen.view->parts.size() == 1 && seen.view->obstacle_meshes.size() == 1 &&
           seen.frame->positions.size() == seen.view->uv.size() &&
           seen.frame->normals.size() == seen.frame->positions.size() &&
           seen.frame->model_id == seen.view->model_id;
  };
  Runner runner(small_scene(), {.device = DeviceChoice::cpu, .threads = 1, .open = open_simulation});
  const uint64_t before = runner.scene_view()->model_id, load = runner.load(dressed_shirt());
  SeenWork first, later;
  REQUIRE(wait_for([&] {
    const auto work = runner.loading();
    if (!work || !work->seen.frame) return false;
    (first.frame ? later : first) = work->seen;
    return later.frame && later.frame->step > first.frame->step;
  }));
  CHECK(fits(first));
  CHECK(fits(later));
  CHECK(first.frame->positions != later.frame->positions);
  CHECK(later.frame->obstacle_positions[0] != nullptr);  // the body grows
  CHECK(runner.scene_view()->model_id == before);        // the old scene is still the one that is run
  runner.cancel_loads();
  REQUIRE(wait_for([&] { return runner.loads_ended() == load; }));
  CHECK_FALSE(runner.loading());

  std::vector<SeenWork> seen;  // of the first scene, given up when enough was seen
  const WorkWatch watch([&] { return seen.size() > 2; });
  Runner::Options options{.device = DeviceChoice::cpu, .threads = 1, .open = open_simulation};
  options.show = [&](const SeenWork& s) { seen.push_back(s); };
  CHECK_THROWS_AS(Runner(dressed_shirt(), options), Interrupted);
  REQUIRE(seen.size() > 2);
  CHECK(fits(seen.back()));
}

TEST_CASE("a load that takes long tells what it does, and a cancelled one leaves the old scene running") {
  Runner runner(small_scene(), {.device = DeviceChoice::cpu, .threads = 1, .open = open_simulation});
  const uint64_t shown = runner.scene_view()->model_id;
  CHECK_FALSE(runner.loading());
  const uint64_t first = runner.load(dressed_shirt());
  REQUIRE(wait_for([&] { return runner.loading() && runner.loading()->share > 0; }));
  CHECK(runner.loading()->what.find("Dressing: ") == 0);
  CHECK(runner.loads_ended() < first);
  runner.cancel_loads();
  REQUIRE(wait_for([&] { return runner.loads_ended() == first; }));
  CHECK_FALSE(runner.loading());
  CHECK(runner.scene_view()->model_id == shown);
  const auto messages = runner.take_messages();
  CHECK(std::count_if(messages.begin(), messages.end(),
                      [](const auto& m) { return m.second.find("cancelled") != std::string::npos; }) == 1);
  // A later load is not cancelled, and ends one that still runs, of which nothing is said.
  const uint64_t slow = runner.load(dressed_shirt());
  REQUIRE(wait_for([&] { return runner.loading() && runner.loading()->share > 0; }));
  runner.load(small_scene());
  bool shown_after_all = false;
  REQUIRE(wait_for([&] {
    shown_after_all |= runner.scene_view()->load == slow;
    return runner.loads_ended() > slow;
  }));
  CHECK_FALSE(shown_after_all);
  CHECK(runner.take_messages().empty());
  CHECK(runner.scene_view()->load == slow + 1);
  const uint64_t third = runner.load(small_scene());
  REQUIRE(wait_for([&] { return runner.loads_ended() == third; }));
  CHECK(runner.scene_view()->load == third);
}
