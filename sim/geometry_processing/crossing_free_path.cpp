#include "sim/geometry_processing/crossing_free_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/mesh/algorithms/crossing_triangles.h"
#include "sim/mesh/topology.h"

namespace weft {
namespace {

constexpr int kHandlings = 8;         // per target, while the mesh gets closer
constexpr double kWorthwhile = 0.98;  // another handling must reduce the mean distance to this fraction
constexpr float kStretch = 1.1f;      // sigma, as in the paper: stretch does not accumulate over steps

Scene scene_with(const PathOptions& options) {
  Scene scene;
  scene.contact.ground = false;
  scene.contact.friction = 0;
  for (const std::string& file : options.obstacles) {
    Obstacle body;
    body.name = std::filesystem::path(file).stem().string();
    body.shape = ObstacleShape::mesh;
    body.file = std::filesystem::absolute(file).string();
    scene.obstacles.push_back(std::move(body));
  }
  return scene;
}

/// Only the target matters: no solver that needs contact terms, no friction.
FreePathOptions path_with(const PathOptions& options, int step_limit) {
  FreePathOptions path;
  path.step_limit = step_limit;
  path.repulsion = 0, path.self_friction = 0;
  path.activation = options.distance, path.stretch = kStretch;
  return path;
}

std::vector<int> vertices_of(const std::vector<ivec3>& triangles, size_t count, const std::string& where) {
  std::vector<char> seen(count, 0);
  for (const ivec3& t : triangles)
    for (int k = 0; k < 3; ++k) seen.at(size_t(t[k])) = 1;
  std::vector<int> used;
  for (size_t v = 0; v < count; ++v)
    if (seen[v]) used.push_back(int(v));
  if (used.empty()) throw Error("the mesh has no triangles", where, "export it with its faces");
  return used;
}

Topology topology_of(const std::vector<vec3>& positions, const std::vector<ivec3>& triangles,
                     const std::vector<int>& used) {
  std::vector<int> place(positions.size(), -1);
  TriMesh mesh;
  for (int v : used) place[v] = mesh.vertex_count(), mesh.positions.push_back(positions[v]);
  for (const ivec3& t : triangles) mesh.triangles.push_back({place[t.x], place[t.y], place[t.z]});
  return build_topology({{"mesh", std::move(mesh)}});
}

/// ", the first near (0.1, 0.2, 0.3) m".
std::string place_of(int triangle, const std::vector<vec3>& positions, const std::vector<ivec3>& triangles) {
  const ivec3& t = triangles.at(size_t(triangle));
  const vec3 middle = (positions[t.x] + positions[t.y] + positions[t.z]) / 3.0f;
  return fmt::format(", the first near ({:.4g}, {:.4g}, {:.4g}) m", middle.x, middle.y, middle.z);
}

}  // namespace

CrossingFreePath::CrossingFreePath(const std::vector<vec3>& start, const std::vector<ivec3>& triangles,
                                   const PathOptions& options, const std::string& where)
    : options_(options),
      scene_(scene_with(options)),
      positions_(start),
      used_(vertices_of(triangles, start.size(), where)) {
  // Before the topology is built, which expects triangles to have an area.
  if (const auto own = crossing_triangles(start, triangles); !own.empty())
    throw Error("the start is not free of crossings: " + crossings_in_words(own, -1, options.name) +
                    place_of(own[0].x, start, triangles),
                where,
                "a path without crossings needs a start without crossings: give another one, or separate "
                "these triangles");
  device_ = Device::create(options.device, options.threads);
  lists_ = std::make_unique<GrowingLists>(*device_);
  topology_ = topology_of(start, triangles, used_);
  bodies_ = std::make_unique<Bodies>(*lists_, scene_, notices_);
  surface_ = std::make_unique<ContactSurface>(*device_, topology_, scene_, *bodies_);
  if (const auto pairs = crossings(); !pairs.empty())
    throw Error("the start crosses a body: " +
                    crossings_in_words(pairs, int(topology_.triangles.size()), options.name) +
                    place_of(pairs[0].x, start, triangles),
                where, "move the body, or give another start");
  steps_ = std::make_unique<TwoWaySteps>(*lists_, *surface_, with_bodies(compact(start)));
  surface_->set_step(scene_, *bodies_, 0, 0);
  const int count = int(used_.size());
  handled_ = {.base = Buffer<vec3>(*device_, "base", count),
              .displacement = Buffer<vec3>(*device_, "displacement", count),
              .target = Buffer<vec3>(*device_, "target", count),
              .body = Buffer<vec3>(*device_, "bodies", surface_->body_points()),
              .mass = Buffer<float>(*device_, "mass", std::vector<float>(used_.size(), 1.0f)),
              .kinematic = Buffer<int>(*device_, "kinematic", count)};
  steps_->prepare(path_with(options_, options_.steps));
  device_->interrupt_when(options_.give_up);
}

std::vector<vec3> CrossingFreePath::compact(const std::vector<vec3>& all) const {
  std::vector<vec3> own;
  own.reserve(used_.size());
  for (int v : used_) own.push_back(all[v]);
  return own;
}

std::vector<vec3> CrossingFreePath::with_bodies(std::vector<vec3> own) const {
  const std::vector<vec3> bodies = surface_->body_positions(scene_, *bodies_, 0);
  own.insert(own.end(), bodies.begin(), bodies.end());
  return own;
}

std::vector<ivec2> CrossingFreePath::crossings() const {
  return crossing_triangles(with_bodies(compact(positions_)), surface_->host_triangles(),
                            int(topology_.triangles.size()));
}

void CrossingFreePath::handle(const std::vector<vec3>& target, int most_steps) {
  const std::vector<vec3> from = compact(positions_);
  std::vector<vec3> displacements = compact(target);
  for (size_t i = 0; i < displacements.size(); ++i) displacements[i] -= from[i];
  Handled& h = handled_;
  h.base.upload(from), h.target.upload(displacements);
  do {
    h.displacement.clear();
    h.body.upload(surface_->body_positions(scene_, *bodies_, 0));
    steps_->prepare(path_with(options_, most_steps));
    device_->run([&] {
      steps_->begin(h.mass, h.kinematic);  // no solver that contact would have to hold up
      steps_->handle(bodies_->view(), h.base, h.displacement, h.target, h.body, h.body);
    });
  } while (!lists_->fit());  // a list was too short; now it is longer
  // From where the points are, not from their displacements, which round once more.
  std::vector<vec3> now(used_.size());
  device_->download(now.data(), steps_->x().data, now.size() * sizeof(vec3));
  for (size_t i = 0; i < used_.size(); ++i) positions_[used_[i]] = now[i];
}

Arrival CrossingFreePath::move_to(const std::vector<vec3>& target) {
  const std::vector<vec3> before = positions_;
  try {
    return try_move_to(target);
  } catch (const Interrupted&) {
    positions_ = before;
    throw;
  }
}

Arrival CrossingFreePath::try_move_to(const std::vector<vec3>& target) {
  std::vector<char> used(positions_.size(), 0);
  for (int v : used_) used[v] = 1;
  for (size_t v = 0; v < positions_.size(); ++v)
    if (!used[v]) positions_[v] = target[v];
  const auto measure = [&](Arrival& arrival) {
    double sum = 0;
    arrival.largest = 0;
    for (int v : used_) {
      const double d = glm::length(dvec3(positions_[v]) - dvec3(target[v]));
      sum += d, arrival.largest = std::max(arrival.largest, d);
    }
    arrival.mean = sum / double(used_.size());
  };
  Arrival arrival;
  measure(arrival);
  for (int k = 0; k < kHandlings && arrival.steps < options_.steps && arrival.largest > 0; ++k) {
    const double before = arrival.mean;
    handle(target, options_.steps - arrival.steps);
    arrival.steps += steps_->progress().total_steps;
    measure(arrival);
    if (arrival.mean > kWorthwhile * before || arrival.largest < 1e-3 * double(distance())) break;
  }
  return arrival;
}

}  // namespace weft
