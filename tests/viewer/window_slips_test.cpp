// Slips of mouse and keyboard, and faults of the window itself, that must cost nothing. With a real window.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sim/scene/text/scene_file.h"
#include "test_paths.h"
#include "tests/viewer/opened_session.h"
#include "tests/viewer/window_desktop.h"
#include "viewer/window/window.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

namespace {

void fold(RunningWeft& weft, std::initializer_list<const char*> sections) {
  for (const char* section : sections) {
    const auto [x, y] = weft.item(section);
    weft.click(x, y);
  }
}

/// A fault of the programs that are started while it lives.
struct Injected {
  explicit Injected(const char* fault) { setenv("WEFT_INJECT", fault, 1); }
  ~Injected() { unsetenv("WEFT_INJECT"); }
};

/// Ctrl-click, the text, Return.
void type_into(RunningWeft& weft, const std::string& item, const std::string& text) {
  const auto [x, y] = weft.item(item, 0.3);
  weft.move_to(x, y);
  weft.fresh();
  weft.key_down("ctrl");
  weft.press();
  weft.fresh();
  weft.release();
  weft.key_up("ctrl");
  weft.fresh();
  weft.xdotool("type '" + text + "'");
  weft.fresh();
  weft.key("Return");
}

bool says(const Report& r, const std::string& words) {
  return r["message"].get<std::string>().find(words) != std::string::npos;
}
bool sets(const Report& r, const std::string& key) {
  return r["command"].get<std::string>().find(key + "=") != std::string::npos;
}

/// A corner of the picture where there is no cloth.
std::pair<double, double> beside_cloth(const Report& r) {
  return {r["viewport"][0].get<double>() + 30, r["viewport"][1].get<double>() + 30};
}

}  // namespace

TEST_CASE("a number out of its range that is typed into the View panel is told, and the window goes on") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1280x1000", "--paused"});
  fold(weft, {"section.Timings"});
  type_into(weft, "view.msaa", "32");
  weft.wait_until("the range is told, in the field's words", [](const Report& r) {
    return says(r, "Antialiasing: 32 samples is outside its range") && says(r, "view.msaa");
  });
  CHECK_FALSE(sets(weft.fresh(), "view.msaa"));
  type_into(weft, "view.msaa", "2 samples");
  weft.wait_until("one within it counts", [](const Report& r) { return sets(r, "view.msaa"); });
}

TEST_CASE("a panel that fails is told, and costs neither the window nor what stands in the other panels") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  const Injected fault("panel:times=20");
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1280x1000"});
  weft.wait_until("it is told", [](const Report& r) {
    return says(r, "a panel failed") && r["items"].contains("forces.lift");
  });
  const Report after = weft.wait_until("the panel is drawn again",
                                       [](const Report& r) { return r["items"].contains("Frame all"); });
  CHECK(after["items"].contains("section.Recording"));
  weft.wait_until("the simulation has gone on", [](const Report& r) { return r["step"] > 5; });
}

TEST_CASE("a text that is no number changes nothing and is told, one with a unit behind it counts") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1280x1000", "--paused"});
  type_into(weft, "step.dt", "4 ms");
  weft.wait_until("four milliseconds",
                  [](const Report& r) { return r["params"].value("step.dt", "") == "0.004"; });
  type_into(weft, "step.dt", "5000");
  weft.wait_until("one unit, that of the field", [](const Report& r) {
    return says(r, "5000 ms is outside its range — use 0.01 to 100 ms");
  });
  fold(weft, {"section.Simulation", "section.Fabric"});
  type_into(weft, "forces.lift", "1,25");
  weft.wait_until("it is told", [](const Report& r) { return says(r, "'1,25' is not a number"); });
  CHECK_FALSE(sets(weft.fresh(), "forces.lift"));
}

TEST_CASE("a slider that goes out of sight in the hand is let go with the button, not held for ever") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1280x720", "--paused"});
  fold(weft, {"section.Simulation", "section.Fabric"});
  const auto [x, y] = weft.item("forces.lift", 0.3);
  weft.move_to(x, y);
  weft.fresh();
  weft.press();
  weft.fresh();
  for (int i = 1; i <= 4; ++i) weft.move_to(x + 10 * i, y);
  weft.wait_until("the slider follows", [](const Report& r) { return r["params"].contains("forces.lift"); });
  std::string held, now = weft.fresh()["params"]["forces.lift"];
  do held = now, now = weft.fresh()["params"]["forces.lift"];  // until it has followed all of the way
  while (held != now);
  weft.key("h");
  weft.wait_until("the panels are hidden", [](const Report& r) { return !r["panels"].get<bool>(); });
  weft.release();
  weft.fresh();
  weft.key("h");
  weft.wait_until("the panels are back", [](const Report& r) {
    return r["panels"].get<bool>() && r["items"].contains("forces.lift");
  });
  const std::string kept = weft.fresh()["params"]["forces.lift"];
  CHECK(kept == held);
  const auto [beside_x, beside_y] = beside_cloth(weft.fresh());
  weft.move_to(beside_x, beside_y);
  weft.fresh();
  weft.press();
  weft.fresh();
  for (int i = 1; i <= 4; ++i) weft.move_to(beside_x + 15 * i, beside_y);
  weft.fresh();
  weft.release();
  CHECK(weft.fresh()["params"]["forces.lift"] == kept);
  weft.key("ctrl+z");
  weft.wait_until("its edit is undone as any other",
                  [](const Report& r) { return !r["params"].contains("forces.lift"); });
}

