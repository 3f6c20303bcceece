// The program weft-check as a user runs it.
#include <doctest/doctest.h>

#include <filesystem>

#include <nlohmann/json.hpp>

#include "sim/files/run_cache.h"
#include "test_paths.h"
#include "tests/support/program.h"

using namespace weft;
using namespace weft::testing;

namespace {

Outcome weft_check(const Folder& folder, const std::vector<std::string>& arguments) {
  return Program(folder, WEFT_PROGRAM "-check", arguments).wait();
}

/// Two triangles of one cloth at a distance of `height` above each other; below 0 the small one is under the
/// large one.
std::string two_triangles(double height) {
  return fmt::format(
      "g sheet\nv 0 0 0\nv 1 0 0\nv 0 0 1\nv 0.2 {0} 0.2\nv 0.3 {0} 0.2\nv 0.2 {1} 0.3\nf 1 2 3\nf 4 5 6\n",
      height, height + 0.1);
}

constexpr const char* kTetrahedron =
    "v -1 -1 -1\nv 3 -1 -1\nv -1 3 -1\nv -1 -1 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

}  // namespace

TEST_CASE(
    "weft-check ends with 0 for a state without crossings and with 1 for one with, and names the pair") {
  Folder folder;
  const Outcome clean = weft_check(folder, {folder.write("clean.obj", two_triangles(0.1))});
  CHECK(clean.status == 0);
  CHECK(clean.prints("no crossings"));
  CHECK(clean.err.empty());
  const Outcome crossing = weft_check(folder, {folder.write("crossing.obj", two_triangles(-0.05))});
  CHECK(crossing.status == 1);
  CHECK(crossing.prints("1 crossing\n"));
  CHECK(crossing.prints("triangle 0 of sheet and triangle 1 of sheet cross"));
  const Outcome flat = weft_check(
      folder, {folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n")});
  CHECK(flat.status == 1);
  CHECK(flat.prints("triangle 0 of flat has no area"));
}

TEST_CASE("weft-check says in how many states a run told that bodies pass through cloth") {
  Folder folder;
  folder.write("pinch.toml", R"(
[step]
collision = "two_way"
[contact]
ground = false
[[cloth]]
name = "sheet"
size = [0.2, 0.2]
edge = 0.02
rotation = [-90, 0, 0]
[[pin]]
where = "left"
[[pin]]
where = "right"
[[obstacle]]
name = "lower"
shape = "box"
size = [0.06, 0.04, 0.06]
position = [0, -0.03, 0]
[obstacle.motion]
keys = [{ time = 0 }, { time = 0.1, position = [0, 0.015, 0] }]
[[obstacle]]
name = "upper"
shape = "box"
size = [0.06, 0.04, 0.06]
position = [0, 0.03, 0]
[obstacle.motion]
keys = [{ time = 0 }, { time = 0.1, position = [0, -0.015, 0] }]
)");
  for (const bool wait : {false, true}) {
    CAPTURE(wait);
    const Outcome run = testing::weft(
        folder, {"pinch.toml", "--headless", "--device", "cpu", "--seconds", "0.12", "--states", "states",
                 "--set", wait ? "contact.bodies_wait=true" : "contact.bodies_wait=false"});
    REQUIRE(run.status == 0);
    const Outcome o = weft_check(folder, {folder / "states"});
    CHECK(o.status == (wait ? 0 : 3));
    CHECK(o.prints("all of them as the run told") == !wait);
    CHECK(o.prints("no room") == !wait);
    CHECK(run.says("leave the cloth no room") == !wait);
    if (wait) continue;
    // what it told of other vertices excuses nothing
    const std::string table = testing::read_file(folder / "states/let_through.csv");
    const std::string last = table.substr(table.rfind("\",") + 2);
    REQUIRE(last.find_first_of("0123456789") == 0);
    std::string others;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);)
      others += line.substr(0, line.rfind("\",") + 2) + "0\n";
    folder.write("states/let_through.csv", others);
    const Outcome elsewhere = weft_check(folder, {folder / "states"});
    CHECK(elsewhere.status == 1);
    CHECK(elsewhere.prints("the run told"));
    std::filesystem::remove(folder / "states/let_through.csv");
    CHECK(weft_check(folder, {folder / "states"}).status == 1);
  }
}

