// The sewing pattern beside the picture, worked with mouse and keyboard.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "sim/base/math.h"
#include "test_paths.h"
#include "tests/viewer/window_desktop.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

/// Two rectangles behind each other, sewn along their right sides.
void write_garment(const Desktop& desktop) {
  std::ofstream(desktop.file("two.toml")) << R"(title = "Two panels"
[contact]
ground = false
[[garment]]
name = "two"
edge = 0.04
[[garment.panel]]
name = "front"
outline = [{ at = [0, 0] }, { at = [0.3, 0] }, { at = [0.3, 0.4] }, { at = [0, 0.4] }]
position = [0, 0.5, 0.05]
[[garment.panel]]
name = "back"
outline = [{ at = [0, 0] }, { at = [0.3, 0] }, { at = [0.3, 0.4] }, { at = [0, 0.4] }]
position = [0.3, 0.5, -0.05]
rotation = [0, 180, 0]
[[garment.seam]]
sides = [{panel = "front", edge = 1}, {panel = "back", edge = 3, from = 1, to = 0}]
[[pin]]
cloth = "two"
where = "top"
)";
}

bool has(const Report& r, const char* item) { return r["items"].contains(item); }

}  // namespace

TEST_CASE(
    "the pattern is shown, a panel is selected in it and in the picture, and two clicked edges are sewn") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  write_garment(desktop);
  RunningWeft weft(desktop, {"two.toml", "--fresh", "--paused", "--size", "1300x820"});
  Report r = weft.wait_until("the garment's panel", [](const Report& r) { return has(r, "garment:front"); });
  const double whole = r["viewport"][2];
  CHECK_FALSE(has(r, "panel:front"));
  weft.key("g");
  r = weft.wait_until("the pattern", [](const Report& r) { return has(r, "panel:back"); });
  CHECK(r["viewport"][2].get<double>() < 0.7 * whole);
  CHECK_FALSE(has(r, "garment.position"));

  const auto [x, y] = weft.item("panel:front");
  weft.click(x, y);
  weft.wait_until("the selected panel's placement",
                  [](const Report& r) { return has(r, "garment.position"); });

  // The left edges of both panels: the left side of one drawing, the right side of the mirrored one.
  weft.click(weft.item("Sew edges").first, weft.item("Sew edges").second);
  const auto edge = [&](const char* panel, double across) {
    return weft.item(std::string("panel:") + panel, across);
  };
  weft.click(edge("front", 0).first, edge("front", 0).second);
  weft.click(edge("back", 1).first, edge("back", 1).second);
  r = weft.wait_until("the edit that can be taken back",
                      [](const Report& r) { return r["pattern"]["seams"] == 2; });
  CHECK(r["pattern"]["differs"] == true);
  const int vertices = r["vertices"];
  weft.click(weft.item("Sew anew").first, weft.item("Sew anew").second);
  r = weft.wait_until("the garment sewn anew", [&](const Report& r) { return r["vertices"] < vertices; });
  CHECK(r["pattern"]["differs"] == false);
  CHECK(r["pattern"]["seams"] == 2);
}

TEST_CASE("a hem is dragged longer in the pattern and another by typing, and undone by the one undo") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  write_garment(desktop);
  RunningWeft weft(desktop, {"two.toml", "--fresh", "--paused", "--size", "1300x1000"});
  const auto click = [&](const std::string& name, double across = 0.5) {
    weft.fresh();
    const auto [x, y] = weft.item(name, across);
    weft.move_to(x, y);
    weft.fresh();
    weft.click(x, y);
  };
  weft.wait_until("the garment's panel", [](const Report& r) { return has(r, "garment:front"); });
  click("section.Scene");  // folded, so that the rest is in sight
  weft.key("g");
  Report r = weft.wait_until("the pattern", [](const Report& r) { return has(r, "panel:front"); });
  const auto hem = [&](const char* panel) {
    const auto box = weft.fresh()["items"][std::string("panel:") + panel];
    return dvec3(box[0].get<double>() + 0.3 * box[2].get<double>(),
                 box[1].get<double>() + box[3].get<double>(), box[3].get<double>());
  };
  const dvec3 at = hem("front");
  weft.move_to(at.x, at.y);
  weft.fresh();
  weft.press();
  weft.fresh();
  const double way = at.z * 0.03 / 0.4;  // 3 cm
  for (int i = 1; i <= 6; ++i) weft.move_to(at.x, at.y + way * i / 6);
  r = weft.wait_until("the longer pattern while the mouse is down",
                      [](const Report& r) { return r["pattern"]["misfits"] == 1; });
  weft.release();
  click("panel:front", 1);  // the side that is sewn
  r = weft.wait_until("the side's length", [](const Report& r) {
    return r["pattern"]["edge_cm"].is_number() && r["pattern"]["edge_cm"].get<double>() > 41;
  });
  const double side = r["pattern"]["edge_cm"];
  CHECK(std::abs(side - 43) < 0.31);

  const dvec3 back = hem("back");
  weft.click(back.x, back.y);
  weft.wait_until("the hem of the back is selected", [](const Report& r) {
    return has(r, "garment.move") && r["pattern"]["selected"] == "back";
  });
  click("garment.move");
  weft.xdotool("key ctrl+a");
  weft.xdotool(fmt::format("type {:.1f}", side - 40));
  weft.key("Return");
  weft.wait_until("both sides fit again", [](const Report& r) { return r["pattern"]["misfits"] == 0; });
  weft.move_to(back.x, 0.5 * back.y);
  weft.key("ctrl+z");
  weft.wait_until("one is taken back", [](const Report& r) { return r["pattern"]["misfits"] == 1; });
  weft.key("ctrl+z");
  weft.wait_until("and the other", [](const Report& r) { return r["pattern"]["differs"] == false; });
  weft.key("ctrl+shift+z");
  weft.wait_until("and done again", [](const Report& r) { return r["pattern"]["misfits"] == 1; });
  const double low = weft.fresh()["cloth_screen"][1];
  click("Sew anew");
  weft.wait_until("the garment with the longer front", [&](const Report& r) {
    return r["pattern"]["differs"] == false && r["cloth_screen"].is_array() && r["cloth_screen"][1] != low;
  });
}

