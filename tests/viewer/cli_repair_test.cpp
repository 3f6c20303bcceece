#include "sim/mesh/algorithms/crossing_triangles.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/shapes/shapes.h"
#include "tests/geometry_processing/sheets.h"
#include "tests/support/program.h"
#include "tests/viewer/textures.h"

using namespace weft;
namespace fs = std::filesystem;

namespace {

void write(const std::string& path, const TriMesh& mesh) {
  write_obj(path, {{"sheets", &mesh.positions, &mesh.triangles}});
}

TriMesh read(const std::string& path) {
  ImportReport report;
  return read_obj(path, report);
}

/// start.obj, and frames/f_1.obj to f_4.obj, of which the second and third cross.
void write_sequence(const testing::Folder& folder) {
  fs::create_directories(folder / "frames");
  write(folder / "start.obj", testing::tilted_sheets(0.05f));
  int number = 0;
  for (float height : {0.045f, 0.0f, 0.02f, 0.05f})
    write(folder / ("frames/f_" + std::to_string(++number) + ".obj"), testing::tilted_sheets(height));
}

double farthest(const TriMesh& a, const TriMesh& b) {
  double worst = 0;
  REQUIRE(a.positions.size() == b.positions.size());
  for (size_t i = 0; i < a.positions.size(); ++i)
    worst = std::max(worst, double(glm::length(a.positions[i] - b.positions[i])));
  return worst;
}

}  // namespace

TEST_CASE("weft repair lifts the layers of one file over each other, where none of its poses is clean") {
  testing::Folder folder;
  TriMesh lower = make_grid({0.2f, 0.2f}, 0.02f, "equilateral"), upper = lower;
  for (vec3& p : lower.positions) p = {p.x, 0, -p.y};
  for (vec3& p : upper.positions) p = {p.x, 0.004f * std::sin(30 * p.x + 1), -p.y};
  write_obj(folder / "outfit.obj",
            {{"under", &lower.positions, &lower.triangles}, {"over", &upper.positions, &upper.triangles}});
  const auto run = testing::weft(folder, {"repair", "outfit.obj", "-o", "out/"});
  CHECK(run.status == 0);
  CHECK(run.prints("layer 1, over: lifted by at most"));
  const TriMesh mesh = read(folder / "out/outfit.obj");
  CHECK(crossing_triangles(mesh.positions, mesh.triangles).empty());
}

TEST_CASE("weft repair takes crossings out of a sequence and says how near each frame came") {
  testing::Folder folder;
  write_sequence(folder);
  const auto run =
      testing::weft(folder, {"repair", "start.obj", "frames/f_1.obj", "frames/f_2.obj", "frames/f_3.obj",
                             "frames/f_4.obj", "-o", "out/", "--device", "cpu"});
  CHECK(run.status == 0);
  CHECK(run.prints("2 of 4 frames crossed themselves"));
  CHECK(run.prints("written: 4 OBJ files in out/"));
  CHECK(run.prints("f_2.obj  crossing"));
  CHECK(run.prints("f_4.obj  clean"));
  CHECK(run.says("repairing"));
  for (int f = 1; f <= 4; ++f) {
    const std::string name = "f_" + std::to_string(f) + ".obj";
    const TriMesh out = read(folder / ("out/" + name)), in = read(folder / ("frames/" + name));
    CHECK(out.triangles == in.triangles);
    CHECK(testing::clean(out.positions, out.triangles));
    if (f == 1 || f == 4) CHECK(farthest(out, in) < 5e-6);
    else CHECK(farthest(out, in) > 1e-3);
    // What the help says of frames that cross; layers are kept 1 mm apart.
    CHECK(farthest(out, in) <= testing::depth_of_tilted_sheets(in) + 2e-3);
  }
  // A folder is a sequence too; results are replaced.
  CHECK(testing::weft(folder, {"repair", "start.obj", "frames", "-o", "out", "--distance", "2mm", "--steps",
                               "20", "--quiet", "--device", "cpu"})
            .status == 0);
  const TriMesh last = read(folder / "out/f_4.obj");
  CHECK(testing::clean(last.positions, last.triangles));
}

TEST_CASE(
    "weft repair, flow and convert keep texture coordinates with seams, and of meshes where a face has "
    "none") {
  testing::Folder folder;
  folder.write("start.obj", testing::seamed_sheet());
  folder.write("frame_001.obj", testing::seamed_sheet());
  REQUIRE(testing::weft(folder, {"repair", "start.obj", "frame_001.obj", "-o", "out", "--device", "cpu"})
              .status == 0);
  CHECK(testing::keeps_seams(folder / "out/frame_001.obj"));
  REQUIRE(testing::weft(folder, {"flow", "start.obj", "--distance", "1mm", "-o", "flown.obj", "--steps", "2",
                                 "--device", "cpu"})
              .status == 0);
  CHECK(testing::keeps_seams(folder / "flown.obj"));
  REQUIRE(testing::weft(folder, {"convert", "frame_001.obj", "converted.pc2"}).status == 0);
  CHECK(testing::keeps_seams(folder / "converted.obj"));
}

