// A renderer with a scene in it, without a display.
#pragma once
#include <doctest/doctest.h>

#include "render_scene.h"
#include "viewer/gl/context.h"
#include "viewer/gl/image.h"
#include "viewer/render/renderer.h"

namespace weft::testing {

inline const ivec2 kSize(320, 180);

/// A renderer with a scene in it.
struct Studio {
  gl::HeadlessContext context{false};
  Renderer renderer;
  Camera camera;
  ViewSettings settings;

  explicit Studio(const StillLife& life) {
    show(life);
    CameraPose pose;
    pose.target = {0.1f, 0.75f, 0};
    pose.distance = 3.3f;
    pose.yaw = 20;
    pose.pitch = 10;
    camera = Camera(pose);
  }
  void show(const StillLife& life) {
    renderer.set_scene(life.scene);
    renderer.update(life.frame);
  }
  Image draw(ivec2 size = kSize, const Overlay& overlay = {}) {
    renderer.draw(camera.view(size), settings, overlay);
    gl::check("draw");
    return gl::read_pixels(renderer.picture()->id(), renderer.picture()->size());
  }
  /// The colour at the pixel where a world point is seen.
  vec3 color_at(const Image& image, const vec3& world) const {
    const auto p = camera.view({image.width, image.height}).project(world);
    REQUIRE(p);
    const uint8_t* rgb = image.at(int(p->x), int(p->y));
    return vec3(rgb[0], rgb[1], rgb[2]);
  }
  void look(float yaw, float pitch, float distance, const vec3& target) {
    CameraPose pose;
    pose.yaw = yaw, pose.pitch = pitch, pose.distance = distance, pose.target = target;
    camera = Camera(pose);
  }
};

}  // namespace weft::testing
