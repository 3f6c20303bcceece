// Files that a run writes: what they may replace, and when.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/files/frame_source.h"
#include "tests/support/program.h"

using namespace weft;
using namespace weft::testing;
namespace fs = std::filesystem;

namespace {

const char* kQuad = "v 0 0 0\nv 0.2 0 0\nv 0.2 0.2 0\nv 0 0.2 0\nf 1 2 3\nf 1 3 4\n";

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

}  // namespace

TEST_CASE("where one file of a run cannot be written the older ones stay as they are") {
  Folder folder;
  folder.write("small.toml", small_scene());
  for (const char* name : {"run.weftcache", "run.usda", "run_sheet.pc2", "run_sheet.obj", "steps.csv",
                           "run.trace", "stats.json", "state", "old/mesh.obj"}) {
    fs::create_directories(folder / "old");
    folder.write(name, "old");
  }
  const std::vector<std::vector<std::string>> impossible = {{"--csv", "missing/x.csv"},
                                                            {"--trace", "missing/x.json"},
                                                            {"--stats", "missing/x.json"},
                                                            {"--save-snapshot", "missing/x"},
                                                            {"--cache", "missing/x.weftcache"},
                                                            {"--record", "x.avi"},
                                                            {"--csv", "old"},
                                                            {"--cache", "dir.weftcache"}};
  fs::create_directories(folder / "dir.weftcache");
  for (const auto& bad : impossible) {
    CAPTURE(bad[1]);
    std::vector<std::string> arguments{"small.toml", "--headless", "--frames", "2",
                                       "--states",   "old",        "--export", "run.pc2"};
    const auto add = [&](const char* option, const char* file) {
      if (bad[0] != option) arguments.insert(arguments.end(), {option, file});
    };
    add("--cache", "run.weftcache"), add("--csv", "steps.csv"), add("--trace", "run.trace"),
        add("--stats", "stats.json"), add("--save-snapshot", "state");
    arguments.insert(arguments.end(), bad.begin(), bad.end());
    const Outcome o = testing::weft(folder, arguments);
    CHECK(o.status == 1);
    CHECK(o.says(bad[1]));
    CHECK(o.hash().empty());  // reported before the run
    for (const char* name : {"run.weftcache", "run_sheet.pc2", "run_sheet.obj", "steps.csv", "run.trace",
                             "stats.json", "state", "old/mesh.obj"}) {
      CAPTURE(name);
      CHECK(read_file(folder / name) == "old");
    }
  }
}

TEST_CASE("a run that never begins leaves no empty files") {
  Folder folder;
  folder.write("small.toml", small_scene());
  const Outcome o = testing::weft(folder, {"small.toml", "--headless", "--cache", "run.weftcache", "--csv",
                                           "steps.csv", "--export", "run.pc2", "--trace", "missing/x.json"});
  CHECK(o.status == 1);
  CHECK(names_in(folder.path()).size() == 3);  // the scene and the program's output
}

TEST_CASE("what is written at the end is refused before the work where it has no folder to go to") {
  Folder folder;
  folder.write("small.toml", small_scene());
  folder.write("quad.obj", kQuad);
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"small.toml", "--headless", "--frames", "2", "--export", "missing/x.glb"},
           {"small.toml", "--headless", "--frames", "2", "--export", "missing/x.obj"},
           {"small.toml", "--headless", "--frames", "2", "--export", "missing/x.usda"},
           {"small.toml", "--headless", "--frames", "2", "--export", "missing/x.pc2"},
           {"small.toml", "--headless", "--frames", "2", "--save-snapshot", "missing/x"},
           {"small.toml", "--headless", "--frames", "2", "--stats", "missing/x.json"},
           {"remesh", "quad.obj", "--edge", "5cm", "-o", "missing/x.obj"},
           {"bench", "--vertices", "100", "--runs", "1", "--steps", "1", "--json", "missing/x.json"},
           {"bench", "wu2020", "--small", "--steps", "1", "--markdown", "missing/x.md"}}) {
    CAPTURE(arguments[0] + " " + arguments.back());
    const Outcome o = testing::weft(folder, arguments);
    CHECK(o.status == 1);
    CHECK(o.says("missing/x"));
    CHECK(o.out.empty());  // neither a result nor a summary
  }
}

