#include "sim/geometry_processing/normal_flow.h"

#include <algorithm>
#include <cmath>

#include "sim/mesh/topology.h"

namespace weft {
namespace {

constexpr int kSmoothings = 3;  // as in eq. 19
// alpha of a step by a whole edge; shorter steps are smoothed less each
constexpr float kSmoothing = 0.5f;
constexpr float kStepInEdges = 0.25f;
constexpr int kMostSteps = 2000;
// Obtuse corners have negative cotangents, needles endless ones: between these bounds every pass takes a mean
// with positive weights, which cannot overshoot.
constexpr float kLeastCotangent = 0.05f, kMostCotangent = 10;

/// Cotangent of the angle at a between b and c.
float cotangent(const vec3& a, const vec3& b, const vec3& c) {
  const vec3 u = b - a, v = c - a;
  const float along = glm::dot(u, v), across = glm::length(glm::cross(u, v));
  if (!(along > kLeastCotangent * across)) return kLeastCotangent;
  return along < kMostCotangent * across ? along / across : kMostCotangent;
}

vec3 unit(const vec3& v) {
  const float length = glm::length(v);
  return length > 0 ? v / length : vec3(0);
}

/// Angle at corner k of a triangle.
float angle_at(const vec3& a, const vec3& b, const vec3& c) {
  return std::acos(glm::clamp(glm::dot(unit(b - a), unit(c - a)), -1.0f, 1.0f));
}

}  // namespace

NormalFlow::NormalFlow(int vertices, const std::vector<ivec3>& triangles)
    : triangles_(triangles), boundary_(size_t(vertices), 0) {
  const HostAdjacency around = build_adjacency(vertices, &triangles_.data()->x, int(triangles_.size()), 3);
  start_ = around.start, corner_ = around.entry;
  std::vector<ivec2> directed;
  for (const ivec3& t : triangles_)
    for (int k = 0; k < 3; ++k) directed.push_back({t[k], t[(k + 1) % 3]});
  const auto before = [](const ivec2& a, const ivec2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; };
  std::sort(directed.begin(), directed.end(), before);
  for (size_t i = 0; i < directed.size(); ++i) {
    if (i > 0 && directed[i] == directed[i - 1]) oriented_ = false;
    if (std::binary_search(directed.begin(), directed.end(), ivec2(directed[i].y, directed[i].x), before))
      continue;
    boundary_[directed[i].x] = boundary_[directed[i].y] = 1;
    closed_ = false;
  }
}

std::string NormalFlow::remark(const std::vector<vec3>& x) const {
  if (!oriented_)
    return "some neighbouring faces point in opposite directions: the flow has no direction there; make the "
           "faces' orientation consistent";
  if (!closed_) return {};
  double volume = 0;
  for (const ivec3& t : triangles_)
    volume += glm::dot(dvec3(x[t.x]), glm::cross(dvec3(x[t.y]), dvec3(x[t.z])));
  return volume < 0 ? "the faces of this closed surface point inwards: positive distances shrink it" : "";
}

float NormalFlow::mean_edge(const std::vector<vec3>& x) const {
  double sum = 0;
  for (const ivec3& t : triangles_)
    for (int k = 0; k < 3; ++k) sum += double(glm::length(x[t[k]] - x[t[(k + 1) % 3]]));
  return triangles_.empty() ? 0.0f : float(sum / double(3 * triangles_.size()));
}

/// v <- v + alpha sum_j w_j (v_j - v) / sum_j w_j with w_j the cotangents of the two angles opposite the edge
/// to j. Boundary vertices are unchanged, since they would shrink.
std::vector<vec3> NormalFlow::smoothed(std::vector<vec3> field, const std::vector<vec3>& cotangents,
                                       float alpha) const {
  std::vector<vec3> next(field.size());
  for (int pass = 0; pass < kSmoothings; ++pass) {
    for (size_t v = 0; v < field.size(); ++v) {
      vec3 sum(0);
      float weights = 0;
      for (int e = start_[v]; e < start_[v + 1]; ++e) {
        const int t = corner_[e] / 3, k = corner_[e] % 3, a = (k + 1) % 3, b = (k + 2) % 3;
        const vec3 cot = cotangents[t];
        const ivec3 corners = triangles_[t];
        sum += cot[b] * (field[corners[a]] - field[v]) + cot[a] * (field[corners[b]] - field[v]);
        weights += cot[a] + cot[b];
      }
      next[v] = field[v] + (weights > 0 && !boundary_[v] ? alpha / weights : 0.0f) * sum;
    }
    field.swap(next);
  }
  return field;
}

std::vector<vec3> NormalFlow::target(const std::vector<vec3>& x, float advance, float mean_edge) const {
  std::vector<vec3> normals(x.size(), vec3(0)), cotangents;
  std::vector<float> areas(x.size(), 0);
  for (const ivec3& t : triangles_) {
    const vec3 p[3] = {x[t.x], x[t.y], x[t.z]}, normal = glm::cross(p[1] - p[0], p[2] - p[0]);
    vec3 cot;
    for (int k = 0; k < 3; ++k) {
      cot[k] = cotangent(p[k], p[(k + 1) % 3], p[(k + 2) % 3]);
      // By angles: a vertex's normal does not depend on how its faces are cut into triangles.
      normals[t[k]] += angle_at(p[k], p[(k + 1) % 3], p[(k + 2) % 3]) * unit(normal);
      areas[t[k]] += glm::length(normal) / 6;
    }
    cotangents.push_back(cot);
  }
  for (vec3& n : normals) n = unit(n);
  const float alpha = kSmoothing * std::min(1.0f, std::abs(advance) / mean_edge);
  const std::vector<vec3> still = smoothed(x, cotangents, alpha),
                          along = smoothed(normals, cotangents, alpha);
  // Smoothing is linear: y = S x + beta S n. Its mean advance is A + beta B.
  double a = 0, b = 0, area = 0;
  for (size_t v = 0; v < x.size(); ++v) {
    a += double(areas[v] * glm::dot(still[v] - x[v], normals[v])),
        b += double(areas[v] * glm::dot(along[v], normals[v]));
    area += double(areas[v]);
  }
  float beta = b > 0.1 * area ? float((double(advance) * area - a) / b) : advance;
  beta = glm::clamp(beta, advance - 2 * std::abs(advance), advance + 2 * std::abs(advance));
  std::vector<vec3> y(x.size());
  for (size_t v = 0; v < x.size(); ++v) y[v] = start_[v] == start_[v + 1] ? x[v] : still[v] + beta * along[v];
  return y;
}

FlowResult flow_along_normals(CrossingFreePath& path, const NormalFlow& flow, float distance, int steps,
                              const std::function<bool(int, int)>& progress) {
  const std::vector<vec3> start = path.positions();
  const float edge = flow.mean_edge(start);
  if (steps <= 0)
    steps = std::clamp(int(std::ceil(std::abs(distance) / (kStepInEdges * edge))), 4, kMostSteps);
  FlowResult result;
  for (; result.steps < steps; ++result.steps) {
    if (progress && !progress(result.steps, steps)) break;
    result.forward_steps += path.move_to(flow.target(path.positions(), distance / float(steps), edge)).steps;
  }
  for (size_t v = 0; v < start.size(); ++v) {
    const double moved = glm::length(dvec3(path.positions()[v]) - dvec3(start[v]));
    result.mean_way += moved / double(start.size()), result.largest_way = std::max(result.largest_way, moved);
  }
  return result;
}

}  // namespace weft
