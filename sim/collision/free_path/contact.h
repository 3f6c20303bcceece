// Contact constraints between vertices, edges and triangles (Wang 2023, section 4.1): pure functions.
#pragma once
#include "sim/geometry/primitive_distance.h"

namespace weft::two_way {

/// Friction of a contact: none, per visit of the contact, or by a velocity filter (section 6.3).
enum class FrictionMode { none, visit, filter };

/// c(y) = value + sum gradient[k] . (y_k - x_k) >= 0, linearised at x; in metres, so that a gradient has no
/// unit. Points below 0 are none.
struct Contact {
  ivec4 points{-1};
  vec3 gradient[4];
  // of the closest points: those of the first primitive sum to 1, of the second to -1
  float weight[4] = {0, 0, 0, 0};
  vec3 normal{0};   // from the second primitive to the first
  float value = 0;  // m, at x: distance less activation
  float friction = 0;
  float slack = 0;     // m: distance beyond activation at which the solver's contact begins,
  float firmness = 0;  // and its stiffness against inertia
  FrictionMode mode = FrictionMode::visit;
};

/// Gap form (figure 5): the distance along the normal, with fixed direction and weights.
HD inline void gap_gradients(Contact& c) {
  for (int k = 0; k < 4; ++k) c.gradient[k] = c.weight[k] * c.normal;
}

/// Volume form (eq. 11) for a vertex above the face of a triangle: six times the volume over twice the area
/// that the triangle has now. The normal points to the vertex.
///
///        x0          V6 = (x0 - x1) . ((x2 - x1) x (x3 - x1))
///       /|\          c  = V6 / |(x2 - x1) x (x3 - x1)| - delta
///     x1-+-x3
///       x2
HD inline void vertex_triangle_volume(Contact& c, const vec3 x[4]) {
  const vec3 p = x[0] - x[1], u = x[2] - x[1], v = x[3] - x[1], area = glm::cross(u, v);
  const float length = sqrtf(glm::dot(area, area));
  if (!(length > 0)) return gap_gradients(c);
  const float s = (glm::dot(p, area) < 0 ? -1.0f : 1.0f) / length;
  c.gradient[0] = s * area;
  c.gradient[2] = s * glm::cross(v, p);
  c.gradient[3] = s * glm::cross(p, u);
  c.gradient[1] = -(c.gradient[0] + c.gradient[2] + c.gradient[3]);
}

/// Volume form for two edges that pass each other: V6 = (x2 - x0) . ((x1 - x0) x (x3 - x2)) over the length
/// of that cross product.
HD inline void edge_edge_volume(Contact& c, const vec3 x[4]) {
  const vec3 w = x[0] - x[2], u = x[1] - x[0], v = x[3] - x[2], n = glm::cross(u, v);
  const float length = sqrtf(glm::dot(n, n));
  // For nearly parallel edges the volume does not measure their distance.
  if (!(length * length > 0.01f * glm::dot(u, u) * glm::dot(v, v))) return gap_gradients(c);
  const float s = (glm::dot(w, n) < 0 ? -1.0f : 1.0f) / length;
  const vec3 by_w = s * n, by_u = s * glm::cross(v, w), by_v = s * glm::cross(w, u);
  c.gradient[0] = by_w - by_u;
  c.gradient[1] = by_u;
  c.gradient[2] = -by_w - by_v;
  c.gradient[3] = by_v;
}

/// By how much less than usual (m) contact keeps points of the cloth, where bodies leave a layer less room on
/// both sides; empty: nowhere.
struct Closer {
  Span<const float> of;
  HD float operator()(const ivec4& points) const {
    float most = 0;
    for (int k = 0; k < 4; ++k)
      if (points[k] < of.size) most = glm::max(most, of[points[k]]);
    return most;
  }
};

/// The constraint of a pair at x whose closest points are `closest`. Volumes only if a face or two crossing
/// edges are closest; the other cases are an edge and a vertex or two vertices, whose area and length forms
/// (eq. 12) equal the gap.
HD inline Contact make_contact(const ivec4& points, const vec3 x[4], const ClosestPair<float>& closest,
                               bool vertex_triangle, bool volume, float activation) {
  Contact c;
  const float distance = sqrtf(closest.squared);
  c.points = points;
  for (int k = 0; k < 4; ++k) c.weight[k] = closest.weight[k];
  c.normal = distance > 0 ? closest.offset * (1 / distance) : vec3(0);
  c.value = distance - activation;
  if (!volume || closest.support != 15) gap_gradients(c);
  else if (vertex_triangle) vertex_triangle_volume(c, x);
  else edge_edge_volume(c, x);
  return c;
}

/// Inverse masses (1/kg; 0 for kinematic vertices) seen by the constraint: J M^-1 J^T.
HD inline float compliance(const Contact& c, const float inverse_mass[4]) {
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += inverse_mass[k] * glm::dot(c.gradient[k], c.gradient[k]);
  return sum;
}

/// Displacement of a contact's points in one Gauss-Seidel visit: out of the violation along the gradient (eq.
/// 9), and against the slip since `start` by at most friction times that. False if there is nothing to do.
/// With a velocity filter instead: against the slip by at most friction times the normal load, which is the
/// push plus the load of the solver's frictionless contact, whose spring moves the pair by firmness times its
/// depth in a step.
HD inline bool resolve(const Contact& c, const float inverse_mass[4], const vec3 x[4], const vec3 start[4],
                       const vec3 y[4], vec3 move[4]) {
  float value = c.value;
  for (int k = 0; k < 4; ++k) value += glm::dot(c.gradient[k], y[k] - x[k]);
  const float normal = compliance(c, inverse_mass), depth = c.slack - value;
  if (!(value < 0 || (c.mode == FrictionMode::filter && depth > 0)) || !(normal > 0)) return false;
  const float push = value < 0 ? -value : 0.0f;
  float tangential = 0;
  vec3 slip(0);
  for (int k = 0; k < 4; ++k) {
    move[k] = inverse_mass[k] * (push / normal) * c.gradient[k];
    slip += c.weight[k] * (y[k] + move[k] - start[k]);
    tangential += c.weight[k] * c.weight[k] * inverse_mass[k];
  }
  slip -= glm::dot(slip, c.normal) * c.normal;
  const float length = sqrtf(glm::dot(slip, slip));
  float most = c.friction * push;
  if (c.mode == FrictionMode::filter) most += c.friction * c.firmness * depth;
  if (c.mode == FrictionMode::none || !(length > 0) || !(tangential > 0) || !(most > 0)) return value < 0;
  const float share = most < length ? most / length : 1.0f;
  for (int k = 0; k < 4; ++k) move[k] -= inverse_mass[k] * c.weight[k] * (share / tangential) * slip;
  return true;
}

}  // namespace weft::two_way