TEST_CASE("a run does not write over what it reads") {
  Folder folder;
  fs::create_directories(folder / "body");
  const std::string scene =
      "duration = 0.02\n[[cloth]]\nname = \"cloth\"\nfile = \"mesh.obj\"\nposition = [0, 1, "
      "0]\n[[obstacle]]\nname = \"body\"\nfile = \"body/step_000000.obj\"\n";
  const std::string body = "v 0 0 0\nv 0.2 0 0\nv 0 0.2 0\nv 0 0 0.2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  folder.write("scene.toml", scene), folder.write("mesh.obj", kQuad),
      folder.write("body/step_000000.obj", body), folder.write("run_cloth.obj", kQuad);
  fs::create_symlink(folder / "mesh.obj", folder / "other.obj");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"mesh.obj", "--export", "mesh.pc2"},
           {"mesh.obj", "--export", "mesh.obj"},
           {"mesh.obj", "--export", "other.obj"},
           {"mesh.obj", "--states", "."},
           {"scene.toml", "--states", "."},
           {"scene.toml", "--export", "body/"},
           {"scene.toml", "--stats", "scene.toml"},
           {"scene.toml", "--csv", "body/../scene.toml"},
           {"scene.toml", "--save-snapshot", "mesh.obj"},
           {"scene.toml", "--obstacle", "run_cloth.obj", "--export", "run.pc2"}}) {
    auto all = arguments;
    all.insert(all.end(), {"--headless", "--frames", "1"});
    CAPTURE(arguments[1] + " " + arguments.back());
    const Outcome o = testing::weft(folder, all);
    CHECK(o.status == 1);
    CHECK(o.says("would overwrite the input"));
    CHECK(read_file(folder / "scene.toml") == scene);
    CHECK(read_file(folder / "mesh.obj") == kQuad);
    CHECK(read_file(folder / "run_cloth.obj") == kQuad);
    CHECK(read_file(folder / "body/step_000000.obj") == body);
  }
  const auto from_snapshot = [&](const char* option) {
    return testing::weft(
        folder, {"scene.toml", "--headless", "--frames", "1", "--load-snapshot", "state", option, "state"});
  };
  REQUIRE(testing::weft(folder, {"scene.toml", "--headless", "--frames", "1", "--save-snapshot", "state"})
              .status == 0);
  CHECK(from_snapshot("--stats").says("would overwrite the input"));
  CHECK(from_snapshot("--save-snapshot").status == 0);
}