TEST_CASE("weft repair explains what it cannot do, and loses nothing") {
  testing::Folder folder;
  write_sequence(folder);
  const auto repair = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "repair");
    return testing::weft(folder, arguments);
  };
  const auto crossing = repair({"frames/f_2.obj", "frames/f_1.obj", "-o", "out"});
  CHECK(crossing.status == 1);
  CHECK(crossing.says("frames/f_2.obj: the start is not free of crossings: triangle "));
  CHECK(repair({"start.obj", "-o", "out"}).says("there are no frames to repair"));
  CHECK(repair({"start.obj", "none_1.obj", "-o", "out"}).says("none_1.obj"));
  CHECK(repair({"none.obj", "frames", "-o", "out"}).says("none.obj: there is no such file"));
  CHECK(repair({"start.obj", "frames"}).status == 2);
  CHECK(repair({"start.obj", "frames", "-o", "out", "--distance", "0"}).says("is not a length"));
  CHECK(repair({"start.obj", "frames", "-o", "out", "--obstacle", "nobody.obj"}).says("nobody.obj"));
  folder.write("other.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const auto other = repair({"start.obj", "frames/f_1.obj", "other.obj", "-o", "out"});
  CHECK(other.status == 1);
  CHECK(other.says("other.obj: the file has 3 vertices"));
  fs::create_directories(folder / "more");
  fs::copy(folder / "frames/f_1.obj", folder / "more/f_1.obj");
  CHECK(repair({"start.obj", "frames/f_1.obj", "more/f_1.obj", "-o", "out"}).says("same name"));
  CHECK_FALSE(fs::exists(folder / "out"));
  const std::string before = testing::read_file(folder / "frames/f_2.obj");
  CHECK(repair({"start.obj", "frames", "-o", "frames"}).says("would overwrite the input"));
  CHECK(testing::read_file(folder / "frames/f_2.obj") == before);
  CHECK(repair({"start.obj", "frames", "-o", "other.obj"}).says("other.obj: the folder cannot be made"));
  CHECK(repair({"--help"}).prints("weft repair rest.obj"));
  CHECK(repair({"--help"}).prints("than layers pass through each other"));
}

TEST_CASE("weft repair keeps what it has written when the disk is full") {
  if (!fs::exists("/dev/full")) return;
  testing::Folder folder;
  write_sequence(folder);
  fs::create_directories(folder / "out");
  fs::create_symlink("/dev/full", folder / "out/f_2.obj");
  const auto full = testing::weft(
      folder, {"repair", "start.obj", "frames", "-o", "out", "--steps", "5", "--device", "cpu"});
  CHECK(full.status == 1);
  CHECK(full.says("f_2.obj: writing failed"));
  CHECK(full.says("1 files before it are kept"));
  CHECK(read(folder / "out/f_1.obj").vertex_count() == testing::tilted_sheets(0).vertex_count());
}

TEST_CASE("weft flow moves a surface along its normals, both ways") {
  testing::Folder folder;
  write(folder / "ball.obj", make_sphere(0.1f, 2));
  for (const char* distance : {"2cm", "-20mm"}) {
    CAPTURE(distance);
    const auto run = testing::weft(folder, {"flow", "ball.obj", "--distance", distance, "-o", "out.obj",
                                            "--steps", "6", "--device", "cpu"});
    CHECK(run.status == 0);
    CHECK(run.prints("6 steps, "));
    CHECK(run.prints("written: out.obj"));
    const TriMesh out = read(folder / "out.obj");
    for (const vec3& p : out.positions)
      CHECK(glm::length(p) == doctest::Approx(distance[0] == '-' ? 0.08 : 0.12).epsilon(0.02));
  }
}

TEST_CASE("weft flow explains what it cannot do") {
  testing::Folder folder;
  write(folder / "crossing.obj", testing::tilted_sheets(0));
  write(folder / "ball.obj", make_sphere(0.1f, 1));
  const auto flow = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "flow");
    return testing::weft(folder, arguments);
  };
  CHECK(flow({"crossing.obj", "--distance", "1mm", "-o", "out.obj"}).says("not free of crossings"));
  CHECK(flow({"ball.obj", "-o", "out.obj"}).status == 2);
  CHECK(flow({"ball.obj", "--distance", "1mm"}).status == 2);
  CHECK(flow({"ball.obj", "--distance", "far", "-o", "out.obj"}).says("is not a length"));
  CHECK(flow({"none.obj", "--distance", "1mm", "-o", "out.obj"}).says("none.obj"));
  const auto forgotten_unit = flow({"ball.obj", "--distance", "5", "-o", "far.obj", "--steps", "1"});
  CHECK(forgotten_unit.says("write 5mm for millimetres"));
  CHECK(forgotten_unit.status == 0);
  CHECK(flow({"ball.obj", "--distance", "1mm", "-o", "no_folder/out.obj"})
            .says("no_folder/out.obj: there is no folder"));
  CHECK_FALSE(fs::exists(folder / "out.obj"));
  CHECK(flow({"--help"}).prints("thinner.obj"));
}
