// What results say of the run that made them: its worst states, its settings, its command.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"
#include "viewer/commands/run_origin.h"
#include "viewer/commands/run_worst.h"

using namespace weft;
using namespace weft::testing;
using nlohmann::json;

namespace {

/// A sheet that falls onto a body that rises, and is stretched most by the impact; nothing ends there.
constexpr const char* kImpact = R"(
duration = 0.5
[[cloth]]
name = "sheet"
size = [0.4, 0.4]
vertices = 300
position = [0, 0.5, 0]
rotation = [90, 0, 0]
[[pin]]
where = "top"
release_time = 0.2
[[obstacle]]
name = "ball"
shape = "sphere"
radius = 0.08
position = [0, 0.3, 0]
)";

/// A bar that is driven into a wall with a sheet in between.
constexpr const char* kHeld = R"(
[step]
collision = "two_way"
[contact]
bodies_wait = true
[[cloth]]
name = "sheet"
size = [0.3, 0.3]
vertices = 200
position = [0, 0.5, 0]
[[pin]]
where = "top"
[[obstacle]]
name = "wall"
shape = "box"
size = [0.4, 0.4, 0.05]
position = [0, 0.45, -0.03]
[[obstacle]]
name = "bar"
shape = "box"
size = [0.05, 0.05, 0.05]
position = [0, 0.45, 0.1]
[obstacle.motion]
keys = [{ time = 0 }, { time = 0.1, position = [0, 0, -0.1] }]
)";

}  // namespace

TEST_CASE("the closing line and the statistics have the worst state of a run, and when it was") {
  Folder folder;
  folder.write("impact.toml", kImpact);
  const Outcome o = testing::weft(
      folder, {"impact.toml", "--headless", "--device", "cpu", "--stats", "s.json", "--csv", "s.csv"});
  REQUIRE(o.status == 0);
  const json stats = json::parse(read_file(folder / "s.json"));
  const std::vector<double> stretch = stats["states"]["max_stretch"], times = stats["states"]["time"];
  const size_t worst = size_t(std::max_element(stretch.begin(), stretch.end()) - stretch.begin());
  REQUIRE(stretch[worst] > stretch.back() + 0.01);  // else the last state would do
  CHECK(stats["worst"]["max_stretch"]["value"] == stretch[worst]);
  CHECK(stats["worst"]["max_stretch"]["time"] == times[worst]);
  CHECK(stats["worst"]["max_stretch"]["step"] == worst);
  CHECK(stats["final"]["max_stretch"] == stretch.back());
  CHECK(o.prints(fmt::format("worst stretch {:.3f} at {:.3f} s ({:.3f} at the end)", stretch[worst],
                             times[worst], stretch.back())));
}

TEST_CASE("bodies and pins that cloth holds back are told while a run goes and at its end") {
  Folder folder;
  folder.write("held.toml", kHeld);
  const Outcome o = testing::weft(
      folder, {"held.toml", "--headless", "--device", "cpu", "--seconds", "0.1", "--stats", "s.json"});
  REQUIRE(o.status == 0);
  const json stats = json::parse(read_file(folder / "s.json"));
  const double lag = stats["worst"]["body_lag"]["value"];
  REQUIRE(lag > 1e-3);
  CHECK(o.says("(body_lag)"));
  CHECK(o.err.find("(body_lag)") == o.err.rfind("(body_lag)"));  // once
  CHECK(o.prints(fmt::format("bodies held back by cloth by up to {:.1f} mm", 1e3 * lag)));

  StepStats pins, still;
  pins.pin_lag = 0.0031f, pins.time = 1.5;
  RunWorst worst;
  CHECK(worst.warning(still).empty());
  worst.take(pins, 3), worst.take(still, 4);
  CHECK(worst.warning(pins).find("3.1 mm") != std::string::npos);
  CHECK(worst.warning(pins).empty());
  CHECK(worst.words(still).find("pins held back by cloth by up to 3.1 mm at 1.500 s") != std::string::npos);
}

TEST_CASE("the line at a run's end says where bodies passed through most of the cloth, and when") {
  StepStats some, most;
  some.let_through = 12, some.time = 0.5, most.let_through = 40, most.time = 0.75;
  RunWorst worst;
  CHECK(worst.words(some).find("passed through") == std::string::npos);
  some.let_through_place = "'figure' leaves the cloth no room near (9, 9, 9) m";
  most.let_through_place = "'figure' crosses itself near the left armpit, at (0.1, 1.2, 0) m";
  worst.take(some, 1), worst.take(most, 2), worst.take(some, 3);
  CHECK(worst.words(some).find(
            "bodies passed through up to 40 vertices of the cloth at 0.750 s, where 'figure' crosses itself "
            "near the left armpit, at (0.1, 1.2, 0) m") != std::string::npos);
}

TEST_CASE("a number that is not finite is never the worst") {
  StepStats odd, good;
  odd.max_stretch = NAN, good.max_stretch = 1.5f;
  RunWorst worst;
  worst.take(odd, 0);
  CHECK(worst.of("max_stretch").step == -1);
  worst.take(good, 1), worst.take(odd, 2);
  CHECK(worst.of("max_stretch").step == 1);
}

TEST_CASE("statistics, table, USD and states say with which command and settings they were made") {
  Folder folder;
  folder.write("small.toml", small_scene());
  const Outcome o =
      testing::weft(folder, {"small.toml", "--headless", "--frames", "3", "--device", "cpu", "--set",
                             "fabric.bending_rigidity=1.7e-5", "--set", "step.dt=0.005", "--stats",
                             "a b.json", "--csv", "s.csv", "--states", "out", "--export", "run.usda"});
  REQUIRE(o.status == 0);
  const json stats = json::parse(read_file(folder / "a b.json"));
  CHECK(stats["command"].get<std::string>().find("small.toml --headless --frames 3") != std::string::npos);
  CHECK(stats["command"].get<std::string>().find("--stats 'a b.json'") != std::string::npos);
  CHECK(stats["settings"]["step.dt"] == 0.005);
  CHECK(stats["settings"]["sheet.bending_rigidity"] == 1.7e-5);
  CHECK_FALSE(stats["settings"].contains("step.solver"));  // as by default
  CHECK(stats["scene"]["toml"].get<std::string>().find("dt = 0.005") != std::string::npos);
  const std::string table = read_file(folder / "s.csv");
  CHECK(table.rfind("# weft ", 0) == 0);
  for (const std::string& text : {table.substr(0, table.find('\n')), read_file(folder / "out/mesh.obj"),
                                  read_file(folder / "run.usda")})
    for (const char* words : {"; command: ", "--set step.dt=0.005", "; device: CPU", "step.dt=0.005",
                              "sheet.bending_rigidity=1.7e-05"})
      CHECK(text.find(words) != std::string::npos);
  CHECK(table.find("\nstep,wall_ms,") != std::string::npos);
}

TEST_CASE("a command reads in a shell as it was typed") {
  const char* words[] = {"weft", "my scene.toml", "--set", "a=[0, 1]", "it's", ""};
  CHECK(command_text(6, words) == "weft 'my scene.toml' --set 'a=[0, 1]' 'it'\\''s' ''");
}
