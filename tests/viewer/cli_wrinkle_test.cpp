// weft wrinkle, as a user runs it.
#include <doctest/doctest.h>

#include <filesystem>

#include "sim/files/frame_source.h"
#include "sim/files/frame_writer.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/shapes/shapes.h"
#include "tests/support/program.h"
#include "viewer/gl/image.h"

using namespace weft;

namespace {

/// A sheet of 60 x 40 mm that is bent more from frame to frame.
RunInfo bent_run(const std::string& path, int frames, bool textured = true) {
  RunInfo info;
  info.title = "sheet";
  const TriMesh mesh = make_grid({0.06f, 0.04f}, 0.01f);
  info.groups.push_back(
      {"sheet", false, 0, mesh.vertex_count(), mesh.triangles, textured ? mesh.uv : std::vector<vec2>{}, {}});
  const auto writer = make_frame_writer(path, info);
  for (int f = 0; f < frames; ++f) {
    RunFrame frame{2 * f, 0.02 * f, mesh.positions};
    for (vec3& p : frame.positions) p.z += 0.005f * float(f) * std::sin(50 * p.x);
    writer->frame(frame);
  }
  writer->finish();
  return info;
}

constexpr const char* kGather =
    "[wrinkle]\ncell = 0.002\niterations = 24\nlevels = 2\n[[gather]]\nkind = \"rows\"\nradius = 0\ns0 = "
    "1.3\n";

}  // namespace

TEST_CASE("weft wrinkle makes a fine run of a coarse one and says what it takes and proves") {
  testing::Folder folder;
  bent_run(folder / "coarse.weftcache", 5);
  folder.write("gathers.toml", kGather);
  const auto run = testing::weft(folder, {"wrinkle", "coarse.weftcache", "-o", "fine.weftcache", "--settings",
                                          "gathers.toml", "--every", "2", "--cell", "1mm"});
  CAPTURE(run.err);
  REQUIRE(run.status == 0);
  CHECK(run.prints("vertices become 25"));  // about 61 x 41
  CHECK(run.prints("bytes a vertex"));
  CHECK(run.prints("frame 4 (step 8): "));
  CHECK(!run.prints("frame 1 "));
  CHECK((run.prints("nothing crosses beyond two rings") || run.prints("too close to exclude crossings")));
  const auto fine = open_frame_source(folder / "fine.weftcache");
  CHECK(fine->frame_count() == 3);
  CHECK(fine->step(1) == 4);
  CHECK(fine->info().groups[0].name == "sheet");
  CHECK(fine->info().groups[0].uv.size() == size_t(fine->info().groups[0].count));
  CHECK(fine->info().groups[0].count > 2000);
}

TEST_CASE(
    "weft wrinkle reads OBJ and PC2 with texture coordinates and carries one frame's wrinkles to others") {
  testing::Folder folder;
  bent_run(folder / "coarse.pc2", 3);
  bent_run(folder / "coarse/", 3);
  folder.write("gathers.toml", kGather);
  for (const std::string from : {"coarse.pc2", "coarse"}) {
    const auto run = testing::weft(folder, {"wrinkle", from, "-o", "fine.weftcache", "--settings",
                                            "gathers.toml", "--reference", "0", "--quiet"});
    CAPTURE(run.err);
    REQUIRE(run.status == 0);
    CHECK(open_frame_source(folder / "fine.weftcache")->frame_count() == 3);
  }
}

TEST_CASE("weft wrinkle writes simplified frames into a folder, one OBJ each") {
  testing::Folder folder;
  bent_run(folder / "coarse.weftcache", 2);
  folder.write("gathers.toml", kGather);
  const auto refused =
      testing::weft(folder, {"wrinkle", "coarse.weftcache", "-o", "fine.weftcache", "--tolerance", "0.1mm"});
  CHECK(refused.status == 1);
  CHECK(refused.says("give a folder"));
  REQUIRE(testing::weft(folder, {"wrinkle", "coarse.weftcache", "-o", "out/", "--settings", "gathers.toml",
                                 "--tolerance", "0.2mm"})
              .status == 0);
  REQUIRE(testing::weft(folder, {"wrinkle", "coarse.weftcache", "-o", "full/", "--settings", "gathers.toml"})
              .status == 0);
  ImportReport report;
  const TriMesh less = read_obj(folder / "out/step_000002.obj", report),
                full = read_obj(folder / "full/step_000002.obj", report);
  CHECK(less.vertex_count() < full.vertex_count());
  CHECK(less.vertex_count() > 50);
}

