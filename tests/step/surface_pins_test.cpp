// Pins that follow the surface of a body.
#include "sim/step/surface_pins.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "sim/geometry/closest_point.h"
#include "sim/run/simulation.h"
#include "sim/scene/motion.h"
#include "sim/scene/text/scene_file.h"

using namespace weft;

namespace {

Obstacle turning_box() {
  Obstacle o;
  o.name = "box";
  o.shape = ObstacleShape::box;
  o.size = {0.2f, 0.3f, 0.4f};
  o.placement = {{0.1f, 0.2f, 0.3f}, {10, 20, 30}, 1.5f};
  o.motion.keys = {{0, {}, {}}, {2, {0.5f, 0, 0.1f}, {0, 90, 40}}};
  return o;
}

}  // namespace

TEST_CASE("pins on a rigid body move rigidly with it, wherever they start") {
  const Obstacle o = turning_box();
  const std::vector<vec3> points{{0.1f, 0.6f, 0.3f}, {0.4f, 0.2f, 0.3f}, {0.15f, 0.22f, 0.31f}, {1, 1, 1}};
  const SurfacePins pins(o, "", points);
  for (const double time : {0.0, 0.7, 2.0, 5.0}) {
    const mat4 m = motion_transform(o.motion, time);
    const std::vector<vec3> now = pins.at(time);
    for (size_t i = 0; i < points.size(); ++i)
      CHECK(glm::length(now[i] - vec3(m * vec4(points[i], 1))) < 2e-6f);
  }
}

TEST_CASE("pins on a walking mannequin keep their distance from its skin") {
  Obstacle o;
  o.name = "model";
  o.shape = ObstacleShape::mannequin;
  o.mannequin.params.edge = 0.02f;
  o.mannequin.clips = {{"walk", 3}};
  const std::vector<vec3> points{{0, 1.08f, 0.12f}, {0.13f, 1.0f, 0}, {0, 1.08f, -0.12f}};
  const SurfacePins pins(o, "", points);
  const std::vector<vec3> start = pins.at(0), later = pins.at(1.4);
  for (size_t i = 0; i < points.size(); ++i) {
    CHECK(glm::length(start[i] - points[i]) < 1e-6f);
    CHECK(glm::length(later[i] - start[i]) > 0.5f);  // it has walked
  }
  for (size_t i = 0; i < points.size(); ++i)  // around the waist, which hardly deforms
    for (size_t j = 0; j < i; ++j)
      CHECK(std::abs(glm::length(later[i] - later[j]) / glm::length(start[i] - start[j]) - 1) < 0.05f);
}

TEST_CASE("a scene's pin follows the body that it names, and an unknown body is refused") {
  const char* text = R"(
title = "held"
[contact]
ground = false
[[cloth]]
shape = "grid"
size = [0.2, 0.2]
edge = 0.05
position = [0, 0.5, 0]
[[pin]]
where = "top"
body = "ball"
[[obstacle]]
name = "ball"
radius = 0.1
position = [0, 0.8, 0]
[obstacle.motion]
keys = [{ time = 0 }, { time = 1, position = [0.3, 0, 0] }]
)";
  Scene scene = parse_scene(text, "held.toml");
  CHECK(scene.pins[0].body == "ball");
  CHECK(parse_scene(write_scene(scene), "held.toml").pins == scene.pins);
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(scene, *device);
  const std::vector<vec3> start = sim.positions();
  const std::vector<int> pinned = sim.pinned_vertices();
  REQUIRE(!pinned.empty());
  for (int step = 0; step < 50; ++step) sim.step();
  for (const int v : pinned)
    CHECK(glm::length(sim.positions()[size_t(v)] - start[size_t(v)] - vec3(0.15f, 0, 0)) < 1e-4f);
  scene.pins[0].body = "bal";
  CHECK_THROWS_WITH_AS(Simulation(scene, *device), doctest::Contains("there is no obstacle 'bal'"), Error);
}
