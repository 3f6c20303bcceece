#include "sim/geometry_processing/crossing_free_path.h"

#include <doctest/doctest.h>

#include <functional>

#include "sim/base/error.h"
#include "sim/mesh/import/obj.h"
#include "tests/geometry_processing/sheets.h"
#include "tests/support/folder.h"

using namespace weft;
using namespace weft::testing;

namespace {

struct Walked {
  int crossed = 0;         // targets
  double worst_clean = 0;  // m, largest distance to a target that is clean
  double worst_share = 0;  // largest distance to any target, in parts of what the bound says
};

/// How far the layers of a frame have come through each other, m.
using Depth = std::function<double(const TriMesh&)>;

/// From the first frame to each of the others; every state on the path must be clean.
Walked walk(
    const std::vector<TriMesh>& frames, const Depth& depth = [](const TriMesh&) { return 0.0; },
    PathOptions options = {}) {
  options.device = DeviceChoice::cpu;
  CrossingFreePath path(frames[0].positions, frames[0].triangles, options, "start");
  Walked walked;
  for (size_t f = 1; f < frames.size(); ++f) {
    CAPTURE(f);
    const Arrival arrival = path.move_to(frames[f].positions);
    const bool was_clean = clean(frames[f].positions, frames[f].triangles);
    MESSAGE("frame " << f << std::string(was_clean ? " clean" : " crossing") << ": " << arrival.steps
                     << " steps, mean " << 1e3 * arrival.mean << " mm, largest " << 1e3 * arrival.largest
                     << " mm");
    CHECK(clean(path.positions(), frames[0].triangles));
    CHECK(path.crossings().empty());
    walked.crossed += !was_clean;
    walked.worst_share =
        std::max(walked.worst_share, arrival.largest / (depth(frames[f]) + 2 * double(path.distance())));
    if (was_clean) walked.worst_clean = std::max(walked.worst_clean, arrival.largest);
  }
  return walked;
}

}  // namespace

TEST_CASE(
    "sheets that pass through each other are led along a path without crossings, and reach the frames that "
    "have none") {
  std::vector<TriMesh> frames;
  for (float height : {0.05f, 0.02f, 0.0f, -0.02f, 0.0f, 0.05f, 0.06f})
    frames.push_back(tilted_sheets(height));
  const Walked walked = walk(frames, depth_of_tilted_sheets);
  CHECK(walked.crossed == 4);
  CHECK(walked.worst_clean < 5e-6);
}

TEST_CASE("a strip that is folded through itself is led along a path without crossings") {
  std::vector<TriMesh> frames;
  for (float degrees : {0.0f, 90.0f, 170.0f, 230.0f, 260.0f, 170.0f, 0.0f})
    frames.push_back(folded_sheet(degrees));
  const Walked walked = walk(frames, depth_of_folded_sheet);
  CHECK(walked.crossed == 2);
  CHECK(walked.worst_clean < 5e-6);
}

TEST_CASE(
    "no vertex ends further from its place than layers have come through each other, plus twice the distance "
    "that they are kept apart") {
  // Also where a layer is through completely, which is a frame without crossings. Frames of the strip are a
  // quarter turn apart at most: what turns by half a circle from one to the next is in its own way.
  std::vector<TriMesh> tilted, folded, level;
  for (float height : {0.05f, 0.03f, 0.01f, -0.02f, 0.05f, -0.02f, 0.0f})
    tilted.push_back(tilted_sheets(height));
  for (float degrees : {0.0f, 90.0f, 170.0f, 260.0f, 230.0f, 140.0f, 50.0f})
    folded.push_back(folded_sheet(degrees));
  for (float height : {0.02f, -0.002f, -0.005f, -0.02f, 0.02f, -0.02f}) level.push_back(level_sheets(height));
  for (const float distance : {0.5e-3f, 3e-3f}) {
    CAPTURE(distance);
    const PathOptions options{.distance = distance};
    for (const Walked& walked :
         {walk(tilted, depth_of_tilted_sheets, options), walk(folded, depth_of_folded_sheet, options),
          walk(
              level, [](const TriMesh& m) { return std::max(0.0, -double(m.positions.back().z)); },
              options)}) {
      MESSAGE("at most " << walked.worst_share << " of that");
      CHECK(walked.worst_share <= 1);
      CHECK(walked.worst_share > 0.3);  // it is not far off
    }
  }
}

