// Values of bodies as --set gives them.
#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "sim/device/device.h"
#include "sim/run/simulation.h"
#include "sim/scene/body_settings.h"
#include "sim/scene/text/scene_file.h"

using namespace weft;

namespace {

constexpr const char* kScene = R"(
[[cloth]]
vertices = 50
[[obstacle]]
name = "ball"
shape = "sphere"
radius = 0.1
position = [0, 0.3, 0]
[[obstacle]]
name = "ball.2"
shape = "box"
size = [1, 2, 3]
[[obstacle]]
name = "arm"
shape = "capsule"
radius = 0.05
length = 0.6
[[obstacle.bone]]
name = "upper"
head = [0, -0.3, 0]
tail = [0, 0, 0]
)";

/// The fault of a setting, as words.
std::string fault(Scene& scene, const std::string& key, const std::string& text) {
  try {
    scene.set(key, text);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a setting of a body does what the same key in its scene file does") {
  const std::pair<const char*, const char*> cases[] = {
      {"radius", "0.2"},
      {"position", "[0, 0.5, 0]"},
      {"friction", "0.7"},
      {"shape", "box"},
      {"motion", "{ spin_rate = 90, spin_axis = [1, 0, 0] }"},
  };
  for (const auto& [key, text] : cases) {
    CAPTURE(key);
    Scene set = parse_scene(kScene, "scene.toml");
    set.set(std::string("obstacle.ball.") + key, text);
    std::string file = kScene;
    const std::string line =
        std::string(key) + " = " + (std::string(text) == "box" ? "\"box\"" : text) + "\n";
    const std::string before = "radius = 0.1\n", position = "position = [0, 0.3, 0]\n",
                      shape = "shape = \"sphere\"\nradius = 0.1\n";
    const std::string& old = key == std::string("radius")     ? before
                             : key == std::string("position") ? position
                             : key == std::string("shape")    ? shape
                                                              : position;
    const bool added = key == std::string("friction") || key == std::string("motion");
    file.replace(file.find(old), old.size(), added ? old + line : line);
    CHECK(write_scene(set) == write_scene(parse_scene(file, "scene.toml")));
    CHECK(set.obstacles[0] == parse_scene(file, "scene.toml").obstacles[0]);
  }
}

TEST_CASE("settings of a body reach its motion and its bones, and leave all else as it was") {
  Scene scene = parse_scene(kScene, "scene.toml");
  const Scene before = scene;
  scene.set("obstacle.ball.motion.keys", "[{ time = 0.1 }, { time = 0.4, position = [0, 0.1, 0] }]");
  scene.set("obstacle.ball.motion.spin_rate", "45");
  scene.set("obstacle.arm.bone.upper.keys", "[{ time = 1, rotation = [0, 0, 90] }]");
  scene.set("obstacle.ball.2.size", "[3, 2, 1]");  // the longer of two names is meant
  REQUIRE(scene.obstacles[0].motion.keys.size() == 2);
  CHECK(scene.obstacles[0].motion.keys[1].position == vec3(0, 0.1f, 0));
  CHECK(scene.obstacles[0].motion.spin_rate == 45);
  CHECK(scene.obstacles[0].motion.spin_center == scene.obstacles[0].placement.position);
  REQUIRE(scene.obstacles[2].bones[0].keys.size() == 1);
  CHECK(scene.obstacles[2].bones[0].keys[0].rotation == vec3(0, 0, 90));
  CHECK(scene.obstacles[1].size == vec3(3, 2, 1));
  scene.obstacles[0].motion = {}, scene.obstacles[2].bones[0].keys.clear();
  scene.obstacles[1].size = before.obstacles[1].size;
  CHECK(scene == before);
}

TEST_CASE("a setting that no body can have is refused with its key, and changes nothing") {
  Scene scene = parse_scene(kScene, "scene.toml");
  const Scene before = scene;
  CHECK(fault(scene, "obstacle.bal.radius", "1").find("did you mean ball?") != std::string::npos);
  CHECK(fault(scene, "obstacle.ball.rad", "1").find("unknown key 'rad'") != std::string::npos);
  CHECK(fault(scene, "obstacle.ball.radius", "wide").find("needs a number") != std::string::npos);
  CHECK(fault(scene, "obstacle.ball.radius", "-1").find("outside its range") != std::string::npos);
  CHECK(fault(scene, "obstacle.ball.motion.spin_axis", "[0, 0, 0]").find("no direction") !=
        std::string::npos);
  CHECK(fault(scene, "obstacle.arm.bone.lower.keys", "[]").find("no such entry") != std::string::npos);
  CHECK(fault(scene, "obstacle.ball.name", "x").find("keeps its name") != std::string::npos);
  CHECK(fault(scene, "obstacle.ball.shape.x", "1").find("holds no further keys") != std::string::npos);
  CHECK_FALSE(fault(scene, "obstacle.ball", "1").empty());
  CHECK(scene == before);
  scene.obstacles[1].name = "ball";
  CHECK(fault(scene, "obstacle.ball.radius", "1").find("two bodies are called") != std::string::npos);
}

TEST_CASE("a body of a running scene cannot be set, with a word") {
  auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation(parse_scene(kScene, "scene.toml"), *device);
  CHECK_THROWS_WITH_AS(simulation.apply(SetParam{"obstacle.ball.radius", "0.2"}),
                       doctest::Contains("bodies are made before the run"), Error);
  CHECK(simulation.scene().obstacles[0].size.x == 0.1f);
}
