#include "sim/collision/no_room.h"

#include <algorithm>
#include <limits>
#include <queue>

#include "sim/geometry/closest_point.h"

namespace weft {
namespace {

constexpr float kFar = 0.05f;     // m: surfaces further apart do not press on each other
constexpr float kFacing = 0.3f;   // cosine from which on two normals face each other
constexpr float kSameWay = 0.2f;  // cosine above which two normals belong to one side of a body

vec3 area_normal(const std::vector<vec3>& x, const ivec3& t) {
  return glm::cross(x[size_t(t.y)] - x[size_t(t.x)], x[size_t(t.z)] - x[size_t(t.x)]);
}

/// Of the points of bodies, at their wanted places; unit, 0 for points of the cloth.
std::vector<vec3> body_normals(const HeldBodies& h) {
  std::vector<vec3> normal(h.wanted.size(), vec3(0));
  for (size_t t = size_t(h.cloth_triangles); t < h.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) normal[size_t(h.triangles[t][k])] += area_normal(h.wanted, h.triangles[t]);
  for (vec3& n : normal) n = glm::length(n) > 0 ? glm::normalize(n) : n;
  return normal;
}

/// Where the line at + s n meets triangle t, m; NaN where it does not.
float along_line(const std::vector<vec3>& x, const ivec3& t, const vec3& at, const vec3& n) {
  const vec3 a = x[size_t(t.x)] - at, b = x[size_t(t.y)] - at, c = x[size_t(t.z)] - at;
  const float u = glm::dot(n, glm::cross(b, c)), v = glm::dot(n, glm::cross(c, a)),
              w = glm::dot(n, glm::cross(a, b)), sum = u + v + w;
  const bool inside = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
  if (!inside || sum == 0) return std::numeric_limits<float>::quiet_NaN();
  return (u * glm::dot(a, n) + v * glm::dot(b, n) + w * glm::dot(c, n)) / sum;
}

/// The room that is left between a point of a body and the nearest surface before it.
struct Facing {
  float now = kFar;     // m along the normal
  float wanted = kFar;  // m, once all bodies are at their places
};

void look_at_triangles(const HeldBodies& h, int p, const vec3& n, Facing& f) {
  const vec3 &at = h.now[size_t(p)], &goal = h.wanted[size_t(p)];
  for (size_t t = size_t(h.cloth_triangles); t < h.triangles.size(); ++t) {
    const ivec3& corner = h.triangles[t];
    if (corner.x == p || corner.y == p || corner.z == p) continue;
    const float s = along_line(h.now, corner, at, n);
    if (!(s > 0) || !(s < f.now)) continue;
    const vec3 face = area_normal(h.wanted, corner);
    const float against = -glm::dot(face, n);
    if (against < kFacing * glm::length(face)) continue;
    f = {s, -glm::dot(h.wanted[size_t(corner.x)] - goal, face) / against};
  }
  for (const ContactPlane& plane : h.planes) {
    const float against = -glm::dot(plane.normal, n);
    if (against < kFacing) continue;
    const float s = (glm::dot(plane.normal, at) - plane.offset) / against;
    if (s > 0 && s < f.now) f = {s, (glm::dot(plane.normal, goal) - plane.offset) / against};
  }
}

int layers_before(const HeldBodies& h, int p, const vec3& n, float far) {
  int layers = 0;
  for (size_t t = 0; t < size_t(h.cloth_triangles); ++t) {
    const float s = along_line(h.now, h.triangles[t], h.now[size_t(p)], n);
    layers += s > 0 && s < far;
  }
  return layers;
}

/// Box of some points, widened.
struct Box {
  vec3 lower{1e30f}, upper{-1e30f};
  void add(const vec3& p) { lower = glm::min(lower, p), upper = glm::max(upper, p); }
  bool holds(const vec3& p, float more) const {
    return glm::all(glm::greaterThanEqual(p, lower - more)) && glm::all(glm::lessThanEqual(p, upper + more));
  }
};

}  // namespace

std::vector<NoRoom> points_without_room(const HeldBodies& h, std::vector<int> points, int most) {
  const auto lag = [&](int p) { return glm::length(h.wanted[size_t(p)] - h.now[size_t(p)]); };
  std::stable_sort(points.begin(), points.end(), [&](int a, int b) { return lag(a) > lag(b); });
  if (int(points.size()) > most) points.resize(size_t(most));
  const std::vector<vec3> normal = body_normals(h);
  std::vector<NoRoom> found;
  for (const int p : points) {
    const vec3& n = normal[size_t(p)];
    if (glm::dot(n, n) == 0) continue;
    Facing f;
    look_at_triangles(h, p, n, f);
    if (!(f.now < kFar)) continue;
    const int layers = layers_before(h, p, n, f.now);
    const float needed = h.spacing * float(layers + 1);
    if (layers > 0 && f.wanted < needed) found.push_back({p, f.wanted, needed});
  }
  return found;
}

std::vector<int> pressing_part(const HeldBodies& h, const std::vector<int>& seeds, float reach) {
  const std::vector<vec3> normal = body_normals(h);
  std::vector<std::vector<int>> ring(h.wanted.size());
  for (size_t t = size_t(h.cloth_triangles); t < h.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      ring[size_t(h.triangles[t][k])].push_back(h.triangles[t][(k + 1) % 3]);
      ring[size_t(h.triangles[t][(k + 1) % 3])].push_back(h.triangles[t][k]);
    }
  struct Reached {
    float far;
    int point, seed;
    bool operator>(const Reached& o) const { return far != o.far ? far > o.far : point > o.point; }
  };
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
  std::vector<bool> taken(h.wanted.size(), false);
  for (const int s : seeds) next.push({0, s, s});
  std::vector<int> part;
  while (!next.empty()) {
    const Reached r = next.top();
    next.pop();
    if (taken[size_t(r.point)]) continue;
    taken[size_t(r.point)] = true;
    part.push_back(r.point);
    for (const int q : ring[size_t(r.point)]) {
      const float far = r.far + glm::length(h.wanted[size_t(q)] - h.wanted[size_t(r.point)]);
      if (far <= reach && !taken[size_t(q)] && glm::dot(normal[size_t(q)], normal[size_t(r.seed)]) > kSameWay)
        next.push({far, q, r.seed});
    }
  }
  std::sort(part.begin(), part.end());
  return part;
}

std::vector<int> behind(const HeldBodies& h, const std::vector<int>& part, const std::vector<int>& known,
                        float deepest) {
  std::vector<int> found(h.wanted.size(), 0);
  std::vector<bool> of_part(h.wanted.size(), false);
  for (const int p : part) of_part[size_t(p)] = true;
  std::vector<ivec3> faces;
  Box box;
  for (size_t t = size_t(h.cloth_triangles); t < h.triangles.size(); ++t) {
    const ivec3& f = h.triangles[t];
    if (!of_part[size_t(f.x)] || !of_part[size_t(f.y)] || !of_part[size_t(f.z)]) continue;
    faces.push_back(f);
    for (int k = 0; k < 3; ++k) box.add(h.wanted[size_t(f[k])]);
  }
  if (faces.empty()) return found;
  const std::vector<vec3> normal = body_normals(h);
  for (int v = 0; v < h.cloth_points; ++v) {
    const bool was = !known.empty() && known[size_t(v)];
    const float most = was ? kFar : deepest;
    const vec3& at = h.now[size_t(v)];
    if (!box.holds(at, most)) continue;
    float nearest = most;
    bool inside = false;
    for (const ivec3& f : faces) {
      const ClosestOnTriangle c =
          closest_on_triangle(at, h.wanted[size_t(f.x)], h.wanted[size_t(f.y)], h.wanted[size_t(f.z)]);
      const float far = glm::length(c.offset);
      if (!(far < nearest)) continue;
      nearest = far;
      const vec3 n = c.barycentric.x * normal[size_t(f.x)] + c.barycentric.y * normal[size_t(f.y)] +
                     c.barycentric.z * normal[size_t(f.z)];
      inside = glm::dot(c.offset, n) < 0;
    }
    found[size_t(v)] = inside;
  }
  const std::vector<int> own = found;
  for (size_t t = 0; t < size_t(h.cloth_triangles); ++t) {
    const ivec3& f = h.triangles[t];
    if (own[size_t(f.x)] || own[size_t(f.y)] || own[size_t(f.z)])
      for (int k = 0; k < 3; ++k) found[size_t(f[k])] = 1;
  }
  return found;
}

}  // namespace weft