TEST_CASE("weft wrinkle writes normal maps") {
  testing::Folder folder;
  bent_run(folder / "coarse.weftcache", 2);
  folder.write("gathers.toml", kGather);
  const auto run = testing::weft(folder, {"wrinkle", "coarse.weftcache", "-o", "fine.weftcache", "--settings",
                                          "gathers.toml", "--normal-map", "bumps.png", "--map-size", "96"});
  CAPTURE(run.err);
  REQUIRE(run.status == 0);
  CHECK(run.prints("normal map: bumps_000002.png, material (0, 0) to (0.06, 0.04) m"));
  const Image map = read_png(folder / "bumps_000000.png");
  CHECK(map.width == 96);
  CHECK(map.height == 64);
  int tilted = 0;
  for (int x = 8; x < 88; ++x) tilted += std::abs(int(map.at(x, 32)[0]) - 128) > 4;
  CHECK(tilted > 40);
  CHECK(testing::weft(folder,
                      {"wrinkle", "coarse.weftcache", "-o", "fine.weftcache", "--normal-map", "bumps.jpg"})
            .says("ends in .png"));
}

TEST_CASE("weft wrinkle explains what it cannot do") {
  testing::Folder folder;
  bent_run(folder / "plain.weftcache", 2, false);
  bent_run(folder / "coarse.weftcache", 2);
  const auto fails = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "wrinkle");
    return testing::weft(folder, arguments);
  };
  const auto plain = fails({"plain.weftcache", "-o", "out.weftcache"});
  CHECK(plain.status == 1);
  CHECK(plain.says("has no texture coordinates"));
  CHECK(plain.says("export it with its pattern"));
  CHECK(!std::filesystem::exists(folder / "out.weftcache"));
  CHECK(fails({"none.weftcache", "-o", "out.weftcache"}).status == 1);
  CHECK(fails({"coarse.weftcache", "-o", "coarse.weftcache"}).status == 1);
  CHECK(fails({"coarse.weftcache", "-o", "out.weftcache", "--from", "7"}).says("has frames 0 to 1"));
  CHECK(fails({"coarse.weftcache", "-o", "out.weftcache", "--cell", "3 feet"}).status == 2);
  CHECK(fails({"coarse.weftcache", "-o", "out.weftcache", "--levels", "9"}).status == 2);
  CHECK(
      fails({"coarse.weftcache", "-o", "out.weftcache", "--block-width", "12"}).says("use 8, 16, 32 or 64"));
  CHECK(fails({"coarse.weftcache", "-o", "out.glb"}).says("holds one frame"));
  folder.write("bad.toml", "[[gather]]\nfrom = [0, 0]\n");
  CHECK(fails({"coarse.weftcache", "-o", "out.weftcache", "--settings", "bad.toml"}).says("bad.toml:1"));
}

TEST_CASE(
    "weft wrinkle takes the gathers of the scene that a run was made of, unless its settings have some") {
  testing::Folder folder;
  const TriMesh mesh = make_grid({0.06f, 0.04f}, 0.01f);
  RunInfo info;
  info.scene =
      "[[cloth]]\nname = \"sheet\"\nsize = [0.06, 0.04]\n[[gather]]\nkind = \"rows\"\nradius = 0\ns0 = 1.3\n";
  info.groups.push_back({"sheet", false, 0, mesh.vertex_count(), mesh.triangles, mesh.uv, {}});
  const auto writer = make_frame_writer(folder / "coarse.weftcache", info);
  writer->frame({0, 0, mesh.positions});
  writer->finish();
  folder.write("none.toml", "[wrinkle]\ncell = 0.002\niterations = 48\nlevels = 2\n");
  folder.write("flat.toml",
               "[wrinkle]\ncell = 0.002\niterations = 48\nlevels = 2\n[[gather]]\nkind = \"rows\"\nradius = "
               "0\ns0 = 1\n");
  const auto height = [&](const std::string& settings) {
    const auto run = testing::weft(
        folder, {"wrinkle", "coarse.weftcache", "-o", "fine.weftcache", "--settings", settings, "--quiet"});
    CAPTURE(run.err);
    REQUIRE(run.status == 0);
    RunFrame frame;
    open_frame_source(folder / "fine.weftcache")->read(0, frame);
    float most = 0;
    for (const vec3& p : frame.positions) most = std::max(most, std::abs(p.z));
    return most;
  };
  CHECK(height("none.toml") > 1e-3f);
  CHECK(height("flat.toml") < 2e-4f);
}

