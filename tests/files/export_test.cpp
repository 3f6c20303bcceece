// What other programs read, read by independent readers in Python and held against the states of the same
// run.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/mesh/import/obj.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/scene/text/scene_file.h"
#include "test_paths.h"
#include "tests/support/program.h"
#include "tests/viewer/textures.h"

using namespace weft;
using namespace weft::testing;
namespace fs = std::filesystem;

namespace {

/// Python with NumPy and usd-core, as ./test.sh makes it.
std::string test_python() {
  const char* chosen = std::getenv("WEFT_TEST_PYTHON");
  return chosen ? chosen : WEFT_TEST_PYTHON;
}

/// The tablecloth with fewer vertices, and a ball that rests for a while before it moves.
std::string tablecloth(const Folder& folder, int vertices = 2000) {
  std::string text = read_file(assets_folder() + "/scenes/drape_table.toml");
  const std::string many = "vertices = 10000";
  REQUIRE(text.find(many) != text.npos);
  text.replace(text.find(many), many.size(), fmt::format("vertices = {}", vertices));
  text += R"(
[[obstacle]]
name = "late ball"
shape = "sphere"
radius = 0.05
position = [0.0, 0.745, 0.0]
[obstacle.motion]
keys = [{ time = 0.1 }, { time = 0.4, position = [0.0, 0.1, 0.1] }]
)";
  return folder.write("cloth.toml", text);
}

/// A cloth, a soft block, a rigid die, hair, two rings and grains, apart from each other.
const std::string kAllKinds = R"(
[step]
collision = "two_way"
[[cloth]]
size = [0.2, 0.2]
position = [1, 1, 0]
vertices = 50
[[solid]]
name = "block"
size = [0.1, 0.1, 0.1]
edge = 0.03
position = [0, 1, 0]
[[solid]]
name = "die"
rigid = true
size = [0.1, 0.1, 0.1]
edge = 0.1
position = [2, 1, 0]
spin = [200, 100, 400]
[[grains]]
name = "sand"
size = [0.05, 0.05, 0.05]
radius = 0.01
position = [3, 1, 0]
[[strands]]
name = "hair"
count = 3
length = 0.1
segments = 4
thickness = 0.004
position = [-1, 1, 0]
[[strands]]
name = "links"
shape = "ring"
count = 2
length = 0.3
segments = 9
thickness = 0.004
position = [-2, 1, 0]
)";

Outcome check(const Folder& folder, const std::string& script, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), std::string(WEFT_TEST_ASSETS) + "/files/" + script);
  const Outcome o = Program(folder, test_python(), arguments, {{"PYTHONDONTWRITEBYTECODE", "1"}}).wait();
  CAPTURE(o.out);
  CAPTURE(o.err);
  CHECK(o.status == 0);
  return o;
}

}  // namespace

TEST_CASE("this machine has the Python with usd-core that the tests of exported files need") {
  INFO("usd-core and NumPy belong into ", test_python(),
       ": ./test.sh installs them from PyPI (third_party/python-packages.txt); WEFT_TEST_PYTHON names "
       "another");
  Folder folder;
  REQUIRE(fs::exists(test_python()));
  REQUIRE(
      Program(folder, test_python(), {"-c", "import numpy; from pxr import Usd, UsdGeom"}).wait().status ==
      0);
}

TEST_CASE("Pixar's library reads an exported USD file to the simulated states, bit for bit") {
  Folder folder;
  REQUIRE(testing::weft(folder, {tablecloth(folder), "--headless", "--frames", "40", "--export", "out.usda",
                                 "--states", "states"})
              .status == 0);
  const Outcome o = check(folder, "check_usda.py", {"out.usda", "states"});
  CHECK(o.prints("numbers of 41 frames in 5 meshes are equal"));
  CHECK_FALSE(fs::exists(folder / "out.usda.part"));
}

TEST_CASE("point caches and their meshes hold the simulated states, bit for bit") {
  Folder folder;
  REQUIRE(testing::weft(folder, {tablecloth(folder), "--headless", "--frames", "40", "--export", "out.pc2",
                                 "--states", "states"})
              .status == 0);
  CHECK(
      check(folder, "check_pc2.py", {"out", "states"}).prints("numbers of 41 frames in 5 caches are equal"));
}

