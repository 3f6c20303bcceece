// What the whole window looks like, and whether it stays fluent.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "sim/scene/text/scene_file.h"
#include "test_paths.h"
#include "tests/viewer/image_difference.h"
#include "tests/viewer/window_desktop.h"
#include "viewer/session/window_session.h"
#include "viewer/window/window.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

TEST_CASE("the window looks like its reference, and a wrong picture would not pass") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1280x720", "--paused"});
  weft.move_to(640, 5);
  weft.wait_until("the messages of the start are gone",
                  [](const Report& r) { return !r["fading"].get<bool>(); });
  weft.fresh();
  const Image seen = weft.screenshot();
  const std::string reference_path = std::string(WEFT_TEST_ASSETS) + "/viewer/reference/window.png";
  if (std::getenv("WEFT_WRITE_REFERENCE")) {  // after a wanted change; look at it before it is kept
    std::filesystem::create_directories(std::filesystem::path(reference_path).parent_path());
    write_png(reference_path, seen);
    return;
  }
  const Image reference = read_png(reference_path);
  // Text that names the machine (device, OpenGL) and other drivers' edges differ in less than this share of
  // the blocks.
  constexpr double kTolerance = 0.015;
  const double off = image_difference(seen, reference).share_off;
  CHECK(off < kTolerance);

  weft.key("2");
  weft.wait_until("the cloth has the colours of its stretch",
                  [](const Report& r) { return r["colouring"] == "stretch" && r["field"] == "stretch"; });
  weft.fresh();
  CHECK(image_difference(weft.screenshot(), reference).share_off > 2 * kTolerance);
  weft.key("1");
  weft.key("h");
  weft.wait_until("the cloth is plain and the panels are hidden",
                  [](const Report& r) { return r["colouring"] == "none" && !r["panels"].get<bool>(); });
  weft.fresh();
  CHECK(image_difference(weft.screenshot(), reference).share_off > 2 * kTolerance);
  weft.key("h");
  weft.wait_until("the panels are back", [](const Report& r) { return r["panels"].get<bool>(); });
  weft.fresh();
  CHECK(image_difference(weft.screenshot(), reference).share_off < kTolerance);
}

TEST_CASE("the window stays fluent while a step takes half a second") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  setenv("DISPLAY", desktop.display().c_str(), 1);
  WindowOptions options;
  options.scene = read_scene(write_small_scene(desktop));
  options.fresh = options.paused = true;
  options.width = 1000, options.height = 700, options.scale = 1;
  Window window(options);
  window.set_unthrottled(true);
  Runner& runner = window.session().runner();
  // How fluent it stays is measured by `weft bench --window`. Here: pictures come while a step is under way,
  // many of them.
  for (const bool busy : {false, true}) {
    runner.set_test_delay(0.5, busy);
    runner.step_once();
    const int step = window.session().frame().step;
    const long before = window.pictures();
    while (window.session().frame().step == step) REQUIRE(window.turn());
    CHECK(window.pictures() - before > 3);
  }
}

TEST_CASE("without a display the window says so instead of opening") {
  const char* display = std::getenv("DISPLAY");
  const std::string kept = display ? display : "";
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  const std::string kept_wayland = wayland ? wayland : "";
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  WindowOptions options;
  options.fresh = true;
  CHECK_THROWS_WITH_AS(run_window(options), doctest::Contains("--headless"), std::runtime_error);
  if (display) setenv("DISPLAY", kept.c_str(), 1);
  if (wayland) setenv("WAYLAND_DISPLAY", kept_wayland.c_str(), 1);
}
