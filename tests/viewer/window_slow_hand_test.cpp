// The hand in the window where steps are slow: its mark, its speed, and what the status bar says.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>

#include "tests/viewer/window_desktop.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

/// A fault of the programs that are started while it lives.
struct Slow {
  explicit Slow(const char* how) { setenv("WEFT_INJECT", how, 1); }
  ~Slow() { unsetenv("WEFT_INJECT"); }
};

double distance(const Report& a, double x, double y) {
  return a.is_null() ? 1e9 : std::hypot(a[0].get<double>() - x, a[1].get<double>() - y);
}

bool says(const Report& r, const std::string& words) {
  return r["pace"].get<std::string>().find(words) != std::string::npos;
}

bool shown_at(const Report& r, double x, double y) {
  return r["shown_handles"].size() == 1 && distance(r["shown_handles"][0]["hand_screen"], x, y) < 3;
}

Report on_cloth(RunningWeft& weft, int step) {
  const Report r = weft.wait_until("it runs", [=](const Report& r) { return r["step"] >= step; });
  weft.move_to(r["cloth_screen"][0], r["cloth_screen"][1]);
  weft.wait_until("a triangle is highlighted", [](const Report& r) { return !r["hover"].is_null(); });
  return r;
}

}  // namespace

TEST_CASE("a handle is drawn under the cursor while a long step is being made, and gone with the button") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  const Slow slow("slow:seconds=3:times=0:after=5");
  RunningWeft weft(desktop, {write_small_scene(desktop, 600), "--size", "1200x760"});
  const Report start = on_cloth(weft, 5);
  const double x = std::round(start["cloth_screen"][0].get<double>()),
               y = std::round(start["cloth_screen"][1].get<double>());
  const auto begun = weft.wait_until("a step begins", [&](const Report& r) {
    return r["step"] > start["step"] && says(r, ": solving, 0 s");
  });
  weft.press();
  weft.move_to(x + 150, y - 90);
  const auto moved = std::chrono::steady_clock::now();
  const Report at_once = weft.wait_until("the mark is at the cursor",
                                         [&](const Report& r) { return shown_at(r, x + 150, y - 90); });
  MESSAGE("ms from mouse to mark: ",
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - moved).count());
  CHECK(at_once["step"] == begun["step"]);
  CHECK_FALSE(at_once["shown_handles"][0]["known"].get<bool>());
  CHECK(at_once["handles"].empty());

  const Report held = weft.wait_until("the simulator has it", [](const Report& r) {
    return r["handles"].size() == 1 && says(r, ": solving, 0 s");
  });
  CHECK(held["shown_handles"][0]["known"].get<bool>());
  CHECK(distance(held["shown_handles"][0]["target_screen"], x + 150, y - 90) > 3);  // not there yet
  weft.move_to(x + 120, y + 60);
  weft.wait_until("the mark follows", [&](const Report& r) { return shown_at(r, x + 120, y + 60); });
  weft.release();
  const Report released =
      weft.wait_until("the mark is gone", [](const Report& r) { return r["shown_handles"].empty(); });
  CHECK(released["handles"].size() == 1);
  CHECK(released["step"] == held["step"]);
}

TEST_CASE("the status bar names slow motion with its factor, and a long step with its time") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  {
    const Slow slow("slow:seconds=0.1:times=0");
    RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1000x700"});
    weft.wait_until("it says so", [](const Report& r) {
      return says(r, "Slow motion, 0.") && says(r, "\u00d7 real time") && says(r, " steps/s");
    });
  }
  const Slow slow("slow@30:seconds=20");
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1000x700"});
  weft.wait_until("it says so", [](const Report& r) { return says(r, "Step 31: solving, 3 s"); });
}

TEST_CASE("in slow motion a handle reaches the cursor at the speed of the hand") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  const Slow slow("slow:seconds=0.15:times=0:after=5");
  // 0.25 m away at 0.5 m/s: half a second. In simulated time it would be 0.5 s, 50 steps, at least 7 s.
  RunningWeft weft(desktop,
                   {write_small_scene(desktop, 600), "--size", "1200x760", "--set", "drag.speed_limit=0.5"});
  const Report start = on_cloth(weft, 15);
  const double x = std::round(start["cloth_screen"][0].get<double>()),
               y = std::round(start["cloth_screen"][1].get<double>());
  weft.press();
  const Report held =
      weft.wait_until("there is a handle", [](const Report& r) { return r["handles"].size() == 1; });
  weft.move_to(x + 95, y - 50);
  const Report there = weft.wait_until("the handle is at the cursor", [&](const Report& r) {
    return r["handles"].size() == 1 && distance(r["handles"][0]["target_screen"], x + 95, y - 50) < 3;
  });
  CHECK(there["step"].get<int>() - held["step"].get<int>() < 20);
}

TEST_CASE("a notch of the wheel moves a held handle by 2 % of the cloth's extent, whatever the distance") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 600), "--size", "1200x760"});
  const Report start = on_cloth(weft, 20);
  const double x = start["cloth_screen"][0], y = start["cloth_screen"][1];
  weft.press();
  const auto hand = [](const Report& r) { return r["shown_handles"].at(0)["hand"].at(2).get<double>(); };
  const double before = hand(
      weft.wait_until("there is a handle", [](const Report& r) { return r["shown_handles"].size() == 1; }));
  weft.xdotool("click --repeat 5 --delay 40 4");  // up: away from the camera, which looks along -z
  const Report after = weft.wait_until("the handle has moved", [&](const Report& r) {
    return r["shown_handles"].size() == 1 && std::abs(hand(r) - (before - 0.1)) < 0.004;
  });
  CHECK(shown_at(after, x, y));
}

TEST_CASE("while a drag keeps up the error of its steps is in the status bar, and gone after the release") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  // so little time that each step is ended as soon as it may
  RunningWeft weft(desktop,
                   {write_small_scene(desktop, 600), "--size", "1200x760", "--set", "step.budget=1e-9"});
  const Report start = on_cloth(weft, 20);
  CHECK(start["unsolved"] == "");
  const double x = std::round(start["cloth_screen"][0].get<double>()),
               y = std::round(start["cloth_screen"][1].get<double>());
  const auto keeps_up = [](const Report& r) {
    return r["unsolved"].get<std::string>().rfind("Keeping up, off by ", 0) == 0;
  };
  weft.press();
  weft.move_to(x + 150, y - 90);
  const Report dragged = weft.wait_until("the error is told", keeps_up);
  CHECK(dragged["handles"].size() == 1);
  weft.release();
  weft.wait_until("steps are solved again",
                  [](const Report& r) { return r["handles"].empty() && r["unsolved"] == ""; });

  const auto [tick_x, tick_y] = weft.item("pace.keep_up", 0.05);
  CHECK(weft.fresh()["items"].contains("step.budget"));
  weft.click(tick_x, tick_y);
  weft.wait_until("the slider is gone", [](const Report& r) { return !r["items"].contains("step.budget"); });
  weft.move_to(x, y);
  weft.wait_until("a triangle is highlighted", [](const Report& r) { return !r["hover"].is_null(); });
  weft.press();
  weft.move_to(x + 150, y - 90);
  const Report held =
      weft.wait_until("there is a handle", [](const Report& r) { return r["handles"].size() == 1; });
  const Report later =
      weft.wait_until("it goes on", [&](const Report& r) { return r["step"] > held["step"].get<int>() + 5; });
  CHECK(later["unsolved"] == "");
  weft.release();
}
