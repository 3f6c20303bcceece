#include "sim/dressing/seam_rows.h"

#include <algorithm>
#include <cmath>

#include "sim/mesh/rest_shape.h"

namespace weft {
namespace {

constexpr float kWorthwhile =
    0.03;                       // change of a rest scale or of a factor, as a share, that others are made for
constexpr double kOpen = 1.01;  // stretch of a triangle beyond which it starts open

glm::dmat2 matrix(const vec3& s) { return {s.x, s.y, s.y, s.z}; }

/// a uuᵀ + b (1 - uuᵀ) for a unit vector u.
glm::dmat2 along(const dvec2& u, double a, double b) {
  const double xy = (a - b) * u.x * u.y;
  return {b + (a - b) * u.x * u.x, xy, xy, b + (a - b) * u.y * u.y};
}

/// Eigenvalues of a symmetric matrix, the larger first, and its eigenvector.
dvec2 eigenvalues(const glm::dmat2& m, dvec2& first) {
  const double mean = 0.5 * (m[0][0] + m[1][1]), half = 0.5 * (m[0][0] - m[1][1]), off = m[0][1];
  const double radius = std::sqrt(half * half + off * off), angle = 0.5 * std::atan2(off, half);
  first = {std::cos(angle), std::sin(angle)};
  return {mean + radius, mean - radius};
}

/// The symmetric root of Aᵀ A: it gives vectors the lengths that A gives them.
vec3 same_lengths(const glm::dmat2& a) {
  dvec2 first;
  const dvec2 squared = eigenvalues(glm::transpose(a) * a, first);
  const glm::dmat2 root =
      along(first, std::sqrt(std::max(squared.x, 0.0)), std::sqrt(std::max(squared.y, 0.0)));
  return vec3(float(root[0][0]), float(root[0][1]), float(root[1][1]));
}

}  // namespace

SeamRows::SeamRows(const TriMesh& mesh)
    : triangles_(mesh.triangles), own_scale_(mesh.corners.rest_scale), own_factor_(mesh.corners.factor) {
  const RestShape shape(mesh);
  for (int t = 0; t < mesh.triangle_count(); ++t)
    rest_.push_back(glm::dmat2(dvec2(shape.first(t)), dvec2(shape.second(t))));
  if (own_scale_.empty()) own_scale_.assign(triangles_.size(), vec3(1, 0, 1));
  if (own_factor_.empty()) own_factor_.assign(triangles_.size(), vec3(1));
  scale_ = own_scale_, factor_ = own_factor_;
  for (int t = 0; t < mesh.triangle_count(); ++t)
    if (stretch(t, mesh.positions.data()) > kOpen) rows_.push_back(t);
  all_ = rows_;
}

SeamRows::Stretch SeamRows::stretch_of(int t, const vec3* x) const {
  const ivec3& v = triangles_[t];
  const dvec3 a = dvec3(x[v.y]) - dvec3(x[v.x]), b = dvec3(x[v.z]) - dvec3(x[v.x]);
  const glm::dmat2 inverse = glm::inverse(rest_[t]);
  const glm::dmat2 metric(glm::dot(a, a), glm::dot(a, b), glm::dot(a, b), glm::dot(b, b));
  Stretch out;
  const dvec2 squared = eigenvalues(glm::transpose(inverse) * metric * inverse, out.direction);
  out.value = {std::sqrt(std::max(squared.x, 0.0)), std::sqrt(std::max(squared.y, 0.0))};
  return out;
}

double SeamRows::stretch(int t, const vec3* x) const { return stretch_of(t, x).value.x; }

int SeamRows::open() const { return int(rows_.size()); }

/// Of a triangle's rest shape along a direction, and across it.
dvec2 SeamRows::extent(int t, const dvec2& direction) const {
  const dvec2 corner[3] = {dvec2(0), rest_[t][0], rest_[t][1]}, across(-direction.y, direction.x);
  dvec2 low(0), high(0);
  for (const dvec2& c : corner) {
    const dvec2 at(glm::dot(c, direction), glm::dot(c, across));
    low = glm::min(low, at), high = glm::max(high, at);
  }
  return glm::max(high - low, dvec2(1e-9));
}

bool SeamRows::update(const vec3* x, double dt, const SeamPull& pull) {
  std::vector<int> still;
  std::vector<vec3> scale, factor;
  float change = 0;
  for (const int t : rows_) {
    const Stretch s = stretch_of(t, x);
    vec3 own_scale = own_scale_[t], own_factor = own_factor_[t];
    const double stiffness = pull.stiffness * double(own_factor.x);
    if (stiffness * (s.value.x - 1) > pull.tension) {
      still.push_back(t);
      const dvec2 rest = glm::max(dvec2(1), s.value - pull.speed * dt / extent(t, s.direction));
      const double strain = std::max(s.value.x / rest.x, s.value.y / rest.y) - 1;
      own_scale = same_lengths(along(s.direction, rest.x, rest.y) * matrix(own_scale));
      own_factor.x *= float(std::min(1.0, pull.tension / std::max(stiffness * strain, 1e-12)));
    }
    const vec3 d = glm::abs(own_scale - scale_[t]);
    change = std::max({change, d.x, d.y, d.z, std::abs(own_factor.x / factor_[t].x - 1)});
    scale.push_back(own_scale), factor.push_back(own_factor);
  }
  if (change < kWorthwhile) return false;
  for (size_t i = 0; i < rows_.size(); ++i) scale_[rows_[i]] = scale[i], factor_[rows_[i]] = factor[i];
  rows_ = std::move(still);
  return true;
}

void SeamRows::close() {
  rows_.clear();
  scale_ = own_scale_, factor_ = own_factor_;
}

}  // namespace weft
