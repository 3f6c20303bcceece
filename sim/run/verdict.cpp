#include "sim/run/verdict.h"

#include <algorithm>
#include <chrono>

#include "sim/mesh/algorithms/crossing_triangles.h"

namespace weft {

namespace {

/// A state as it is tested. Not owned, but for the positions.
struct Tested {
  int step;
  std::vector<vec3> positions;  // m
  const std::vector<ivec3>& triangles;
  const std::vector<ObstacleView>& obstacles;
  const std::vector<TriMesh>& obstacle_meshes;
  const Scene& scene;
};

StateVerdict verdict_of(Tested state) {
  const auto begin = std::chrono::steady_clock::now();
  StateVerdict verdict;
  verdict.step = state.step;
  std::vector<vec3>& x = state.positions;
  if (x.empty()) return verdict;
  std::vector<ivec3> triangles = state.triangles;
  const int own = int(triangles.size());
  for (const ObstacleView& o : state.obstacles) {
    if (state.scene.obstacles[size_t(o.index)].shape == ObstacleShape::plane) continue;
    const TriMesh& mesh = state.obstacle_meshes[size_t(o.index)];
    const ivec3 first(int(x.size()));
    for (const ivec3& t : mesh.triangles) triangles.push_back(t + first);
    for (const vec3& p : o.deformed ? *o.deformed : mesh.positions)
      x.push_back(vec3(o.transform * vec4(p, 1)));
  }
  std::vector<char> found(size_t(own), 0);  // 1: with the cloth, 2: with a body
  for (const ivec2& pair : crossing_triangles(x, triangles, own)) {
    if (pair.y >= own) found[size_t(pair.x)] |= 2;
    else found[size_t(pair.x)] |= 1, found[size_t(pair.y)] |= 1;
  }
  for (int t = 0; t < own; ++t) {
    if (!found[size_t(t)]) continue;
    verdict.triangles.push_back(t);
    verdict.own += found[size_t(t)] & 1, verdict.with_bodies += (found[size_t(t)] & 2) / 2;
  }
  verdict.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return verdict;
}

}  // namespace

StateVerdict verdict_of(const Frame& frame, const SceneView& view) {
  return verdict_of(
      {frame.step, frame.positions, view.triangles, frame.obstacles, view.obstacle_meshes, view.scene});
}

StateVerdict verdict_of(Simulation& simulation) {
  const std::vector<ObstacleView> obstacles = simulation.obstacles();
  return verdict_of({simulation.state().step, simulation.positions(), simulation.model().host.triangles,
                     obstacles, simulation.obstacle_meshes(), simulation.scene()});
}

void VerdictRecord::take(StateVerdict verdict) {
  if (verdict.step < last_.step) {
    if (first_ > verdict.step) first_ = -1;
    if (verdict.step == 0) tested_ = crossing_ = 0, ms_ = 0, first_ = -1;
  }
  if (tested_ > 0 && verdict.step == last_.step)  // published again
    --tested_, crossing_ -= last_.crosses(), ms_ -= last_.ms;
  ++tested_, crossing_ += verdict.crosses(), ms_ += verdict.ms;
  if (verdict.crosses() && first_ < 0) first_ = verdict.step;
  last_ = std::move(verdict);
}

}  // namespace weft
