#include "sim/run/body_notices.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "sim/scene/teleports.h"

namespace weft {
namespace {

constexpr float kShownDepth = 1e-4f;  // m
constexpr float kThrownOut = 0.02f;   // m: several times what methods leave between cloth and bodies
constexpr int kLookedAt = 1000;       // vertices of a garment, about

/// What puts a cloth onto a body that it starts in.
std::string remedy(const Scene& scene, const std::string& cloth) {
  for (const Cloth& c : scene.cloths)
    if (c.name == cloth && c.shape == ClothShape::garment && c.start != "dressed")
      return fmt::format(
          "a start that is \"{}\" regards no bodies; start = \"dressed\" in its [[garment]] sews it around "
          "them, "
          "as 'weft dress {} -o {}.obj' and the button Dress do",
          c.start, scene.path.empty() ? "SCENE.toml" : scene.path, c.name);
  return "start from a pose clear of the body";
}

/// A garment that starts where its pattern has it, whatever is there.
bool regards_no_bodies(const Scene& scene, const std::string& cloth) {
  return std::any_of(scene.cloths.begin(), scene.cloths.end(), [&](const Cloth& c) {
    return c.name == cloth && c.shape == ClothShape::garment && c.start != "dressed";
  });
}

/// Depths below the surface of a body, m, of the vertices `from`, `from` + `stride` ... below `end` that are
/// not held.
std::vector<float> depths(const Bodies& bodies, int obstacle, const std::vector<vec3>& x,
                          const std::vector<char>& held, int from, int end, int stride) {
  std::vector<float> out(size_t((end - from + stride - 1) / stride), 0.0f);
  tbb::parallel_for(size_t(0), out.size(), [&](size_t i) {
    const size_t v = size_t(from) + i * size_t(stride);
    if (!held[v]) out[i] = bodies.depth(obstacle, x[v]);
  });
  return out;
}

/// " (the left hand)": the part of a body whose vertex is nearest to a point; empty where it has no names.
std::string part_near(const Bodies& bodies, int obstacle, const vec3& point) {
  const auto vertices = bodies.deformed(obstacle);
  if (!vertices || vertices->empty()) return {};
  const auto nearest = std::min_element(
      vertices->begin(), vertices->end(),
      [&](const vec3& a, const vec3& b) { return glm::length(a - point) < glm::length(b - point); });
  const std::string words = bodies.part_of(obstacle, int(nearest - vertices->begin())).words();
  return words.empty() ? words : " (" + words + ")";
}

std::string jump_in_words(float way, float dt, int step, double time) {
  return fmt::format(
      "{:.0f} mm within step {} ({:.0f} m/s) at {:.3f} s: cloth cannot follow that fast; give the motion "
      "more time between its keys, start it in the right place, or let cloth go along (teleport = true)",
      1e3 * double(way), step, double(way / dt), time);
}

}  // namespace

std::vector<std::string> pins_inside_bodies(const Scene& scene, const Bodies& bodies,
                                            const std::vector<int>& pinned,
                                            const std::vector<vec3>& positions) {
  std::vector<std::string> notices;
  for (size_t i = 0; i < scene.obstacles.size(); ++i) {
    int inside = 0;
    float deepest = 0;
    vec3 there(0);  // m
    for (const int v : pinned) {
      const float depth = bodies.depth(int(i), positions[v]);
      inside += depth > kShownDepth;
      if (depth > deepest) deepest = depth, there = positions[v];
    }
    if (inside > 0)
      notices.push_back(
          fmt::format("{} pinned {} up to {:.0f} mm inside {}{}: pinned vertices stay there, and the body "
                      "does not push out the cloth next to them",
                      inside, inside == 1 ? "vertex is" : "vertices are", 1e3 * double(deepest),
                      scene.obstacles[i].name, part_near(bodies, int(i), there)));
  }
  return notices;
}

std::vector<std::string> starts_inside_bodies(const Scene& scene, const Bodies& bodies, const Topology& cloth,
                                              const std::vector<int>& pinned, const std::vector<vec3>& start,
                                              bool thrown_out) {
  std::vector<std::string> notices;
  std::vector<char> held(start.size(), 0);
  for (const int v : pinned) held[v] = 1;
  for (const ModelPart& range : cloth.parts) {
    const bool sewn = regards_no_bodies(scene, range.name);
    if (!thrown_out && !sewn) continue;
    // The depth in a body of many triangles takes a fraction of a millisecond.
    const int stride = sewn ? std::max(1, range.vertex_count / kLookedAt) : 1;
    for (size_t i = 0; i < scene.obstacles.size(); ++i) {
      if (sewn && scene.obstacles[i].shape == ObstacleShape::plane) continue;
      const std::vector<float> depth = depths(bodies, int(i), start, held, range.first_vertex,
                                              range.first_vertex + range.vertex_count, stride);
      const auto inside = std::count_if(depth.begin(), depth.end(), [](float d) { return d > kThrownOut; });
      const auto most = std::max_element(depth.begin(), depth.end());
      const float deepest = depth.empty() ? 0 : *most;
      const vec3 there =
          depth.empty() ? vec3(0) : start[range.first_vertex + int(most - depth.begin()) * stride];
      if (inside > 0)
        notices.push_back(fmt::format(
            "{}: {} of {} vertices{} start inside {}{}, by up to {:.3g} m{}; {}", in_words(range), inside,
            depth.size(), stride > 1 ? " that were looked at" : "", scene.obstacles[i].name,
            part_near(bodies, int(i), there), double(deepest),
            thrown_out
                ? fmt::format(": contact throws them out at {:.0f} m/s", double(deepest / scene.step.dt))
                : ", and stay there",
            remedy(scene, range.name)));
    }
  }
  return notices;
}

std::vector<std::string> JumpWatch::check(const Scene& scene, const Bodies& bodies,
                                          const Kinematics& kinematics, double time, float dt, int step) {
  std::vector<std::string> found;
  reported_bodies_.resize(scene.obstacles.size(), false);
  for (size_t i = 0; i < scene.obstacles.size(); ++i) {
    const Obstacle& o = scene.obstacles[i];
    if (reported_bodies_[i] || o.shape == ObstacleShape::plane ||
        scene.of<Teleports>().obstacles.count(int(i)))
      continue;
    const float way = bodies.way(int(i), o, time, dt);
    if (!(way > kJumpSpeed * dt)) continue;
    reported_bodies_[i] = true;
    found.push_back(fmt::format("obstacle {} jumps {}", o.name, jump_in_words(way, dt, step, time)));
  }
  if (reported_pins_) return found;
  const float way = kinematics.way(time, dt);
  if (!(way > kJumpSpeed * dt)) return found;
  reported_pins_ = true;
  found.push_back(fmt::format("a pin jumps {}", jump_in_words(way, dt, step, time)));
  return found;
}

}  // namespace weft