TEST_CASE("two files of one run that are the same by any name are refused before anything is written") {
  Folder folder;
  folder.write("small.toml", small_scene());
  const std::string old = "what was there";
  folder.write("old.csv", old);
  fs::create_symlink("old.csv", folder / "link.json"),
      fs::create_hard_link(folder / "old.csv", folder / "hard.json");
  fs::create_symlink("later.csv", folder / "ahead.json");
  fs::create_directories(folder / "sub"), fs::create_directory_symlink("sub", folder / "other");
  const std::string sub = folder / "sub/a.csv";
  struct Pair {
    std::vector<std::string> arguments;
    std::string options;
  };
  for (const auto& [arguments, options] :
       std::vector<Pair>{{{"--record", "a.mp4", "--csv", "a.mp4"}, "--record and --csv"},
                         {{"--csv", "a", "--trace", "./a"}, "--csv and --trace"},
                         {{"--stats", "sub/../a", "--save-snapshot", "a"}, "--stats and --save-snapshot"},
                         {{"--csv", "other/a.csv", "--stats", sub}, "--csv and --stats"},
                         {{"--csv", "old.csv", "--stats", "link.json"}, "--csv and --stats"},
                         {{"--csv", "old.csv", "--stats", "hard.json"}, "--csv and --stats"},
                         {{"--csv", "later.csv", "--stats", "ahead.json"}, "--csv and --stats"},
                         {{"--cache", "a.weftcache", "--export", "./a.weftcache"}, "--cache and --export"},
                         {{"--export", "a.gltf", "--csv", "a.bin"}, "--csv and --export"},
                         {{"--export", "a.pc2", "--stats", "a_ball.pc2"}, "--stats and --export"},
                         {{"--states", "sub", "--export", "other/mesh.obj"}, "--states and --export"},
                         {{"--states", "sub", "--csv", "other/step_000001.npy"}, "--states and --csv"},
                         {{"--record", "pictures/", "--stats", "pictures"}, "--record and --stats"}}) {
    std::vector<std::string> all{"small.toml", "--headless", "--frames", "1"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    CAPTURE(arguments[1] + " " + arguments[3]);
    const size_t before = names_in(folder.path()).size();
    const Outcome o = testing::weft(folder, all);
    CAPTURE(o.err);
    CHECK(o.status == 1);
    CHECK(o.says(options + " would write to the same file"));
    CHECK(o.says("give each a name of its own"));
    CHECK(read_file(folder / "old.csv") == old);
    CHECK(names_in(folder.path()).size() <= before + 2);  // what it said
    CHECK(names_in(folder / "sub").empty());
  }
  const Outcome bench = testing::weft(folder, {"bench", "--json", "table", "--markdown", "./table"});
  CHECK(bench.status == 1);
  CHECK(bench.says("--json and --markdown would write to the same file"));
}

TEST_CASE("files of a run may share a folder, or go nowhere") {
  Folder folder;
  fs::create_directories(folder / "out");
  folder.write("small.toml", small_scene());
  const Outcome o =
      testing::weft(folder, {"small.toml", "--headless", "--frames", "2", "--states", "out", "--export",
                             "out/", "--csv", "out/a.csv", "--stats", "/dev/null", "--trace", "/dev/null"});
  CAPTURE(o.err);
  CHECK(o.status == 0);
  CHECK(names_in(folder / "out").size() == 3 + 1 + 3 + 1);
}

TEST_CASE("a conversion does not write over what it reads") {
  Folder folder;
  folder.write("cloth.obj", kQuad);
  const Outcome first = testing::weft(folder, {"convert", "cloth.obj", "cloth.pc2"});
  CHECK(first.status == 1);
  CHECK(first.says("would overwrite the input"));
  CHECK(read_file(folder / "cloth.obj") == kQuad);
  CHECK(!fs::exists(folder / "cloth.pc2"));
  fs::create_directories(folder / "objs");
  folder.write("objs/step_000000.obj", kQuad), folder.write("objs/step_000001.obj", kQuad);
  CHECK(testing::weft(folder, {"convert", "objs", "objs/"}).says("would overwrite the input"));
  CHECK(testing::weft(folder, {"convert", "objs", "objs/step_000001.obj", "--frame", "0"})
            .says("would overwrite the input"));
  CHECK(read_file(folder / "objs/step_000001.obj") == kQuad);
  CHECK(testing::weft(folder, {"convert", "objs", "other.pc2"}).status == 0);
  CHECK(open_frame_source(folder / "other.pc2")->frame_count() == 2);
}

TEST_CASE("a shorter run into the folder of a longer one leaves none of its frames") {
  Folder folder;
  folder.write("small.toml", small_scene());
  const auto run = [&](const char* frames, std::vector<std::string> more = {}) {
    std::vector<std::string> all{"small.toml",   "--headless", "--frames", frames,     "--states",
                                 "states",       "--export",   "objs/",    "--record", "pictures/",
                                 "--every-step", "--size",     "64x48"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome o = testing::weft(folder, all);
    CHECK(o.status == 0);
    return o;
  };
  CHECK(!run("6").says("earlier run"));
  folder.write("states/step_0000a9.npy", "mine"), folder.write("states/step_12.npy", "mine");
  const Outcome shorter = run("2", {"--save-snapshot", "half"});
  CHECK(shorter.says("states: 6 files step_NNNNNN.npy of an earlier run are removed"));
  // steps 0 to 2, the mesh, and two that are no frames
  CHECK(names_in(folder / "states").size() == 3 + 1 + 2);
  CHECK(names_in(folder / "objs").size() == 3);
  CHECK(names_in(folder / "pictures").size() == 3);
  // What continues a run leaves what was before it.
  CHECK(testing::weft(folder, {"small.toml", "--headless", "--frames", "2", "--states", "states",
                               "--load-snapshot", "half"})
            .status == 0);
  CHECK(fs::exists(folder / "states/step_000001.npy"));
  CHECK(fs::exists(folder / "states/step_000004.npy"));
}

TEST_CASE("a conversion of a part leaves the frames of the others, one of the whole does not") {
  Folder folder;
  folder.write("small.toml", small_scene());
  REQUIRE(testing::weft(folder, {"small.toml", "--headless", "--frames", "5", "--cache", "long.weftcache"})
              .status == 0);
  REQUIRE(testing::weft(folder, {"small.toml", "--headless", "--frames", "2", "--cache", "short.weftcache"})
              .status == 0);
  CHECK(testing::weft(folder, {"convert", "long.weftcache", "objs/"}).status == 0);
  CHECK(testing::weft(folder, {"convert", "long.weftcache", "objs/", "--to", "1"}).status == 0);
  CHECK(names_in(folder / "objs").size() == 6);
  CHECK(testing::weft(folder, {"convert", "short.weftcache", "objs/"}).status == 0);
  CHECK(names_in(folder / "objs").size() == 3);
}

TEST_CASE("a scene whose name is no UTF-8 costs no statistics") {
  Folder folder;
  const std::string scene = folder.write("sm\xE4ll.toml", small_scene());
  const Outcome o = testing::weft(folder, {scene, "--headless", "--frames", "2", "--stats", "stats.json"});
  CHECK(o.status == 0);
  CHECK(read_file(folder / "stats.json").find("sm\xEF\xBF\xBDll.toml") != std::string::npos);
}

TEST_CASE("results named by a dash go to standard output and everything else does not") {
  Folder folder;
  folder.write("small.toml", small_scene());
  const Outcome stats = testing::weft(folder, {"small.toml", "--headless", "--frames", "3", "--stats", "-"});
  CHECK(stats.status == 0);
  const auto numbers = nlohmann::json::parse(stats.out);
  CHECK(numbers["steps"] == 3);
  CHECK(stats.says("state hash: " + numbers["hash"].get<std::string>()));
  CHECK(stats.says("statistics: standard output"));
  const Outcome table = testing::weft(folder, {"small.toml", "--headless", "--frames", "3", "--csv", "-"});
  CHECK(table.status == 0);
  CHECK(table.out.rfind("# weft", 0) == 0);
  CHECK(std::count(table.out.begin(), table.out.end(), '\n') == 5);  // origin, head, three steps
  CHECK_FALSE(table.prints("state hash"));
  CHECK(testing::weft(folder, {"small.toml", "--headless", "--frames", "3", "--csv", "-", "--stats", "-"})
            .says("both write to standard output"));
  CHECK_FALSE(fs::exists(folder / "-"));
}
