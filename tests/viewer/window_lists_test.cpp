// Lists within panels, and double-clicks where pictures are slow.
#include <doctest/doctest.h>

#include <fstream>

#include "tests/viewer/window_desktop.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

TEST_CASE("the wheel scrolls the list of scenes and at its end the panel") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1100x760", "--paused"});
  weft.wait_until("the list", [](const Report& r) { return r["items"].contains("scenes"); });
  const auto [x, y] = weft.item("scenes");
  const double top = weft.fresh()["items"]["scenes"][1];
  weft.move_to(x, y);
  weft.fresh();
  weft.xdotool("click 5");
  CHECK(weft.fresh()["items"]["scenes"][1] == top);  // the list has its own way first
  for (int notch = 0; notch < 60 && weft.fresh()["items"]["scenes"][1] == top; ++notch)
    weft.xdotool("click 5");
  CHECK(weft.fresh()["items"]["scenes"][1].get<double>() < top - 20);
  // its own way back, and then the panel's
  for (int notch = 0; notch < 80 && weft.fresh()["items"]["scenes"][1] != top; ++notch) {
    const auto [a, b] = weft.item("scenes");
    weft.move_to(a, b);
    weft.xdotool("click 4");
  }
  CHECK(weft.fresh()["items"]["scenes"][1] == top);
}

TEST_CASE("two clicks reset a slider though a picture takes longer than they are apart") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1100x760", "--paused"});
  const std::string key = "step.dt";
  const auto [x, y] = weft.item(key, 0.8);
  for (int attempt = 0; attempt < 4; ++attempt) {
    CAPTURE(attempt);
    weft.move_to(x, y);
    weft.fresh();
    weft.press();
    for (int i = 1; i <= 4; ++i) weft.fresh(), weft.move_to(x - 10 * i, y);
    weft.fresh();
    weft.release();
    weft.wait_until("it is another value", [&](const Report& r) { return r["params"].contains(key); });
    desktop.shell("sleep 0.7");  // no third click of the last two
    weft.move_to(x, y);
    weft.fresh();
    // The first click is seen, then the window makes a picture for half a second while the second comes.
    weft.xdotool("click 1");
    desktop.shell("sleep 0.03");
    weft.stall();
    weft.xdotool("click 1");
    desktop.shell("sleep 0.5");
    weft.go_on();
    weft.wait_until(
        "it has its value again", [&](const Report& r) { return !r["params"].contains(key); }, 5);
  }
}

TEST_CASE("the list of colours has the maps that are painted on a cloth of the scene and no others") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  {
    std::ofstream mesh(desktop.file("painted.obj"));
    for (int i = 0; i < 121; ++i) {
      const double x = 0.05 * (i % 11), y = 0.05 * (i / 11);
      mesh << "v " << x << ' ' << y << " 0 " << 2 * x << " 0 0\n";
    }
    for (int i = 0; i < 110; ++i)
      if (i % 11 < 10) mesh << "f " << i + 1 << ' ' << i + 2 << ' ' << i + 13 << ' ' << i + 12 << '\n';
    std::ofstream(desktop.file("painted.toml"))
        << "title = \"painted\"\n[[cloth]]\nname = \"cloth\"\nfile = \"painted.obj\"\n"
        << "position = [0.0, 0.9, 0.0]\n[[cloth.map]]\nattribute = \"color.r\"\n"
        << "parameter = \"bending_rigidity\"\nfrom = 1\nto = 8\n[[pin]]\nwhere = \"top_left\"\n";
  }
  RunningWeft weft(desktop, {desktop.file("painted.toml"), "--size", "1280x800", "--paused"});
  const auto [x, y] = weft.item("view.colouring");
  weft.click(x, y);
  const std::string painted = "view.colouring=map_bending_rigidity";
  const Report open =
      weft.wait_until("the list is open", [&](const Report& r) { return r["items"].contains(painted); });
  CHECK(open["items"].contains("view.colouring=stretch"));
  for (const auto& [name, place] : open["items"].items())
    if (name.starts_with("view.colouring=map_")) CHECK(name == painted);
  const auto [a, b] = weft.item(painted);
  weft.click(a, b);
  weft.wait_until("it is chosen", [](const Report& r) {
    return r["colouring"] == "map_bending_rigidity" && r["field"] == "map_bending_rigidity";
  });
}