TEST_CASE("two mouse buttons at once on a recorded run leave the camera alone once both are up") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  write_small_scene(desktop, 300, "Recorded");
  desktop.shell(WEFT_PROGRAM " small.toml --headless --frames 5 --quiet --cache run.weftcache 2>&1");
  RunningWeft weft(desktop, {"run.weftcache", "--size", "1000x700", "--paused"});
  const Report start = weft.fresh();
  const auto [x, y] = beside_cloth(start);
  weft.move_to(x, y);
  weft.fresh();
  for (const int button : {2, 1}) weft.press(button), weft.fresh();
  for (const int button : {2, 1}) weft.release(button), weft.fresh();
  weft.move_to(x + 80, y + 40);
  CHECK(weft.fresh()["camera"] == start["camera"]);
  weft.press();
  weft.fresh();
  weft.move_to(x + 20, y + 40);
  weft.wait_until("a left drag turns the view", [&](const Report& r) {
    return std::abs(r["camera"]["yaw"].get<double>() - start["camera"]["yaw"].get<double>()) > 3;
  });
  weft.release();
}

TEST_CASE("a button at the side of the mouse does not drop the cloth that the left one holds") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 300), "--size", "1000x700"});
  const Report there = weft.wait_until("it is there", [](const Report& r) { return r["step"] > 5; });
  weft.move_to(there["cloth_screen"][0], there["cloth_screen"][1]);
  weft.wait_until("the cursor is on the cloth", [](const Report& r) { return !r["hover"].is_null(); });
  weft.press();
  weft.wait_until("it is held", [](const Report& r) { return r["handles"].size() == 1; });
  weft.press(8);
  weft.fresh();
  weft.release(8);
  const int step = weft.fresh()["step"];
  const Report after = weft.wait_until("steps later", [&](const Report& r) { return r["step"] > step + 5; });
  CHECK(after["handles"].size() == 1);
  weft.release();
  weft.wait_until("the left one drops it", [](const Report& r) { return r["handles"].empty(); });
}

TEST_CASE("the camera is framed on a scene when its cloth is there, not on the nothing before it") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  setenv("DISPLAY", desktop.display().c_str(), 1);
  WindowOptions options;
  options.scene = read_scene(write_small_scene(desktop, 300));
  options.fresh = options.paused = true;
  options.width = 800, options.height = 600, options.scale = 1;
  options.device = DeviceChoice::cpu;
  options.test_report = desktop.file("report.json");
  Window window(options);
  window.set_unthrottled(true);
  Session& session = window.session();
  for (int i = 0; i < 5; ++i) window.turn();
  session.runner().hash();  // all that was asked for so far is done
  const auto gate = std::make_shared<Gate>();
  session.runner().listen(gate);
  std::ofstream(desktop.file("far.toml"))
      << "title = \"Far\"\n[[cloth]]\nvertices = 300\nposition = [40.0, 1.0, 0.0]\n";
  session.open({desktop.file("far.toml")});
  gate->await();  // the scene is known, its first state is not
  for (int i = 0; i < 5; ++i) window.turn();
  REQUIRE(session.view().scene.title == "Far");
  REQUIRE(session.frame().model_id != session.view().model_id);
  gate->open();
  Report seen;
  const bool framed = wait_for(
      [&] {
        window.turn();
        std::ifstream file(options.test_report);
        if (file) seen = Report::parse(file, nullptr, false);
        return seen.is_object() && seen["title"] == "Far" &&
               session.frame().model_id == session.view().model_id &&
               std::abs(seen["camera"]["target"][0].get<double>() - 40) < 1;
      },
      20);
  CHECK(framed);
  session.runner().listen(nullptr);
}

TEST_CASE(
    "a minimised window that records with a brush goes on when its scene is saved with fewer vertices") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop, 40000), "--size", "800x600", "--paused", "--set",
                             "drag.brush_radius=0.05", "--record", "out.mp4"});
  const Report there =
      weft.wait_until("it records", [](const Report& r) { return r["recording"].get<bool>(); });
  // far from the first triangles
  weft.move_to(there["cloth_screen"][0], there["cloth_screen"][1].get<double>() + 100);
  weft.wait_until("the brush is on the cloth", [](const Report& r) { return !r["hover"].is_null(); });
  weft.xdotool("search --class weft windowminimize --sync");
  write_small_scene(desktop, 100, "Fewer");
  weft.xdotool("sleep 2");
  REQUIRE(weft.running());
  weft.xdotool("search --class weft windowmap --sync windowactivate --sync");
  weft.wait_until("it shows the other one", [](const Report& r) { return r["title"] == "Fewer"; });
}