TEST_CASE("the last state is a sound glTF file with normals and texture coordinates, in one file or two") {
  Folder folder;
  const std::string scene = tablecloth(folder);
  REQUIRE(testing::weft(folder,
                        {scene, "--headless", "--frames", "12", "--export", "out.glb", "--states", "states"})
              .status == 0);
  CHECK(check(folder, "check_gltf.py", {"out.glb", "states", "12"})
            .prints("5 meshes of step 12 are as simulated"));
  REQUIRE(testing::weft(folder, {"convert", "states", "two files.gltf", "--frame", "7"}).status == 0);
  CHECK(read_file(folder / "two files.gltf").find("two%20files.bin") != std::string::npos);
}

TEST_CASE(
    "a mannequin's glTF file has the mesh, skeleton and motion that the program uses, as an independent "
    "reader sees it") {
  Folder folder;
  const std::vector<std::string> body = {"mannequin", "--edge", "0.02", "--bust", "0.92"};
  const auto write = [&](std::vector<std::string> more) {
    more.insert(more.begin(), body.begin(), body.end());
    const Outcome o = testing::weft(folder, more);
    CAPTURE(o.err);
    REQUIRE(o.status == 0);
    return o;
  };
  CHECK(write({"-o", "body.glb", "--clip", "stand", "--clip", "kick"}).prints("(0.920)"));
  write({"-o", "rest.obj"});
  write({"-o", "posed.obj", "--clip", "kick", "--time", "1"});
  CHECK(check(folder, "check_body_gltf.py", {"body.glb", "rest.obj", "posed.obj", "kick", "1"})
            .prints("21 joints"));
  CHECK(testing::weft(folder, {"mannequin", "-o", "body.stl"}).says("end the name in .glb, .gltf or .obj"));
  CHECK(testing::weft(folder, {"mannequin", "-o", "body.glb", "--bust", "9"}).says("--bust"));
  CHECK(testing::weft(folder, {"mannequin", "-o", "body.glb", "--clip", "wlak"}).says("clips are kick"));
}

TEST_CASE("tetrahedra and strands reach USD and glTF and OBJ, also through a cache") {
  Folder folder;
  const std::string scene = folder.write("all.toml", kAllKinds);
  const Outcome run =
      testing::weft(folder, {scene, "--headless", "--frames", "4", "--export", "out.usda", "--states",
                             "states", "--cache", "run.weftcache", "--device", "cpu", "--threads", "2"});
  CAPTURE(run.err);
  REQUIRE(run.status == 0);
  const auto convert = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "convert");
    const Outcome o = testing::weft(folder, arguments);
    CAPTURE(o.err);
    CHECK(o.status == 0);
  };
  convert({"run.weftcache", "last.glb", "--frame", "4"});
  CHECK(check(folder, "check_solids.py", {"out.usda", "last.glb", "states"})
            .prints("5 strands of 5 frames are as simulated"));
  convert({"run.weftcache", "cached.usda"});
  CHECK(check(folder, "check_solids.py", {"cached.usda", "last.glb", "states"})
            .prints("5 strands of 5 frames are as simulated"));
  convert({"run.weftcache", "frame.obj", "--frame", "0"});
  const auto without_origin = [&](const char* name) {
    const std::string text = read_file(folder / name);
    return text.substr(text.find("# cloth"));
  };
  CHECK(without_origin("frame.obj") == without_origin("states/mesh.obj"));
  // strands of a file without widths and cells are strands again
  convert({"states", "again.glb", "--frame", "4"});
  CHECK(check(folder, "check_solids.py", {"out.usda", "again.glb", "states"}).status == 0);
  // what refers to its own file does not stand in the way of the meshes
  convert({"out.usda", "meshes.obj", "--frame", "0"});
  CHECK(read_file(folder / "meshes.obj").find("g block\n") != std::string::npos);
}

TEST_CASE("every way through a cache gives what the run itself would have written") {
  Folder folder;
  const std::string scene = tablecloth(folder, 600);
  REQUIRE(testing::weft(folder, {scene, "--headless", "--frames", "20", "--cache", "run.weftcache",
                                 "--export", "direct.usda", "--states", "states"})
              .status == 0);
  const auto convert = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "convert");
    const Outcome o = testing::weft(folder, arguments);
    CAPTURE(o.err);
    CHECK(o.status == 0);
  };
  convert({"run.weftcache", "cached.usda"});
  CHECK(read_file(folder / "cached.usda") == read_file(folder / "direct.usda"));
  convert({"run.weftcache", "cached.pc2"});
  check(folder, "check_pc2.py", {"cached", "states"});
  convert({"states", "states.pc2"});
  check(folder, "check_pc2.py", {"states", "states"});
  convert({"run.weftcache", "objs/"});
  convert({"objs", "again.pc2", "--fps", "100"});
  check(folder, "check_pc2.py", {"again", "states"});
  convert({"run.weftcache", "frame.gltf", "--frame", "20"});
  check(folder, "check_gltf.py", {"frame.gltf", "states", "20"});
  convert({"cached_cloth.pc2", "part.weftcache", "--from", "5", "--to", "9", "--fps", "100"});
  convert({"part.weftcache", "part.obj", "--frame", "0"});
  convert({"cached_cloth.pc2", "other.obj", "--frame", "5"});
  CHECK(read_file(folder / "part.obj") == read_file(folder / "other.obj"));
  CHECK(read_file(folder / "part.obj").size() > 1000);
}

