#include "sim/run/body_notices.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {
namespace {

constexpr float kShownDepth = 1e-4f;  // m
constexpr float kThrownOut = 0.02f;   // m: several times what methods leave between cloth and bodies
constexpr float kJump = 25;           // m/s: faster than anything that a scene means to move through cloth

std::string jump_in_words(float way, float dt, int step) {
  return fmt::format(
      "{:.0f} mm within step {} ({:.0f} m/s): cloth cannot follow that fast; give the motion more time "
      "between its keys, or start it in the right place",
      1e3 * double(way), step, double(way / dt));
}

}  // namespace

std::vector<std::string> pins_inside_bodies(const Scene& scene, const Bodies& bodies, const std::vector<int>& pinned, const std::vector<vec3>& positions) {
  std::vector<std::string> notices;
  for (size_t i = 0; i < scene.obstacles.size(); ++i) {
    int inside = 0;
    float deepest = 0;
    for (const int v : pinned) {
      const float depth = bodies.depth(int(i), positions[size_t(v)]);
      inside += depth > kShownDepth, deepest = std::max(deepest, depth);
    }
    if (inside > 0)
      notices.push_back(
          fmt::format("{} pinned {} up to {:.0f} mm inside {}: pinned vertices stay there, and the body does "
                      "not push out the cloth next to them",
                      inside, inside == 1 ? "vertex is" : "vertices are", 1e3 * double(deepest),
                      scene.obstacles[i].name));
  }
  return notices;
}

std::vector<std::string> starts_inside_bodies(const Scene& scene, const Bodies& bodies, const Topology& cloth,
                                              const std::vector<int>& pinned, const std::vector<vec3>& start) {
  std::vector<std::string> notices;
  std::vector<char> held(start.size(), 0);
  for (const int v : pinned) held[size_t(v)] = 1;
  for (const ClothRange& range : cloth.cloths)
    for (size_t i = 0; i < scene.obstacles.size(); ++i) {
      int inside = 0;
      float deepest = 0;
      for (int v = range.first_vertex; v < range.first_vertex + range.vertex_count; ++v) {
        if (held[size_t(v)]) continue;
        const float depth = bodies.depth(int(i), start[size_t(v)]);
        inside += depth > kThrownOut, deepest = std::max(deepest, depth);
      }
      if (inside > 0)
        notices.push_back(
            fmt::format("cloth {}: {} of {} vertices start inside {}, by up to {:.3g} m: contact throws them out at "
                        "{:.0f} m/s; start from a pose clear of the body",
                        range.name, inside, range.vertex_count, scene.obstacles[i].name, double(deepest),
                        double(deepest / scene.step.dt)));
    }
  return notices;
}

std::vector<std::string> JumpWatch::look(const Scene& scene, const Bodies& bodies, const Kinematics& kinematics, double time, float dt, int step) {
  std::vector<std::string> found;
  told_bodies_.resize(scene.obstacles.size(), false);
  for (size_t i = 0; i < scene.obstacles.size(); ++i) {
    const Obstacle& o = scene.obstacles[i];
    if (told_bodies_[i] || o.shape == "plane") continue;
    const float way = bodies.way(int(i), o, time, dt);
    if (!(way > kJump * dt)) continue;
    told_bodies_[i] = true;
    found.push_back(fmt::format("obstacle {} jumps {}", o.name, jump_in_words(way, dt, step)));
  }
  if (told_pins_) return found;
  const float way = kinematics.way(time, dt);
  if (!(way > kJump * dt)) return found;
  told_pins_ = true;
  found.push_back(fmt::format("a pin jumps {}", jump_in_words(way, dt, step)));
  return found;
}

}  // namespace weft
