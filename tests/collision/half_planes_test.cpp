// Half planes of a grid's vertices (Wang 2021, eq. 10) against distances to the bodies.
#include "sim/grid/contact/half_planes.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/collision/bodies/bodies.h"
#include "tests/solvers/grid_problem.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// A ball, a box that turns, a capsule, and a ground below.
Scene bodies_scene() {
  Scene s;
  s.contact.ground_height = -0.03f;
  Obstacle ball, box, capsule;
  ball.size.x = 0.02f;
  ball.placement.position = {0.03f, 0.002f, 0.03f};
  box.shape = ObstacleShape::box, box.size = {0.03f, 0.03f, 0.02f};
  box.placement = {{0.08f, -0.005f, 0.03f}, {20, 30, 10}, 1};
  box.motion.spin_axis = {0, 1, 0}, box.motion.spin_rate = 90;
  capsule.shape = ObstacleShape::capsule, capsule.size = {0.01f, 0.03f, 0};
  capsule.placement = {{0.05f, 0, 0.08f}, {0, 0, 90}, 1};
  s.obstacles = {ball, box, capsule};
  return s;
}

}  // namespace

TEST_CASE("half planes go through the nearest places of bodies, and face away from them") {
  TriMesh mesh = rectangle({0, 0}, {0.12f, 0.12f}, 1, 1);
  for (vec3& p : mesh.positions) p = {p.x, 0, p.y};
  GridSheet s(mesh, 0.002f);
  shift(s.frame, s.noise(0.004f, 3), 1);
  const Scene scene = bodies_scene();
  const float gap = 1e-3f, reach = 0.015f;
  s.device->run([&] {
    std::vector<std::string> notices;
    GrowingLists growing(*s.device);
    Bodies bodies(growing, scene, notices);
    bodies.set_step(scene, 0.5, 0.01f);
    grid_repulsion::HalfPlanes planes(*s.device, s.grid);
    planes.find(*s.device, std::as_const(s.frame).view(), bodies.view(), gap, reach);
    const grid::PlaneView view = planes.view();
    const std::vector<vec3> local = s.frame.local.download();
    const std::vector<dvec3> x = s.frame.download();
    int found = 0, inside = 0;
    double off = 0;
    int turned = 0;
    for (int v = 0; v < s.grid.slot_count(); ++v) {
      if (!s.inside(v)) continue;
      const vec3 at(x[size_t(v)]);
      const float distance = bodies.distance(at);
      if (std::abs(distance - reach) < 1e-5f) continue;  // rounding decides
      CHECK((view.normal[v] != 0) == (distance < reach));
      if (view.normal[v] == 0) continue;
      ++found, inside += distance < 0;
      const vec3 n = grid::unpack_unit(view.normal[v]);
      // Height above the plane, whose surface lies a gap above the body's.
      off =
          std::max(off, std::abs(double(glm::dot(n, local[size_t(v)]) - view.offset[v] - (distance - gap))));
      // The plane is as far from x + t n as the body is, near to x: n is the gradient of the distance. At
      // edges of the box it jumps.
      const float t = 2e-4f, further = bodies.distance(at + t * n), nearer = bodies.distance(at - t * n);
      const double slope = double(further - nearer) / (2 * double(t));
      turned += std::abs(slope - 1) > 0.02;  // differences over 0.4 mm beside bodies with radii of 10 mm
    }
    CHECK(found > 500);
    CHECK(inside > 50);
    MESSAGE(found << " planes, " << inside << " of vertices inside; heights off by " << off
                  << " m, slopes of " << turned);
    // positions of 0.1 m are rounded by 7e-9 m; a packed normal, off by 4e-5, shortens 15 mm by 1e-11
    CHECK(off < 1e-7);
    CHECK(turned < 0.1 * found);  // where another side of the box or another body is as near
  });
}

TEST_CASE("half planes hold vertices where the distance field would, to second order") {
  // A vertex that slides by s along a ball of radius r leaves the ball's surface by s² / 2 r on its plane.
  Scene scene;
  scene.contact.ground = false;
  Obstacle ball;
  ball.size.x = 0.05f;
  scene.obstacles.push_back(ball);
  TriMesh mesh = rectangle({0, 0}, {0.02f, 0.02f}, 1, 1);
  for (vec3& p : mesh.positions) p = {p.x - 0.01f, 0.052f, p.y - 0.01f};
  GridSheet s(mesh, 0.001f);
  s.device->run([&] {
    std::vector<std::string> notices;
    GrowingLists growing(*s.device);
    Bodies bodies(growing, scene, notices);
    grid_repulsion::HalfPlanes planes(*s.device, s.grid);
    planes.find(*s.device, std::as_const(s.frame).view(), bodies.view(), 0, 0.02f);
    const grid::PlaneView view = planes.view();
    const std::vector<vec3> local = s.frame.local.download();
    const std::vector<dvec3> x = s.frame.download();
    for (int v = 0; v < s.grid.slot_count(); ++v) {
      if (!s.inside(v)) continue;
      REQUIRE(view.normal[v] != 0);
      const vec3 n = grid::unpack_unit(view.normal[v]), along = glm::normalize(glm::cross(n, vec3(1, 0, 0)));
      for (const float slide : {0.0f, 0.001f, 0.003f}) {
        // slid, then put on the plane
        const vec3 moved = local[size_t(v)] + slide * along;
        const vec3 on = moved - (glm::dot(n, moved) - view.offset[v]) * n;
        const float distance = bodies.distance(vec3(x[size_t(v)]) + (on - local[size_t(v)]));
        // a packed normal is off by 4e-5
        CHECK(std::abs(distance - (std::hypot(0.05f, slide) - 0.05f)) < 3e-7f);
      }
    }
  });
}
