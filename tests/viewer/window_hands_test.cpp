// The window worked with a real mouse and keyboard.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "sim/scene/text/scene_file.h"
#include "test_paths.h"
#include "tests/support/skip.h"
#include "tests/viewer/window_desktop.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

double distance(const Report& a, double x, double y) {
  return std::hypot(a[0].get<double>() - x, a[1].get<double>() - y);
}
bool has_pin(const Report& r, int v) {
  return std::find(r["pinned"].begin(), r["pinned"].end(), v) != r["pinned"].end();
}

/// Waits until the cloth has stopped swinging: its middle stays put on screen over some steps.
Report wait_for_rest(RunningWeft& weft) {
  Report before = weft.wait_until("it runs", [](const Report& r) { return r["step"] > 30; });
  return weft.wait_until(
      "the cloth is at rest",
      [&](const Report& r) {
        if (r["step"] < before["step"].get<int>() + 20) return false;
        const bool still =
            distance(r["cloth_screen"], before["cloth_screen"][0], before["cloth_screen"][1]) < 1.0;
        before = r;
        return still;
      },
      90);
}

}  // namespace

TEST_CASE("a drag with a real mouse grabs the cloth where the cursor is, and the grabbed point follows") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1200x760"});
  const Report rest = wait_for_rest(weft);
  const double x = rest["cloth_screen"][0], y = rest["cloth_screen"][1];
  weft.move_to(x, y);
  const Report hover = weft.wait_until("a triangle is highlighted", [&](const Report& r) {
    return !r["hover"].is_null() && distance(r["hover"]["screen"], x, y) < 2;
  });
  const auto& b = hover["hover"]["barycentric"];
  CHECK(b[0].get<double>() + b[1].get<double>() + b[2].get<double>() == doctest::Approx(1).epsilon(1e-5));

  weft.press();
  const Report held =
      weft.wait_until("there is a handle", [](const Report& r) { return r["handles"].size() == 1; });
  CHECK(distance(held["handles"][0]["point_screen"], x, y) < 12);
  // To where the cloth reaches without stretching: the corners hold its middle at 0.7 m.
  for (int i = 1; i <= 12; ++i) weft.move_to(x + 3 * i, y - 9 * i);
  const double to_x = std::round(x + 36), to_y = std::round(y - 108);
  // The spring's target is where the cursor is; the point hangs behind by its share of the cloth's weight
  // over the spring's stiffness (60 N/m): 1.5 N at most, 25 mm, which is 11 pixels here, and as much again
  // for what still swings.
  weft.wait_until("the handle is at the cursor", [&](const Report& r) {
    return r["handles"].size() == 1 && distance(r["handles"][0]["target_screen"], to_x, to_y) < 3;
  });
  const Report there = weft.wait_until("the grabbed point is at the cursor", [&](const Report& r) {
    return r["handles"].size() == 1 && distance(r["handles"][0]["point_screen"], to_x, to_y) < 22;
  });
  CHECK(distance(there["handles"][0]["point_screen"], x, y) > 80);
  CHECK(there["handles"][0]["force"].get<double>() > 0);

  weft.key_down("shift");
  weft.release();
  weft.key_up("shift");
  weft.move_to(x, y - 150);
  CHECK(weft.fresh()["handles"].size() == 1);
  weft.key("BackSpace");
  weft.wait_until("the handle is let go", [](const Report& r) { return r["handles"].empty(); });
}

TEST_CASE("a flick of the mouse is speed-limited and leaves the cloth whole") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1200x760"});
  const Report rest = wait_for_rest(weft);
  const double x = rest["cloth_screen"][0], y = rest["cloth_screen"][1];
  weft.move_to(x, y);
  weft.fresh();
  weft.press();
  weft.wait_until("there is a handle", [](const Report& r) { return r["handles"].size() == 1; });
  for (int i = 0; i < 6; ++i) weft.move_to(x + (i % 2 ? -230 : 230), y + (i % 3) * 60);
  weft.release();
  const int step =
      weft.wait_until("the handle is let go", [](const Report& r) { return r["handles"].empty(); })["step"];
  const Report after = weft.wait_until("it goes on", [&](const Report& r) { return r["step"] > step + 60; });
  CHECK(after["playing"].get<bool>());
  CHECK(distance(after["cloth_screen"], x, y) < 200);
}

