// A picture printed on cloth in the window.
#include <doctest/doctest.h>

#include <fstream>

#include "sim/base/file.h"
#include "tests/viewer/window_desktop.h"

using namespace weft;
using testing::Desktop;
using testing::RunningWeft;
using testing::write_small_scene;
using Report = RunningWeft::Report;

TEST_CASE(
    "a picture is printed on cloth by its path, taken off, undone and saved, and what is none changes "
    "nothing") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  Image red{8, 8, {}};
  for (int i = 0; i < 64; ++i) red.rgb.insert(red.rgb.end(), {230, 10, 10});
  write_png(desktop.file("red.png"), red);
  std::ofstream(desktop.file("none.png")) << "no picture";
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1300x820", "--paused"});
  const auto printed = [](const Report& r) {
    return r["command"].get<std::string>().find("cloth.print=") != std::string::npos;
  };
  const auto type = [&](const std::string& text) {
    const auto [x, y] = weft.item("scene.path");
    weft.click(x, y);
    weft.key("ctrl+a");
    weft.xdotool("type --delay 20 " + text);
    weft.fresh();
    weft.key("Return");
  };
  const auto redness = [&] {
    const Report r = weft.fresh();
    const auto at = r["cloth_screen"];
    const Image seen = weft.screenshot();
    const uint8_t* p = seen.at(at[0].get<int>(), at[1].get<int>());
    return int(p[0]) - int(p[2]);
  };
  const int before = redness();
  type("none.png");
  weft.wait_until("it says what is wrong", [](const Report& r) {
    return r["message"].get<std::string>().find("none.png") != std::string::npos;
  });
  CHECK_FALSE(printed(weft.fresh()));
  type("red.png");
  weft.wait_until("it is printed", printed);
  CHECK(redness() > before + 60);
  type("none.png");
  CHECK(printed(weft.fresh()));  // what was there stays
  weft.key("ctrl+s");
  weft.wait_until("saved", [](const Report& r) {
    return r["message"].get<std::string>().find("small-tuned.toml") != std::string::npos;
  });
  CHECK(read_text_file(desktop.file("small-tuned.toml"), "a scene").find("red.png") != std::string::npos);
  weft.key("ctrl+z");
  weft.wait_until("undone", [&](const Report& r) { return !printed(r); });
  CHECK(redness() < before + 30);
  weft.key("ctrl+y");
  weft.wait_until("done again", printed);
}