TEST_CASE("weft-check --continuous finds what single states hide") {
  Folder folder;
  folder.write("s_0.obj", two_triangles(0.2));
  folder.write("s_1.obj", two_triangles(-0.2));
  for (const std::vector<std::string>& input :
       {std::vector{folder / "s_0.obj", folder / "s_1.obj"}, std::vector{folder / "s_#.obj"}}) {
    CHECK(weft_check(folder, input).status == 0);
    std::vector<std::string> with = input;
    with.push_back("--continuous");
    const Outcome o = weft_check(folder, with);
    CHECK(o.status == 1);
    CHECK(o.prints("3 contacts on the path to it"));
    CHECK(o.prints("vertex 3 and triangle 0 1 2 touch at 0.500000 of the path"));
  }
}

TEST_CASE(
    "weft-check --continuous takes files of any names as states of one mesh, in the order in which they are "
    "named") {
  Folder folder;
  const std::string above = folder.write("before.obj", two_triangles(0.2)),
                    below = folder.write("after.obj", two_triangles(-0.2)),
                    far = folder.write("far.obj", two_triangles(0.4));
  CHECK(weft_check(folder, {above, below}).status == 0);  // each by itself
  const Outcome through = weft_check(folder, {above, below, "--continuous"});
  CHECK(through.status == 1);
  CHECK(through.prints("3 contacts on the path to it"));
  const Outcome clean = weft_check(folder, {above, far, "--continuous"});
  CHECK(clean.status == 0);
  CHECK(clean.prints("2 states: no crossings, and none on the path (1 path)"));
  const std::string other = folder.write("other.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const Outcome faces = weft_check(folder, {above, other, "--continuous"});
  CHECK(faces.status == 2);
  CHECK(faces.says("its faces differ from those of"));
  CHECK_FALSE(faces.prints("no crossings, and none"));
  const std::string ten = folder.write("s_10.obj", two_triangles(0.2)),
                    two = folder.write("s_2.obj", two_triangles(0.3));
  CHECK(weft_check(folder, {ten, two, "--continuous"}).says("comes before"));
}

TEST_CASE("doubled vertices of a seam that stays closed are one edge, and of one that opens they touch") {
  Folder folder;
  const auto strips = [](double open) {
    return fmt::format(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv {0} 0 0\nv 2 0 0\nv 2 1 0\nv {0} 1 0\nf 1 2 3\nf 1 3 4\n"
        "f 5 6 7\nf 5 7 8\n",
        1 + open);
  };
  folder.write("s_0.obj", strips(0)), folder.write("s_1.obj", strips(0));
  const Outcome closed = weft_check(folder, {folder / "s_#.obj"});
  CHECK(closed.status == 0);
  CHECK(closed.says("2 vertices lie on others in every state"));
  folder.write("s_1.obj", strips(0.1));
  const Outcome opens = weft_check(folder, {folder / "s_#.obj"});
  CHECK(opens.status == 1);
  CHECK_FALSE(opens.says("lie on others"));
}

TEST_CASE("weft-check never reports as clean what it was asked to check and could not") {
  Folder folder;
  const std::string good = folder.write("good.obj", two_triangles(0.1));
  const std::string open = folder.write("open.obj", "v 5 0 0\nv 6 0 0\nv 5 1 0\nf 1 2 3\n");
  const std::string closed =
      folder.write("closed.obj", "v 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  folder.write("gap_1.obj", two_triangles(0.1)), folder.write("gap_2.obj", two_triangles(0.1)),
      folder.write("gap_5.obj", two_triangles(0.1));
  RunInfo info;
  info.groups.push_back({"sheet", false, 0, 3, {{0, 1, 2}}, {}, {}});
  {
    RunCacheWriter writer(folder / "whole.weftcache", info);
    for (int n = 0; n < 4; ++n) writer.frame({n, 0.01 * n, {{0, 0, 0}, {1, 0, 0}, {0, float(n), 1}}});
    writer.finish();
  }
  std::filesystem::copy_file(folder / "whole.weftcache", folder / "cut.weftcache");
  std::filesystem::resize_file(folder / "cut.weftcache",
                               std::filesystem::file_size(folder / "cut.weftcache") - 40);
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{good, "--continuous"}, "there is one state"},
      {{good, folder / "whole.weftcache", "--continuous"}, "there is one state"},
      {{folder / "gap_#.obj", "--continuous"}, "from step 2 to step 5"},
      {{good, "--max-depth", "0.1"}, "there is no body"},
      {{good, "--body", open, "--max-depth", "0.1"}, "which is open and has no inside"},
      {{good, "--body", closed, "--body", open, "--max-depth", "0.1"}, "which is open and has no inside"},
      {{folder / "cut.weftcache"}, "cut.weftcache"}};
  for (const auto& [arguments, words] : cases) {
    CAPTURE(words);
    const Outcome o = weft_check(folder, arguments);
    CAPTURE(o.out);
    CHECK(o.status == 2);
    CHECK(o.says("not checked: "));
    CHECK(o.says(words));
    CHECK(o.prints("NOT CHECKED"));
    std::vector<std::string> as_json = arguments;
    as_json.push_back("--json");
    CHECK(nlohmann::json::parse(weft_check(folder, as_json).out)["summary"]["not_checked"].size() == 1);
  }
  CHECK(weft_check(folder, {folder / "gap_#.obj"}).status == 0);
  CHECK(weft_check(folder, {folder / "whole.weftcache", "--continuous"}).status == 0);
  CHECK(weft_check(folder, {good, "--body", closed, "--max-depth", "0.1"}).status == 0);
  const std::string crossing = folder.write("crossing.obj", two_triangles(-0.05));
  CHECK(weft_check(folder, {crossing, "--continuous"}).status == 1);  // what was found counts more
  const std::string loose = folder.write("loose.obj", two_triangles(0.1) + "v 9 9 9\nv 9 9 8\n");
  CHECK(weft_check(folder, {loose}).prints("2 vertices belong to no triangle and are not checked"));
}

