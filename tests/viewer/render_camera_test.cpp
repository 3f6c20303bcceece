#include "viewer/interact/camera.h"

#include "sim/scene/camera_limits.h"
#include "sim/scene/camera_path.h"
#include "sim/scene/text/scene_file.h"

#include <doctest/doctest.h>

using namespace weft;

namespace {

const ivec2 kSize(1280, 720);

Camera some_camera() {
  CameraPose pose;
  pose.target = {0.3f, 0.8f, -0.2f};
  pose.distance = 2.2f;
  pose.yaw = 37;
  pose.pitch = 21;
  pose.fov = 40;
  return Camera(pose);
}

// Float32 at 1 m and 1280 pixels: a relative error of 1e-6 in a position is a few thousandths of a pixel.
constexpr float kPixel = 0.01f, kMetre = 1e-5f;

}  // namespace

TEST_CASE("a point that is projected and brought back is where it was") {
  const CameraView view = some_camera().view(kSize);
  for (const vec3& p : {vec3(0), vec3(0.5f, 1.1f, 0.2f), vec3(-0.7f, 0.3f, 0.4f)}) {
    const auto pixel = view.project(p);
    REQUIRE(pixel);
    CHECK(glm::distance(view.unproject(vec2(*pixel), pixel->z), p) < kMetre);
  }
}

TEST_CASE("the target of a camera is in the middle of the picture") {
  const Camera camera = some_camera();
  const auto pixel = camera.view(kSize).project(camera.pose().target);
  REQUIRE(pixel);
  CHECK(std::abs(pixel->x - 640) < kPixel);
  CHECK(std::abs(pixel->y - 360) < kPixel);
  CHECK(pixel->z == doctest::Approx(camera.pose().distance).epsilon(1e-5));
}

TEST_CASE("pixels count from the upper left corner") {
  const Camera camera = some_camera();
  const CameraView view = camera.view(kSize);
  const vec3 target = camera.pose().target;
  CHECK(view.project(target + 0.1f * view.right())->x > 640);
  CHECK(view.project(target + 0.1f * view.up())->y < 360);
}

TEST_CASE("the ray through a pixel passes through what is seen there") {
  const CameraView view = some_camera().view(kSize);
  const vec3 p(0.5f, 1.0f, 0.1f);
  const Ray ray = view.ray(vec2(*view.project(p)));
  CHECK(glm::length(ray.direction) == doctest::Approx(1).epsilon(1e-6));
  CHECK(glm::length(glm::cross(p - ray.origin, ray.direction)) < kMetre);
  CHECK(glm::dot(p - ray.origin, ray.direction) > 0);
}

TEST_CASE("a point behind the eye has no pixel") {
  const Camera camera = some_camera();
  const CameraView view = camera.view(kSize);
  CHECK_FALSE(view.project(view.eye - view.forward()));
}

TEST_CASE("orbiting keeps target and distance") {
  Camera camera = some_camera();
  camera.orbit({123, -45}, kSize);
  CHECK(camera.pose().target == some_camera().pose().target);
  CHECK(glm::distance(camera.eye(), camera.pose().target) == doctest::Approx(2.2).epsilon(1e-5));
  CHECK(camera.pose().yaw == doctest::Approx(37 - 123 * 180.0 / 720));
}

TEST_CASE("orbiting stops before the camera turns over") {
  Camera camera = some_camera();
  camera.orbit({0, 5000}, kSize);
  CHECK(camera.pose().pitch < 90);
  CHECK(camera.view(kSize).up().y > 0);
}

TEST_CASE("panning moves the picture with the cursor") {
  Camera camera = some_camera();
  const vec3 target = camera.pose().target;
  camera.pan({80, -30}, kSize);
  const auto pixel = camera.view(kSize).project(target);
  CHECK(std::abs(pixel->x - 720) < kPixel);
  CHECK(std::abs(pixel->y - 330) < kPixel);
}

TEST_CASE("zooming keeps the point under the cursor") {
  for (const float steps : {3.0f, -2.0f}) {
    Camera camera = some_camera();
    const vec2 cursor(900, 200);
    const vec3 held = camera.view(kSize).unproject(cursor, camera.pose().distance);
    camera.zoom(steps, cursor, kSize);
    CHECK(camera.pose().distance == doctest::Approx(2.2 * std::pow(0.9, steps)).epsilon(1e-5));
    const auto pixel = camera.view(kSize).project(held);
    CHECK(std::abs(pixel->x - cursor.x) < kPixel);
    CHECK(std::abs(pixel->y - cursor.y) < kPixel);
  }
}

