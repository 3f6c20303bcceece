// Solids in the window: dragged and thrown by the mouse, set by the command line.
#include <doctest/doctest.h>

#include <fstream>

#include "tests/viewer/window_desktop.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

/// A ball in the air without gravity, and nothing else: no cloth.
std::string ball_alone(const Desktop& desktop) {
  const std::string path = desktop.file("ball.toml");
  std::ofstream(path) << "title = \"Ball\"\n[step]\ncollision = \"two_way\"\n[forces]\ngravity = [0, 0, 0]\n"
                         "air_damping = 2\n[camera]\ntarget = [0, 0.8, 0]\ndistance = 2\nyaw = 0\npitch = 0\n"
                         "[[solid]]\nname = \"ball\"\nshape = \"ball\"\ndiameter = 0.3\nedge = 0.06\n"
                         "density = 20\nposition = [0, 0.8, 0]\n";
  return path;
}

double height(const Report& r) { return r["cloth_screen"][1].get<double>(); }

}  // namespace

TEST_CASE("a solid without any cloth is drawn and follows the mouse and flies on when it is let go") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {ball_alone(desktop), "--size", "1200x760"});
  const Report start = weft.wait_until("it runs", [](const Report& r) { return r["step"] >= 2; });
  const double x = start["cloth_screen"][0], y = height(start);
  weft.move_to(x, y);
  weft.wait_until("a triangle is under the cursor", [](const Report& r) { return !r["hover"].is_null(); });
  weft.press();
  weft.move_to(x + 60, y - 60);
  weft.move_to(x + 120, y - 120);
  const Report held = weft.wait_until("the ball is under way", [&](const Report& r) {
    return r["handles"].size() == 1 && height(r) < y - 30;
  });
  weft.release();
  const double at = height(held);
  const Report gone =
      weft.wait_until("the handle is gone", [](const Report& r) { return r["handles"].empty(); });
  weft.wait_until("it flies on", [&](const Report& r) {
    return r["step"] > gone["step"].get<int>() + 3 && height(r) < at - 5;
  });
}

TEST_CASE("a solid's stiffness that is set is in the command that the window tells") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {ball_alone(desktop), "--size", "1200x760", "--set", "solid.ball.young=5e4"});
  const Report start = weft.wait_until("it runs", [](const Report& r) { return r["step"] >= 2; });
  CHECK(start["command"].get<std::string>().find("solid.ball.young") != std::string::npos);
}