TEST_CASE(
    "a run is written at another rate as the newest states, and objects of one file keep their names "
    "everywhere") {
  Folder folder;
  folder.write(
      "two.obj",
      "o front left\nv 0 1 0\nv 1 1 0\nv 0 2 0\nf 1 2 3\no back\nv 0 1 1\nv 1 1 1\nv 0 2 1\nf 4 5 6\n");
  const Outcome run =
      testing::weft(folder, {"two.obj", "--headless", "--frames", "30", "--set", "step.dt=0.01", "--set",
                             "back.areal_density=0.3", "--cache", "run.weftcache", "--export", "direct.usda",
                             "--states", "states"});
  REQUIRE(run.status == 0);
  CHECK(run.says("2 objects, each a cloth with its own fabric: front_left (3 vertices), back (3 vertices)"));
  const auto convert = [&](std::vector<std::string> arguments, int status = 0) {
    arguments.insert(arguments.begin(), "convert");
    const Outcome o = testing::weft(folder, arguments);
    CAPTURE(o.err);
    CHECK(o.status == status);
    return o;
  };
  convert({"run.weftcache", "all/"});
  const Outcome film = convert({"run.weftcache", "film/", "--fps", "24"});
  CHECK(film.says(
      "8 frames at 24 per second advance by 4 to 5, which judders a little, of 100 states per second"));
  CHECK(film.says("without interpolation"));
  for (int n = 0; n < 8; ++n) {
    CAPTURE(n);
    CHECK(read_file(folder / fmt::format("film/step_{:06}.obj", n)) ==
          read_file(folder / fmt::format("all/step_{:06}.obj", int(n * 100.0 / 24))));
  }
  CHECK(!fs::exists(folder / "film/step_000008.obj"));
  CHECK(convert({"run.weftcache", "even/", "--fps", "25"}).says("advance by 4 of 100 states"));
  // Without a rate all states are there, where 24 codes a second have them; or one code for each state.
  convert({"run.weftcache", "all.usda"}), convert({"run.weftcache", "states.usda", "--usd-rate", "0"});
  convert({"run.weftcache", "film30.usda", "--fps", "30"});
  CHECK(read_file(folder / "all.usda").find("timeCodesPerSecond = 24\n") != std::string::npos);
  CHECK(read_file(folder / "states.usda").find("timeCodesPerSecond = 100\n") != std::string::npos);
  CHECK(read_file(folder / "film30.usda").find("timeCodesPerSecond = 30\n") != std::string::npos);
  convert({"all.usda", "from_codes/"}), convert({"states.usda", "from_states/"});
  for (const auto& entry : fs::directory_iterator(folder / "from_states"))
    CHECK(fs::exists(fs::path(folder / "from_codes") / entry.path().filename()));
  convert({"run.weftcache", "film.usda", "--fps", "24"});
  CHECK(read_file(folder / "film.usda").find("timeCodesPerSecond = 24") != std::string::npos);
  CHECK(convert({"run.weftcache", "x/", "--input-fps", "24"}, 1).says("a recorded run has its own rate"));
  // An input that does not say: its own rate by --input-fps, and then the output's by --fps.
  convert({"states", "slow.usda", "--input-fps", "100", "--fps", "24"});
  CHECK(read_file(folder / "slow.usda").find("timeCodesPerSecond = 24") != std::string::npos);
  convert({"run.weftcache", "last.glb", "--frame", "5"});
  CHECK(read_file(folder / "film/step_000000.obj").find("g front_left\n") != std::string::npos);
  CHECK(read_file(folder / "direct.usda").find("\"front_left\"") != std::string::npos);
  CHECK(read_file(folder / "direct.usda").find("\"back\"") != std::string::npos);
  CHECK(read_file(folder / "last.glb").find("\"front_left\"") != std::string::npos);
}

