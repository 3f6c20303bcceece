// Headless runs: states, meshes, statistics, snapshots, replay.
#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/mesh/import/obj.h"
#include "sim/run/runner.h"
#include "sim/scene/text/scene_file.h"
#include "test_paths.h"
#include "tests/support/program.h"
#include "tests/support/skip.h"
#include "tests/support/tablecloth.h"

using namespace weft;
using namespace weft::testing;
namespace fs = std::filesystem;

namespace {

/// Reads a float32 array of rows x 3, checking its header.
std::vector<vec3> read_npy(const std::string& path) {
  const std::string bytes = read_file(path);
  REQUIRE(bytes.size() > 128);
  REQUIRE(bytes.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) == 0);
  const size_t header = size_t(uint8_t(bytes[8])) + 256 * size_t(uint8_t(bytes[9]));
  REQUIRE((10 + header) % 64 == 0);
  const std::string text = bytes.substr(10, header);
  REQUIRE(text.find("'descr': '<f4'") != std::string::npos);
  REQUIRE(text.find("'fortran_order': False") != std::string::npos);
  const size_t rows = std::stoul(text.substr(text.find("'shape': (") + 10));
  REQUIRE(bytes.size() == 10 + header + rows * sizeof(vec3));
  std::vector<vec3> values(rows);
  std::memcpy(static_cast<void*>(values.data()), bytes.data() + 10 + header, rows * sizeof(vec3));
  return values;
}

std::vector<std::string> lines_starting(const std::string& text, const std::string& start) {
  std::vector<std::string> found;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (text.compare(at, start.size(), start) == 0) found.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return found;
}

int count_files(const std::string& folder, const std::string& extension) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) count += entry.path().extension() == extension;
  return count;
}

std::string with_threads(const Folder& folder, const std::string& scene, const char* threads) {
  return testing::weft(folder,
                       {scene, "--headless", "--frames", "20", "--device", "cpu", "--threads", threads})
      .hash();
}

/// Five steps of a cloth just above a table: the states hold the cloth's vertices and then the table's, which
/// stands still, and no vertex of the cloth is deeper than 1 mm in the table.
void check_tablecloth(const Folder& folder, const fs::path& cloth_file, const fs::path& table_file) {
  CAPTURE(cloth_file.string());
  const Outcome o =
      testing::weft(folder, {cloth_file.string(), "--obstacle", table_file.string(), "--headless", "--frames",
                             "5", "--states", "out", "--stats", "stats.json"});
  REQUIRE(o.status == 0);
  ImportReport report;
  const TriMesh cloth = read_obj(cloth_file.string(), report), table = read_obj(table_file.string(), report);
  const auto start = read_npy(folder / "out/step_000000.npy"), end = read_npy(folder / "out/step_000005.npy");
  const size_t own = cloth.positions.size(), others = table.positions.size();
  REQUIRE(start.size() == own + others);
  REQUIRE(end.size() == own + others);
  for (size_t v = 0; v < own; ++v) REQUIRE(glm::length(start[v] - cloth.positions[v]) < 1e-6f);
  for (size_t v = 0; v < others; ++v) REQUIRE(glm::length(end[own + v] - table.positions[v]) < 1e-6f);
  for (const vec3& p : end) REQUIRE(std::isfinite(p.x + p.y + p.z));
  CHECK(double(nlohmann::json::parse(read_file(folder / "stats.json"))["final"]["max_penetration"]) < 1e-3);
  fs::remove_all(folder / "out");
}

}  // namespace

TEST_CASE("states hold the cloth and then the bodies, as the mesh beside them says") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome o =
      testing::weft(folder, {scene, "--headless", "--frames", "6", "--states", "out", "--device", "cpu"});
  REQUIRE(o.status == 0);
  CHECK(count_files(folder / "out", ".npy") == 7);  // the start and six steps
  const std::string obj = read_file(folder / "out/mesh.obj");
  CHECK(lines_starting(obj, "g ") == std::vector<std::string>{"g sheet", "g ball"});
  ImportReport report;
  const TriMesh mesh = read_obj(folder / "out/mesh.obj", report);
  const auto start = read_npy(folder / "out/step_000000.npy"), end = read_npy(folder / "out/step_000006.npy");
  REQUIRE(start.size() == mesh.positions.size());
  for (size_t v = 0; v < start.size(); ++v) REQUIRE(start[v] == mesh.positions[v]);

  // Faces up to the group of the ball use cloth vertices only, so the first of the ball's faces says where it
  // begins.
  const size_t ball_at = obj.find("\ng ball");
  const size_t cloth_vertices = lines_starting(obj.substr(0, ball_at), "v ").size();
  REQUIRE(cloth_vertices > 100);
  float moved = 0;
  for (size_t v = 0; v < cloth_vertices; ++v) moved = std::max(moved, glm::length(end[v] - start[v]));
  CHECK(moved > 1e-4f);
  // After six steps of 10 ms at 90 degrees a second the ball has turned by 5.4 degrees about its upright
  // axis.
  const float angle = 5.4f * kPi / 180;
  const vec3 center(0, 0.3f, 0.3f);
  for (size_t v = cloth_vertices; v < start.size(); ++v) {
    const vec3 d = start[v] - center;
    const vec3 turned(std::cos(angle) * d.x + std::sin(angle) * d.z, d.y,
                      -std::sin(angle) * d.x + std::cos(angle) * d.z);
    REQUIRE(glm::length(end[v] - center - turned) < 1e-5f);
  }
}