TEST_CASE("ctrl-click pins, undo frees again, and a pin is freed by another click") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1200x760", "--paused"});
  const Report start = weft.fresh();
  const double x = start["cloth_screen"][0], y = start["cloth_screen"][1];
  const size_t pins = start["pinned"].size();
  weft.move_to(x, y);
  weft.fresh();
  const auto ctrl_click = [&] {
    weft.key_down("ctrl");
    weft.press();
    weft.release();
    weft.key_up("ctrl");
  };
  ctrl_click();
  const Report pinned =
      weft.wait_until("a vertex is pinned", [&](const Report& r) { return r["pinned"].size() == pins + 1; });
  weft.key("ctrl+z");
  weft.wait_until("undo freed it", [&](const Report& r) { return r["pinned"].size() == pins; });
  weft.key("ctrl+shift+z");
  const Report again =
      weft.wait_until("redo pinned it", [&](const Report& r) { return r["pinned"].size() == pins + 1; });
  for (const auto& v : pinned["pinned"]) CHECK(has_pin(again, v));
  ctrl_click();
  weft.wait_until("the second click freed it", [&](const Report& r) { return r["pinned"].size() == pins; });
}

TEST_CASE("a rectangle with Ctrl and Shift pins all vertices within it, and one undo frees them") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1200x760", "--paused"});
  const Report start = weft.fresh();
  const double x = start["cloth_screen"][0], y = start["cloth_screen"][1];
  const size_t pins = start["pinned"].size();
  weft.move_to(x - 60, y - 60);
  weft.fresh();
  weft.key_down("ctrl");
  weft.key_down("shift");
  weft.press();
  weft.fresh();
  for (int i = 1; i <= 6; ++i) weft.move_to(x - 60 + 20 * i, y - 60 + 20 * i);
  weft.fresh();
  weft.release();
  weft.key_up("shift");
  weft.key_up("ctrl");
  weft.wait_until("several are pinned", [&](const Report& r) { return r["pinned"].size() > pins + 3; });
  weft.key("ctrl+z");
  weft.wait_until("one undo freed them", [&](const Report& r) { return r["pinned"].size() == pins; });
}

TEST_CASE(
    "sliders work under the mouse: drag, undo, typed value, double-click, and the scene is saved as tuned") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1280x720"});
  // folded, so that the forces are in sight
  for (const char* section : {"section.Simulation", "section.Fabric"}) {
    const auto [fold_x, fold_y] = weft.item(section);
    weft.click(fold_x, fold_y);
  }
  const std::string key = "forces.lift";
  const auto [x, y] = weft.item(key, 0.3);
  weft.move_to(x, y);
  weft.fresh();
  weft.press();
  weft.fresh();
  for (int i = 1; i <= 8; ++i) weft.move_to(x + 10 * i, y);
  weft.fresh();
  weft.release();
  const Report moved =
      weft.wait_until("the slider changed", [&](const Report& r) { return r["params"].contains(key); });
  // 80 of the field's pixels, of a range of 5.
  const double width = moved["items"][key][2];
  CHECK(std::stod(moved["params"][key].get<std::string>()) ==
        doctest::Approx(0.6 + 80 / width * 5).epsilon(0.05));
  CHECK(moved["command"].get<std::string>().find("--set forces.lift=") != std::string::npos);

  weft.key("ctrl+z");
  weft.wait_until("one undo takes the whole drag back",
                  [&](const Report& r) { return !r["params"].contains(key); });
  // A slow window reads all of a Ctrl-click, and all of a key, at once.
  weft.stall();
  weft.key_down("ctrl");
  weft.press();
  weft.release();
  weft.key_up("ctrl");
  weft.go_on();
  weft.fresh();
  weft.xdotool("type 1.25");
  weft.fresh();
  weft.stall();
  weft.key("Return");
  weft.go_on();
  weft.wait_until("the typed value counts",
                  [&](const Report& r) { return r["params"].value(key, "") == "1.25"; });

  weft.key("ctrl+s");
  weft.wait_until("it says where it saved", [](const Report& r) {
    return r["message"].get<std::string>().find("small-tuned.toml") != std::string::npos;
  });
  const Scene saved = read_scene(desktop.file("small-tuned.toml"));
  CHECK(saved.forces.lift == 1.25f);
  CHECK(saved.pins.size() == 2);

  bool reset = false;
  for (int attempt = 0; attempt < 5 && !reset;
       ++attempt) {  // clicks that a slow display parts are single ones
    weft.fresh();
    weft.xdotool("click --repeat 2 --delay 60 1");
    desktop.shell("sleep 0.8");
    reset = !weft.fresh()["params"].contains(key);
  }
  CHECK(reset);
}