TEST_CASE(
    "points and notches are added and removed by clicks, a panel is mirrored, all are graded and sewn anew") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  write_garment(desktop);
  RunningWeft weft(desktop, {"two.toml", "--fresh", "--paused", "--size", "1300x1000"});
  const auto click = [&](const std::string& name) {
    weft.fresh();
    const auto [x, y] = weft.item(name);
    weft.move_to(x, y);
    weft.fresh();
    weft.click(x, y);
  };
  /// A place of the front, from the left and from above.
  const auto place = [&](double across, double down) {
    const auto box = weft.fresh()["items"]["panel:front"];
    return std::pair(box[0].get<double>() + across * box[2].get<double>(),
                     box[1].get<double>() + down * box[3].get<double>());
  };
  const auto click_at = [&](double across, double down) {
    const auto [x, y] = place(across, down);
    weft.move_to(x, y);
    weft.fresh();
    weft.click(x, y);
  };
  const auto points = [&](const std::string& what, const Report& wanted) {
    return weft.wait_until(what, [&](const Report& r) { return r["pattern"]["points"] == wanted; });
  };
  weft.wait_until("the garment's panel", [](const Report& r) { return has(r, "garment:front"); });
  click("section.Scene");
  weft.key("g");
  weft.wait_until("the pattern", [](const Report& r) { return has(r, "panel:front"); });
  click("Add point");
  click_at(0.33, 1);
  points("a point in the hem", {5, 4});
  click_at(1, 0.5);
  Report r = points("one in the side, with its seam", {6, 4});
  CHECK(r["pattern"]["seams"] == 2);
  click("Add notch");
  click_at(0, 0.3);
  weft.wait_until("a notch", [](const Report& r) { return r["pattern"]["notches"] == Report({1, 0}); });
  click("Remove point or notch");
  click_at(0, 0.3);
  weft.wait_until("no notch", [](const Report& r) { return r["pattern"]["notches"] == Report({0, 0}); });
  click_at(0.33, 1);
  points("no point in the hem", {5, 4});
  click("Remove point or notch");  // put away
  const auto [x, y] = place(0.6, 0);
  weft.move_to(x, y);
  weft.fresh();
  weft.xdotool("click --repeat 2 --delay 60 1");
  points("a point by a double-click", {6, 4});
  weft.key("ctrl+z");
  points("it is taken back", {5, 4});

  click("garment:front");
  click("Mirror panel");
  weft.wait_until("three panels", [](const Report& r) {
    return r["pattern"]["panels"] == 3 && has(r, "panel:front_mirrored");
  });
  weft.key("ctrl+z");
  weft.wait_until("two again", [](const Report& r) { return r["pattern"]["panels"] == 2; });

  const int vertices = weft.fresh()["vertices"];
  click("grading");
  click("grade.width");
  weft.xdotool("key ctrl+a");
  weft.xdotool("type 12");
  weft.key("Tab");
  click("Apply grading");
  const double wide = weft.fresh()["items"]["panel:front"][2];
  weft.key("ctrl+z");
  weft.wait_until("as wide as before", [&](const Report& r) {
    return std::abs(wide / r["items"]["panel:front"][2].get<double>() - 1.4) < 0.01;
  });
  weft.key("ctrl+shift+z");
  click("Sew anew");
  weft.wait_until("the wider garment", [&](const Report& r) {
    return r["pattern"]["differs"] == false && r["vertices"].get<int>() > 1.2 * vertices;
  });
}