TEST_CASE("NumPy reads the states") {
  if (std::system("python3 -c 'import numpy' 2> /dev/null") != 0) {
    testing::skip("Python with NumPy is not installed");
    return;
  }
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  REQUIRE(testing::weft(folder, {scene, "--headless", "--frames", "3", "--states", "out"}).status == 0);
  folder.write(
      "check.py",
      "import numpy, sys\n"
      "a = numpy.load('out/step_000003.npy')\n"
      "n = sum(1 for l in open('out/mesh.obj') if l.startswith('v '))\n"
      "sys.exit(0 if a.dtype == numpy.float32 and a.shape == (n, 3) and numpy.isfinite(a).all() else 1)\n");
  CHECK(Program(folder, "/usr/bin/python3", {"check.py"}).wait().status == 0);
}

TEST_CASE("the tablecloth's states have its vertices first, then the table's, and stay out of the table") {
  Folder folder;
  const testing::Tablecloth made;
  write_obj(folder / "cloth.obj", {{"cloth", &made.cloth.positions, &made.cloth.triangles}});
  write_obj(folder / "table.obj", {{"table", &made.table.positions, &made.table.triangles}});
  check_tablecloth(folder, folder / "cloth.obj", folder / "table.obj");
  const fs::path others = fs::path(WEFT_SHARED_DATA) / "tablecloth";
  if (fs::exists(others)) check_tablecloth(folder, others / "tableCloth.obj", others / "table.obj");
}

TEST_CASE("exported meshes read back as they were") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  REQUIRE(testing::weft(folder, {scene, "--headless", "--frames", "4", "--export", "objs", "--states", "out"})
              .status == 0);
  CHECK(count_files(folder / "objs", ".obj") == 5);
  ImportReport report;
  CHECK(read_obj(folder / "objs/step_000004.obj", report).positions ==
        read_npy(folder / "out/step_000004.npy"));
}

TEST_CASE("the same input gives the same bits, for any number of threads") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const std::string first = with_threads(folder, scene, "1");
  CHECK(first.size() == 16);
  CHECK(with_threads(folder, scene, "1") == first);
  CHECK(with_threads(folder, scene, "2") == first);
  CHECK(testing::weft(folder, {scene, "--headless", "--frames", "20", "--device", "cpu", "--set",
                               "forces.air_damping=0.3"})
            .hash() != first);
}

TEST_CASE("a snapshot continues to the same state") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> all{scene, "--headless", "--device", "cpu"};
    all.insert(all.end(), more.begin(), more.end());
    return testing::weft(folder, all);
  };
  const std::string whole = run({"--frames", "30"}).hash();
  const Outcome first = run({"--frames", "12", "--save-snapshot", "half.snapshot"});
  CHECK(first.hash() != whole);
  CHECK(run({"--frames", "18", "--load-snapshot", "half.snapshot"}).hash() == whole);
  const Outcome damaged = run({"--load-snapshot", folder.write("damaged", "WEFT")});
  CHECK(damaged.status == 1);
  CHECK(damaged.says("damaged"));
}

TEST_CASE("a recording replays to the hash of the run that was recorded") {
  Folder folder;
  const std::string path = folder.write("small.toml", small_scene());
  Scene scene = read_scene(path);
  scene.set("forces.air_damping", "0.7");
  uint64_t hash = 0;
  {
    Runner runner(scene, {.device = DeviceChoice::cpu, .threads = 1});
    runner.post(GrabBegin{1, 30, {0.2f, 0.3f, 0.5f}, 0});
    runner.post(GrabMove{1, {0.2f, 1.0f, 0.4f}});
    for (int k = 0; k < 15; ++k) runner.step_once();
    while (runner.hands().steps < 15) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    runner.post(GrabEnd{1});
    runner.post(PinVertex{40, true});
    for (int k = 0; k < 10; ++k) runner.step_once();
    while (runner.hands().steps < 25) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    hash = runner.hash();
    write_hands(folder / "hands.toml", runner.hands());
  }
  const Outcome o = testing::weft(folder, {"replay", "hands.toml", "--device", "cpu"});
  CHECK(o.status == 0);
  CHECK(o.hash() == fmt::format("{:016x}", hash));
  CHECK(testing::weft(folder, {"replay", "hands.toml", "--device", "cpu", "--set", "forces.air_damping=2"})
            .hash() != o.hash());
}

