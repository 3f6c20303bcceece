// Cloth that leaves the picture.
#include <doctest/doctest.h>

#include <fstream>

#include "tests/viewer/window_desktop.h"

using namespace weft;
using testing::Desktop;
using testing::RunningWeft;
using Report = RunningWeft::Report;

TEST_CASE("cloth that falls out of the picture is told and cloth that the camera turns away from is not") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  std::ofstream(desktop.file("loose.toml"))
      << "title = \"Loose\"\n[camera]\ntarget = [0.0, 3, 0.0]\ndistance = 2\n[[cloth]]\nvertices = 300\n"
         "size = [0.5, 0.5]\nposition = [0.0, 3, 0.0]\n";
  RunningWeft weft(desktop, {desktop.file("loose.toml"), "--size", "1000x700", "--paused"});
  const auto told = [](const Report& r) {
    return r["messages"].dump().find("fallen out of") != std::string::npos;
  };
  const auto [x, y] = std::pair(500.0, 150.0);
  const double start = weft.fresh()["camera"]["pitch"];
  weft.move_to(x, y);
  weft.fresh();
  weft.press(2);
  for (int i = 1; i <= 4; ++i) weft.move_to(x, y + 120 * i), weft.fresh();
  weft.release(2);
  CHECK_FALSE(told(weft.fresh()));
  weft.key("f");
  CHECK(weft.fresh()["camera"]["pitch"] == start);
  weft.key("space");
  weft.wait_until("it is told", told);
}
