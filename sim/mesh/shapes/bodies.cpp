// Closed bodies, outward-facing, centred at the origin.
#include <algorithm>
#include <map>

#include "sim/mesh/shapes/shapes.h"
#include "sim/mesh/sides.h"

namespace weft {
namespace {

TriMesh icosahedron() {
  const float t = 0.5f * (1.0f + std::sqrt(5.0f));
  TriMesh mesh;
  mesh.positions = {{-1, t, 0},  {1, t, 0},  {-1, -t, 0}, {1, -t, 0}, {0, -1, t},  {0, 1, t},
                    {0, -1, -t}, {0, 1, -t}, {t, 0, -1},  {t, 0, 1},  {-t, 0, -1}, {-t, 0, 1}};
  mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  return mesh;
}

/// Splits every triangle into four.
void subdivide(TriMesh& mesh) {
  std::map<Edge, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [it, added] = middles.try_emplace(edge_of(a, b), mesh.vertex_count());
    if (added) mesh.positions.push_back(0.5f * (mesh.positions[a] + mesh.positions[b]));
    return it->second;
  };
  std::vector<ivec3> finer;
  finer.reserve(4 * mesh.triangles.size());
  for (const ivec3& t : mesh.triangles) {
    const int a = middle(t.x, t.y), b = middle(t.y, t.z), c = middle(t.z, t.x);
    finer.insert(finer.end(), {{t.x, a, c}, {t.y, b, a}, {t.z, c, b}, {a, b, c}});
  }
  mesh.triangles = std::move(finer);
}

}  // namespace

TriMesh make_sphere(float radius, int subdivisions) {
  TriMesh mesh = icosahedron();
  for (int i = 0; i < subdivisions; ++i) {
    subdivide(mesh);
    for (vec3& p : mesh.positions) p = glm::normalize(p);
  }
  for (vec3& p : mesh.positions) p = radius * glm::normalize(p);
  return mesh;
}

TriMesh make_box(vec3 size) {
  TriMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.positions.push_back(size * vec3(i & 1 ? 0.5f : -0.5f, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.5f : -0.5f));
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

TriMesh make_capsule(float radius, float length, int segments, int rows) {
  segments = std::max(segments, 4);
  rows = std::max(rows, 1);
  const int cap = std::max(1, segments / 4);  // rings per cap, the equator among them
  TriMesh mesh;
  mesh.positions.push_back({0, -0.5f * length - radius, 0});
  int rings = 0;
  const auto add_ring = [&](int step, double height) {  // latitude in steps of a quarter turn / cap
    const double latitude = 0.5 * M_PI * step / cap;
    for (int i = 0; i < segments; ++i) {
      const double angle = 2 * M_PI * i / segments;
      mesh.positions.push_back(vec3(float(radius * std::cos(latitude) * std::sin(angle)),
                                    float(radius * std::sin(latitude) + height),
                                    float(radius * std::cos(latitude) * std::cos(angle))));
    }
    ++rings;
  };
  for (int step = 1 - cap; step <= 0; ++step) add_ring(step, -0.5 * length);
  for (int row = 1; row < rows && length > 0; ++row) add_ring(0, (double(row) / rows - 0.5) * double(length));
  for (int step = length > 0 ? 0 : 1; step < cap; ++step) add_ring(step, 0.5 * length);
  mesh.positions.push_back({0, 0.5f * length + radius, 0});
  const int top = mesh.vertex_count() - 1, last_ring = 1 + (rings - 1) * segments;
  for (int i = 0; i < segments; ++i) {
    const int next = (i + 1) % segments;
    mesh.triangles.push_back({0, 1 + next, 1 + i});
    mesh.triangles.push_back({top, last_ring + i, last_ring + next});
    for (int ring = 0; ring + 1 < rings; ++ring) {
      const int a = 1 + ring * segments + i, b = 1 + ring * segments + next;
      mesh.triangles.push_back({a, b, b + segments});
      mesh.triangles.push_back({a, b + segments, a + segments});
    }
  }
  return mesh;
}

TriMesh make_plane_quad(float side) {
  const float h = 0.5f * side;
  return {{{-h, 0, h}, {h, 0, h}, {h, 0, -h}, {-h, 0, -h}}, {{0, 1, 2}, {0, 2, 3}}, {}, {}};
}

}  // namespace weft