TEST_CASE("a run with a budget tells how many steps it ended, and its recording replays without a clock") {
  Folder folder;
  const std::string path = folder.write(
      "small.toml", std::string(small_scene()) +
                        "[step]\nbudget = 1e-9\n[[scripted_drag]]\ncloth = \"sheet\"\nat = [0.5, 0.0]\n"
                        "begin = 0.02\nend = 0.1\nkeys = [{ time = 0, position = [0, 0, 0] }, "
                        "{ time = 0.08, position = [0, 0.2, 0.2] }]\n");
  const std::vector<std::string> run = {"small.toml", "--headless", "--frames", "15", "--device", "cpu"};
  std::vector<std::string> told = run;
  told.insert(told.end(), {"--csv", "steps.csv"});
  const Outcome with = testing::weft(folder, told);
  CHECK(with.status == 0);
  CHECK(with.prints("steps before they were solved: another run has another hash"));
  CHECK(read_file(folder / "steps.csv").find(",budget_iterations,") != std::string::npos);
  std::vector<std::string> solved = run;
  solved.insert(solved.end(), {"--set", "step.budget=0"});
  const Outcome without = testing::weft(folder, solved);
  CHECK(without.status == 0);
  CHECK_FALSE(without.prints("before they were solved"));
  CHECK(without.hash() != with.hash());

  uint64_t hash = 0;
  {
    Runner runner(read_scene(path), {.device = DeviceChoice::cpu, .threads = 1});
    for (int k = 0; k < 15; ++k) runner.step_once();
    while (runner.hands().steps < 15) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    hash = runner.hash();
    write_hands(folder / "hands.toml", runner.hands());
  }
  CHECK(read_file(folder / "hands.toml").find("end_solve = ") != std::string::npos);
  const Outcome again = testing::weft(folder, {"replay", "hands.toml", "--device", "cpu"});
  CHECK(again.hash() == fmt::format("{:016x}", hash));
  CHECK_FALSE(again.prints("before they were solved"));
}

TEST_CASE("end conditions that do not hold are told, and give status 3 where asked") {
  Folder folder;
  const std::string met = folder.write(
      "met.toml", std::string(small_scene()) + "[[end]]\nquantity = \"max_speed\"\nmax = 100.0\n");
  const std::string unmet = folder.write(
      "unmet.toml", std::string(small_scene()) + "[[end]]\nquantity = \"max_height\"\nmax = 0.1\n");
  const auto run = [&](const std::string& scene, bool check) {
    std::vector<std::string> all{scene, "--headless", "--frames", "3"};
    if (check) all.push_back("--check");
    return testing::weft(folder, all);
  };
  CHECK(run(met, true).status == 0);
  CHECK(run(met, true).prints("all 1 end conditions are met"));
  CHECK(run(unmet, false).status == 0);
  CHECK(run(unmet, false).prints("max_height"));
  CHECK(run(unmet, true).status == 3);
  CHECK(run(met, true).prints("they were evaluated 0.270 s before the end of the scene"));
  const Outcome none = run(folder.write("none.toml", small_scene()), true);
  CHECK(none.status == 1);
  CHECK(none.says("has no end conditions"));
}

TEST_CASE("states that cross are told and give status 3 where each is tested") {
  Folder folder;
  // a sheet that falls through another with a method that lets it
  folder.write(
      "through.toml",
      "[step]\ncollision = \"bodies\"\n[[cloth]]\nname = \"ledge\"\nsize = [0.4, 0.4]\nedge = 0.05\n"
      "position = [0, 0.6, 0]\nrotation = [-90, 0, 0]\n[[cloth]]\nname = \"falling\"\nsize = [0.3, 0.3]\n"
      "edge = 0.05\nposition = [0, 0.65, 0]\n[[pin]]\ncloth = \"ledge\"\nwhere = \"boundary\"\n");
  const auto run = [&](const std::string& frames) {
    return testing::weft(folder, {"through.toml", "--headless", "--frames", frames, "--verdict", "--csv",
                                  "t.csv", "--stats", "t.json", "--device", "cpu"});
  };
  const Outcome crossing = run("12");
  INFO(crossing.out << crossing.err);
  CHECK(crossing.status == 3);
  CHECK(crossing.prints("states cross, the first is that of step "));
  CHECK(crossing.prints("13 states were tested"));
  CHECK(read_file(folder / "t.csv").find(",verdict_ms") != std::string::npos);
  const std::string stats = read_file(folder / "t.json");
  CHECK(stats.find("\"step/verdict\"") != std::string::npos);
  CHECK(stats.find("\"tested\": 13") != std::string::npos);
  folder.write("through.toml", small_scene());
  const Outcome clean = run("3");
  CHECK(clean.status == 0);
  CHECK(clean.prints("no state crosses (4 states were tested"));
  const Outcome without =
      testing::weft(folder, {"through.toml", "--headless", "--frames", "3", "--device", "cpu"});
  CHECK_FALSE(without.prints("states were tested"));
  CHECK(without.hash() == clean.hash());
}