TEST_CASE("weft-check --continuous sees no way where a run was reset to its start") {
  Folder folder;
  RunInfo info;
  info.groups.push_back({"sheet", false, 0, 6, {{0, 1, 2}, {3, 4, 5}}, {}, {}});
  RunCacheWriter writer(folder / "run.weftcache", info);
  const auto write = [&](int step, float y) {
    writer.frame(
        {step,
         0.01 * step,
         {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0.2f, y, 0.2f}, {0.3f, y, 0.2f}, {0.2f, y + 0.1f, 0.3f}}});
  };
  // each part is clean; the jump between them is no motion
  write(0, 0.2f), write(1, 0.3f), write(0, -0.3f), write(1, -0.4f);
  writer.finish();
  const Outcome o = weft_check(folder, {folder / "run.weftcache", "--continuous"});
  CHECK(o.status == 0);
  CHECK(o.says("goes back from step 1 to step 0"));
  CHECK(o.prints("4 states: no crossings, and none on the path (2 paths)"));
}

TEST_CASE("weft-check reads a recorded run, says the same for any number of threads, and stays in order") {
  Folder folder;
  RunInfo info;
  info.groups.push_back({"sheet", false, 0, 6, {{0, 1, 2}, {3, 4, 5}}, {}, {}});
  info.groups.push_back({"rock", true, 6, 4, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, {}, {}});
  {
    RunCacheWriter writer(folder / "run.weftcache", info);
    for (int n = 0; n < 60; ++n) {
      const float y = n % 20 == 7 ? -0.05f : 0.1f, far = n == 41 ? 0.0f : 50.0f;
      writer.frame({n,
                    0.01 * n,
                    {{0, 0, 0},
                     {1, 0, 0},
                     {0, 0, 1},
                     {0.2f, y, 0.2f},
                     {0.3f, y, 0.2f},
                     {0.2f, y + 0.1f, 0.3f},
                     {far - 1, -1, -1},
                     {far + 3, -1, -1},
                     {far - 1, 3, -1},
                     {far - 1, -1, 3}}});
    }
    writer.finish();
  }
  const Outcome one = weft_check(folder, {folder / "run.weftcache", "--jobs", "1"}),
                four = weft_check(folder, {folder / "run.weftcache", "--jobs", "4"});
  CHECK(one.status == 1);
  CHECK(one.out == four.out);
  CHECK(one.prints("60 states: faults in 4"));
  CHECK(one.out.find("step 7 ") < one.out.find("step 27 "));
  CHECK(one.prints("inside of rock"));
  const Outcome cloth = weft_check(folder, {folder / "run.weftcache", "--ignore-bodies", "--quiet"});
  CHECK(cloth.prints("60 states: faults in 3: 3 crossings"));
  const Outcome json = weft_check(folder, {folder / "run.weftcache", "--json", "--gaps", "--continuous",
                                           "--ignore-bodies", "--jobs", "3"});
  const auto ways = nlohmann::json::parse(json.out)["runs"][0]["states"];
  for (size_t s = 0; s < ways.size(); ++s) {
    CAPTURE(s);
    // whichever thread had the state before
    CHECK((ways[s]["contacts"].get<int>() > 0) == (s % 20 == 7 || s % 20 == 8));
  }
  const Outcome bodies = weft_check(folder, {folder / "run.weftcache", "--json"});
  CHECK(json.status == 1);
  const auto report = nlohmann::json::parse(bodies.out);
  CHECK(report["summary"]["states"] == 60);
  CHECK(report["runs"][0]["states"].size() == 60);
  CHECK(report["runs"][0]["states"][27]["pairs"][0]["a"]["part"] == "sheet");
  CHECK(report["runs"][0]["states"][41]["depth"]["vertices_inside"].get<int>() > 0);
}

