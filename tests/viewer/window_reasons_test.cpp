// The line under the timings that says what the error of steps, or their time, is due to.
#include <doctest/doctest.h>

#include "tests/viewer/window_desktop.h"

using namespace weft::testing;
using Report = RunningWeft::Report;

TEST_CASE("a solver that ends at its limit is told under the timings, and a button gives it more steps") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {"hanging_corners", "--size", "1200x760", "--set", "newton.steps=1", "--set",
                             "fabric.stretch_stiffness=40000"});
  Report r = weft.wait_until(
      "what the solver leaves is told",
      [](const Report& r) {
        return r.contains("reason") &&
               r["reason"]["words"].get<std::string>().find("Steps end unsolved") == 0;
      },
      60);
  CHECK(r["reason"]["button"] == "Use 2 Newton steps");
  const auto [x, y] = weft.item("Use 2 Newton steps");
  weft.click(x, y);
  weft.wait_until("the solver has two steps",
                  [](const Report& r) { return r["params"].value("newton.steps", "") == "2"; });
  weft.key("ctrl+z");
  weft.wait_until("it has one again",
                  [](const Report& r) { return r["params"].value("newton.steps", "") == "1"; });
}