TEST_CASE("texture coordinates stay with exported OBJ files and point caches") {
  Folder folder;
  folder.write("in_000.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.25 0.5\nvt 0.75 0.5\nvt 0.25 1\nf 1/1 2/2 3/3\n");
  REQUIRE(testing::weft(folder, {"convert", "in_000.obj", "out.pc2"}).status == 0);
  REQUIRE(testing::weft(folder, {"convert", "out.pc2", "last.obj", "--frame", "0"}).status == 0);
  for (const char* file : {"out.obj", "last.obj"}) {
    const std::string text = read_file(folder / file);
    CAPTURE(file);
    CHECK(text.find("vt 0.25 0.5\nvt 0.75 0.5\nvt 0.25 1\n") != text.npos);
    CHECK(text.find("f 1/1 2/2 3/3\n") != text.npos);
  }
}

TEST_CASE("a cloth's own texture coordinates come out of a run, and out of its cache, as they went in") {
  Folder folder;
  TriMesh sheet = make_grid({2, 1}, 0.25f);
  for (vec2& t : sheet.uv) t *= vec2(0.25f, 0.5f);  // 0 to 0.5 on both axes
  write_obj(folder / "sheet.obj",
            {{"sheet", &sheet.positions, &sheet.triangles, mat4(1), "cloth", &sheet.uv}});
  folder.write("s.toml", "[[cloth]]\nfile = \"sheet.obj\"\nremesh = \"never\"\nscale = 0.7\n");
  const std::vector<vec2> before = textures_of(folder / "sheet.obj");
  REQUIRE(testing::weft(folder, {"s.toml", "--headless", "--frames", "2", "--export", "run.obj", "--cache",
                                 "run.weftcache", "--device", "cpu"})
              .status == 0);
  REQUIRE(testing::weft(folder, {"convert", "run.weftcache", "cached.obj", "--frame", "2"}).status == 0);
  CHECK(read_file(folder / "cached.obj") == read_file(folder / "run.obj"));
  const std::vector<vec2> after = textures_of(folder / "run.obj");
  REQUIRE(after.size() == before.size());
  float worst = 0;
  for (size_t v = 0; v < before.size(); ++v) worst = std::max(worst, glm::length(after[v] - before[v]));
  CHECK(worst < 3e-7f);  // scaled and back: two roundings of numbers up to 0.5, per axis
  REQUIRE(testing::weft(folder, {"convert", "run.weftcache", "cached.usda"}).status == 0);
  const std::string usd = read_file(folder / "cached.usda");
  const size_t at = usd.find("primvars:st = [");
  REQUIRE(at != usd.npos);
  std::string numbers = usd.substr(at + 15, usd.find(']', at) - at - 15);
  for (char& c : numbers)
    if (c == '(' || c == ')' || c == ',') c = ' ';
  std::istringstream in(numbers);
  size_t count = 0;
  for (float x = 0; in >> x; ++count) CHECK((x > -1e-6f && x < 0.500001f));
  CHECK(count == 2 * before.size());
}

TEST_CASE(
    "texture coordinates with seams, and of meshes where a face has none, reach USD, glTF and OBJ, also "
    "through a cache") {
  Folder folder;
  folder.write("sheet.obj", seamed_sheet());
  for (const char* file : {"direct.usda", "direct.glb", "sheet.weftcache"}) {
    const Outcome o = testing::weft(folder, {"convert", "sheet.obj", file, "--frame", "0"});
    CAPTURE(o.err);
    REQUIRE(o.status == 0);
    CHECK(!o.says("seam"));
  }
  for (const char* file : {"cached.usda", "cached.glb", "cached.obj"})
    REQUIRE(testing::weft(folder, {"convert", "sheet.weftcache", file, "--frame", "0"}).status == 0);
  CHECK(keeps_seams(folder / "cached.obj"));
  const Outcome o =
      check(folder, "check_seams.py",
            {"sheet.obj", "direct.usda", "direct.glb", "cached.usda", "cached.glb", "cached.obj"});
  CHECK(o.prints("5 files have the texture coordinates of 9 corners"));
}

