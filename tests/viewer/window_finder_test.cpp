// The field that searches everything, and the number under the cursor.
#include <doctest/doctest.h>

#include "tests/viewer/window_desktop.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

TEST_CASE("Ctrl-K finds a parameter with its slider, runs a command, and opens a scene") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1280x720", "--paused"});
  weft.move_to(640, 700);
  const auto search = [&](const std::string& words) {
    weft.key("ctrl+k");
    weft.wait_until("the field is there",
                    [](const Report& r) { return r["items"].contains("finder.query"); });
    weft.xdotool("type '" + words + "'");
  };
  search("bending rigidity");
  weft.wait_until("the parameter is found", [](const Report& r) {
    return r["items"].dump().find(".bending_rigidity") != std::string::npos;
  });
  weft.key("Escape");
  weft.wait_until("it is closed", [](const Report& r) { return !r["items"].contains("finder.query"); });
  search("wireframe");
  weft.wait_until("the command is found",
                  [](const Report& r) { return r["items"].contains("found:Wireframe"); });
  weft.key("Return");
  weft.wait_until("the mesh is drawn, the field closed", [](const Report& r) {
    return r["wireframe"] == true && !r["items"].contains("finder.query");
  });
  search("export obj");
  weft.wait_until("what has a button and no key is found", [](const Report& r) {
    return r["items"].contains("found:Export the state that is shown as OBJ");
  });
  weft.key("Return");
  weft.wait_until("it is run", [](const Report& r) {
    return r["message"].get<std::string>().find("weft-001.obj") != std::string::npos;
  });
  search("hanging_corners");
  weft.wait_until("the scene is found",
                  [](const Report& r) { return r["items"].contains("found:hanging_corners"); });
  weft.key("Return");
  weft.wait_until("it is open", [](const Report& r) { return r["title"] == "Swinging from two corners"; });
}

TEST_CASE("the number behind a colour stands under the cursor, and goes with the colours") {
  Desktop desktop;
  DESKTOP_OR_SKIP(desktop);
  RunningWeft weft(desktop, {write_small_scene(desktop), "--size", "1280x720", "--paused"});
  const Report start =
      weft.wait_until("the cloth is there", [](const Report& r) { return r["cloth_screen"].is_array(); });
  weft.move_to(start["cloth_screen"][0], start["cloth_screen"][1]);
  weft.wait_until("it is under the cursor", [](const Report& r) { return r["hover"].is_object(); });
  CHECK(weft.fresh()["value"] == "");
  weft.key("2");
  const Report coloured = weft.wait_until("it has a value", [](const Report& r) { return r["value"] != ""; });
  CHECK(std::string(coloured["value"]).ends_with(" %"));
  weft.key("1");
  weft.wait_until("it has none", [](const Report& r) { return r["value"] == ""; });
}