TEST_CASE("layers are hidden by a click, and the motion of a body is shown with its lead-in") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  std::ofstream(desktop.file("layers.toml")) << R"(title = "Two layers"
[contact]
ground = false
[[garment]]
name = "two"
edge = 0.04
start = "placed"
[[garment.panel]]
name = "under"
outline = [{ at = [0, 0] }, { at = [0.3, 0] }, { at = [0.3, 0.4] }, { at = [0, 0.4] }]
[[garment.panel]]
name = "over"
outline = [{ at = [0, 0] }, { at = [0.3, 0] }, { at = [0.3, 0.4] }, { at = [0, 0.4] }]
layer = 1
[[garment.button]]
points = [{ panel = "under", at = [0.15, 0.2] }, { panel = "over", at = [0.15, 0.2] }]
[[obstacle]]
name = "arm"
shape = "capsule"
position = [1, 0, 0]
lead_in = 1
[[obstacle.bone]]
name = "upper"
head = [0, -0.1, 0]
tail = [0, 0.1, 0]
keys = [{ time = 0 }, { time = 1, rotation = [0, 0, 40] }]
)";
  RunningWeft weft(desktop, {"layers.toml", "--fresh", "--paused", "--size", "1300x1000"});
  const Report r = weft.wait_until("layers and motion", [](const Report& r) {
    return has(r, "layer:1") && has(r, "motion:arm") && has(r, "lead_in:arm");
  });
  CHECK(r["hidden_layers"].empty());
  const auto [x, y] = weft.item("layer:1");
  const double cloth_x = r["cloth_screen"][0], cloth_y = r["cloth_screen"][1];
  weft.click(cloth_x, cloth_y);
  weft.wait_until("the panel in front selected",
                  [](const Report& r) { return r["pattern"]["selected"] == "over"; });
  weft.click(x, y);
  weft.wait_until("one layer hidden",
                  [](const Report& r) { return r["hidden_layers"] == Report::array({1}); });
  weft.click(cloth_x, cloth_y);
  weft.wait_until("the panel behind it selected, since what is hidden is not hit",
                  [](const Report& r) { return r["pattern"]["selected"] == "under"; });
  weft.click(x, y);
  weft.wait_until("both layers", [](const Report& r) { return r["hidden_layers"].empty(); });
}

TEST_CASE(
    "measures of a mannequin are dragged and taken back, and its garment is seen while it is put on anew") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  std::ofstream(desktop.file("figure.toml")) << R"(
title = "Figure"
duration = 1
[contact]
ground = false
[sewing]
growth = 0.4
settle = 0.2
[[garment]]
name = "belt"
edge = 0.04
start = "dressed"
[[garment.panel]]
name = "front"
outline = [{ at = [-0.3, 0] }, { at = [0.3, 0] }, { at = [0.3, 0.2] }, { at = [-0.3, 0.2] }]
position = [0, 0.9, 0.3]
[[obstacle]]
name = "figure"
[obstacle.mannequin]
edge = 0.02
)";
  setenv("XDG_CACHE_HOME", desktop.file("cache").c_str(), 1);  // nothing was put on before
  RunningWeft weft(desktop, {"figure.toml", "--fresh", "--paused", "--size", "1300x1000"});
  unsetenv("XDG_CACHE_HOME");
  const auto click = [&](const std::string& name) {
    weft.fresh();
    const auto [x, y] = weft.item(name);
    weft.move_to(x, y);
    weft.fresh();
    weft.click(x, y);
  };
  const auto make_taller = [&] {
    const auto [x, y] = weft.item("mannequin.height", 0.3);
    weft.move_to(x, y);
    weft.fresh();
    weft.press();
    weft.fresh();
    for (int i = 1; i <= 8; ++i) weft.move_to(x + 5 * i, y);
    weft.fresh();
    weft.release();
    weft.wait_until("the height is asked for", [](const Report& r) {
      return r["mannequin"]["wanted"].get<double>() > r["mannequin"]["height"].get<double>() + 0.02;
    });
  };
  click("section.Scene");  // folded, so that the rest is in sight
  click("section.Mannequin");
  make_taller();
  click("mannequin.back");
  const Report before = weft.wait_until("it is taken back", [](const Report& r) {
    return r["mannequin"]["wanted"] == r["mannequin"]["height"];
  });
  make_taller();
  click("mannequin.apply");
  weft.wait_until("the dressing is seen, and no pace of the scene before", [](const Report& r) {
    return r["work_seen"].get<bool>() && r["pace"] == "Building a scene";
  });
  const Report after = weft.wait_until(
      "the taller figure", [](const Report& r) { return !r["work_seen"].get<bool>() && r["step"] == 0; }, 60);
  CHECK(after["mannequin"]["height"].get<double>() > before["mannequin"]["height"].get<double>() + 0.02);
  CHECK(after["mannequin"]["wanted"] == after["mannequin"]["height"]);
}
