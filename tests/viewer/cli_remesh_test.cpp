#include <chrono>

#include "sim/mesh/import/obj.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/mesh/uniform/uniformity.h"
#include "tests/mesh/uniform/layers.h"
#include "tests/support/program.h"
#include "tests/viewer/textures.h"

using namespace weft;

namespace {

constexpr const char* kLines =
    "v 0 0 0\nv 0.2 0 0\nv 0.2 0.1 0\nv 0 0.1 0\nl 1 2 3 4 1\nv 0.08 0.04 0\nv 0.12 0.04 0\nv 0.12 0.06 0\nv "
    "0.08 0.06 0\nl 5 6 7 8 5\n";

TriMesh read(const std::string& path) {
  ImportReport report;
  TriMesh mesh = read_obj(path, report);
  CHECK(report.notices.empty());
  return mesh;
}

}  // namespace

TEST_CASE("weft remesh makes a file uniform, says before and after, and keeps texture coordinates") {
  testing::Folder folder;
  TriMesh sphere = make_sphere(0.1f, 2);
  for (const vec3& p : sphere.positions) sphere.uv.push_back({p.x, p.y});
  write_obj(folder / "in.obj",
            {{"ball", &sphere.positions, &sphere.triangles, mat4(1), "cloth", &sphere.uv}});
  const auto run = testing::weft(folder, {"remesh", "in.obj", "--edge", "12mm", "-o", "out.obj"});
  CHECK(run.status == 0);
  CHECK(run.prints("before: 162 vertices, 320 triangles, edges "));
  CHECK(run.prints("after: "));
  CHECK(run.prints("written: out.obj"));
  const TriMesh out = read(folder / "out.obj");
  CHECK(uniformity_of(out).ratio() >= 0.6);
  CHECK(uniformity_of(out).mean == doctest::Approx(0.0125).epsilon(0.05));
  CHECK(out.uv.size() == out.positions.size());
}

TEST_CASE("weft remesh writes texture coordinates in the file's own units") {
  testing::Folder folder;
  TriMesh sheet = make_grid({2, 1}, 0.2f);
  for (vec2& t : sheet.uv) t *= vec2(0.25f, 0.5f);  // 0 to 0.5 on both axes
  write_obj(folder / "in.obj", {{"sheet", &sheet.positions, &sheet.triangles, mat4(1), "cloth", &sheet.uv}});
  REQUIRE(testing::weft(folder, {"remesh", "in.obj", "--edge", "10cm", "-o", "out.obj"}).status == 0);
  const std::vector<vec2> before = testing::textures_of(folder / "in.obj"),
                          after = testing::textures_of(folder / "out.obj");
  REQUIRE(after.size() > before.size());
  vec2 least(1e30f), most(-1e30f);
  for (const vec2& t : after) least = glm::min(least, t), most = glm::max(most, t);
  CHECK(glm::length(least) < 1e-6f);
  CHECK(glm::length(most - vec2(0.5f)) < 1e-6f);
}

TEST_CASE(
    "an outline is read as any OBJ is: byte-order mark, comments, signs, joined lines, old ends of lines") {
  testing::Folder folder;
  folder.write("plain.obj", "v 0 0 0\nv 0.2 0 0\nv 0.2 0.1 0\nv 0 0.1 0\nl 1 2 3 4 1\n");
  REQUIRE(testing::weft(folder, {"remesh", "plain.obj", "--edge", "1cm", "-o", "plain_out.obj"}).status == 0);
  const std::string wanted = testing::read_file(folder / "plain_out.obj");
  const std::string variants[] = {"\xEF\xBB\xBFv 0 0 0\nv 0.2 0 0\nv 0.2 0.1 0\nv 0 0.1 0\nl 1 2 3 4 1\n",
                                  "v 0 0 0\nv 0.2 0 0\nv 0.2 0.1 0\nv 0 0.1 0\nl 1 2 3 4 1 # hem\n",
                                  "v 0 0 0\nv +0.2 0 0\nv +0.2 0.1 0\nv 0 0.1 0\nl 1 2 3 4 1\n",
                                  "v 0 0 0\nv 0.2 0 0\nv 0.2 0.1 0\nv 0 0.1 0\nl 1 2 \\\n 3 4 1\n",
                                  "v 0 0 0\rv 0.2 0 0\rv 0.2 0.1 0\rv 0 0.1 0\rl 1 2 3 4 1\r"};
  for (const std::string& text : variants) {
    CAPTURE(text);
    folder.write("other.obj", text);
    const auto run = testing::weft(folder, {"remesh", "other.obj", "--edge", "1cm", "-o", "other_out.obj"});
    CAPTURE(run.err);
    CHECK(run.status == 0);
    CHECK(testing::read_file(folder / "other_out.obj") == wanted);
    std::filesystem::remove(folder / "other_out.obj");
  }
}

TEST_CASE("weft remesh fills an outline with a hole") {
  testing::Folder folder;
  folder.write("lines.obj", kLines);
  const auto run =
      testing::weft(folder, {"remesh", "lines.obj", "--edge", "0.5cm", "-o", "out.obj", "--quiet"});
  CHECK(run.status == 0);
  CHECK(run.err.empty());
  CHECK(run.prints("an outline of 2 loops, 8 points, 0.0192 m2"));
  CHECK(uniformity_of(read(folder / "out.obj")).ratio() >= 0.6);
}

