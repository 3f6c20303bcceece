#include "sim/collision/repulsion/bodies/body_vertices.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "sim/base/error.h"
#include "sim/collision/bodies/bodies.h"
#include "sim/collision/repulsion/bodies/body_vertices_kernels.h"
#include "sim/device/primitives.h"
#include "sim/scene/teleports.h"

namespace weft {
namespace {

constexpr int kMost = 2000000;             // vertices of all bodies
constexpr float kBeforeDeforming = 0.75f;  // fraction of the edge length for bodies whose edges will stretch
constexpr const char* kPart = "body vertices";

/// The sampled surface: the body's own mesh, or one that encloses an analytic shape.
TriMesh surface_of(const Obstacle& o, const TriMesh& mesh, float longest) {
  const float s = o.placement.scale;
  if (o.deforms() || o.shape == ObstacleShape::mesh || o.shape == ObstacleShape::box) return mesh;
  if (o.shape == ObstacleShape::sphere) return sphere_around(o.size.x * s, longest);
  return capsule_around(o.size.x * s, o.size.y * s, longest);
}

/// Samples start with the vertices of the sampled mesh: the body's own, except for round bodies, whose
/// samples are `local`.
std::vector<int> nearest_samples(const SampledSurface& surface, const std::vector<vec3>& local,
                                 const std::vector<vec3>& mesh) {
  std::vector<int> nearest(mesh.size());
  for (size_t v = 0; v < mesh.size(); ++v) {
    nearest[v] = int(v);
    if (local.empty() || (v < local.size() && local[v] == mesh[v])) continue;
    float least = std::numeric_limits<float>::max();
    for (size_t i = 0; i < surface.points.size(); ++i) {
      const vec3 d = local[i] - mesh[v];
      if (glm::dot(d, d) < least) least = glm::dot(d, d), nearest[v] = int(i);
    }
  }
  return nearest;
}

}  // namespace

BodyVertices::BodyVertices(StepContext& c, float longest)
    : state_(c.state), cloth_(c.model.vertex_count()), longest_(longest) {
  for (size_t i = 0; i < c.scene.obstacles.size(); ++i)
    if (c.scene.obstacles[i].shape != ObstacleShape::plane) add(c.scene, c.bodies.meshes()[i], int(i));
  take_moving(c.scene);
  std::vector<vec3> start;
  pose(c, false, start);
  const int n = int(start.size()), all = cloth_ + n;
  position_ = Buffer<vec3>(c.device, kPart, start);
  target_ = Buffer<vec3>(c.device, kPart, start);
  for (auto* b : {&all_position_, &all_displacement_}) *b = Buffer<vec3>(c.device, kPart, all);
  all_kinematic_ = Buffer<int>(c.device, kPart, std::vector<int>(size_t(all), 1));
  lag_ = Buffer<float>(c.device, kPart, n);
  most_ = Buffer<float>(c.device, kPart, 1);
  state_.carry(
      kPart, [this] { return save(); }, [this](const std::vector<unsigned char>& b) { restore(b); });
}

BodyVertices::~BodyVertices() { state_.forget(kPart); }

void BodyVertices::add(const Scene& scene, const TriMesh& mesh, int obstacle) {
  const Obstacle& o = scene.obstacles[obstacle];
  const float edge = o.deforms() ? kBeforeDeforming * longest_ : longest_;
  const TriMesh whole = surface_of(o, mesh, edge);
  Body body;
  body.obstacle = obstacle;
  body.first = bodies_.empty() ? 0 : bodies_.back().first + int(bodies_.back().surface.points.size());
  body.surface = sampled_surface(whole, edge, kMost - body.first, "obstacle " + o.name);
  if (!o.deforms())
    for (const MeshPoint& p : body.surface.points) body.local.push_back(p.at(whole.positions));
  bodies_.push_back(std::move(body));
}

bool BodyVertices::take_moving(const Scene& scene) {
  bool taken = false;
  for (Body& body : bodies_) {
    const Obstacle& o = scene.obstacles[size_t(body.obstacle)];
    if (body.moves || !(o.deforms() || o.motion.moves())) continue;
    body.moves = moves_ = taken = true;
    for (const ivec2& e : body.surface.edges) edges_.push_back(e + ivec2(body.first));
  }
  return taken;
}

/// World positions at the start or the end of the step that the bodies were set to.
void BodyVertices::pose(StepContext& c, bool at_end, std::vector<vec3>& out) const {
  out.clear();
  for (const Body& b : bodies_) {
    const Obstacle& o = c.scene.obstacles[b.obstacle];
    if (o.deforms()) {
      const std::vector<vec3>& world =
          at_end ? *c.bodies.deformed(b.obstacle) : *c.bodies.deformed_at_start(b.obstacle);
      for (const MeshPoint& p : b.surface.points) out.push_back(p.at(world));
      continue;
    }
    const mat4 m = Bodies::transform(o, c.state.time + (at_end ? double(c.dt) : 0.0));
    for (const vec3& p : b.local) out.push_back(vec3(m * vec4(p, 1)));
  }
}

/// Before the first step: where bodies are.
void BodyVertices::place(StepContext& c) {
  if (placed_) return;
  std::vector<vec3> start;
  pose(c, false, start);
  position_.upload(start);
}

/// Bodies that take cloth along where they jump begin the step where they end it.
void BodyVertices::begin_where_they_jump(StepContext& c) {
  const std::set<int>& teleports = c.scene.of<Teleports>().obstacles;
  if (teleports.empty()) return;
  std::vector<vec3> now = position_.download();
  for (const Body& b : bodies_) {
    const size_t first = size_t(b.first), end = first + b.surface.points.size();
    float path = 0;
    for (size_t i = first; i < end; ++i) path = std::max(path, glm::length(target_now_[i] - now[i]));
    if (teleports.count(b.obstacle) && path > kJumpSpeed * c.dt)
      std::copy(target_now_.begin() + long(first), target_now_.begin() + long(end),
                now.begin() + long(first));
  }
  position_.upload(now);
}

void BodyVertices::prepare(StepContext& c) {
  place(c);
  if (placed_ && !moves_) return;
  placed_ = true;
  pose(c, true, target_now_);
  begin_where_they_jump(c);
  target_.upload(target_now_);
}

void BodyVertices::begin_step(StepContext& c) {
  const size_t cloth = size_t(cloth_), bodies = size_t(count());
  c.device.copy(all_position_.span().data, c.state.position.span().data, cloth * sizeof(vec3));
  c.device.copy(all_position_.span().data + cloth, position_.span().data, bodies * sizeof(vec3));
  c.device.copy(all_kinematic_.span().data, c.kinematic.span().data, cloth * sizeof(int));
  launch(c.device, "body vertices", count(),
         repulsion::AimBodies{target_, position_, {all_displacement_.span().data + cloth, count()}});
}

Span<const vec3> BodyVertices::displacements(Device& device, Span<const vec3> displacement) {
  device.copy(all_displacement_.span().data, displacement.data, size_t(cloth_) * sizeof(vec3));
  return all_displacement_;
}

void BodyVertices::end_step(Device& device, Span<const vec3> u) {
  launch(device, "body vertices", count(),
         repulsion::MoveBodies{target_, {u.data + cloth_, count()}, position_, lag_});
}

Span<const vec3> BodyVertices::positions_now(StepContext& c) {
  place(c);
  c.device.copy(all_position_.span().data, c.state.position.span().data, size_t(cloth_) * sizeof(vec3));
  c.device.copy(all_position_.span().data + cloth_, position_.span().data, size_t(count()) * sizeof(vec3));
  return all_position_;
}

float BodyVertices::lag(Device& device) {
  if (count() == 0) return 0;
  reduce_max(device, lag_, most_);
  return std::max(0.0f, most_.download()[0]);
}

std::vector<LaggingBody> BodyVertices::lagging(StepContext& c, bool after_step) {
  std::vector<LaggingBody> found;
  if (!moves_ || !placed_ || (after_step && !(lag(c.device) > 0))) return found;
  const std::vector<vec3> now = position_.download();
  std::vector<vec3> wanted;
  if (after_step) wanted = target_.download();
  else pose(c, false, wanted);
  for (Body& b : bodies_) {
    const size_t first = size_t(b.first), count = b.surface.points.size();
    float worst = 0;
    for (size_t i = first; i < first + count; ++i) worst = std::max(worst, glm::length(now[i] - wanted[i]));
    if (!(worst > 0)) continue;
    const Obstacle& o = c.scene.obstacles[b.obstacle];
    const std::vector<vec3>& mesh = c.bodies.meshes()[b.obstacle].positions;
    if (b.nearest.empty()) b.nearest = nearest_samples(b.surface, b.local, mesh);
    const auto deformed = c.bodies.deformed(b.obstacle);
    const mat4 place = Bodies::transform(o, c.state.time);
    auto moved = std::make_shared<std::vector<vec3>>(mesh.size());
    for (size_t v = 0; v < mesh.size(); ++v) {
      const size_t sample = first + size_t(b.nearest[v]);
      (*moved)[v] =
          (deformed ? (*deformed)[v] : vec3(place * vec4(mesh[v], 1))) + (now[sample] - wanted[sample]);
    }
    found.push_back({b.obstacle, std::move(moved)});
  }
  return found;
}

std::vector<int> BodyVertices::obstacles() const {
  std::vector<int> all;
  for (const Body& b : bodies_) all.insert(all.end(), b.surface.points.size(), b.obstacle);
  return all;
}

std::vector<unsigned char> BodyVertices::save() const {
  const std::vector<vec3> values = position_.download();
  std::vector<unsigned char> out(1 + values.size() * sizeof(vec3));
  out[0] = placed_;
  if (!values.empty())
    std::memcpy(out.data() + 1, static_cast<const void*>(values.data()), values.size() * sizeof(vec3));
  return out;
}

void BodyVertices::restore(const std::vector<unsigned char>& bytes) {
  std::vector<vec3> values(static_cast<size_t>(count()));
  if (bytes.size() != 1 + values.size() * sizeof(vec3))
    throw Error("the body vertices in the snapshot differ from this scene's", "snapshot");
  if (!values.empty())
    std::memcpy(static_cast<void*>(values.data()), bytes.data() + 1, values.size() * sizeof(vec3));
  position_.upload(values);
  placed_ = bytes[0] != 0;
}

}  // namespace weft
