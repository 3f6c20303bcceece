// Loads that take their time: what they tell, and how they are cancelled.
#include <doctest/doctest.h>

#include <algorithm>

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
