#include "sim/collision/bodies/deforming_body.h"

#include <algorithm>
#include <cmath>

#include "sim/geometry/mesh_sdf.h"
#include "sim/scene/motion.h"

namespace weft {
namespace {

/// Solid angle of a triangle over 4 pi (van Oosterom and Strackee 1983).
double winding(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c) {
  const double la = glm::length(a), lb = glm::length(b), lc = glm::length(c);
  const double volume = glm::dot(a, glm::cross(b, c));
  const double base = la * lb * lc + glm::dot(a, b) * lc + glm::dot(b, c) * la + glm::dot(c, a) * lb;
  return std::atan2(volume, base) / (2 * 3.14159265358979323846);
}

}  // namespace

/// Neighbours in space by the bits of where their middles lie, interleaved (Morton 1966).
TriangleGroups::TriangleGroups(Device& device, const std::vector<ivec3>& triangles,
                               const std::vector<vec3>& positions) {
  constexpr size_t kGroup = 64;
  const Bounds all = bounds_of(positions);
  const vec3 scale = 1023.0f / glm::max(all.max - all.min, vec3(1e-6f));
  const auto key = [&](const ivec3& t) {
    const ivec3 at(scale * ((positions[t.x] + positions[t.y] + positions[t.z]) / 3.0f - all.min));
    uint32_t bits = 0;
    for (int b = 0; b < 30; ++b) bits |= uint32_t(at[b % 3] >> (b / 3) & 1) << b;
    return bits;
  };
  std::vector<std::pair<uint32_t, size_t>> order;
  for (size_t i = 0; i < triangles.size(); ++i) order.push_back({key(triangles[i]), i});
  std::sort(order.begin(), order.end());
  start_ = {0};
  for (size_t first = 0; first < order.size(); first += kGroup) {
    std::vector<int> vertices;
    for (size_t i = first; i < std::min(first + kGroup, order.size()); ++i)
      for (int k = 0; k < 3; ++k) vertices.push_back(triangles[order[i].second][k]);
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    vertex_.insert(vertex_.end(), vertices.begin(), vertices.end());
    start_.push_back(int(vertex_.size()));
  }
  boxes_ = Buffer<SurfaceBox>(device, "body boxes", int(start_.size()) - 1);
}

void TriangleGroups::bound(const std::vector<vec3>& positions) {
  std::vector<SurfaceBox> boxes(start_.size() - 1);
  for (size_t g = 0; g < boxes.size(); ++g) {
    Bounds box;
    for (int i = start_[g]; i < start_[g + 1]; ++i) box.add(positions[vertex_[i]]);
    boxes[g] = {box.min, box.max};
  }
  boxes_.upload(boxes);
}

DeformingBody::DeformingBody(Device& device, const Obstacle& obstacle,
                             std::unique_ptr<Deformation> deformation, const TriMesh& mesh)
    : deformation_(std::move(deformation)),
      host_triangles_(mesh.triangles),
      mesh_(device, mesh, obstacle.name),
      start_field_(device, mesh_),
      end_field_(device, mesh_),
      start_positions_(device, "body vertices", mesh.vertex_count()),
      end_positions_(device, "body vertices", mesh.vertex_count()),
      groups_(device, mesh.triangles, mesh.positions),
      cell_edge_(mean_edge(mesh.positions)) {}

float DeformingBody::mean_edge(const std::vector<vec3>& positions) const {
  double sum = 0;
  for (const ivec3& t : host_triangles_)
    for (int k = 0; k < 3; ++k) sum += glm::length(positions[t[(k + 1) % 3]] - positions[t[k]]);
  return float(sum / (3.0 * double(std::max<size_t>(1, host_triangles_.size()))));
}

std::vector<vec3> DeformingBody::world(const Obstacle& o, double time) const {
  std::vector<vec3> positions;
  deformation_->positions(time, positions);
  Placement placement = o.placement;
  placement.scale = 1;  // part of the shape
  const mat4 rigid = motion_transform(o.motion, time) * placement_matrix(placement);
  for (vec3& p : positions) p = vec3(rigid * vec4(p, 1));
  return positions;
}

int DeformingBody::parts(const Obstacle& o, double time, float dt, float& jump, Bounds& reach) const {
  const std::vector<vec3> a = world(o, time), b = world(o, time + dt);
  for (const auto* pose : {&a, &b})
    for (const vec3& p : *pose) reach.add(p);
  jump = 0;
  for (size_t v = 0; v < a.size(); ++v) jump = std::max(jump, glm::length(b[v] - a[v]));
  return int(std::clamp(std::ceil(jump / (0.5f * std::max(cell_edge_, 2e-3f))), 1.0f, float(kMostParts)));
}

void DeformingBody::set_step(const Obstacle& o, double time, float dt, Span<int> overflow, float offset,
                             bool fields) {
  // other cells, or none so far
  if (least_cell(offset) != least_cell(offset_) || fields != fields_) end_time_ = -1;
  fields_ = fields;
  offset_ = offset;
  std::vector<vec3> next = world(o, time + dt);
  const bool goes_on = end_time_ == time && end_time_ >= 0;
  rests_ = goes_on && next == end_;
  end_time_ = time + double(dt);
  if (rests_) start_ = end_;
  if (rests_) return;  // both poses are the one that the last step ended with
  if (goes_on) {
    start_field_.swap(end_field_);
    std::swap(start_positions_, end_positions_);
  } else {
    end_ = world(o, time);
    start_positions_.upload(end_);
    if (fields) start_field_.build(start_positions_, bounds_of(end_), cell_edge_, overflow, offset);
  }
  start_ = std::move(end_);
  end_ = std::move(next);
  end_positions_.upload(end_);
  groups_.bound(end_);
  if (fields) end_field_.build(end_positions_, bounds_of(end_), cell_edge_, overflow, offset);
}

float DeformingBody::way() const {
  float most = 0;
  for (size_t v = 0; v < start_.size() && !rests_; ++v)
    most = std::max(most, glm::length(end_[v] - start_[v]));
  return most;
}

void DeformingBody::make_room(int pairs) {
  start_field_.make_room(pairs);
  end_field_.make_room(pairs);
  end_time_ = -1;
}

DeformingView DeformingBody::view() const {
  const MovingSdf& start = rests_ ? end_field_ : start_field_;
  return {fields_ ? start.shape() : BodyShape::nowhere(), mesh_.triangles(),
          (rests_ ? end_positions_ : start_positions_), end_positions_, groups_.boxes()};
}

float DeformingBody::distance(const vec3& p) const {
  float nearest = 1e30f;
  double around = 0;
  for (const ivec3& t : host_triangles_) {
    const vec3 a = end_[t.x], b = end_[t.y], c = end_[t.z];
    nearest = std::min(nearest, glm::length(closest_on_triangle(p, a, b, c).offset));
    around += winding(glm::dvec3(a - p), glm::dvec3(b - p), glm::dvec3(c - p));
  }
  return mesh_.closed() && around > 0.5 ? -nearest : nearest;
}

}  // namespace weft
