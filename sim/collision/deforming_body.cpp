#include "sim/collision/deforming_body.h"

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

DeformingBody::DeformingBody(Device& device, const Obstacle& obstacle, std::unique_ptr<Deformation> deformation, const TriMesh& mesh)
    : deformation_(std::move(deformation)), host_triangles_(mesh.triangles), mesh_(device, mesh, obstacle.name),
      start_field_(device, mesh_), end_field_(device, mesh_), start_positions_(device, "body vertices", mesh.vertex_count()),
      end_positions_(device, "body vertices", mesh.vertex_count()), cell_edge_(mean_edge(mesh.positions)) {}

float DeformingBody::mean_edge(const std::vector<vec3>& positions) const {
  double sum = 0;
  for (const ivec3& t : host_triangles_)
    for (int k = 0; k < 3; ++k) sum += glm::length(positions[size_t(t[(k + 1) % 3])] - positions[size_t(t[k])]);
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

int DeformingBody::parts(const Obstacle& o, double time, float dt, float& jump) const {
  const std::vector<vec3> a = world(o, time), b = world(o, time + dt);
  jump = 0;
  for (size_t v = 0; v < a.size(); ++v) jump = std::max(jump, glm::length(b[v] - a[v]));
  return int(std::clamp(std::ceil(jump / (0.5f * std::max(cell_edge_, 2e-3f))), 1.0f, float(kMostParts)));
}

void DeformingBody::set_step(const Obstacle& o, double time, float dt, Span<int> overflow, float offset) {
  if (least_cell(offset) != least_cell(offset_)) end_time_ = -1;  // other cells
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
    start_field_.build(start_positions_.span(), bounds_of(end_), cell_edge_, overflow, offset);
  }
  start_ = std::move(end_);
  end_ = std::move(next);
  end_positions_.upload(end_);
  end_field_.build(end_positions_.span(), bounds_of(end_), cell_edge_, overflow, offset);
}

void DeformingBody::make_room(int pairs) {
  start_field_.make_room(pairs);
  end_field_.make_room(pairs);
  end_time_ = -1;
}

DeformingView DeformingBody::view() const {
  const MovingSdf& start = rests_ ? end_field_ : start_field_;
  return {start.shape(), mesh_.triangles(), (rests_ ? end_positions_ : start_positions_).span(), end_positions_.span()};
}

float DeformingBody::distance(const vec3& p) const {
  float nearest = 1e30f;
  double around = 0;
  for (const ivec3& t : host_triangles_) {
    const vec3 a = end_[size_t(t.x)], b = end_[size_t(t.y)], c = end_[size_t(t.z)];
    nearest = std::min(nearest, glm::length(closest_on_triangle(p, a, b, c).offset));
    around += winding(glm::dvec3(a - p), glm::dvec3(b - p), glm::dvec3(c - p));
  }
  return mesh_.closed() && around > 0.5 ? -nearest : nearest;
}

}  // namespace weft