TEST_CASE("framing shows all of the bounds and not much more") {
  Bounds bounds;
  bounds.add({-0.4f, 0.1f, -1.2f});
  bounds.add({0.9f, 2.3f, 0.5f});
  for (const ivec2& size : {kSize, ivec2(400, 900)}) {
    Camera camera = some_camera();
    camera.frame(bounds, size);
    const CameraView view = camera.view(size);
    vec2 low(1e9f), high(-1e9f);
    for (int corner = 0; corner < 8; ++corner) {
      const auto pixel =
          view.project({corner & 1 ? bounds.max.x : bounds.min.x, corner & 2 ? bounds.max.y : bounds.min.y,
                        corner & 4 ? bounds.max.z : bounds.min.z});
      REQUIRE(pixel);
      low = glm::min(low, vec2(*pixel));
      high = glm::max(high, vec2(*pixel));
    }
    CHECK(low.x >= 0);
    CHECK(low.y >= 0);
    CHECK(high.x <= float(size.x));
    CHECK(high.y <= float(size.y));
    const vec2 share = (high - low) / vec2(size);
    // a box seen at an angle leaves more room on one side than on the other
    CHECK(std::max(share.x, share.y) > 0.6f);
  }
}

TEST_CASE("framing nothing changes nothing") {
  Camera camera = some_camera();
  camera.frame(Bounds{}, kSize);
  CHECK(camera.pose().distance == some_camera().pose().distance);
}

TEST_CASE("a camera for a picture without area still has finite matrices") {
  const CameraView view = some_camera().view({0, 0});
  CHECK(view.size == ivec2(1, 1));
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row) CHECK(std::isfinite(view.view_projection()[column][row]));
}

TEST_CASE("a pixel is as large as the projection says") {
  const CameraView view = some_camera().view(kSize);
  const vec3 a = view.unproject({640, 360}, 2), b = view.unproject({641, 360}, 2);
  CHECK(glm::distance(a, b) == doctest::Approx(view.pixel_size(2)).epsilon(1e-3));
}

TEST_CASE(
    "a camera goes as far as scene files may put it, and no field of view that they accept is changed") {
  CameraPose pose;
  pose.distance = kMostCameraDistance, pose.fov = kMostCameraFov;
  CHECK(Camera(pose).pose().distance == 1e6f);
  CHECK(parse_scene("[camera]\nfov = 120\ndistance = 1e6\n[[cloth]]\n", "far.toml").camera->fov ==
        Camera(pose).pose().fov);
  CHECK_THROWS(parse_scene("[camera]\nfov = 150\n[[cloth]]\n", "wide.toml"));
}

TEST_CASE("a view that shows everything at 16:9 steps back in narrower pictures until it does there") {
  CameraPose pose;
  pose.target = {0, 0.5f, 0}, pose.distance = 3, pose.fov = 40, pose.pitch = 15;
  Bounds wide;
  wide.add({-1.2f, 0, -0.3f}), wide.add({1.2f, 1, 0.3f});
  const auto inside = [&](const Camera& camera, ivec2 size) {
    for (int corner = 0; corner < 8; ++corner) {
      const auto at = camera.view(size).project(
          {corner & 1 ? 1.2f : -1.2f, corner & 2 ? 1.0f : 0.0f, corner & 4 ? 0.3f : -0.3f});
      if (!at || at->x < 0 || at->y < 0 || at->x > float(size.x) || at->y > float(size.y)) return false;
    }
    return true;
  };
  for (const ivec2& size : {ivec2(848, 874), ivec2(300, 900), ivec2(688, 694), ivec2(1280, 720)}) {
    CAPTURE(size.x);
    Camera camera(pose);
    const bool fits = inside(camera, size);
    camera.widen(wide, size);
    CHECK(inside(camera, size));
    if (fits) CHECK(camera.pose().distance == doctest::Approx(3).epsilon(0.03));
    CHECK(camera.pose().target == pose.target);
  }
  Camera close(pose);  // a close view is meant to cut things off
  wide.add({4, 0, 0});
  close.widen(wide, {688, 694});
  CHECK(close.pose().distance == 3);
}