TEST_CASE(
    "a cloth with seams comes out of a run, and out of its cache, with the texture coordinates that it had") {
  Folder folder;
  folder.write("sheet.obj", seamed_sheet());
  folder.write("s.toml", "[[cloth]]\nfile = \"sheet.obj\"\nremesh = \"never\"\nscale = 0.1\n");
  const auto run = [&](const char* out, std::vector<std::string> more = {}) {
    std::vector<std::string> all{"s.toml", "--headless", "--frames", "2",        "--device",
                                 "cpu",    "--threads",  "1",        "--export", out};
    all.insert(all.end(), more.begin(), more.end());
    REQUIRE(testing::weft(folder, all).status == 0);
  };
  run("run.obj", {"--cache", "run.weftcache"}), run("run.usda"), run("run.glb");
  const std::string text = read_file(folder / "run.obj");
  CHECK(text.find("vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5\n") != text.npos);
  REQUIRE(testing::weft(folder, {"convert", "run.weftcache", "cached.usda"}).status == 0);
  const auto without_doc = [&](const char* name) {  // the two were made by different commands
    std::string usda = read_file(folder / name);
    const size_t doc = usda.find("    doc = ");
    return usda.erase(doc, usda.find('\n', doc) - doc);
  };
  CHECK(without_doc("cached.usda") == without_doc("run.usda"));
  REQUIRE(testing::weft(folder, {"convert", "run.weftcache", "cached.obj", "--frame", "2"}).status == 0);
  CHECK(read_file(folder / "cached.obj") == text);
  CHECK(check(folder, "check_seams.py", {"run.obj", "run.usda", "run.glb"})
            .prints("2 files have the texture coordinates of 9 corners"));
}

TEST_CASE("every sample of a point cache becomes a file of its own, whatever its rate and start") {
  for (const float rate : {0.25f, 0.5f, 2.0f})
    for (const float start : {-10.0f, 0.0f, 0.5f}) {
      Folder folder;
      CAPTURE(rate);
      CAPTURE(start);
      folder.write("in.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
      std::string cache("POINTCACHE2\0", 12);
      const auto put = [&](auto value) { cache.append(reinterpret_cast<const char*>(&value), sizeof value); };
      put(int32_t(1)), put(int32_t(3)), put(start), put(rate), put(int32_t(6));
      for (int k = 0; k < 6 * 9; ++k) put(float(k));
      folder.write("in.pc2", cache);
      const Outcome o = testing::weft(folder, {"convert", "in.pc2", "objs/"});
      CAPTURE(o.err);
      REQUIRE(o.status == 0);
      for (int k = 0; k < 6; ++k) CHECK(fs::exists(folder / fmt::format("objs/step_{:06d}.obj", k)));
      CHECK(testing::weft(folder, {"convert", "in.pc2", "out.usda"}).status == 0);
    }
}

TEST_CASE("a cut of a run goes from frame to frame, both included") {
  Folder folder;
  REQUIRE(
      testing::weft(folder, {tablecloth(folder, 300), "--headless", "--frames", "10", "--states", "states"})
          .status == 0);
  REQUIRE(testing::weft(folder, {"convert", "states", "cut", "--from", "3", "--to", "5"}).status == 0);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder / "cut")) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"step_000003.obj", "step_000004.obj", "step_000005.obj"});
}

TEST_CASE("what cannot be converted is said in words, and nothing is overwritten") {
  Folder folder;
  REQUIRE(testing::weft(folder, {tablecloth(folder, 300), "--headless", "--frames", "3", "--cache",
                                 "run.weftcache", "--export", "objs"})
              .status == 0);
  const std::string before = read_file(folder / "run.weftcache");
  const auto says = [&](std::vector<std::string> arguments, const std::string& words, int status = 1) {
    arguments.insert(arguments.begin(), "convert");
    const Outcome o = testing::weft(folder, arguments);
    CAPTURE(o.err);
    CHECK(o.status == status);
    CHECK(o.says(words));
  };
  says({"run.weftcache", "run.weftcache"}, "would overwrite the input");
  says({"objs/step_000000.obj", "objs"}, "would overwrite the input");
  says({"run.weftcache", "out.usdc"}, "binary USD is not written");
  says({"run.weftcache", "out.abc"}, "files of the kind .abc are not written");
  says({"run.weftcache", "out.glb"}, "holds one frame — say which with --frame N (0 to 3)");
  says({"run.weftcache", "out.usda", "--from", "4"},
       "frame 4 does not exist: run.weftcache has frames 0 to 3");
  says({"run.weftcache", "out.usda", "--from", "3", "--to", "2"}, "--from 3 is after --to 2");
  says({"run.weftcache", "out.usda", "--frame", "1", "--to", "2"}, "excludes", 2);
  says({"nothing.weftcache", "out.usda"}, "there is no such file");
  says({"cloth.toml", "out.usda"}, "this cannot be converted");
  says({folder.write("lonely.pc2", "POINTCACHE2"), "out.usda"}, "lonely.obj");
  says({folder.write("false.weftcache", "v 0 0 0"), "out.usda"}, "this is not a run cache");
  CHECK(read_file(folder / "run.weftcache") == before);
  CHECK_FALSE(fs::exists(folder / "out.usda"));
}
