// Scenes that are run under the exact checker: what is done to them, and what was found.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/collision/bodies/bodies.h"
#include "sim/methods/collision_handler.h"
#include "sim/run/simulation.h"
#include "sim/scene/solids.h"
#include "tests/safety/crossings.h"
#include "tests/safety/gaps.h"

namespace weft::check {

struct Trial {
  int states = 0, crossed_states = 0;
  std::string first_crossing;
  int most_steps = 0;  // of the method in a time step
  double steps = 0;    // mean of them
  float stretch = 1;
  float body_lag = 0;     // m, the most
  int unpromised = 0;     // states of which the method did not promise that cloth crosses no cloth
  double told_depth = 0;  // m in a body, the most, as the method's own fields have it
  double depth = 0;       // the same in bodies' closed meshes, by the checker
};

/// Bodies in a search for crossings: left out; where the window draws them; or, with two_way, where cloth in
/// their way let them come.
enum class BodyPlaces { ignored, shown, reached };

/// Bodies count where the method promises that cloth never crosses them.
inline BodyPlaces promised_places(const Simulation& sim) {
  return sim.promises().bodies == Protection::intersection_free ? BodyPlaces::shown : BodyPlaces::ignored;
}

/// Points of all bodies that are not planes, one body after the other, where they have come.
inline std::vector<vec3> reached_body_points(const Simulation& sim) {
  for (const auto& [name, bytes] : sim.snapshot().parts) {
    if (name != "contact bodies") continue;
    std::vector<vec3> points(bytes.size() / sizeof(vec3));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<unsigned char*>(points.data()));
    return points;
  }
  throw std::logic_error("this method does not keep where bodies have come");
}

/// Points and triangles (lines, too) of all that is simulated, and of bodies, at the simulation's time.
struct Whole {
  std::vector<vec3> positions;
  std::vector<ivec3> triangles;
  int cloth_triangles = 0;
  std::vector<std::span<const ivec3>> bodies() const {  // of each body
    std::vector<std::span<const ivec3>> all;
    for (size_t k = 0; k + 1 < body_begin.size(); ++k)
      all.push_back(
          std::span(triangles).subspan(size_t(body_begin[k]), size_t(body_begin[k + 1] - body_begin[k])));
    return all;
  }
  std::vector<int> body_begin;  // first triangle of each body, and the end
  explicit Whole(Simulation& sim, BodyPlaces places = BodyPlaces::shown)
      : positions(sim.positions()), triangles(sim.model().host.triangles) {
    for (const ivec2& line : sim.model().host.lines) triangles.push_back(line_of(line));
    cloth_triangles = int(triangles.size());
    if (places == BodyPlaces::ignored) return;
    body_begin.push_back(cloth_triangles);
    const auto views = sim.obstacles();
    for (const ObstacleView& o : views) {
      const TriMesh& mesh = sim.obstacle_meshes()[size_t(o.index)];
      if (size_t(o.index) < sim.scene().obstacles.size() &&
          sim.scene().obstacles[size_t(o.index)].shape == ObstacleShape::plane)
        continue;
      const int first = int(positions.size());
      for (size_t i = 0; i < mesh.positions.size(); ++i)
        positions.push_back(o.deformed ? (*o.deformed)[i] : vec3(o.transform * vec4(mesh.positions[i], 1)));
      for (const ivec3& t : mesh.triangles) triangles.push_back(t + ivec3(first));
      body_begin.push_back(int(triangles.size()));
    }
    if (places == BodyPlaces::shown) return;
    const std::vector<vec3> reached = reached_body_points(sim);
    const size_t cloth = sim.positions().size();
    if (cloth + reached.size() != positions.size())
      throw std::logic_error("bodies have other points than their meshes");
    std::copy(reached.begin(), reached.end(), positions.begin() + long(cloth));
  }
};

/// How deep the cloth's vertices lie in bodies with closed meshes, m: by the checker. Around balls and
/// capsules meshes are a little smaller than what they stand for.
inline double depth_in_bodies(Simulation& sim) {
  const Whole whole(sim);
  const std::vector<dvec3> x = in_double(whole.positions);
  std::vector<int> cloth(static_cast<size_t>(sim.model().vertex_count()));
  std::iota(cloth.begin(), cloth.end(), 0);
  double deepest = 0;
  for (const std::span<const ivec3> body : whole.bodies())
    deepest = std::max(deepest, deepest_inside(x, body, cloth).depth);
  return deepest;
}

/// Searches for crossings, and notes what the method promises. Depth: only where that is what it promises of
/// bodies.
inline void look(Simulation& sim, Trial& out, BodyPlaces places = BodyPlaces::shown) {
  ++out.states;
  const Guarantee promised = sim.promises();
  out.unpromised += promised.self != Protection::intersection_free;
  out.told_depth = std::max(out.told_depth, double(sim.stats().max_penetration));
  if (promised.bodies == Protection::bounded_penetration)
    out.depth = std::max(out.depth, depth_in_bodies(sim));
  const Whole whole(sim, places);
  const Crossings now = find_crossings(std::span<const vec3>(whole.positions),
                                       {std::span<const ivec3>(whole.triangles), whole.cloth_triangles});
  if (now.clean() || out.crossed_states++) return;
  out.first_crossing = "state " + std::to_string(out.states - 1) + ": ";
  if (now.pairs.empty())
    out.first_crossing += "triangle " + std::to_string(now.without_area[0]) + " without area";
  else
    out.first_crossing += "triangles " + std::to_string(now.pairs[0].a) + " and " +
                          std::to_string(now.pairs[0].b) + " (" + name_of(now.pairs[0].kind) + ")";
}

