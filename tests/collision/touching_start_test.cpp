// Starts in which something touches: it holds nothing up.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "sim/mesh/import/obj.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/run/crossing_warning.h"
#include "tests/physics/scenes.h"

using namespace weft;

namespace {

/// A closed cushion whose six sides have vertices of their own along the edges between them, or joined.
TriMesh cushion() {
  TriMesh all;
  const auto side = [&](const vec3& corner, const vec3& u, const vec3& v, int n, int m) {
    const int first = all.vertex_count();
    for (int j = 0; j <= m; ++j)
      for (int i = 0; i <= n; ++i)
        all.positions.push_back(corner + float(i) / float(n) * u + float(j) / float(m) * v);
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < n; ++i) {
        const int a = first + j * (n + 1) + i;
        all.triangles.push_back({a, a + 1, a + n + 2});
        all.triangles.push_back({a, a + n + 2, a + n + 1});
      }
  };
  const float w = 0.2f, h = 0.05f, y = 0.5f;
  side({0, y, 0}, {w, 0, 0}, {0, 0, w}, 8, 8);
  side({0, y + h, 0}, {0, 0, w}, {w, 0, 0}, 8, 8);
  side({0, y, 0}, {0, h, 0}, {w, 0, 0}, 2, 8);
  side({0, y, w}, {w, 0, 0}, {0, h, 0}, 8, 2);
  side({0, y, 0}, {0, 0, w}, {0, h, 0}, 8, 2);
  side({w, y, 0}, {0, h, 0}, {0, 0, w}, 2, 8);
  return all;
}

Scene falling(const TriMesh& mesh, float weld) {
  const std::string path = (std::filesystem::temp_directory_path() / "weft-touching-start.obj").string();
  write_obj(path, {{"cushion", &mesh.positions, &mesh.triangles}});
  Scene s;
  s.set("step.collision", "two_way");
  s.set("step.solver", "newton");
  s.contact.ground = false;
  s.forces.lift = s.forces.drag = s.forces.air_damping = 0;
  Cloth& c = s.cloths.emplace_back();
  c.shape = ClothShape::obj, c.file = path, c.weld = weld;
  return s;
}

}  // namespace

TEST_CASE("a mesh whose vertices are split falls as one whose vertices are not, joined or left apart") {
  for (const float weld : {0.0f, kNoWeld}) {
    CAPTURE(weld);
    physics::Run run(falling(cushion(), weld), 1);
    const float height = run.sim->stats().mean_height;
    const int steps = 20;
    for (int i = 0; i < steps; ++i) run.sim->step();
    const StepStats s = run.sim->stats();
    // implicit Euler
    const float dt = run.sim->scene().step.dt, fallen = 0.5f * 9.81f * dt * dt * float(steps * (steps + 1));
    // The whole mesh loses nothing. Split sides push each other apart by a contact distance at most, inwards
    // and outwards alike.
    CHECK(std::abs(height - s.mean_height - fallen) < (weld < 0 ? 1e-3f : 1e-4f));
    CHECK(s.max_stretch < (weld < 0 ? 1.02f : 1.005f));
    if (weld == 0) CHECK(state_crossings(*run.sim, kCrossesItself).own == 0);
  }
}

TEST_CASE("a start with split vertices is told of with the option that joins them") {
  physics::Run run(falling(cushion(), kNoWeld), 1);
  const StateCrossings c = state_crossings(*run.sim, kCrossesItself);
  CHECK(c.own > 0);
  CHECK(c.split == 76);  // 12 edges: 8 of 9 vertices, 4 of 3, whose corners three sides share
  const std::string words = crossing_warning(c);
  CHECK(words.find("--weld 0.1mm") != words.npos);
  CHECK(words.find("repair") == words.npos);
}

TEST_CASE(
    "cloth that starts on a table, or in it by less than a contact distance, lies on it and does not fall "
    "through") {
  for (const float tilt : {0.0f, 0.5f}) {  // degrees: one side dips in by 0.4 mm
    CAPTURE(tilt);
    Scene s;
    s.set("step.collision", "two_way");
    s.set("step.solver", "newton");
    s.contact.ground = false;
    Cloth& c = s.cloths.emplace_back();
    c.size = {0.1f, 0.1f}, c.edge = 0.02f, c.unevenness = 0;
    c.placement = {{0, 0.1f, 0}, {-90 + tilt, 0, 0}, 1};
    Obstacle& o = s.obstacles.emplace_back();
    o.name = "table", o.shape = ObstacleShape::box, o.size = {0.3f, 0.2f, 0.3f};
    physics::Run run(s, 1);
    CHECK(state_crossings(*run.sim, kCrossesBodies).with_bodies == 0);
    for (int i = 0; i < 20; ++i) run.sim->step();
    CHECK(run.sim->stats().min_height > 0.1f);
    CHECK(run.sim->stats().max_height < 0.103f);
  }
}
