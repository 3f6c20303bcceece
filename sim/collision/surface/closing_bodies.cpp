#include "sim/collision/surface/closing_bodies.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "sim/geometry/closest_point.h"

namespace weft {
namespace {

constexpr float kFacing = 0.3f;       // cosine from which on two normals face each other
constexpr float kCell = 0.04f;        // m: side of the cells of vertices
constexpr int kMostOfTriangle = 512;  // cells: larger triangles look at all vertices

ivec3 cell_of(const vec3& p) { return ivec3(glm::floor(glm::clamp(p, -1e6f, 1e6f) / kCell)); }

uint64_t key_of(const ivec3& c) {
  return uint64_t(uint32_t(c.x) & 0x1fffff) << 42 | uint64_t(uint32_t(c.y) & 0x1fffff) << 21 |
         uint64_t(uint32_t(c.z) & 0x1fffff);
}

/// Cells that a box touches, or false where they are too many.
template <class Use>
bool for_cells(const vec3& lower, const vec3& upper, const Use& use) {
  const ivec3 a = cell_of(lower), b = cell_of(upper), n = b - a + ivec3(1);
  if (double(n.x) * double(n.y) * double(n.z) > kMostOfTriangle) return false;
  for (int i = a.x; i <= b.x; ++i)
    for (int j = a.y; j <= b.y; ++j)
      for (int k = a.z; k <= b.z; ++k) use(key_of({i, j, k}));
  return true;
}

/// The vertices of the cloth in cells.
class Vertices {
 public:
  explicit Vertices(const HeldBodies& h) : x_(h.now), count_(h.cloth_points) {
    for (int v = 0; v < count_; ++v) cells_[key_of(cell_of(x_[v]))].push_back(v);
  }
  template <class Use>
  void within(const vec3& lower, const vec3& upper, const Use& use) const {
    const auto test = [&](int v) {
      const vec3& p = x_[v];
      if (glm::all(glm::lessThanEqual(lower, p)) && glm::all(glm::lessThanEqual(p, upper))) use(v);
    };
    const bool few = for_cells(lower, upper, [&](uint64_t key) {
      if (const auto own = cells_.find(key); own != cells_.end())
        for (const int v : own->second) test(v);
    });
    for (int v = 0; !few && v < count_; ++v) test(v);
  }

 private:
  const std::vector<vec3>& x_;
  int count_;
  std::unordered_map<uint64_t, std::vector<int>> cells_;
};

/// The triangles of the cloth in the cells that their boxes touch.
class Triangles {
 public:
  explicit Triangles(const HeldBodies& h) {
    for (int t = 0; t < h.cloth_triangles; ++t) {
      const ivec3& f = h.triangles[t];
      const vec3 &p = h.now[f.x], &q = h.now[f.y], &r = h.now[f.z];
      const bool few = for_cells(glm::min(glm::min(p, q), r), glm::max(glm::max(p, q), r),
                                 [&](uint64_t key) { cells_[key].push_back(t); });
      if (!few) large_.push_back(t);
    }
  }
  /// Those that may meet a short line; each once.
  std::vector<int> near(const vec3& a, const vec3& b) const {
    std::vector<int> found = large_;
    const vec3 rounding(1e-4f);  // m
    for_cells(glm::min(a, b) - rounding, glm::max(a, b) + rounding, [&](uint64_t key) {
      if (const auto own = cells_.find(key); own != cells_.end())
        found.insert(found.end(), own->second.begin(), own->second.end());
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

 private:
  std::unordered_map<uint64_t, std::vector<int>> cells_;
  std::vector<int> large_;
};

/// A place of a body that a vertex is in front of.
struct Surface {
  int triangle = -1;  // -1: a plane
  float far = 0;      // m
  vec3 normal{0}, motion{0};
};

vec3 area_normal(const std::vector<vec3>& x, const ivec3& t) {
  return glm::cross(x[t.y] - x[t.x], x[t.z] - x[t.x]);
}

/// In front of triangle t, within reach.
void add_surface(const HeldBodies& h, int t, int v, float reach, std::vector<Surface>& found) {
  const ivec3& c = h.triangles[t];
  const ClosestOnTriangle near = closest_on_triangle(h.now[v], h.now[c.x], h.now[c.y], h.now[c.z]);
  const float far = glm::length(near.offset);
  const vec3 area = area_normal(h.now, c);
  if (!(far < reach) || !(glm::dot(near.offset, area) > 0)) return;
  vec3 motion(0);
  for (int k = 0; k < 3; ++k) motion += near.barycentric[k] * (h.wanted[c[k]] - h.now[c[k]]);
  found.push_back({t, far, area / glm::length(area), motion});
}

void add_planes(const HeldBodies& h, int v, float reach, std::vector<Surface>& found) {
  const vec3& p = h.now[v];
  for (const ContactPlane& plane : h.planes) {
    const vec3 motion = plane.turn * p + plane.shift;
    // planes are where the step ends
    const float far = glm::dot(plane.normal, p) - plane.offset + glm::dot(plane.normal, motion);
    if (far > 0 && far < reach) found.push_back({-1, far, plane.normal, motion});
  }
}

/// Triangles of the cloth without vertex v that the line through v along n meets between two places of it
/// (m).
int others_on(const HeldBodies& h, const Triangles& cloth, int v, const vec3& n, float from, float to) {
  const vec3& at = h.now[v];
  int count = 0;
  for (const int t : cloth.near(at + from * n, at + to * n)) {
    const ivec3& f = h.triangles[t];
    if (f.x == v || f.y == v || f.z == v) continue;
    const float s = along_line(h.now, f, at, n);
    count += s > from && s < to;
  }
  return count;
}

}  // namespace

std::vector<Between> cloth_between(const HeldBodies& h, float reach) {
  const Vertices vertices(h);
  std::vector<std::vector<Surface>> near(size_t(h.cloth_points));
  for (size_t t = size_t(h.cloth_triangles); t < h.triangles.size(); ++t) {
    const ivec3& c = h.triangles[t];
    const vec3 &p = h.now[c.x], &q = h.now[c.y], &r = h.now[c.z];
    vertices.within(glm::min(glm::min(p, q), r) - reach, glm::max(glm::max(p, q), r) + reach,
                    [&](int v) { add_surface(h, int(t), v, reach, near[v]); });
  }
  std::vector<Between> found;
  const Triangles cloth(h);
  for (int v = 0; v < h.cloth_points; ++v) {
    std::vector<Surface>& all = near[v];
    if (all.empty()) continue;
    add_planes(h, v, reach, all);
    const auto nearer = [](const Surface& a, const Surface& b) { return a.far < b.far; };
    const Surface first = *std::min_element(all.begin(), all.end(), nearer);
    std::erase_if(all, [&](const Surface& s) { return glm::dot(s.normal, first.normal) > -kFacing; });
    if (all.empty()) continue;
    const Surface second = *std::min_element(all.begin(), all.end(), nearer);
    const float gap = first.far + second.far;
    found.push_back({v,
                     first.triangle,
                     second.triangle,
                     gap,
                     gap + glm::dot(second.motion - first.motion, first.normal),
                     {first.motion, second.motion},
                     1 + others_on(h, cloth, v, first.normal, -first.far, second.far)});
  }
  return found;
}

}  // namespace weft
