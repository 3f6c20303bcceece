#include "sim/collision/surface/contact_surface.h"

#include <algorithm>

#include "sim/mesh/rest_shape.h"
#include "sim/mesh/sides.h"
#include "sim/scene/friction.h"
#include "sim/scene/solids.h"

namespace weft {

ContactSurface::ContactSurface(Device& device, const Topology& cloth, const Scene& scene,
                               const Bodies& bodies)
    : cloth_points_(int(cloth.rest.size())), host_triangles_(cloth.triangles), host_edges_(cloth.edges) {
  around_.inner = cloth.inner;
  for (size_t p = 0; p < cloth.parts.size(); ++p) {
    const ModelPart& part = cloth.parts[p];
    if (!(part.rigid_volume > 0)) continue;
    around_.rigid.resize(cloth.rest.size(), -1);
    std::fill_n(around_.rigid.begin() + part.first_vertex, part.vertex_count, int(p));
  }
  if (RestShape(cloth).any_flat()) {
    double sum = 0;
    for (const float l : rest_lengths(cloth)) sum += double(l);
    rest_edge_ = cloth.edges.empty() ? 0.0f : float(sum / double(cloth.edges.size()));
  }
  add_grains(cloth);
  for (size_t i = 0; i < scene.obstacles.size(); ++i) {
    if (scene.obstacles[i].shape == ObstacleShape::plane) {
      plane_obstacles_.push_back(int(i));
      continue;
    }
    const TriMesh& mesh = bodies.meshes()[i];
    parts_.push_back({int(i), int(local_.size()), mesh.vertex_count()});
    std::vector<ivec3> triangles = mesh.triangles;
    for (ivec3& t : triangles) t += ivec3(cloth_points_ + int(local_.size()));
    const std::vector<ivec2> edges = unique_edges(triangles);
    if (bodies.deforms(int(i))) {
      for (int v = 0; v < mesh.vertex_count(); ++v)
        flexible_points_.push_back(cloth_points_ + int(local_.size()) + v);
      flexible_edges_.insert(flexible_edges_.end(), edges.begin(), edges.end());
    }
    local_.insert(local_.end(), mesh.positions.begin(), mesh.positions.end());
    host_triangles_.insert(host_triangles_.end(), triangles.begin(), triangles.end());
    host_edges_.insert(host_edges_.end(), edges.begin(), edges.end());
  }
  triangles_ = Buffer<ivec3>(device, "contact triangles", host_triangles_);
  edges_ = Buffer<ivec2>(device, "contact edges", host_edges_);
  targets_ = Buffer<vec3>(device, "body targets", body_positions(scene, bodies, 0));
  std::vector<int> material = cloth.vertex_part;
  material.resize(size_t(cloth_points_), 0);
  for (const int c : material) friction_.cloths = std::max(friction_.cloths, c + 1);
  friction_.cloths = std::max(friction_.cloths, part_count(scene));
  for (const int obstacle : obstacles_of_points()) material.push_back(friction_.cloths + obstacle);
  friction_.material = Buffer<int>(device, "materials of points", material);
  friction_.coefficient =
      Buffer<float>(device, "friction coefficients", friction_coefficients(scene, friction_.cloths));
  friction_.painted = PaintedFriction(device, cloth);
  if (around_.largest_radius > 0) {
    std::vector<float> radius = cloth.radius;
    radius.resize(size_t(points()), 0);
    around_.radius = Buffer<float>(device, "radii", radius);
  }
  around_.own = OwnRadii(device, cloth, scene, points());
  find_neighbors(device);
  planes_ = Buffer<ContactPlane>(device, "contact planes", int(plane_obstacles_.size()) + 1);
}

/// A grain is an edge from a point to itself: it meets other grains as edges meet.
void ContactSurface::add_grains(const Topology& cloth) {
  for (size_t v = 0; v < cloth.radius.size(); ++v)
    if (cloth.radius[v] > 0) {
      host_edges_.push_back(ivec2(int(v)));
      around_.largest_radius = std::max(around_.largest_radius, cloth.radius[v]);
    }
}

void ContactSurface::find_neighbors(Device& device) {
  // Edges of cloth and of each body come one after the other, each sorted, and numbers of points grow from
  // part to part: the whole is sorted.
  const auto side = [&](const ivec3& t, int k) { return find_edge(host_edges_, t[k], t[(k + 1) % 3]); };
  std::vector<ivec2> opposite(host_edges_.size(), ivec2(-1));
  std::vector<ivec3> across(host_triangles_.size(), ivec3(-1));
  for (const ivec3& t : host_triangles_)
    for (int k = 0; k < 3; ++k)
      if (const int e = side(t, k); e >= 0) {
        ivec2& o = opposite[e];
        if (o.x < 0) o.x = t[(k + 2) % 3];
        else if (o.y < 0) o.y = t[(k + 2) % 3];
      }
  for (size_t i = 0; i < host_triangles_.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const ivec3 t = host_triangles_[i];
      const int e = side(t, k), own = t[(k + 2) % 3];
      if (e >= 0) across[i][k] = opposite[e].x == own ? opposite[e].y : opposite[e].x;
    }
  std::vector<int> start(static_cast<size_t>(points()) + 1, 0);
  for (const ivec2& e : host_edges_) ++start[e.x + 1], ++start[e.y + 1];
  for (size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  std::vector<int> ring(host_edges_.size() * 2), at(start.begin(), start.end() - 1);
  for (const ivec2& e : host_edges_) ring[at[e.x]++] = e.y, ring[at[e.y]++] = e.x;
  around_.across = Buffer<ivec3>(device, "neighbours of triangles", across);
  around_.edge_opposite = Buffer<ivec2>(device, "neighbours of edges", opposite);
  around_.ring_start = Buffer<int>(device, "neighbours of points", start);
  around_.ring = Buffer<int>(device, "neighbours of points", ring);
  find_corners(device, opposite);
}

void ContactSurface::find_corners(Device& device, const std::vector<ivec2>& edge_opposite) {
  std::vector<bool> border(static_cast<size_t>(points()), false);
  for (size_t e = 0; e < host_edges_.size(); ++e)
    if (edge_opposite[e].y < 0) border[host_edges_[e].x] = border[host_edges_[e].y] = true;
  std::vector<int> start(static_cast<size_t>(points()) + 1, 0);
  const auto each = [&](const auto& use) {
    for (size_t t = 0; t < host_triangles_.size(); ++t)
      for (int k = 0; k < 3; ++k)
        if (const int p = host_triangles_[t][k]; !border[p]) use(p, 3 * int(t) + k);
  };
  each([&](int p, int) { ++start[p + 1]; });
  for (size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  std::vector<int> corner(static_cast<size_t>(start.back())), at(start.begin(), start.end() - 1);
  each([&](int p, int entry) { corner[at[p]++] = entry; });
  around_.corner_start = Buffer<int>(device, "triangles of points", start);
  around_.corner = Buffer<int>(device, "triangles of points", corner);
}

std::vector<vec3> ContactSurface::body_positions(const Scene& scene, const Bodies& bodies,
                                                 double time) const {
  std::vector<vec3> world = local_;
  for (const Part& part : parts_) {
    if (const auto deformed = bodies.deformed(part.obstacle)) {
      std::copy(deformed->begin(), deformed->end(), world.begin() + part.first);
      continue;
    }
    const mat4 place = Bodies::transform(scene.obstacles[part.obstacle], time);
    for (int i = part.first; i < part.first + part.count; ++i) world[i] = vec3(place * vec4(local_[i], 1));
  }
  return world;
}

std::vector<vec3> ContactSurface::scripted_positions(const Scene& scene, const Bodies& bodies,
                                                     double time) const {
  std::vector<vec3> world = body_positions(scene, bodies, time);
  for (const Part& part : parts_) {
    const Obstacle& body = scene.obstacles[part.obstacle];
    const std::vector<vec3> then = bodies.deformed_at(body, part.obstacle, time);
    std::copy(then.begin(), then.end(), world.begin() + part.first);
  }
  return world;
}

std::vector<int> ContactSurface::obstacles_of_points() const {
  std::vector<int> all;
  for (const Part& part : parts_) all.insert(all.end(), size_t(part.count), part.obstacle);
  return all;
}

std::vector<vec3> ContactSurface::of_body(int obstacle, const std::vector<vec3>& positions) const {
  for (const Part& part : parts_)
    if (part.obstacle == obstacle)
      return {positions.begin() + part.first, positions.begin() + part.first + part.count};
  return {};
}

void ContactSurface::set_step(const Scene& scene, const Bodies& bodies, double end_time, float dt) {
  targets_.upload(body_positions(scene, bodies, end_time));
  friction_.coefficient.upload(friction_coefficients(scene, friction_.cloths));
  std::vector<ContactPlane> planes;
  for (int i : plane_obstacles_) {
    const Obstacle& o = scene.obstacles[i];
    const mat4 place = Bodies::transform(o, end_time);
    const vec3 normal(place[1]);
    ContactPlane plane{normal, glm::dot(normal, vec3(place[3]))};
    plane.body = i;
    if (o.motion.moves()) {
      const mat4 before = Bodies::transform(o, end_time - double(dt));
      const mat3 turn = mat3(place) * glm::transpose(mat3(before));
      plane.turn = turn - mat3(1);
      plane.shift = vec3(place[3]) - turn * vec3(before[3]);
    }
    planes.push_back(plane);
  }
  // Without ground its plane stays, far below, so that launches do not depend on it.
  planes.push_back({vec3(0, 1, 0), scene.contact.ground ? scene.contact.ground_height : -1e6f});
  planes.back().body = int(scene.obstacles.size());
  planes_.upload(planes);
}

float mean_cloth_edge(const ContactSurface& s, const std::vector<vec3>& positions) {
  if (s.rest_edge() > 0) return s.rest_edge();
  double sum = 0;
  int count = 0;
  for (const ivec2& e : s.host_edges())
    if (e.x < s.cloth_points() && e.x != e.y)
      sum += double(glm::length(positions[e.x] - positions[e.y])), ++count;
  return count ? float(sum / count) : s.largest_radius() > 0 ? 2 * s.largest_radius() : 1.0f;
}

}  // namespace weft