TEST_CASE("weft remesh makes no crossings out of layers without any, and says so") {
  testing::Folder folder;
  const TriMesh layers = testing::folded_layers(2, false);
  write_obj(folder / "in.obj", {{"layers", &layers.positions, &layers.triangles, mat4(1), "cloth"}});
  const auto run = testing::weft(folder, {"remesh", "in.obj", "--edge", "8mm", "-o", "out.obj"});
  CHECK(run.status == 0);
  CHECK(run.says("would cross another layer there"));
  CHECK(run.out.find("nothing crosses") != run.out.rfind("nothing crosses"));  // before and after
  CHECK(testing::Program(folder, WEFT_PROGRAM "-check", {"out.obj"}).wait().status == 0);
}

TEST_CASE("Ctrl-C ends remeshing, by itself and before a run, and nothing is written") {
  testing::Folder folder;
  TriMesh sphere = make_sphere(0.5f, 5);
  write_obj(folder / "in.obj", {{"ball", &sphere.positions, &sphere.triangles, mat4(1), "cloth"}});
  const std::vector<std::string> commands[] = {
      {"remesh", "in.obj", "--edge", "2mm", "-o", "out.obj"},
      {"in.obj", "--headless", "--frames", "1", "--set", "step.collision=repulsion", "--states", "states"}};
  folder.write("scene.toml", "[[cloth]]\nshape = \"obj\"\nfile = \"in.obj\"\nremesh = 0.002\n");
  for (std::vector<std::string> command : commands) {
    if (command[1] == "--headless") command[0] = "scene.toml";
    testing::Program program(folder, WEFT_PROGRAM, command);
    for (int i = 0; i < 600 && program.err_so_far().find("remeshing") == std::string::npos; ++i)
      usleep(50000);
    REQUIRE(program.err_so_far().find("remeshing") != std::string::npos);
    kill(program.id(), SIGINT);
    const auto begin = std::chrono::steady_clock::now();
    const testing::Outcome o = program.wait();
    CHECK(o.status == 130);
    CHECK(o.prints("stopped before the first step") + o.says("stopped; nothing is written") == 1);
    // of processor time a tenth of a second; machines are busy
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    CHECK_FALSE(std::filesystem::exists(folder / "out.obj"));
    CHECK_FALSE(std::filesystem::exists(folder / "states"));
  }
}

TEST_CASE("weft remesh --ratio only looks, and a file is replaced only by name") {
  testing::Folder folder;
  const TriMesh grid = make_grid({0.2f, 0.1f}, 0.01f);
  write_obj(folder / "in.obj", {{"grid", &grid.positions, &grid.triangles}});
  const std::string before = testing::read_file(folder / "in.obj");
  const auto look = testing::weft(folder, {"remesh", "in.obj", "--ratio"});
  CHECK(look.status == 0);
  CHECK(look.prints("ratio 0.500"));
  const auto nowhere = testing::weft(folder, {"remesh", "in.obj"});
  CHECK(nowhere.status == 1);
  CHECK(nowhere.says("add -o out.obj"));
  CHECK(testing::read_file(folder / "in.obj") == before);
  CHECK(testing::weft(folder, {"remesh", "in.obj", "-o", "in.obj"}).status == 0);
  CHECK(uniformity_of(read(folder / "in.obj")).ratio() >= 0.6);
}

TEST_CASE("weft remesh explains what it cannot do") {
  testing::Folder folder;
  folder.write("lines.obj", kLines);
  folder.write("open.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2 3\n");
  folder.write("bent.obj", "v 0 0 0\nv 1 0 0\nv 1 1 1\nv 0 1 0\nl 1 2 3 4 1\n");
  folder.write("fan.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n");
  const auto remesh = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "remesh");
    return testing::weft(folder, arguments);
  };
  CHECK(remesh({"lines.obj", "-o", "out.obj"}).says("add --edge"));
  CHECK(remesh({"lines.obj", "--edge", "3 feet", "-o", "out.obj"}).status == 2);
  CHECK(remesh({"lines.obj", "--edge", "0", "-o", "out.obj"}).says("is not a length"));
  CHECK(remesh({"lines.obj", "--ratio", "-o", "out.obj"}).status == 2);
  const auto open = remesh({"open.obj", "--edge", "5mm", "-o", "out.obj"});
  CHECK(open.status == 1);
  CHECK(open.says("open.obj:4: the line ends at vertex 1"));
  CHECK(remesh({"bent.obj", "--edge", "5mm", "-o", "out.obj"}).says("not in the plane"));
  CHECK(remesh({"fan.obj", "--edge", "5mm", "-o", "out.obj"}).says("fan.obj: the edge from ("));
  CHECK(remesh({"none.obj", "--edge", "5mm", "-o", "out.obj"}).says("none.obj"));
  CHECK_FALSE(std::filesystem::exists(folder / "out.obj"));
  CHECK(remesh({"--help"}).prints("weft remesh shirt.obj --ratio"));
}
