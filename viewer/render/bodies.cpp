#include "viewer/render/bodies.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "viewer/render/cloth_mesh.h"

namespace weft {
namespace {

struct PlaceHash {
  size_t operator()(const vec3& p) const {
    uint32_t bits[3];
    std::memcpy(bits, &p, sizeof bits);
    return (bits[0] * 73856093u) ^ (bits[1] * 19349663u) ^ (bits[2] * 83492791u);
  }
};

}  // namespace

void creased_normals(const TriMesh& mesh, float crease, std::vector<vec3>& positions,
                     std::vector<vec3>& normals) {
  const float least = std::cos(crease * kPi / 180);
  std::unordered_map<vec3, int, PlaceHash> places;
  std::vector<int> place(mesh.positions.size());
  for (size_t v = 0; v < mesh.positions.size(); ++v)
    // + 0 unites 0 and -0
    place[v] = places.emplace(mesh.positions[v] + 0.0f, int(places.size())).first->second;
  std::vector<vec3> area(mesh.triangles.size());  // twice the area, along the normal
  std::vector<std::vector<int>> around(places.size());
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    const ivec3 v = mesh.triangles[t];
    const vec3 a = mesh.positions[size_t(v.x)];
    area[t] = glm::cross(mesh.positions[size_t(v.y)] - a, mesh.positions[size_t(v.z)] - a);
    for (int k = 0; k < 3; ++k) around[size_t(place[size_t(v[k])])].push_back(int(t));
  }
  positions.clear(), normals.clear();
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    const float own = glm::length(area[t]);
    for (int k = 0; k < 3; ++k) {
      const int v = mesh.triangles[t][k];
      vec3 sum(0);
      for (int s : around[size_t(place[size_t(v)])]) {
        const float other = glm::length(area[size_t(s)]);
        if (glm::dot(area[t], area[size_t(s)]) >= least * own * other) sum += area[size_t(s)];
      }
      const float length = glm::length(sum);
      positions.push_back(mesh.positions[size_t(v)]);
      normals.push_back(length > 0 ? sum / length : vec3(0, 1, 0));
    }
  }
}

void DrawnBodies::fill(Body& body, const TriMesh& mesh) {
  std::vector<vec3> positions, normals;
  creased_normals(mesh, body.crease, positions, normals);
  const size_t bytes = positions.size() * sizeof(vec3);
  body.buffer.write(positions.data(), bytes);
  body.buffer.write(normals.data(), bytes, bytes);
  body.bounds = bounds_of(mesh.positions);
}

float crease_of(const Obstacle& obstacle) {
  return obstacle.shape == ObstacleShape::mannequin ? 180.0f : 40.0f;
}

float depth_behind_cloth(const Bounds& body, float cloth_edge) {
  if (body.empty()) return 0;
  const vec3 size = body.max - body.min;
  return std::min(0.5f * cloth_edge, 0.25f * std::min({size.x, size.y, size.z}));
}

DrawnBodies::DrawnBodies(const SceneView& scene) {
  const size_t count = std::min(scene.obstacle_meshes.size(), scene.scene.obstacles.size());
  for (size_t i = 0; i < count; ++i) {
    const Obstacle& obstacle = scene.scene.obstacles[i];
    const TriMesh& mesh = scene.obstacle_meshes[i];
    Body body;
    body.count = 3 * mesh.triangle_count();
    const size_t bytes = size_t(body.count) * sizeof(vec3);
    body.buffer = gl::Buffer(2 * bytes);
    body.crease = crease_of(obstacle);
    fill(body, mesh);
    body.vertices.attribute(0, 3, body.buffer.id(), 0, sizeof(vec3));
    body.vertices.attribute(1, 3, body.buffer.id(), bytes, sizeof(vec3));
    body.color = to_linear(obstacle.color);
    body.is_plane = obstacle.shape == ObstacleShape::plane;
    body.mesh = mesh;
    body.inset = body.is_plane ? 0.0f : std::min(0.0008f, 0.002f * body.bounds.diagonal());
    all.push_back(std::move(body));
  }
}

void DrawnBodies::update(const std::vector<ObstacleView>& views) {
  for (const ObstacleView& v : views)
    if (v.index >= 0 && v.index < int(all.size())) all[size_t(v.index)].transform = v.transform;
}

void DrawnBodies::reshape(const std::vector<std::shared_ptr<const std::vector<vec3>>>& shapes) {
  for (size_t i = 0; i < std::min(shapes.size(), all.size()); ++i) {
    Body& body = all[i];
    if (shapes[i] == body.shape || (shapes[i] && shapes[i]->size() != body.mesh.positions.size())) continue;
    if (body.own.empty()) body.own = body.mesh.positions;
    body.shape = shapes[i];
    body.mesh.positions = shapes[i] ? *shapes[i] : body.own;
    fill(body, body.mesh);
  }
}

std::optional<float> DrawnBodies::floor() const {
  for (const Body& b : all)
    if (b.is_plane && glm::normalize(vec3(b.transform[1])).y > 0.9999f) return b.transform[3].y;
  return std::nullopt;
}

bool DrawnBodies::drawn(const Body& body) const {
  const std::optional<float> height = floor();
  return !(body.is_plane && height && glm::normalize(vec3(body.transform[1])).y > 0.9999f &&
           body.transform[3].y == *height);
}

}  // namespace weft
