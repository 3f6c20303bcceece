// Starts of the scenes that ship, under the exact checker.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "sim/run/part_starts.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/model/model.h"
#include "sim/scene/motion.h"
#include "sim/scene/text/scene_file.h"
#include "tests/safety/scene_trials.h"

using namespace weft;

namespace {

/// Points and triangles of a scene's cloths, then of its bodies that are not planes, at time 0.
struct Start {
  std::vector<vec3> points;
  std::vector<ivec3> triangles;
  int cloth_points = 0, cloth_triangles = 0;
  std::vector<std::string> within;  // what is said of parts within others

  Start(const Scene& scene, Device& device) {
    const Model model(scene, device, points);
    triangles = model.host.triangles;
    within = parts_within_parts(model.host, points);
    cloth_points = int(points.size()), cloth_triangles = int(triangles.size());
    std::vector<std::string> notices;
    for (const Obstacle& o : scene.obstacles) {
      if (o.shape == ObstacleShape::plane) continue;
      const std::string folder = std::filesystem::path(scene.path).parent_path().string();
      const TriMesh mesh = build_obstacle_mesh(o, folder, notices);
      Placement unscaled = o.placement;  // the mesh has its scale already
      unscaled.scale = 1;
      const mat4 at = motion_transform(o.motion, 0) * placement_matrix(unscaled);
      const ivec3 first(int(points.size()));
      for (const vec3& p : mesh.positions) points.push_back(vec3(at * vec4(p, 1)));
      for (const ivec3& t : mesh.triangles) triangles.push_back(t + first);
    }
  }
};

void starts_clean(const std::string& path) {
  CAPTURE(path);
  const auto device = Device::create(DeviceChoice::cpu, 0);
  const Scene scene = read_scene(path);
  const Start start(scene, *device);
  const check::Surface surface{std::span<const ivec3>(start.triangles), start.cloth_triangles};
  const auto found = check::find_crossings(std::span<const vec3>(start.points), surface);
  CHECK(found.clean());
  for (const std::string& words : start.within) FAIL_CHECK(words);
  if (!scene.contact.ground) return;
  float lowest = 1e9f;
  for (int i = 0; i < start.cloth_points; ++i) lowest = std::min(lowest, start.points[size_t(i)].y);
  CHECK(lowest > scene.contact.ground_height);
}

}  // namespace

TEST_SUITE("safety") {
  TEST_CASE("one in eight of the scenes that ship starts with no cloth that crosses anything") {
    const std::vector<std::string> paths = builtin_scenes();
    CHECK(paths.size() >= 80);
    // others for the next seed
    for (size_t k = check::safety_seed() % 8; k < paths.size(); k += 8) starts_clean(paths[k]);
  }
}

TEST_SUITE("full") {
  TEST_CASE("no scene that ships starts with cloth that crosses cloth or a body or the floor") {
    for (const std::string& path : builtin_scenes()) starts_clean(path);
  }
}
