#include "sim/mesh/algorithms/enclosed_points.h"

#include "sim/mesh/algorithms/triangle_boxes.h"

namespace weft {
namespace {

/// The two points seen along x: whether the ray from p along y passes the segment ab, which includes its
/// lower end in z. Both triangles at an edge get the same answer, because they ask with the same order of
/// ends.
bool passes_edge(const dvec3& p, dvec3 a, dvec3 b) {
  if ((a.z <= p.z) == (b.z <= p.z)) return false;
  if (b.z < a.z) std::swap(a, b);
  return (a.y - p.y) * (b.z - p.z) > (b.y - p.y) * (a.z - p.z);
}

/// Whether the ray from p along x passes the triangle.
bool passes(const dvec3& p, const dvec3& a, const dvec3& b, const dvec3& c) {
  const bool odd = passes_edge(p, a, b) != (passes_edge(p, b, c) != passes_edge(p, c, a));
  if (!odd) return false;
  const dvec3 n = glm::cross(b - a, c - a);
  return n.x != 0 && glm::dot(a - p, n) / n.x > 0;
}

}  // namespace

std::vector<int> enclosed_points(const std::vector<vec3>& positions, const std::vector<ivec3>& surface,
                                 std::span<const int> points) {
  const std::vector<Bounds> boxes = boxes_around(positions, surface);
  Bounds around;
  for (const Bounds& box : boxes) around.add(box.min), around.add(box.max);
  const BoxTree tree(boxes);
  std::vector<int> found;
  for (const int v : points) {
    const vec3 p = positions[v];
    if (glm::any(glm::lessThan(p, around.min)) || glm::any(glm::greaterThan(p, around.max))) continue;
    bool inside = false;
    tree.visit({p, {around.max.x, p.y, p.z}}, [&](int t) {
      const ivec3& c = surface[t];
      inside ^= passes(dvec3(p), dvec3(positions[c.x]), dvec3(positions[c.y]), dvec3(positions[c.z]));
    });
    if (inside) found.push_back(v);
  }
  return found;
}

}  // namespace weft
