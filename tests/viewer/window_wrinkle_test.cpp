// The Wrinkles panel, worked with mouse and keyboard.
#include <doctest/doctest.h>

#include <fstream>

#include "sim/scene/text/gather_table.h"
#include "sim/scene/text/scene_file.h"
#include "tests/viewer/window_desktop.h"

using namespace weft;
using namespace weft::testing;
using Report = RunningWeft::Report;

TEST_CASE("a gather is stitched and loosed by a tick, taken back, and saved with the scene") {
  Desktop desktop(1400, 1100);
  DESKTOP_OR_SKIP(desktop);
  std::ofstream(desktop.file("quilt.toml")) << R"(title = "Quilt"
[contact]
ground = false
[[cloth]]
name = "cloth"
vertices = 200
[[pin]]
where = "top"
[[gather]]
kind = "diamonds"
spacing = 0.1
angle = 45
)";
  RunningWeft weft(desktop, {"quilt.toml", "--fresh", "--paused", "--size", "1300x1000"});
  for (const char* section :
       {"section.Timings", "section.View", "section.Wrinkles"}) {  // room for the gathers
    const auto [x, y] = weft.item(section);
    weft.click(x, y);
  }
  const auto stitched = [](bool is) {
    return [is](const Report& r) { return r["wrinkles"]["stitched"] == Report::array({is}); };
  };
  weft.wait_until("the scene's gather", stitched(false));
  const auto press = [&](const char* item) {
    const auto [at_x, at_y] = weft.item(item, 0.1);
    weft.click(at_x, at_y);
  };
  press("gather0.stitched");
  weft.wait_until("the gather stitched", stitched(true));
  press("Undo gather");
  weft.wait_until("the gather loose", stitched(false));
  press("Redo gather");
  weft.wait_until("the gather stitched again", stitched(true));
  press("gather0.meet_at_seams");
  weft.key("ctrl+s");
  weft.wait_until("the scene saved", [](const Report& r) {
    return r["message"].get<std::string>().find("quilt-tuned.toml") != std::string::npos;
  });
  const std::vector<Gather> saved = read_scene(desktop.file("quilt-tuned.toml")).of<GatherList>().list;
  REQUIRE(saved.size() == 1);
  CHECK(saved[0].stitched);
  CHECK_FALSE(saved[0].meet_at_seams);
  CHECK(saved[0].spacing == 0.1f);
}
