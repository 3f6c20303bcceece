// The camera's path through its keys.
#include "sim/scene/camera_path.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/error.h"
#include "sim/scene/text/scene_file.h"
#include "tests/support/text.h"

using namespace weft;
using testing::contains;

namespace {

vec3 eye_of(const CameraPose& pose) { return key_of(pose, 0).position; }

std::vector<CameraKey> some_keys() {
  return {{0, {0, 1, 3}, {0, 0.9f, 0}, 35},
          {1, {2.5f, 1.5f, 0.5f}, {0.1f, 0.8f, 0}, 30},
          {3, {-1, 3, -2}, {0, 1, 0}, 50},
          {3.5f, {-2, 0.5f, 1}, {0, 1, 0}, 50}};
}

std::string fault_of(const std::string& keys) {
  try {
    parse_scene("[camera]\nkeys = [\n" + keys + "]\n", "s.toml");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a pose and its key say the same") {
  const CameraPose pose{{0.3f, 1, -0.2f}, 2.7f, -140, 33, 42};
  const CameraPose back = pose_of(key_of(pose, 1.5f));
  CHECK(key_of(pose, 1.5f).time == 1.5f);
  CHECK(back.target == pose.target);
  CHECK(back.fov == pose.fov);
  // Two conversions in float32 of numbers below 200: 200 x 2^-23 is 2.4e-5.
  CHECK(std::abs(back.distance - pose.distance) < 1e-5f);
  CHECK(std::abs(back.yaw - pose.yaw) < 5e-5f);
  CHECK(std::abs(back.pitch - pose.pitch) < 5e-5f);
}

TEST_CASE("the camera's path passes through its keys and holds outside of them") {
  const auto keys = some_keys();
  for (const CameraKey& key : keys) {
    CAPTURE(key.time);
    const CameraPose pose = camera_at(keys, key.time);
    CHECK(glm::distance(eye_of(pose), key.position) < 1e-5f);
    CHECK(glm::distance(pose.target, key.target) < 1e-6f);
    CHECK(std::abs(pose.fov - key.fov) < 1e-5f);
  }
  CHECK(camera_at(keys, -5) == camera_at(keys, 0));
  CHECK(camera_at(keys, 99) == camera_at(keys, 3.5));
  CHECK(glm::distance(eye_of(camera_at({keys[1]}, 0.2)), keys[1].position) < 1e-5f);
}

TEST_CASE("the camera moves without jumps of place or velocity, and rests at both ends") {
  const auto keys = some_keys();
  constexpr double h = 1e-2;
  const auto velocity = [&](double t) {
    return (eye_of(camera_at(keys, t + h / 2)) - eye_of(camera_at(keys, t - h / 2))) / float(h);
  };
  float largest = 0, change = 0;
  for (double t = -0.1; t < 3.6; t += h) {
    largest = std::max(largest, glm::length(velocity(t)));
    change = std::max(change, glm::length(velocity(t + h) - velocity(t)));
  }
  // A piecewise linear path through these keys turns by several m/s from one moment to the next. The smooth
  // one's second derivative is at most that of the shortest piece, 6 x 4.5 m / (0.5 s)^2 = 108 m/s^2, which
  // is 1.1 m/s in h.
  CHECK(largest > 2);
  CHECK(change < 1.1f);
  CHECK(glm::length(velocity(-0.05)) == 0);
  CHECK(glm::length(velocity(0)) < 0.1f);
}

TEST_CASE("from one side of a body to the other the camera swings around it and stays as far away") {
  const std::vector<CameraKey> keys = {{0, {0, 1, 2}, {0, 1, 0}, 35}, {1, {-0.1f, 1, -2}, {0, 1, 0}, 35}};
  for (double t = 0; t <= 1; t += 0.05) {
    const float distance = glm::length(eye_of(camera_at(keys, t)) - vec3(0, 1, 0));
    CHECK(distance > 1.999f);  // a straight line would pass it at 5 cm
    CHECK(distance < 2.004f);
  }
}

TEST_CASE("the camera turns the short way, and straight above its target keeps its bearing") {
  const std::vector<CameraKey> across = {{0, {0.5f, 0, -2}, {0, 0, 0}, 35},
                                         {1, {-0.5f, 0, -2}, {0, 0, 0}, 35}};
  for (double t = 0; t <= 1; t += 0.1) CHECK(eye_of(camera_at(across, t)).z < -1.9f);  // through yaw 180
  const std::vector<CameraKey> above = {
      {0, {2, 0, 0}, {0, 0, 0}, 35}, {1, {0, 2, 0}, {0, 0, 0}, 35}, {2, {2, 0.1f, 0}, {0, 0, 0}, 35}};
  for (double t = 0; t <= 2; t += 0.1) CHECK(std::abs(eye_of(camera_at(above, t)).z) < 1e-4f);
}

TEST_CASE("between two equal keys the camera rests, and it never goes beyond a key") {
  const CameraKey near{1, {0, 1, 1}, {0, 1, 0}, 35};
  CameraKey still = near;
  still.time = 2;
  const std::vector<CameraKey> keys = {
      {0, {0, 1, 5}, {0, 1, 0}, 35}, near, still, {3, {0, 1, 4}, {0, 1, 0}, 35}};
  for (double t = 1; t <= 2; t += 0.1) CHECK(std::abs(camera_at(keys, t).distance - 1) < 1e-6f);
  for (double t = 0; t <= 3; t += 0.05) CHECK(camera_at(keys, t).distance > 1 - 1e-6f);
}

TEST_CASE("keys of the camera are added in order, replaced at the same time, and found by time") {
  auto keys = some_keys();
  keys = with_key(keys, {2, {9, 9, 9}, {0, 0, 0}, 35});
  REQUIRE(keys.size() == 5);
  CHECK(keys[2].position == vec3(9));
  keys = with_key(keys, {2.0004f, {8, 8, 8}, {0, 0, 0}, 35});
  REQUIRE(keys.size() == 5);
  CHECK(keys[2].position == vec3(8));
  CHECK(nearest_key(keys, 2.4) == 2);
  CHECK(nearest_key(keys, 2.6) == 3);
  CHECK(nearest_key({}, 0) == -1);
}

TEST_CASE("a scene's camera keys read with what they leave out, and are written so that they read back") {
  const Scene scene = parse_scene(
      "[camera]\nfov = 40\nkeys = [\n{ time = 0.5, position = [1, 2, 3], target = [0, 1, 0] },\n{ time = 2, "
      "position = [3, 2, 1], fov = 50 },\n]\n",
      "s.toml");
  REQUIRE(scene.camera_path.size() == 2);
  CHECK(scene.camera_path[0] == CameraKey{0.5f, {1, 2, 3}, {0, 1, 0}, 40});
  CHECK(scene.camera_path[1] == CameraKey{2, {3, 2, 1}, {0, 1, 0}, 50});
  CHECK(scene.camera->fov == 40);
  CHECK(parse_scene(write_scene(scene), "s.toml") == scene);
  // Keys alone say where the camera starts.
  const Scene alone =
      parse_scene("[camera]\nkeys = [{ time = 0, position = [0, 1, 2], target = [0, 1, 0] }]\n", "s.toml");
  CHECK(!alone.camera);
  CHECK(std::abs(start_camera(alone)->distance - 2) < 1e-6f);
  CHECK(parse_scene(write_scene(alone), "s.toml") == alone);
  CHECK(!start_camera(Scene{}));
}

TEST_CASE("bad camera keys are refused with file, line and what to do") {
  const std::string good = "{ time = 1, position = [0, 1, 2], target = [0, 1, 0] },\n";
  CHECK(fault_of(good) == "");
  CHECK(contains(fault_of("{ position = [0, 1, 2] },\n"), "s.toml:3: "));
  CHECK(contains(fault_of("{ position = [0, 1, 2] },\n"), "needs a time"));
  CHECK(contains(fault_of("{ time = 1 },\n"), "needs a position"));
  CHECK(contains(fault_of(good + good), "s.toml:4: "));
  CHECK(contains(fault_of(good + good), "times of camera keys must increase"));
  CHECK(contains(fault_of("{ time = 1, position = [0, 1, 0], target = [0, 1, 0.001] },\n"),
                 "which is too close"));
  CHECK(contains(fault_of("{ time = -1, position = [0, 1, 2] },\n"), "time"));
  CHECK(contains(fault_of("{ time = 1, position = [0, 1, 2], fov = 170 },\n"), "fov"));
  CHECK(contains(fault_of("{ time = 1, position = [0, nan, 2] },\n"), "position"));
  CHECK(contains(fault_of("{ time = 1, position = [0, 1, 2], traget = [0, 0, 0] },\n"), "target"));
  CHECK(contains(fault_of("{ time = 1, position = [0, 1] },\n"), "position"));
}
