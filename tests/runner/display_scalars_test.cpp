// Quantities per vertex that the picture shows, against theory.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/garment/sewing_params.h"
#include "sim/geometry/closest_point.h"
#include "tests/garment/patterns.h"
#include "tests/physics/scenes.h"

using namespace weft;
using namespace weft::physics;
using weft::testing::pattern_of;
using weft::testing::rectangle;

namespace {

std::vector<float> scalars(Simulation& sim, const char* field) {
  const Span<const float> on_device = sim.device_field(field);
  std::vector<float> out(size_t(on_device.size));
  sim.device().copy(out.data(), on_device.data, out.size() * sizeof(float));
  sim.device().synchronize();
  return out;
}

double mean(const std::vector<float>& values) {
  double sum = 0;
  for (const float v : values) sum += double(v);
  return sum / double(values.size());
}

}  // namespace

TEST_CASE("stretch along warp and weft is that of a uniformly stretched panel, whatever its grain") {
  for (const double grain : {90.0, 0.0, 30.0}) {
    CAPTURE(grain);
    Panel panel = rectangle("a", 0.3, 0.2);
    panel.grain = grain;
    Scene s = bare_scene();
    s.cloths[0].shape = ClothShape::garment, s.cloths[0].start = "placed";
    s.cloths[0].sewing_pattern = pattern_of({panel});
    GarmentMesh g = make_garment(*s.cloths[0].sewing_pattern, "p");
    for (vec3& p : g.mesh.positions) p *= vec3(1.2f, 0.9f, 1);  // x by 1.2, y by 0.9
    s.cloths[0].mesh = std::make_shared<TriMesh>(g.mesh);
    Run run(s, 1);
    const double c = std::cos(glm::radians(grain)), n = std::sin(glm::radians(grain));
    const double warp = std::hypot(1.2 * c, 0.9 * n), weft = std::hypot(1.2 * n, 0.9 * c);
    for (const float v : scalars(*run.sim, "warp")) CHECK(std::abs(double(v) - warp) < 1e-4);
    for (const float v : scalars(*run.sim, "weft")) CHECK(std::abs(double(v) - weft) < 1e-4);
  }
}

TEST_CASE("the pressure of cloth that lies on a box is its weight per area") {
  for (const std::string solver : {"newton", "descent"}) {
    CAPTURE(solver);
    Scene s = bare_scene();
    s.set("step.solver", solver);
    s.set("step.collision", "two_way");
    s.forces.air_damping = 5;
    Cloth& c = s.cloths[0];
    c.size = {0.2f, 0.2f}, c.edge = 0.02f, c.placement = {{0, 0.002f, 0}, {-90, 0, 0}, 1};
    c.fabric.areal_density = 0.3f, c.fabric.internal_damping = 0.3f;
    Obstacle& o = s.obstacles.emplace_back();
    o.name = "table", o.shape = ObstacleShape::box, o.size = {0.4f, 0.1f, 0.4f},
    o.placement.position = {0, -0.05f, 0};
    Run run(s);
    CHECK(mean(scalars(*run.sim, "pressure")) == 0);  // before the first step
    double sum = 0;
    for (int k = 0; k < 150; ++k) {
      run.sim->step();
      if (k >= 100) sum += mean(scalars(*run.sim, "pressure")) / 50;
    }
    MESSAGE(solver << ": " << sum << " Pa, weight " << 0.3 * 9.81);
    CHECK(relative_error(sum, 0.3 * 9.81) < 0.1);
  }
}

TEST_CASE("ease is the exact distance to the nearest body and the ground counts as none") {
  Scene s = bare_scene();
  s.contact.ground = true;
  Cloth& c = s.cloths[0];
  c.size = {1, 1}, c.edge = 0.1f, c.placement = {{0, 0.25f, 0}, {-90, 0, 0}, 1};
  CHECK(Run(s).sim->device_field("ease").empty());
  s.obstacles.resize(3);
  Obstacle& ball = s.obstacles[0];
  ball.name = "ball", ball.shape = ObstacleShape::sphere, ball.size = vec3(0.1f);
  ball.placement = {{0.2f, 0.5f, 0.1f}, {}, 2};
  Obstacle& wall = s.obstacles[1];
  wall.name = "wall", wall.shape = ObstacleShape::plane, wall.placement = {{-0.45f, 0, 0}, {0, 0, -90}, 1};
  Obstacle& table = s.obstacles[2];
  table.name = "table", table.shape = ObstacleShape::box, table.size = {0.4f, 0.1f, 0.4f};
  table.placement = {{0, 0.7f, -0.4f}, {0, 30, 0}, 1};
  Run run(s);
  const std::vector<vec3> at = run.sim->positions();
  const std::vector<float> ease = scalars(*run.sim, "ease");
  REQUIRE(ease.size() == at.size());
  int inside = 0;
  for (size_t v = 0; v < at.size(); ++v) {
    const float a = glm::radians(30.0f);
    const vec3 off = at[v] - table.placement.position;
    const vec3 own(std::cos(a) * off.x - std::sin(a) * off.z, off.y,
                   std::sin(a) * off.x + std::cos(a) * off.z);
    const float to_table = glm::length(glm::max(glm::abs(own) - 0.5f * table.size, vec3(0)));
    const float to_ball = glm::length(at[v] - ball.placement.position) - 0.2f, to_wall = at[v].x + 0.45f;
    CHECK(double(ease[v]) == doctest::Approx(double(std::min({to_table, to_ball, to_wall}))).epsilon(1e-5));
    inside += ease[v] < 0;
  }
  CHECK(inside > 0);  // behind the wall
}

TEST_CASE("ease follows bodies that move and is that of the nearest triangle of a mesh") {
  Scene s = bare_scene();
  s.forces.gravity = vec3(0);
  Cloth& c = s.cloths[0];
  c.size = {0.3f, 0.3f}, c.edge = 0.05f, c.placement = {{0, 1.2f, 0.4f}, {-90, 0, 0}, 1};
  Obstacle& body = s.obstacles.emplace_back();
  body.name = "body", body.shape = ObstacleShape::mannequin;
  body.motion.keys = {{0, vec3(0)}, {1, {0, 0.1f, 0.5f}}};
  Run run(s);
  for (int k = 0; k < 2; ++k) {
    CAPTURE(k);
    const std::vector<vec3> at = run.sim->positions();
    const std::vector<float> ease = scalars(*run.sim, "ease");
    const TriMesh& mesh = run.sim->obstacle_meshes()[0];
    const ObstacleView view = run.sim->obstacles()[0];
    for (size_t v = 0; v < at.size(); ++v) {
      double least = 1e30;
      for (const ivec3& t : mesh.triangles) {
        vec3 p[3];
        for (int i = 0; i < 3; ++i)
          p[i] = view.deformed ? (*view.deformed)[size_t(t[i])]
                               : vec3(view.transform * vec4(mesh.positions[size_t(t[i])], 1));
        least = std::min(least, double(glm::length(closest_on_triangle(at[v], p[0], p[1], p[2]).offset)));
      }
      CHECK(double(ease[v]) == doctest::Approx(least).epsilon(1e-4));
    }
    for (int i = 0; i < 10; ++i) run.sim->step();
  }
}
