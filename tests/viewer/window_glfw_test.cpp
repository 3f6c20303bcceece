// The window on its desktop: mouse and keys that come faster than pictures, full screen.
#include <doctest/doctest.h>

#include "tests/viewer/window_desktop.h"

using namespace weft;
using testing::Desktop;
using testing::RunningWeft;
using testing::write_small_scene;
using Report = RunningWeft::Report;

TEST_CASE("clicks at several places count though all of them come within one picture") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1100x760", "--paused"});
  const auto [x, y] = weft.item("play");
  const auto [u, v] = weft.item("undo");
  weft.key("ctrl+k");
  const auto finds = [](const Report& r) { return r["items"].contains("finder.query"); };
  weft.wait_until("the finder", finds);
  weft.stall();
  // beside the finder, which puts it away; then a button; and the cursor goes on before the window looks
  weft.move_to(u + 300, v + 200), weft.press(), weft.release();
  weft.move_to(x, y), weft.press(), weft.release();
  weft.move_to(u + 320, v + 150);
  weft.go_on();
  weft.wait_until(
      "the second click counts", [](const Report& r) { return r["playing"] == true; }, 10);
  CHECK_FALSE(finds(weft.fresh()));

  // three of one button, the last of them with the cursor elsewhere
  weft.stall();
  for (int i = 0; i < 3; ++i) {
    weft.move_to(x, y), weft.press(), weft.release();
    weft.move_to(x, y + 200);
  }
  weft.go_on();
  weft.wait_until(
      "an odd number of them", [](const Report& r) { return r["playing"] == false; }, 10);

  weft.key("ctrl+k");
  weft.wait_until("the finder", finds);
  weft.xdotool("type zzz");
  weft.fresh();
  const auto [fx, fy] = weft.item("finder.query", 0.1);
  // A double-click selects the word; what is typed then replaces it.
  weft.move_to(fx, fy);
  weft.fresh();
  weft.stall();
  weft.xdotool("click --repeat 2 --delay 40 1");
  weft.xdotool("type bend");
  weft.go_on();
  weft.wait_until(
      "the text counts",
      [](const Report& r) {
        for (const auto& item : r["items"].items())
          if (item.key().find("found:") == 0 && item.key().find("bend") != std::string::npos) return true;
        return false;
      },
      10);
}

TEST_CASE("full screen fills the screen and gives the window its size back") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1000x700", "--paused"});
  const auto places = [&] {
    weft.fresh();
    return desktop.shell("xdotool getwindowgeometry $(xdotool search --onlyvisible --class weft | head -1)");
  };
  const auto becomes = [&](const std::string& size) {
    for (int i = 0; i < 50; ++i)
      if (const std::string now = places(); now.find("Geometry: " + size) != std::string::npos) return now;
    return "not " + size + ": " + places();
  };
  const std::string before = becomes("1000x700");
  const Report small = weft.fresh();
  weft.key("F11");
  const std::string full = becomes("1400x900");
  CHECK(full.find("Position: 0,0") != std::string::npos);
  CHECK(weft.fresh()["viewport"][3] > small["viewport"][3]);
  CHECK(weft.screenshot().width == 1400);
  weft.key("F11");
  CHECK(becomes("1000x700") == before);

  // the entry in the View panel does the same
  weft.key("ctrl+k");
  weft.fresh();
  weft.xdotool("type 'full screen'");
  weft.fresh();
  weft.key("Return");
  CHECK(becomes("1400x900").find("not") == std::string::npos);
}