TEST_CASE("a run that is reset hands on one frame per step, numbered on, in every kind of file") {
  Folder folder;
  folder.write("scene.toml", small_scene());
  folder.write(
      "hands.toml",
      "scene = \"scene.toml\"\nsteps = 9\ncommands = [\n  { step = 4, time = 0.04, reset = true },\n]\n");
  const Outcome o =
      testing::weft(folder, {"replay", "hands.toml", "--device", "cpu", "--frames", "5", "--states", "states",
                             "--export", "run.usda", "--cache", "run.weftcache"});
  CHECK(o.status == 0);
  CHECK(o.prints("states: 10 arrays and mesh.obj in states"));
  CHECK(o.prints("the run was reset once, first before frame 5"));
  CHECK(o.prints("USD: 10 frames (time codes 0 to 2.16"));
  int arrays = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "states"))
    arrays += entry.path().extension() == ".npy";
  CHECK(arrays == 10);
  // the first step after the start, again
  CHECK(read_file(folder / "states/step_000001.npy") == read_file(folder / "states/step_000005.npy"));
  const Outcome usd = testing::weft(folder, {"convert", "run.weftcache", "again.usda"}),
                objs = testing::weft(folder, {"convert", "run.weftcache", "objs/"});
  CHECK(usd.status == 0);
  CHECK(usd.prints("USD: 10 frames"));
  CHECK(objs.prints("export: 10 OBJ files"));
  CHECK(std::filesystem::exists(folder / "objs/step_000009.obj"));
}

TEST_CASE("statistics hold the numbers of every step") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  REQUIRE(testing::weft(folder, {scene, "--headless", "--seconds", "0.1", "--stats", "stats.json"}).status ==
          0);
  const auto stats = nlohmann::json::parse(read_file(folder / "stats.json"));
  CHECK(stats["steps"] == 10);
  CHECK(stats["states"]["max_speed"].size() == 11);
  CHECK(double(stats["states"]["max_speed"][0]) == 0);
  CHECK(double(stats["states"]["max_speed"][10]) > 0);
  CHECK(double(stats["final"]["time"]) == doctest::Approx(0.1));
  CHECK(stats["stages"].size() > 1);
}

TEST_CASE(
    "progress goes to standard error as plain lines where there is no terminal, and not at all when quiet") {
  Folder folder;
  const std::string scene = folder.write("small.toml", small_scene());
  const Outcome o = testing::weft(folder, {scene, "--headless", "--device", "cpu"});
  CHECK(o.says("30 of 30 steps"));  // the scene's duration of 0.3 s
  CHECK(o.err.find('\r') == std::string::npos);
  const Outcome quiet = testing::weft(folder, {scene, "--headless", "--device", "cpu", "--quiet"});
  CHECK(quiet.err.empty());
  CHECK(quiet.hash() == o.hash());
}

TEST_CASE("a headless run says at its start what crosses, where the method promises that nothing does") {
  Folder folder;
  const std::string cloths =
      "[[cloth]]\nname = \"lying\"\nsize = [0.1, 0.1]\nedge = 0.02\nposition = [0, 0.4, 0]\nrotation = [-90, "
      "10, 0]\n"
      "[[cloth]]\nname = \"standing\"\nsize = [0.1, 0.1]\nedge = 0.02\nposition = [0.003, 0.4, 0.002]\n";
  const std::string scene = folder.write("crossed.toml", cloths);
  const Outcome told = testing::weft(
      folder, {scene, "--headless", "--frames", "1", "--device", "cpu", "--set", "step.collision=two_way"});
  CHECK(told.status == 0);
  CHECK(told.says("cross or touch each other: triangle "));
  CHECK(told.says(" of lying and triangle "));
  CHECK(told.says(", near ("));
  CHECK(told.says("weft repair"));
  CHECK_FALSE(testing::weft(folder, {scene, "--headless", "--frames", "1", "--device", "cpu", "--set",
                                     "step.collision=bodies"})
                  .says("cross or touch"));
}
