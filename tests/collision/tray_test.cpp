// Cloth that slides along one surface of a body meets the others.
#include <doctest/doctest.h>

#include <fmt/format.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/physics/scenes.h"

using namespace weft;

namespace {

constexpr float kWall = 0.5f;  // m along x

/// A floor 50 mm thick with the top at y = 0, and at its end a wall 0.2 m high; one closed mesh.
Obstacle tray(float wall) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            fmt::format("weft-tray-{:.0f}-{}.obj", 1e3 * double(wall), getpid()))
                               .string();
  std::ofstream file(path);
  const vec2 line[] = {
      {-0.5f, -0.05f}, {kWall + wall, -0.05f}, {kWall + wall, 0.2f}, {kWall, 0.2f}, {kWall, 0}, {-0.5f, 0}};
  for (const float z : {-0.5f, 0.5f})
    for (const vec2& p : line) file << "v " << p.x << ' ' << p.y << ' ' << z << '\n';
  for (int k = 0; k < 6; ++k)
    file << "f " << k + 1 << ' ' << (k + 1) % 6 + 1 << ' ' << (k + 1) % 6 + 7 << ' ' << k + 7 << '\n';
  for (const ivec3& t : {ivec3(1, 5, 2), {2, 5, 3}, {3, 5, 4}, {1, 6, 5}}) {
    file << "f " << t.x << ' ' << t.y << ' ' << t.z << '\n';
    file << "f " << t.x + 6 << ' ' << t.z + 6 << ' ' << t.y + 6 << '\n';
  }
  Obstacle o;
  o.name = "tray", o.shape = ObstacleShape::mesh, o.file = path;
  return o;
}

/// A cloth on the floor that gravity pulls against the wall: it is 0.65 m away, or nearer.
Scene sliding(const Obstacle& body, float size, float edge, float x) {
  Scene s;
  s.forces.lift = s.forces.drag = 0;
  s.forces.gravity = {9.81f, -9.81f, 0};
  s.contact.ground = false;
  s.contact.friction = 0;
  Cloth& c = s.cloths.emplace_back();
  c.size = {size, size};
  c.edge = edge;
  c.placement = {{x, 1e-3f, 0}, {-90, 0, 0}, 1};
  s.obstacles.push_back(body);
  return s;
}

void stays_in_front(const std::string& method, float wall, bool fine) {
  CAPTURE(method);
  CAPTURE(wall);
  CAPTURE(fine);
  Scene s = fine ? sliding(tray(wall), 0.15f, 6e-3f, 0.2f) : sliding(tray(wall), 0.3f, 0.02f, -0.3f);
  s.set("step.collision", method);
  physics::Run run(s);
  int beyond = 0, below = 0;
  float deepest = 0, furthest = -1;
  for (int i = 0; i < (fine ? 35 : 50); ++i) {
    run.sim->step();
    for (const vec3& p : run.sim->positions()) {
      beyond += p.x > kWall + 0.5f * wall;
      below += p.y < -1e-3f;
      furthest = std::max(furthest, p.x);
    }
    deepest = std::max(deepest, run.sim->stats().max_penetration);
  }
  CHECK(furthest > kWall - 2e-3f);  // it got there
  CHECK(beyond == 0);
  CHECK(below == 0);
  CHECK(deepest < 1e-3f);
}

}  // namespace

TEST_CASE("cloth that slides along a tray's floor stays in front of a thin wall of the same mesh") {
  stays_in_front("bodies", 3e-3f, true);
  stays_in_front("repulsion", 3e-3f, false);
}

TEST_CASE("cloth that slides along a tray's floor into its wall of the same mesh stays in front of the wall" *
          doctest::test_suite("full")) {
  for (const char* method : {"bodies", "repulsion"})
    for (const float wall : {3e-3f, 1e-2f})
      for (const bool fine : {false, true}) stays_in_front(method, wall, fine);
}
