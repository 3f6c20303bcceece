#include "sim/mesh/shapes/sampled_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/error.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/mesh/sides.h"

namespace weft {
namespace {

/// The middle of two points of one triangle.
MeshPoint middle(const MeshPoint& a, const MeshPoint& b) {
  std::map<int, float> mixed;  // ascending, so that both sides of an edge get the same bits
  for (const MeshPoint* p : {&a, &b})
    for (int k = 0; k < 3; ++k)
      if (p->weight[k] > 0) mixed[p->vertex[k]] += 0.5f * p->weight[k];
  MeshPoint m;
  int k = 0;
  for (const auto& [v, w] : mixed) m.vertex[k] = v, m.weight[k] = w, ++k;
  return m;
}

/// Cuts a triangle at the middles of some of its edges; m[k] is that of corner k to the next, or -1.
void cut(const ivec3& t, const int m[3], const std::vector<vec3>& x, std::vector<ivec3>& out) {
  const int count = (m[0] >= 0) + (m[1] >= 0) + (m[2] >= 0);
  if (count == 0) return out.push_back(t);
  if (count == 3) {
    for (const ivec3& part :
         {ivec3(t.x, m[0], m[2]), ivec3(t.y, m[1], m[0]), ivec3(t.z, m[2], m[1]), ivec3(m[0], m[1], m[2])})
      out.push_back(part);
    return;
  }
  int first = 0;  // so that edge `first` is cut, and with two the next one is as well
  while (!(m[first] >= 0 && (count == 1 || m[(first + 1) % 3] >= 0))) ++first;
  const int a = t[first], b = t[(first + 1) % 3], c = t[(first + 2) % 3], p = m[first];
  if (count == 1) {
    out.push_back({a, p, c});
    out.push_back({p, b, c});
    return;
  }
  const int q = m[(first + 1) % 3];
  out.push_back({p, b, q});
  const auto squared = [&](int i, int j) {
    const vec3 d = x[i] - x[j];
    return glm::dot(d, d);
  };
  if (squared(p, c) < squared(a, q)) {
    out.push_back({a, p, c});
    out.push_back({p, q, c});
  } else {
    out.push_back({a, p, q});
    out.push_back({a, q, c});
  }
}

/// Distance by which a convex body sticks out of the triangles' planes at most; `half` is that of the
/// capsule's axis.
float sticks_out(const TriMesh& mesh, float radius, float half) {
  float most = -1e30f;
  for (const ivec3& t : mesh.triangles) {
    const vec3 a = mesh.positions[t.x], b = mesh.positions[t.y], c = mesh.positions[t.z];
    const vec3 n = glm::normalize(glm::cross(b - a, c - a));
    most = std::max(most, radius + half * std::abs(n.y) - glm::dot(n, a));
  }
  return most;
}

/// Grows make(radius) until it contains the body of `radius`.
template <class Make>
TriMesh around(float radius, float half, const Make& make) {
  float grown = radius;
  TriMesh mesh = make(grown);
  for (int k = 0; k < 20; ++k) {
    const float out = sticks_out(mesh, radius, half);
    if (out <= 1e-6f * radius && k > 0) break;
    grown += 1.01f * std::max(out, 0.0f) + 1e-6f * radius;
    mesh = make(grown);
  }
  return mesh;
}

}  // namespace

SampledSurface sampled_surface(const TriMesh& mesh, float longest, int most, const std::string& where) {
  SampledSurface s;
  s.triangles = mesh.triangles;
  std::vector<vec3> x = mesh.positions;
  for (int v = 0; v < mesh.vertex_count(); ++v) s.points.push_back({{v, 0, 0}, {1, 0, 0}});
  for (bool again = true; again;) {
    again = false;
    std::map<Edge, int> middles;
    std::vector<ivec3> next;
    for (const ivec3& t : s.triangles) {
      int m[3];
      for (int k = 0; k < 3; ++k) {
        const int a = t[k], b = t[(k + 1) % 3];
        m[k] = -1;
        if (glm::length(x[a] - x[b]) <= longest) continue;
        const auto [it, added] = middles.try_emplace(edge_of(a, b), int(s.points.size()));
        if (added) {
          s.points.push_back(middle(s.points[a], s.points[b]));
          x.push_back(s.points.back().at(mesh.positions));
        }
        m[k] = it->second;
        again = true;
      }
      cut(t, m, x, next);
    }
    s.triangles = std::move(next);
    if (int(s.points.size()) > most)
      throw Error(
          fmt::format("edges of {:.3g} mm would need more than {} vertices", 1e3 * double(longest), most),
          where, "use cloth with longer edges, or switch repulsion.body_vertices off");
  }
  s.edges = unique_edges(s.triangles);
  return s;
}

TriMesh sphere_around(float radius, float longest) {
  // Edges of an icosahedron are 1.051 radii long; the longest after k subdivisions are 1.33 / 2^k or less.
  int subdivisions = 1;
  while (1.33f * radius / float(1 << subdivisions) > longest && subdivisions < 9) ++subdivisions;
  return around(radius, 0, [&](float r) { return make_sphere(r, subdivisions); });
}

TriMesh capsule_around(float radius, float length, float longest) {
  // side of the squares between rings and rows, so that their diagonals are short enough
  const float side = 0.7f * longest;
  const int segments = std::max(8, 4 * int(std::ceil(2 * 3.1415927f * radius / (4 * side))));
  const int rows = std::max(1, int(std::ceil(length / side)));
  return around(radius, 0.5f * length, [&](float r) { return make_capsule(r, length, segments, rows); });
}

}  // namespace weft