TEST_CASE("keys play, pause, step, reset, hide the panels and open the help") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1200x760", "--paused"});
  weft.fresh();
  weft.key("period");
  weft.wait_until("one step was made", [](const Report& r) { return r["step"] == 1; });
  weft.key("space");
  weft.wait_until("it plays", [](const Report& r) { return r["playing"].get<bool>() && r["step"] > 5; });
  weft.key("space");
  weft.wait_until("it pauses", [](const Report& r) { return !r["playing"].get<bool>(); });
  weft.key("r");
  weft.wait_until("it is back at the start", [](const Report& r) { return r["step"] == 0; });
  weft.key("h");
  weft.wait_until("the panels are hidden",
                  [](const Report& r) { return !r["panels"].get<bool>() && r["viewport"][2] > 1190; });
  weft.key("h");
  weft.key("F1");
  weft.wait_until("the help is open",
                  [](const Report& r) { return r["help"].get<bool>() && r["panels"].get<bool>(); });
  weft.key("Escape");
  weft.key("2");
  weft.wait_until("the cloth is coloured by stretch",
                  [](const Report& r) { return !r["help"].get<bool>() && r["colouring"] == "stretch"; });
}

TEST_CASE("a right drag turns the view as far as the mouse went, however fast it went") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1200x760", "--paused"});
  const auto yaw = [](const Report& r) { return r["camera"]["yaw"].get<double>(); };
  const Report start = weft.fresh();
  weft.move_to(start["viewport"][0].get<double>() + 30, start["viewport"][1].get<double>() + 30);
  weft.fresh();
  weft.press(3);
  weft.fresh();
  weft.xdotool("mousemove_relative 60 0");
  weft.fresh();
  weft.release(3);
  const double slow = yaw(weft.fresh()) - yaw(start);
  CHECK(std::abs(slow) > 5);
  // A window that is busy with a picture reads press, way and release together, when the cursor is elsewhere
  // already.
  weft.stall();
  weft.press(3);
  weft.xdotool("mousemove_relative 60 0");
  weft.release(3);
  weft.xdotool("mousemove_relative 0 40");
  weft.go_on();
  weft.wait_until("the view has turned as far again",
                  [&](const Report& r) { return std::abs(yaw(r) - yaw(start) - 2 * slow) < 0.1; });
  CHECK(weft.fresh()["camera"]["pitch"] == start["camera"]["pitch"]);
}

TEST_CASE("a scene that is saved is loaded again, a broken one leaves the old scene and says what is wrong") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  const std::string path = write_small_scene(desktop);
  RunningWeft weft(desktop, {path, "--size", "1000x700"});
  weft.wait_until("it runs", [](const Report& r) { return r["step"] > 5; });
  std::ofstream(path) << "title = \"broken\n";
  weft.wait_until("the fault is told with its line", [](const Report& r) {
    for (const std::string& text : r["messages"].get<std::vector<std::string>>())  // others may follow it
      if (text.find("small.toml:1") != std::string::npos) return true;
    return false;
  });
  const Report after = weft.fresh();
  CHECK(after["title"] == "Small cloth");
  weft.wait_until("the old scene goes on",
                  [&](const Report& r) { return r["step"] > after["step"].get<int>() + 5; });
  write_small_scene(desktop, 800, "Mended");
  weft.wait_until("the mended scene runs", [](const Report& r) { return r["title"] == "Mended"; });
}

