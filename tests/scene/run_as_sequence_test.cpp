// Runs as bodies that deform.
#include <doctest/doctest.h>

#include <filesystem>

#include "sim/base/error.h"
#include "sim/files/frame_writer.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/scene/model/deformation.h"

using namespace weft;
namespace fs = std::filesystem;

namespace {

struct TestFolder {
  fs::path path = fs::temp_directory_path() / "weft_run_as_sequence";
  TestFolder() { fs::create_directories(path); }
  ~TestFolder() { fs::remove_all(path); }
};

/// Three frames at 50 per second: a ball that rises by 0.1 m per frame, and a cloth if wanted, which comes
/// first.
void write_run(const std::string& path, bool cloth) {
  const TriMesh ball = make_sphere(0.3f, 1), sheet = make_plane_quad(1);
  RunInfo info;
  info.dt = 0.02, info.fps = 50;
  if (cloth) info.groups.push_back({"sheet", false, 0, sheet.vertex_count(), sheet.triangles, {}, {}});
  info.groups.push_back(
      {"ball", true, cloth ? sheet.vertex_count() : 0, ball.vertex_count(), ball.triangles, {}, {}});
  const auto writer = make_frame_writer(path, info);
  for (int f = 0; f < 3; ++f) {
    RunFrame frame;
    frame.step = f, frame.time = 0.02 * f;
    if (cloth) frame.positions = sheet.positions;
    for (const vec3& p : ball.positions) frame.positions.push_back(p + vec3(0, 0.1f * float(f), 0));
    writer->frame(frame);
  }
  writer->finish();
}

}  // namespace

TEST_CASE("a cache or a point cache is a body that deforms: its bodies, at its own rate or the obstacle's") {
  const TestFolder folder;
  const TriMesh ball = make_sphere(0.3f, 1);
  for (const std::string name : {"run.weftcache", "ball.pc2"}) {
    CAPTURE(name);
    const bool cache = name == "run.weftcache";
    write_run((folder.path / name).string(), cache);
    Obstacle o;
    o.shape = ObstacleShape::mesh, o.sequence = name, o.fps = 10;
    o.placement.scale = 2;
    TriMesh mesh;
    std::vector<std::string> notices;
    const auto deformation = make_deformation(o, folder.path.string(), mesh, notices);
    REQUIRE(deformation);
    CHECK(mesh.triangles == ball.triangles);
    CHECK(notices.size() == (cache ? 1 : 0));  // the cloth is left out
    const double frame = cache ? 0.02 : 0.1;
    std::vector<vec3> x;
    for (const double at : {0.0, 0.5, 1.0, 2.0, 9.0}) {  // frames; the last one stays
      deformation->positions(at * frame, x);
      REQUIRE(x.size() == ball.positions.size());
      float off = 0;
      for (size_t v = 0; v < x.size(); ++v)
        off = std::max(off, glm::length(x[v] - 2.0f * (ball.positions[v] +
                                                       vec3(0, 0.1f * float(std::min(at, 2.0)), 0))));
      CHECK(off < 1e-5f);
    }
  }
}

TEST_CASE("a run that cannot be a body says why") {
  Obstacle o;
  o.shape = ObstacleShape::mesh;
  TriMesh mesh;
  std::vector<std::string> notices;
  for (const char* name : {"none.weftcache", "none.pc2"}) {
    o.sequence = name;
    CHECK_THROWS_AS(make_deformation(o, fs::temp_directory_path().string(), mesh, notices), Error);
  }
}