TEST_CASE("weft-check tests cloth against a body that is given, and how deep it lies there") {
  Folder folder;
  const std::string cloth = folder.write("cloth.obj", two_triangles(0.1)),
                    body = folder.write("body.obj", kTetrahedron);
  const Outcome inside = weft_check(folder, {cloth, "--body", body});
  CHECK(inside.status == 1);  // the large triangle sticks out
  CHECK(inside.prints("1 crossing, 1 of them with bodies"));
  const std::string small = folder.write("small.obj", "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nf 1 2 3\n");
  const Outcome swallowed = weft_check(folder, {small, "--body", body});
  CHECK(swallowed.status == 0);
  CHECK(swallowed.prints("3 vertices up to 577.4 mm inside of body"));  // 1 / sqrt(3) from the slanted face
  CHECK(weft_check(folder, {small, "--body", body, "--max-depth", "0.6"}).status == 0);
  const Outcome deep = weft_check(folder, {small, "--body", body, "--max-depth", "0.5"});
  CHECK(deep.status == 1);
  CHECK(deep.prints("too deep"));
}

TEST_CASE("weft-check ends with 2 where it cannot check, and says what, where, and what to do") {
  Folder folder;
  const std::string good = folder.write("good.obj", two_triangles(0.1));
  const std::pair<std::vector<std::string>, const char*> faults[] = {
      {{"nowhere.weftcache"}, "nowhere.weftcache"},
      {{"nowhere.obj"}, "nowhere.obj: there is no such file"},
      {{folder.write("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")}, "bad.obj:4"},
      {{folder.write("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")}, "nan.obj:1"},
      {{folder.write("good_2.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        folder.write("good_3.obj", two_triangles(0.1))},
       "its faces differ from those of"},
      {{folder.write("body.obj", std::string("# body\ng rock\n") + kTetrahedron)},
       "it contains bodies but no cloth"},
      {{good, "--body", "nobody.obj"}, "nobody.obj"},
      {{folder.write("cut.weftcache", "WEFTRUN\n")}, "cut.weftcache"},
      {{folder.write("run.usda", "#usda 1.0\n")}, "run.usda: this kind of file cannot be checked"},
      {{good, "--jobs", "-1"}, "--jobs"},
      {{good, "--frobnicate"}, "--frobnicate"},
      {{}, "inputs"}};
  for (const auto& [arguments, words] : faults) {
    CAPTURE(words);
    const Outcome o = weft_check(folder, arguments);
    CAPTURE(o.err);
    CHECK(o.status == 2);
    CHECK(o.says(words));
  }
}

TEST_CASE("weft-check finds on the path what strands do to each other and misses no point within a solid") {
  Folder folder;
  RunInfo info;
  RunGroup solid{"block", false, 0, 5, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, {}, {}};
  solid.cells = {{0, 1, 2, 4}, {0, 1, 4, 3}, {0, 4, 2, 3}, {1, 2, 3, 4}};
  RunGroup hair{"hair", false, 5, 4, {}, {}, {}};
  hair.lines = {{0, 1}, {2, 3}};
  info.groups = {solid, hair};
  const auto frame = [](int number, float height) {  // of the second line, which lies across the first
    return RunFrame{number,
                    0.01 * number,
                    {{0, 0, 0},
                     {1, 0, 0},
                     {0, 1, 0},
                     {0, 0, 1},
                     {0.2f, 0.2f, 0.2f},
                     {2, 0, 0},
                     {3, 0, 0},
                     {2.5f, height, -1},
                     {2.5f, height, 1}}};
  };
  for (const auto& [name, last] : {std::pair("through.weftcache", -0.1f), {"apart.weftcache", 0.1f}}) {
    RunCacheWriter writer(folder / name, info);
    writer.frame(frame(0, 0.2f)), writer.frame(frame(1, last));
    writer.finish();
  }
  const Outcome states = weft_check(folder, {folder / "through.weftcache"});
  CHECK(states.status == 0);
  CHECK(states.says("--continuous"));
  CHECK(states.prints("solid block (4 triangles); strands hair (2 lines)"));
  CHECK_FALSE(states.prints("not checked"));
  CHECK(weft_check(folder, {folder / "through.weftcache", "--continuous"}).status == 1);
  CHECK(weft_check(folder, {folder / "apart.weftcache", "--continuous"}).status == 0);
}

TEST_CASE("weft-check explains itself") {
  Folder folder;
  const Outcome help = weft_check(folder, {"--help"});
  CHECK(help.status == 0);
  for (const char* word : {"--continuous", "--body", "--json", "Exit status", ".weftcache", "Examples"})
    CHECK(help.prints(word));
}

TEST_CASE("weft-check reads every kind of file that a run writes, and finds the same in each") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  REQUIRE(testing::weft(folder, {scene, "--headless", "--frames", "5", "--quiet", "--cache", "run.weftcache",
                                 "--states", "states"})
              .status == 0);
  REQUIRE(testing::weft(folder, {"convert", "run.weftcache", "objs/"}).status == 0);
  REQUIRE(testing::weft(folder, {"convert", "run.weftcache", "run.pc2"}).status == 0);
  for (const char* input : {"run.weftcache", "states", "objs"}) {
    CAPTURE(input);
    const Outcome o = weft_check(folder, {folder / input, "--continuous"});
    CHECK(o.status == 0);
    CHECK(o.prints("cloth sheet"));
    CHECK(o.prints("body ball"));
    CHECK(o.prints("6 states: no crossings, and none on the path"));
  }
  CHECK(weft_check(folder, {folder / "run_sheet.pc2", "--body", "objs/step_000000.obj"}).status != 2);
}

TEST_CASE(
    "weft-check names grains that overlap and grains inside of bodies and solids but not in a closed cloth") {
  Folder folder;
  // three grains of 2 cm: `apart` m from each other along x, from (0.1, 0.1, 0.1) on
  const auto grains = [&](double apart, const char* around) {
    std::string text = fmt::format("{}{}# grains 0.02\ng sand\n", around, *around ? kTetrahedron : "");
    for (int i = 0; i < 3; ++i) text += fmt::format("v {} 0.1 0.1\n", 0.1 + i * apart);
    return folder.write("state.obj", text);
  };
  const Outcome clean = weft_check(folder, {grains(0.021, "")});
  CAPTURE(clean.out);
  CAPTURE(clean.err);
  CHECK(clean.status == 0);
  CHECK(clean.prints("grains sand (3 of 20 mm)"));
  const Outcome overlap = weft_check(folder, {grains(0.019, "")});
  CHECK(overlap.status == 1);
  CHECK(overlap.prints("2 overlaps of grains"));
  CHECK(overlap.prints("grains 0 of sand and 1 of sand overlap by 1 mm"));
  for (const char* around :
       {"# body\ng ball\n", "# rigid body\ng ball\n", "# solid\ng ball\n", "# cloth\ng ball\n"}) {
    const bool cloth = std::string(around).starts_with("# cloth");
    const Outcome inside = weft_check(folder, {grains(0.021, around)});
    CAPTURE(inside.out);
    CHECK(inside.status == (cloth ? 0 : 1));
    CHECK(inside.prints("3 grains up to ") == !cloth);
  }
  const Outcome table = weft_check(folder, {grains(0.019, "# rigid body\ng ball\n"), "--json"});
  CHECK(nlohmann::json::parse(table.out)["summary"]["grain_overlaps"] == 2);
  CHECK(nlohmann::json::parse(table.out)["summary"]["grains_inside"] == 3);
}
