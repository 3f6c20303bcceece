#include "sim/run/verdict.h"

#include <chrono>

#include "sim/base/log.h"
#include "sim/geometry/crossing_search.h"
#include "sim/mesh/algorithms/crossing_triangles.h"

namespace weft {

namespace {

using Clock = std::chrono::steady_clock;

/// Triangles of bodies, their corners numbered from `first` on.
void add_triangles(const std::vector<ObstacleView>& obstacles, const std::vector<TriMesh>& meshes,
                   const Scene& scene, int first, std::vector<ivec3>& triangles) {
  for (const ObstacleView& o : obstacles) {
    if (scene.obstacles[size_t(o.index)].shape == ObstacleShape::plane) continue;
    const TriMesh& mesh = meshes[size_t(o.index)];
    for (const ivec3& t : mesh.triangles) triangles.push_back(t + first);
    first += mesh.vertex_count();
  }
}

/// World positions (m) of those corners.
void add_positions(const std::vector<ObstacleView>& obstacles, const std::vector<TriMesh>& meshes,
                   const Scene& scene, std::vector<vec3>& x) {
  for (const ObstacleView& o : obstacles) {
    if (scene.obstacles[size_t(o.index)].shape == ObstacleShape::plane) continue;
    for (const vec3& p : o.deformed ? *o.deformed : meshes[size_t(o.index)].positions)
      x.push_back(vec3(o.transform * vec4(p, 1)));
  }
}

/// `crossed`: bits of each triangle as of mark_crossing.
StateVerdict verdict_from(int step, const std::vector<int>& crossed, Clock::time_point begin) {
  StateVerdict verdict;
  verdict.step = step;
  for (int t = 0; t < int(crossed.size()); ++t) {
    if (!crossed[size_t(t)]) continue;
    verdict.triangles.push_back(t);
    verdict.own += crossed[size_t(t)] & 1, verdict.with_bodies += (crossed[size_t(t)] & 2) / 2;
  }
  verdict.ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  return verdict;
}

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
  const Clock::time_point begin = Clock::now();
  std::vector<vec3>& x = state.positions;
  if (x.empty()) return verdict_from(state.step, {}, begin);
  std::vector<ivec3> triangles = state.triangles;
  const int own = int(triangles.size());
  add_triangles(state.obstacles, state.obstacle_meshes, state.scene, int(x.size()), triangles);
  add_positions(state.obstacles, state.obstacle_meshes, state.scene, x);
  std::vector<int> crossed(size_t(own), 0);
  for (const ivec2& pair : crossing_triangles(x, triangles, own)) mark_crossing(pair, own, crossed);
  return verdict_from(state.step, crossed, begin);
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

DeviceVerdict::DeviceVerdict(Simulation& simulation) {
  const std::vector<ObstacleView> obstacles = simulation.obstacles();
  std::vector<ivec3> triangles = simulation.model().host.triangles;
  const int own = int(triangles.size());
  std::vector<vec3> x = simulation.positions();
  add_triangles(obstacles, simulation.obstacle_meshes(), simulation.scene(), int(x.size()), triangles);
  add_positions(obstacles, simulation.obstacle_meshes(), simulation.scene(), bodies_);
  x.insert(x.end(), bodies_.begin(), bodies_.end());
  try {
    simulation.device().run([&] {
      search_ = std::make_unique<CrossingSearch>(simulation.device(), x, std::move(triangles), own,
                                                 int(bodies_.size()));
    });
  } catch (const DeviceLost&) {
    throw;
  } catch (const Error& fault) {
    leave(fault);
  }
}

void DeviceVerdict::leave(const Error& fault) {
  search_.reset();
  log_notice("states are tested for crossings on the host, which is slower: {}", fault.what());
}

DeviceVerdict::~DeviceVerdict() = default;

int DeviceVerdict::open() const { return search_ ? search_->open() : 0; }

StateVerdict DeviceVerdict::operator()(Simulation& simulation) {
  if (!search_) return verdict_of(simulation);
  const Clock::time_point begin = Clock::now();
  std::vector<int> crossed;
  try {
    simulation.device().run([&] {
      std::vector<vec3> bodies;
      bodies.reserve(bodies_.size());
      add_positions(simulation.obstacles(), simulation.obstacle_meshes(), simulation.scene(), bodies);
      if (bodies != bodies_) search_->place_bodies(bodies);
      bodies_ = std::move(bodies);
      crossed = search_->find(simulation.device_positions());
    });
  } catch (const DeviceLost&) {
    throw;
  } catch (const Error& fault) {
    leave(fault);
    return verdict_of(simulation);
  }
  return verdict_from(simulation.state().step, crossed, begin);
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
