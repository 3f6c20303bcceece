#include "sim/mesh/rest_shape.h"

#include <algorithm>

#include "sim/mesh/sides.h"

namespace weft {

RestShape::RestShape(const Topology& t) {
  for (const ModelPart& c : t.parts)
    add(t.rest, t.triangles.data() + c.first_triangle, c.triangle_count, int(t.triangles.size()), c.corners,
        c.uv_scale);
}

RestShape::RestShape(const TriMesh& mesh) {
  add(mesh.rest.empty() ? mesh.positions : mesh.rest, mesh.triangles.data(), mesh.triangle_count(),
      mesh.triangle_count(), mesh.corners, mesh.uv_scale);
}

/// `all`: number of triangles in the end.
void RestShape::add(const std::vector<vec3>& rest, const ivec3* triangles, int count, int all,
                    const CornerTextures& corners, const vec2& scale) {
  const size_t begin = sides_.size();
  for (int i = 0; i < count; ++i) {
    const ivec3& t = triangles[i];
    if (!corners.is_rest) {
      const dvec3 x(rest[t.x]);
      sides_.push_back({dvec3(rest[t.y]) - x, dvec3(rest[t.z]) - x});
      continue;
    }
    const ivec3& own = corners.of_triangle[i];
    const dvec2 x(corners.values[own.x]);
    dvec2 a = dvec2(scale) * (dvec2(corners.values[own.y]) - x),
          b = dvec2(scale) * (dvec2(corners.values[own.z]) - x);
    if (a.x * b.y < a.y * b.x) a.y = -a.y, b.y = -b.y;
    if (!corners.rest_scale.empty()) {
      cloth_area_.resize(all, -1);
      cloth_area_[sides_.size()] = 0.5 * std::abs(a.x * b.y - a.y * b.x);
      const dvec3 s(corners.rest_scale[i]);
      const auto scaled = [&](const dvec2& v) { return dvec2(s.x * v.x + s.y * v.y, s.y * v.x + s.z * v.y); };
      a = scaled(a), b = scaled(b);
    }
    sides_.push_back({dvec3(a, 0), dvec3(b, 0)});
  }
  if (!corners.is_rest) return;
  flat_.resize(all, 0);
  std::fill(flat_.begin() + long(begin), flat_.begin() + long(sides_.size()), 1);
}

dvec3 RestShape::side(int triangle, int corner) const {
  return corner == 0 ? first(triangle) : corner == 1 ? second(triangle) - first(triangle) : -second(triangle);
}

std::vector<vec3> triangle_factors(const Topology& t) {
  std::vector<vec3> all;
  for (const ModelPart& c : t.parts) {
    if (c.corners.factor.empty()) continue;
    all.resize(t.triangles.size(), vec3(1));
    std::copy(c.corners.factor.begin(), c.corners.factor.end(), all.begin() + c.first_triangle);
  }
  return all;
}

EdgeSprings edge_springs(const RestShape& shape, const std::vector<ivec3>& triangles,
                         const std::vector<ivec2>& edges, const std::vector<vec3>& factors) {
  std::vector<double> force(edges.size(), 0), stiffness(edges.size(), 0);
  for (int t = 0; t < int(triangles.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      const ivec3& v = triangles[t];
      const size_t e = find_edge(edges, v[k], v[(k + 1) % 3]);
      const double l = std::max(glm::length(shape.side(t, k)), 1e-10),
                   area = shape.area(t) * (factors.empty() ? 1.0 : double(factors[t].x));
      force[e] += area / l, stiffness[e] += area / (l * l);
    }
  EdgeSprings out;
  for (size_t e = 0; e < edges.size(); ++e) {
    out.stiffness.push_back(float(stiffness[e]));
    out.rest.push_back(stiffness[e] > 0 ? float(force[e] / stiffness[e]) : 0.0f);
  }
  return out;
}

std::vector<float> rest_lengths(const Topology& t) {
  if (const RestShape shape(t); shape.any_flat())
    return edge_springs(shape, t.triangles, t.edges, triangle_factors(t)).rest;
  std::vector<float> lengths;
  for (const ivec2& e : t.edges) lengths.push_back(glm::length(t.rest[e.y] - t.rest[e.x]));
  return lengths;
}

std::vector<float> rest_areas(const Topology& t) {
  const RestShape shape(t);
  std::vector<float> areas;
  for (size_t i = 0; i < t.triangles.size(); ++i) {
    const ivec3& v = t.triangles[i];
    const vec3 a = t.rest[v.y] - t.rest[v.x], b = t.rest[v.z] - t.rest[v.x];
    areas.push_back(shape.flat(int(i)) ? float(shape.cloth_area(int(i)))
                                       : 0.5f * glm::length(glm::cross(a, b)));
  }
  return areas;
}

}  // namespace weft
