// Crossings of the shown state, in the status bar and in the picture.
#include <doctest/doctest.h>

#include <fstream>

#include "tests/viewer/window_desktop.h"

using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

/// A sheet that falls through a ledge of cloth, with a method that lets it.
std::string write_falling(const Desktop& desktop) {
  const std::string path = desktop.file("through.toml");
  std::ofstream(path)
      << "title = \"Through\"\n[step]\ncollision = \"bodies\"\n"
         "[[cloth]]\nname = \"ledge\"\nsize = [0.4, 0.4]\nedge = 0.04\nposition = [0, 0.6, 0]\n"
         "rotation = [-90, 0, 0]\n[[cloth]]\nname = \"falling\"\nsize = [0.3, 0.3]\nedge = 0.04\n"
         "position = [0, 0.9, 0]\n[[pin]]\ncloth = \"ledge\"\nwhere = \"boundary\"\n";
  return path;
}

}  // namespace

TEST_CASE("the status bar says whether the shown state crosses and goes to the first that did") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(
      desktop, {write_falling(desktop), "--size", "1200x760", "--paused", "--set", "view.crossings=each"});
  weft.wait_until("the start is clean", [](const Report& r) {
    return r.contains("verdict") && r["verdict"]["triangles"] == 0 && r["items"].contains("verdict");
  });
  weft.key("space");
  Report r = weft.wait_until(
      "it crosses", [](const Report& r) { return r["verdict"]["triangles"] > 0; }, 60);
  weft.key("space");
  const int first = r["verdict"]["first"];
  CHECK(first > 5);
  r = weft.wait_until("it is paused some steps later",
                      [&](const Report& r) { return !r["playing"].get<bool>() && r["step"] >= first; });
  const auto [x, y] = weft.item("verdict");
  weft.click(x, y);
  r = weft.wait_until("the first is shown", [&](const Report& r) { return r["step"] == first; });
  CHECK(r["verdict"]["triangles"] > 0);
  weft.key("r");
  weft.wait_until("the start is clean again", [](const Report& r) {
    return r["step"] == 0 && r["verdict"]["triangles"] == 0 && r["verdict"]["first"] == -1;
  });
}
