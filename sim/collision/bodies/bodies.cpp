#include "sim/collision/bodies/bodies.h"

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/mesh/import/outward.h"
#include "sim/methods/method_table.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/motion.h"
#include "sim/scene/solids.h"
#include "sim/scene/teleports.h"

namespace weft {
BodyShape analytic_shape(const Obstacle& o) {
  const float s = o.placement.scale;
  switch (o.shape) {
    case ObstacleShape::sphere: return BodyShape::sphere(o.size.x * s);
    case ObstacleShape::box: return BodyShape::box(0.5f * o.size * s);
    case ObstacleShape::capsule: return BodyShape::capsule(o.size.x * s, o.size.y * s);
    default: return BodyShape::plane();  // the others have meshes
  }
}

namespace {

/// The largest half thickness of all cloths (m).
float contact_offset(const Scene& scene) {
  float most = 0;
  for (int p = 0; p < part_count(scene); ++p) most = std::max(most, 0.5f * surface_of(scene, p).thickness);
  return most;
}

/// Scale is part of the shape; poses are rigid.
mat4 rigid_transform(const Obstacle& o, double time) {
  Placement placement = o.placement;
  placement.scale = 1;
  return motion_transform(o.motion, time) * placement_matrix(placement);
}

}  // namespace

Bodies::Bodies(GrowingLists& lists, const Scene& scene, std::vector<std::string>& notices)
    : device_(lists.device()),
      offset_(contact_offset(scene)),
      field_list_(
          lists, "fields of bodies that deform", [this](int n) { give_room(n); },
          GrowingListOptions{.outlives_steps = true}) {
  Device& device = device_;
  const std::string folder = std::filesystem::path(scene.path).parent_path().string();
  for (auto& o : scene.obstacles) {
    meshes_.push_back(build_obstacle_mesh(o, folder, notices));
    auto deformation = make_deformation(o, folder, meshes_.back(), notices);
    if (o.shape == ObstacleShape::mesh || !o.sequence.empty())
      turn_outward(meshes_.back(), "obstacle " + o.name, notices,
                   collision_methods()[scene.step.collision].distance_fields);
    deforming_.push_back(
        deformation ? std::make_unique<DeformingBody>(device, o, std::move(deformation), meshes_.back())
                    : nullptr);
    deformed_.push_back(nullptr);
    if (deforming_.back()) {
      host_shapes_.emplace_back();
      host_readable_.emplace_back();
    } else if (o.shape == ObstacleShape::mesh) {
      fields_.push_back(std::make_shared<MeshSdf>(device, meshes_.back(), o.name, offset_));
      host_shapes_.push_back(fields_.back()->device_shape());
      host_readable_.push_back(fields_.back()->host_shape());
    } else {
      host_shapes_.push_back(analytic_shape(o));
      host_readable_.push_back(host_shapes_.back());
    }
  }
  host_shapes_.push_back(BodyShape::plane());
  host_readable_.push_back(BodyShape::plane());
  host_poses_.resize(host_shapes_.size());
  shapes_ = Buffer<BodyShape>(device, "body shapes", host_shapes_);
  poses_ = Buffer<BodyPose>(device, "body poses", host_poses_);
  const int deforming =
      int(std::count_if(deforming_.begin(), deforming_.end(), [](auto& d) { return d != nullptr; }));
  deforming_views_ = Buffer<DeformingView>(device, "deforming bodies", deforming);
  set_step(scene, 0, 0);
}

/// Fields in which thicker cloth finds its layers, or again finer ones.
void Bodies::fit_fields(const Scene& scene) {
  const float offset = contact_offset(scene);
  if (least_cell(offset) == least_cell(offset_) || fields_.empty()) {
    offset_ = offset;
    return;
  }
  // All fields first: without memory the old ones stay, and no kernel refers to a released one.
  auto fields = fields_;
  auto shapes = host_shapes_, readable = host_readable_;
  size_t field = 0;
  for (size_t i = 0; i < scene.obstacles.size(); ++i) {
    if (deforming_[i] || scene.obstacles[i].shape != ObstacleShape::mesh) continue;
    auto& f = fields[field++];
    f = std::make_shared<MeshSdf>(device_, meshes_[i], scene.obstacles[i].name, offset);
    shapes[i] = f->device_shape();
    readable[i] = f->host_shape();
  }
  shapes_.upload(shapes);
  host_shapes_ = shapes, host_readable_ = readable;
  fields_.swap(fields);  // the old ones go last
  offset_ = offset;
}

void Bodies::set_step(const Scene& scene, double time, float dt) {
  fit_fields(scene);
  const std::set<int>& teleports = scene.of<Teleports>().obstacles;  // they are there when the step begins
  std::vector<DeformingView> views;
  for (size_t i = 0; i < scene.obstacles.size(); ++i) {
    const Obstacle& o = scene.obstacles[i];
    if (deforming_[i]) {
      deforming_[i]->set_step(o, time, dt, field_list_.wanted(), offset_, wants_fields_);
      if (teleports.count(int(i)) && deforming_[i]->way() > kJumpSpeed * dt)
        deforming_[i]->set_step(o, time + double(dt), 0, field_list_.wanted(), offset_, wants_fields_);
      host_poses_[i] = BodyPose{};
      host_poses_[i].deforming = int(views.size());
      host_shapes_[i] = deforming_[i]->shape();
      views.push_back(deforming_[i]->view());
      deformed_[i] = std::make_shared<const std::vector<vec3>>(deforming_[i]->positions());
      continue;
    }
    const mat4 b = rigid_transform(o, time + dt),
               a = teleports.count(int(i)) && way(int(i), o, time, dt) > kJumpSpeed * dt
                       ? b
                       : rigid_transform(o, time);
    host_poses_[i] = {mat3(a), mat3(b), vec3(a[3]), vec3(b[3])};
  }
  if (!views.empty()) {
    deforming_views_.upload(views);
    shapes_.upload(host_shapes_);
  }
  const vec3 ground(0, scene.contact.ground_height, 0);
  host_poses_.back() = {mat3(1), mat3(1), ground, ground};
  active_ = int(scene.obstacles.size()) + (scene.contact.ground ? 1 : 0);
  poses_.upload(host_poses_);
}

void Bodies::give_room(int pairs) {
  for (auto& d : deforming_)
    if (d) d->make_room(pairs);
}

int Bodies::parts(const Scene& scene, double time, float dt,
                  const std::function<bool(const Bounds&)>& cloth_within, std::string& obstacle,
                  float& jump) const {
  int most = 1;
  for (size_t i = 0; i < deforming_.size() && wants_fields_; ++i) {
    float own_jump = 0;
    Bounds reach;
    const int own = deforming_[i] ? deforming_[i]->parts(scene.obstacles[i], time, dt, own_jump, reach) : 1;
    if (scene.of<Teleports>().obstacles.count(int(i)) && own_jump > kJumpSpeed * dt) continue;
    if (own > most && cloth_within(reach)) most = own, obstacle = scene.obstacles[i].name, jump = own_jump;
  }
  return most;
}

float Bodies::way(int index, const Obstacle& o, double time, float dt) const {
  float most = 0;
  if (const auto& body = deforming_[index]) return body->way();
  if (!o.motion.moves()) return 0;
  const mat4 a = rigid_transform(o, time), b = rigid_transform(o, time + dt);
  const Bounds box = bounds_of(meshes_[index].positions);
  for (int k = 0; k < 8; ++k) {
    const vec4 corner(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y,
                      k & 4 ? box.max.z : box.min.z, 1);
    most = std::max(most, glm::length(vec3(b * corner) - vec3(a * corner)));
  }
  return most;
}

mat4 Bodies::transform(const Obstacle& o, double time) {
  return o.deforms() ? mat4(1) : rigid_transform(o, time);
}

std::shared_ptr<const std::vector<vec3>> Bodies::deformed(int obstacle) const { return deformed_[obstacle]; }

std::vector<vec3> Bodies::deformed_at(const Obstacle& obstacle, int index, double time) const {
  const auto& body = deforming_[index];
  return body ? body->world(obstacle, time) : std::vector<vec3>();
}

const std::vector<vec3>* Bodies::deformed_at_start(int obstacle) const {
  const auto& body = deforming_[obstacle];
  return body ? &body->start_positions() : nullptr;
}

float Bodies::distance(const vec3& point) const {
  float nearest = 1e30f;
  for (int b = 0; b < active_; ++b) {
    if (b < int(deforming_.size()) && deforming_[b]) {
      nearest = std::min(nearest, deforming_[b]->distance(point));
      continue;
    }
    vec3 normal;
    nearest = std::min(nearest, host_readable_[b].distance(host_poses_[b].local_at_end(point), normal));
  }
  return nearest;
}

BodyPart Bodies::part_of(int obstacle, int vertex) const {
  const auto& body = deforming_[obstacle];
  return body ? body->part_of(vertex) : BodyPart();
}

float Bodies::depth(int obstacle, const vec3& point) const {
  const size_t i = size_t(obstacle);
  if (deforming_[i]) return deforming_[i]->closed() ? std::max(0.0f, -deforming_[i]->distance(point)) : 0.0f;
  if (host_readable_[i].kind == BodyKind::plane || host_readable_[i].open) return 0;
  vec3 normal;
  return std::max(0.0f, -host_readable_[i].distance(host_poses_[i].local_at_end(point), normal));
}

}  // namespace weft