TEST_CASE(
    "scenes and meshes that are dropped on the window are opened, and what is neither is told in words") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  std::string python;
  // the first may be one that the system's packages do not reach
  for (const char* candidate : {"python3", "/usr/bin/python3"})
    if (desktop.shell(std::string(candidate) + " -c 'import Xlib; print(1)' 2>&1").find("1\n") == 0)
      python = candidate;
  if (python.empty()) {
    testing::skip("python3-xlib is not installed");
    return;
  }
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1000x700"});
  weft.wait_until("it runs", [](const Report& r) { return r["step"] > 5; });
  const auto drop = [&](const std::string& file) {
    const std::string said =
        desktop.shell(python + " " WEFT_TEST_ASSETS "/viewer/drop_file.py Weft " + file + " 2>&1");
    CHECK(said == "");
  };
  std::ofstream(desktop.file("other.toml")) << "title = \"Dropped\"\n[[cloth]]\nvertices = 300\n";
  drop("other.toml");
  weft.wait_until("the scene is opened", [](const Report& r) { return r["title"] == "Dropped"; });
  std::ofstream(desktop.file("sheet.obj")) << "v 0 1 0\nv 1 1 0\nv 0 2 0\nv 1 2 0\nf 1 2 3\nf 2 4 3\n";
  drop("sheet.obj");
  weft.wait_until("the mesh is opened as cloth", [](const Report& r) { return r["title"] == "sheet.obj"; });
  std::ofstream(desktop.file("notes.txt")) << "no scene\n";
  drop("notes.txt");
  weft.wait_until("the fault is told", [](const Report& r) {
    return r["message"].get<std::string>().find("notes.txt") != std::string::npos;
  });
  CHECK(weft.fresh()["title"] == "sheet.obj");
}

TEST_CASE("the window survives being minimised, tiny, and restored, and the simulation goes on meanwhile") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1000x700"});
  const int before = weft.wait_until("it runs", [](const Report& r) { return r["step"] > 5; })["step"];
  weft.xdotool("search --class weft windowminimize --sync");
  std::filesystem::remove(desktop.file("report.json"));
  weft.xdotool("sleep 1");
  CHECK(weft.running());
  weft.xdotool("search --class weft windowmap --sync windowactivate --sync");
  const Report back = weft.wait_until("it is drawn again", [](const Report&) { return true; });
  CHECK(back["step"].get<int>() > before);
  weft.xdotool("search --class weft windowsize 1 1");
  weft.xdotool("sleep 0.5");
  CHECK(weft.running());
  weft.xdotool("search --class weft windowsize 900 600");
  weft.wait_until("it is large again", [](const Report& r) { return r["size"][1] > 500; });
}

TEST_CASE("a window that was asked no size is whole on a small screen, and one that was has that size") {
  Desktop desktop(1024, 640, false);  // a manager may make any window fit, but not all do
  DESKTOP_OR_SKIP(desktop);
  const auto size_of = [&](const std::string& arguments) {
    const std::string found =
        desktop.shell(std::string(WEFT_PROGRAM) + " --fresh --scale 1 " + arguments +
                      " >weft.log 2>&1 & for i in $(seq 300); do sleep 0.1; w=$(xdotool search --onlyvisible "
                      "--class weft getwindowgeometry --shell) && break; done; "
                      "kill $!; wait; echo \"$w\"");
    std::map<std::string, int> size;
    std::istringstream lines(found);
    for (std::string line; std::getline(lines, line);)
      if (line.rfind("WIDTH=", 0) == 0 || line.rfind("HEIGHT=", 0) == 0)
        size[line.substr(0, 1)] = std::stoi(line.substr(line.find('=') + 1));
    return size;
  };
  CHECK(size_of("") == std::map<std::string, int>{{"W", 1024}, {"H", 640}});
  CHECK(size_of("--size 1100x700") == std::map<std::string, int>{{"W", 1100}, {"H", 700}});
}