namespace {

/// Two sheets of one cloth, 6 mm apart, whose normals point away from each other. `crossing`: the lower one
/// is turned about its middle so that it cuts the upper one.
void two_sheets(const std::string& path, bool crossing) {
  const TriMesh sheet = make_grid({0.04f, 0.04f}, 0.01f);
  const int n = sheet.vertex_count();
  RunInfo info;
  info.title = "sheets";
  info.groups.push_back({"sheets", false, 0, 2 * n, sheet.triangles, sheet.uv, {}});
  RunGroup& g = info.groups[0];
  std::vector<vec3> x;
  vec3 middle(0);
  for (const vec3& p : sheet.positions) middle += p / float(n);
  const vec3 normal = glm::normalize(glm::cross(
      sheet.positions[size_t(sheet.triangles[0].y)] - sheet.positions[size_t(sheet.triangles[0].x)],
      sheet.positions[size_t(sheet.triangles[0].z)] - sheet.positions[size_t(sheet.triangles[0].x)]));
  for (const vec3& p : sheet.positions) x.push_back(p - middle + 0.003f * normal);
  for (const vec3& p : sheet.positions) {
    const vec3 q = p - middle;
    x.push_back(crossing ? q.x * normal + (q - glm::dot(q, vec3(1, 0, 0)) * vec3(1, 0, 0))
                         : q - 0.003f * normal);
  }
  for (const ivec3& t : sheet.triangles) g.triangles.push_back({n + t.x, n + t.z, n + t.y});
  for (const vec2& at : sheet.uv) g.uv.push_back(at + vec2(0.1f, 0));
  const auto writer = make_frame_writer(path, info);
  writer->frame({0, 0, x});
  writer->finish();
}

/// Heights of the first and second half of the vertices of a run's frame along z, on average.
std::pair<double, double> halves(const std::string& path) {
  const auto run = open_frame_source(path);
  RunFrame frame;
  run->read(0, frame);
  std::pair<double, double> sum{0, 0};
  const std::vector<vec2>& at = run->info().groups[0].uv;
  double upper = 0, lower = 0;
  for (size_t v = 0; v < frame.positions.size(); ++v) {
    const double z = double(frame.positions[v].z);
    if (at[v].x < 0.07f) sum.first += z, ++upper;
    else sum.second += z, ++lower;
  }
  return {sum.first / upper, sum.second / lower};
}

}  // namespace

TEST_CASE(
    "weft wrinkle keeps sheets that are pressed through each other apart with a guard, and says where it "
    "cannot") {
  testing::Folder folder;
  two_sheets(folder / "coarse.weftcache", false);
  folder.write("press.toml",
               "[wrinkle]\ncell = 0.004\niterations = 48\nlevels = 1\nrepel = false\npush = -3000\n");
  const std::vector<std::string> command{"wrinkle",    "coarse.weftcache", "-o",     "fine.weftcache",
                                         "--settings", "press.toml",       "--quiet"};
  const auto without = testing::weft(folder, command);
  CAPTURE(without.err);
  REQUIRE(without.status == 0);
  const auto [upper, lower] = halves(folder / "fine.weftcache");
  CHECK(upper < lower - 0.005);  // they have passed each other
  std::vector<std::string> guarded = command;
  guarded.push_back("--guard");
  const auto with = testing::weft(folder, guarded);
  CAPTURE(with.err);
  REQUIRE(with.status == 0);
  CHECK(with.prints("guarded in"));
  const auto [above, below] = halves(folder / "fine.weftcache");
  CHECK(above > below);
  CHECK(above - below < 0.006);  // and they have come nearer

  two_sheets(folder / "coarse.weftcache", true);
  const auto crossed = testing::weft(folder, guarded);
  CHECK(crossed.status != 0);
  CHECK(crossed.err.find("without a guard") != std::string::npos);
  guarded.insert(guarded.end(), {"--tolerance", "1mm"});
  const auto refused = testing::weft(folder, guarded);
  CHECK(refused.status != 0);
  CHECK(refused.err.find("--tolerance") != std::string::npos);
}
