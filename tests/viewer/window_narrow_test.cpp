// Windows with little room: large text, small screens. Nothing is cut off or out of reach.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>

#include "tests/viewer/window_desktop.h"

using namespace weft;
using namespace weft::testing;

namespace {

using Report = RunningWeft::Report;

struct Box {
  double x, y, width, height;
};
Box box(const Report& r) { return {r[0], r[1], r[2], r[3]}; }

bool overlap(const Box& a, const Box& b) {
  return a.x + 1 < b.x + b.width && b.x + 1 < a.x + a.width && a.y + 1 < b.y + b.height &&
         b.y + 1 < a.y + a.height;
}

/// Everything that is drawn has room for its words, lies in the window from left to right, and leaves a
/// picture.
void check_reach(const Report& report, double width, double height, double scale) {
  for (const auto& [name, rectangle] : report["items"].items()) {
    CAPTURE(name);
    CHECK(name.find("cut off: ") != 0);
    const Box item = box(rectangle);
    CHECK(item.x >= 0);
    CHECK(item.x + item.width <= width);
  }
  const char* const icons[] = {"play", "step", "reset", "undo", "redo", "record", "camera"};
  for (const char* a : icons)
    for (const char* b : icons) {
      REQUIRE(report["items"].contains(a));
      if (std::string(a) < b) CHECK(!overlap(box(report["items"][a]), box(report["items"][b])));
    }
  for (const char* name : {"messages", "help"})
    CHECK(box(report["items"][name]).y + box(report["items"][name]).height <= height);
  const Box view = box(report["viewport"]);
  CHECK(view.width >= 190 * scale);
  CHECK(view.x + view.width <= width + 1);
}

}  // namespace

TEST_CASE("with large text or a small window buttons wrap, columns join, and nothing is out of reach") {
  struct Case {
    int width, height;
    double scale;
  };
  for (const Case& c : {Case{1280, 800, 2}, Case{800, 600, 1}, Case{800, 600, 2}, Case{1024, 768, 1.5}}) {
    Desktop desktop(c.width, c.height);
    DESKTOP_OR_SKIP(desktop);
    CAPTURE(c.width);
    CAPTURE(c.scale);
    RunningWeft weft(desktop,
                     {write_small_scene(desktop, 300), "--size", fmt::format("{}x{}", c.width, c.height),
                      "--scale", fmt::format("{}", c.scale)});
    const Report report = weft.wait_until(
        "the panels are there", [](const Report& r) { return r["items"].contains("play") && r["step"] > 2; });
    check_reach(report, c.width, c.height, c.scale);
    weft.key("F1");
    weft.wait_until("help is open", [](const Report& r) { return r["help"] == true; });
  }
}

TEST_CASE("the path field opens a scene that ships with the program by its name") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 300)});
  weft.wait_until("the panels are there", [](const Report& r) { return r["items"].contains("scene.path"); });
  const auto [x, y] = weft.item("scene.path");
  weft.click(x, y);
  weft.xdotool("type --delay 20 drape_table");
  weft.key("Return");
  weft.wait_until("the table is there", [](const Report& r) { return r["title"] != "Small cloth"; });
}

TEST_CASE("all keys of the help are in sight at once in a window of 1280 by 720") {
  Desktop desktop(1300, 760);
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1280x720", "--paused"});
  weft.key("F1");
  const Report help =
      weft.wait_until("the help is open", [](const Report& r) { return r["items"].contains("help.last"); });
  const Box last = box(weft.fresh()["items"]["help.last"]);
  CHECK(last.y + last.height <= 720);
  CHECK(last.x + last.width <= 1280);
}

TEST_CASE("the last of many choices is in sight and chosen by a click") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1280x800", "--paused"});
  const auto [x, y] = weft.item("view.colouring");
  weft.click(x, y);
  weft.wait_until("the list is open",
                  [](const Report& r) { return r["items"].contains("view.colouring=age"); });
  const auto [a, b] = weft.item("view.colouring=age");
  weft.click(a, b);
  weft.wait_until("it is chosen", [](const Report& r) { return r["colouring"] == "age"; });
}