TEST_CASE("the panel shows what acts on the chosen method, and the window its phases and pairs") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  std::ofstream(desktop.file("sheets.toml")) << "[step]\ncollision = \"bodies\"\n[repulsion]\nsteps = 12\n"
                                                "[[cloth]]\nname = \"lower\"\nsize = [0.3, 0.3]\nvertices = "
                                                "300\nposition = [0.0, 0.5, 0.0]\nrotation = [-90, 0, 0]\n"
                                                "[[cloth]]\nname = \"upper\"\nsize = [0.3, 0.3]\nvertices = "
                                                "300\nposition = [0.0, 0.535, 0.0]\nrotation = [-90, 0, 0]\n"
                                                "[[pin]]\ncloth = \"lower\"\nwhere = \"boundary\"\n";
  RunningWeft weft(desktop, {desktop.file("sheets.toml"), "--size", "1280x800", "--paused"});
  const Report bodies =
      weft.wait_until("it is there", [](const Report& r) { return r["items"].contains("step.collision"); });
  CHECK(bodies["items"].contains("contact.friction"));
  CHECK_FALSE(bodies["items"].contains("repulsion.steps"));
  CHECK(bodies["remarks"][0].get<std::string>().find("passes through itself") != std::string::npos);
  weft.key("5");
  weft.wait_until("phases are asked for",
                  [](const Report& r) { return r["colouring"] == "phase" && r["field"] == "phase"; });

  const auto [x, y] = weft.item("step.collision");
  weft.click(x, y);
  const auto [choice_x, choice_y] = weft.item("step.collision=Vertex repulsion");
  weft.click(choice_x, choice_y);
  const Report repulsion = weft.wait_until(
      "repulsion's parameters", [](const Report& r) { return r["items"].contains("repulsion.steps"); });
  CHECK(repulsion["items"].contains("repulsion.self_friction"));
  CHECK_FALSE(repulsion["items"].contains("repulsion.barrier"));
  CHECK(repulsion["items"].contains("more.repulsion"));
  weft.wait_until("what it promises", [](const Report& r) {
    std::string all;
    for (const auto& remark : r["remarks"]) all += remark.get<std::string>();
    return all.find("never crosses itself") != std::string::npos && all.find("mm apart") != std::string::npos;
  });
  CHECK(weft.fresh()["contact_pairs"] == 0);
  // what is above folded, so that the switch is in sight
  for (const char* section : {"section.Timings", "view.contact_pairs"}) {
    const auto [at_x, at_y] = weft.item(section);
    weft.click(at_x, at_y);
  }
  for (int i = 0; i < 10; ++i) weft.key("period");
  weft.wait_until("pairs are shown", [](const Report& r) { return r["contact_pairs"] > 50; });
}

TEST_CASE("the window shows active samples of stretched cloth while they are asked for") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  std::ofstream(desktop.file("strips.toml"))
      << "[step]\ncollision = \"repulsion\"\n[repulsion]\nresampling = true\n[contact]\nground = false\n"
         "[camera]\ntarget = [0.0, 0.39, 0.0]\ndistance = 0.25\nyaw = 25\npitch = 20\n"
         "[[cloth]]\nname = \"bar\"\nsize = [0.0168, 0.06]\nedge = 0.0042\npattern = \"uniform\"\nposition = "
         "[0, 0.4, 0]\nrotation = [-90, 0, 0]\n"
         "[[cloth]]\nname = \"strip\"\nsize = [0.05, 0.0126]\nedge = 0.0042\npattern = \"uniform\"\nposition "
         "= [0, 0.41, 0]\nrotation = [-90, 0, 0]\n"
         "fabric = { areal_density = 0.276, stretch_stiffness = 60 }\n"
         "[[pin]]\ncloth = \"bar\"\nwhere = \"top\"\n[[pin]]\ncloth = \"bar\"\nwhere = \"bottom\"\n"
         "[[pin]]\ncloth = \"strip\"\nwhere = \"left\"\nmotion = { keys = [{ time = 0.02 }, { time = 0.2, "
         "position = [-0.025, -0.035, 0] }] }\n"
         "[[pin]]\ncloth = \"strip\"\nwhere = \"right\"\nmotion = { keys = [{ time = 0.02 }, { time = 0.2, "
         "position = [0.025, -0.035, 0] }] }\n";
  RunningWeft weft(desktop,
                   {desktop.file("strips.toml"), "--size", "1280x1000", "--set", "view.active_samples=true"});
  const Report r = weft.wait_until(
      "samples are shown", [](const Report& r) { return r["active_samples"] > 10 && r["time"] > 0.25; }, 120);
  CHECK(r["command"].get<std::string>().find("view.active_samples=true") != std::string::npos);
  // what is above folded, so that the switch is in sight
  for (const char* item : {"section.Timings", "view.active_samples"}) {
    const auto [at_x, at_y] = weft.item(item, 0.05);
    weft.click(at_x, at_y);
  }
  weft.wait_until("none are sent any more", [](const Report& r) { return r["active_samples"] == 0; });
}