TEST_CASE("a sequence without crossings is given back") {
  std::vector<TriMesh> frames;
  for (int f = 0; f < 6; ++f) {
    frames.push_back(make_grid({0.2f, 0.1f}, 0.01f));
    for (vec3& p : frames.back().positions) p.z = 0.01f * float(f) + 0.02f * std::sin(30 * p.x + float(f));
  }
  CHECK(walk(frames).worst_clean < 5e-6);
}

TEST_CASE(
    "a move that is given up leaves the mesh where it was, and the next one goes as if there had been none") {
  const TriMesh start = tilted_sheets(0.05f), goal = tilted_sheets(-0.02f);
  PathOptions options;
  options.device = DeviceChoice::cpu;
  CrossingFreePath whole(start.positions, start.triangles, options, "start");
  whole.move_to(goal.positions);
  int asked = 0, most = 0;
  options.give_up = [&] { return most > 0 && ++asked > most; };
  int given_up = 0;
  CrossingFreePath path(start.positions, start.triangles, options, "start");
  for (most = 1; most < 2000; most *= 4, asked = 0) {
    CAPTURE(most);
    try {
      path.move_to(goal.positions);
      break;
    } catch (const Interrupted&) {
      ++given_up;
    }
    CHECK(path.positions() == start.positions);
  }
  CHECK(given_up >= 3);
  most = 0;
  if (path.positions() == start.positions) path.move_to(goal.positions);
  CHECK(path.positions() == whole.positions());
}

TEST_CASE("a path stays outside of bodies") {
  Folder folder;
  const TriMesh ball = make_sphere(0.05f, 3), sheet = make_grid({0.1f, 0.1f}, 0.01f);
  write_obj(folder / "ball.obj", {{"ball", &ball.positions, &ball.triangles}});
  std::vector<vec3> above = sheet.positions, below = sheet.positions;
  for (vec3& p : above) p.z += 0.06f;
  for (vec3& p : below) p.z += 0.03f;
  PathOptions options;
  options.device = DeviceChoice::cpu, options.obstacles = {folder / "ball.obj"};
  CrossingFreePath path(above, sheet.triangles, options, "start");
  path.move_to(below);
  std::vector<vec3> all = path.positions();
  std::vector<ivec3> triangles = sheet.triangles;
  for (const ivec3& t : ball.triangles) triangles.push_back(t + ivec3(sheet.vertex_count()));
  all.insert(all.end(), ball.positions.begin(), ball.positions.end());
  CHECK(check::find_crossings(std::span<const vec3>(all),
                              {std::span<const ivec3>(triangles), sheet.triangle_count()})
            .clean());
  for (const vec3& p : path.positions()) CHECK(glm::length(p) > 0.0495f);
  CHECK(path.move_to(above).largest < 5e-6);
}

TEST_CASE("a start with crossings is refused with the names of triangles, vertices of no triangle go along") {
  TriMesh crossing = tilted_sheets(0);
  PathOptions options;
  options.device = DeviceChoice::cpu;
  CHECK_THROWS_WITH_AS(CrossingFreePath(crossing.positions, crossing.triangles, options, "s.obj"),
                       doctest::Contains("s.obj: the start is not free of crossings: triangle "), Error);
  TriMesh sheet = make_grid({0.05f, 0.05f}, 0.01f);
  sheet.positions.insert(sheet.positions.begin(), vec3(0.001f, 0.002f, 0));  // in the middle of a triangle
  for (ivec3& t : sheet.triangles) t += ivec3(1);
  CrossingFreePath path(sheet.positions, sheet.triangles, options, "s.obj");
  for (vec3& p : sheet.positions) p.z -= 0.1f;
  CHECK(path.move_to(sheet.positions).largest < 5e-6);
  CHECK(path.positions()[0] == sheet.positions[0]);
}