/// WEFT_SAFETY_SEED, or 1.
inline unsigned safety_seed() {
  const char* text = std::getenv("WEFT_SAFETY_SEED");
  return text && *text ? unsigned(std::strtoul(text, nullptr, 10)) : 1u;
}

/// WEFT_SAFETY_RUNS, or 10: from how many jittered starts a long trial runs.
inline unsigned full_runs() {
  const char* text = std::getenv("WEFT_SAFETY_RUNS");
  return text && *text ? std::max(1u, unsigned(std::strtoul(text, nullptr, 10))) : 10u;
}

/// A hand that grabs the last cloth at `begin` (s) and tears at it back and forth, 0.6 m each way at 5 m/s in
/// directions of its own.
inline void add_drag(Scene& scene, std::mt19937& random, float begin = 0.3f) {
  std::uniform_real_distribution<float> any(-1, 1);
  ScriptedDrag drag;
  drag.cloth = scene.cloths.empty() ? part_name(scene, 0) : scene.cloths.back().name;
  drag.at = {0.5f + 0.4f * any(random), 0.5f + 0.4f * any(random)};
  drag.begin = begin;
  drag.end = scene.duration;
  constexpr float kReach = 0.3f, kSpeed = 5;
  float time = 0;
  for (vec3 at(0); time < scene.duration;) {
    vec3 way(any(random), any(random), any(random));
    way = kReach * way / std::max(0.1f, glm::length(way));
    if (drag.keys.size() % 2) way = -at - at * 0.2f;  // back, and a little beyond
    drag.keys.push_back({time, at, vec3(0)});
    time += std::max(0.02f, glm::length(way) / kSpeed);
    at += way;
  }
  scene.drags.push_back(drag);
}

/// The same with a spring and a force that no cloth withstands.
inline void add_violent_drag(Scene& scene, std::mt19937& random, float begin = 0.1f) {
  scene.set("drag.stiffness", "2000");
  scene.set("drag.force_limit", "100");
  scene.set("drag.speed_limit", "5");
  add_drag(scene, random, begin);
}

/// Moves every vertex by up to `share` of the mean edge, except where triangles would then cross: worn layers
/// lie closer together than that. Returns the share of vertices that moved.
inline double jitter(Simulation& sim, std::mt19937& random, float share = 0.01f) {
  const Topology& host = sim.model().host;
  double sum = 0;
  for (const auto& e : host.edges)
    sum += double(glm::length(host.rest[size_t(e.x)] - host.rest[size_t(e.y)]));
  const float reach = share * float(sum / double(host.edges.size()));
  std::uniform_real_distribution<float> any(-1, 1);
  const std::vector<vec3> start = sim.positions();
  std::vector<vec3> x = start;
  for (vec3& p : x) p += reach * vec3(any(random), any(random), any(random)) / std::sqrt(3.0f);
  Whole whole(sim, promised_places(sim));
  for (bool again = true; again;) {
    std::copy(x.begin(), x.end(), whole.positions.begin());
    const Crossings now = find_crossings(std::span<const vec3>(whole.positions),
                                         {std::span<const ivec3>(whole.triangles), whole.cloth_triangles});
    again = false;
    for (const auto& pair : now.pairs)
      for (const int t : {pair.a, pair.b})
        for (int k = 0; k < 3 && t < whole.cloth_triangles; ++k) {
          const size_t v = size_t(whole.triangles[size_t(t)][k]);
          again = again || x[v] != start[v];
          x[v] = start[v];
        }
  }
  sim.state().position.upload(x);
  size_t moved = 0;
  for (size_t v = 0; v < x.size(); ++v) moved += x[v] != start[v];
  return double(moved) / double(x.size());
}

/// Steps until `seconds` (simulated), or takes `step`s, and checks every state, cloth against cloth and
/// against the meshes of bodies that are not planes.
inline Trial run_under_check(Simulation& sim, float seconds, BodyPlaces places = BodyPlaces::shown,
                             const std::function<void()>& step = {}) {
  Trial out;
  look(sim, out, places);
  while (sim.stats().time < double(seconds) - 1e-6) {
    step ? step() : sim.step();
    look(sim, out, places);
    out.body_lag = std::max(out.body_lag, sim.stats().body_lag);
    const int steps = sim.stats().collision_steps;
    out.most_steps = std::max(out.most_steps, steps);
    out.steps += steps;
    out.stretch = std::max(out.stretch, float(sim.stats().max_stretch));
  }
  out.steps /= std::max(1, out.states - 1);
  return out;
}

}  // namespace weft::check
