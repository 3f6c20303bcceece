#include "sim/collision/surface/no_room.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "sim/geometry/closest_point.h"

namespace weft {
namespace {

constexpr float kFar = 0.05f;         // m: surfaces further apart do not press on each other
constexpr float kFacing = 0.3f;       // cosine from which on two normals face each other
constexpr float kBetween = 0.02f;     // m between places on a triangle
constexpr int kMostParts = 8;         // of a triangle's sides
constexpr float kComesNearer = 0.1f;  // spacings
constexpr float kBelow = 0.5f;        // cosine to the normal within which a point lies behind a face
constexpr float kSameWay = 0.2f;      // cosine above which two normals belong to one side of a body

vec3 area_normal(const std::vector<vec3>& x, const ivec3& t) {
  return glm::cross(x[t.y] - x[t.x], x[t.z] - x[t.x]);
}

/// Of the points of bodies, at their wanted places; unit, 0 for points of the cloth.
std::vector<vec3> body_normals(const HeldBodies& h) {
  std::vector<vec3> normal(h.wanted.size(), vec3(0));
  for (size_t t = size_t(h.cloth_triangles); t < h.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) normal[h.triangles[t][k]] += area_normal(h.wanted, h.triangles[t]);
  for (vec3& n : normal) n = glm::length(n) > 0 ? glm::normalize(n) : n;
  return normal;
}

/// A place on a body.
struct Place {
  int triangle = 0;
  vec3 now{0}, wanted{0};  // m
  vec3 normal{0};          // unit, once all bodies are where they should be
};

/// Middles of the parts of triangle t, whose sides are divided until they are short.
void add_places(const HeldBodies& h, int t, std::vector<Place>& places) {
  const ivec3& c = h.triangles[t];
  const vec3 area = area_normal(h.wanted, c);
  if (!(glm::length(area) > 0)) return;
  float longest = 0;
  for (int k = 0; k < 3; ++k)
    longest = std::max(longest, glm::length(h.wanted[c[k]] - h.wanted[c[(k + 1) % 3]]));
  const int n = std::clamp(int(std::ceil(longest / kBetween)), 1, kMostParts);
  for (int i = 0; i < n; ++i)
    for (int j = 0; i + j < n; ++j) {
      const float u = (float(i) + 1.0f / 3) / float(n), v = (float(j) + 1.0f / 3) / float(n);
      const auto in = [&](const std::vector<vec3>& x) {
        return (1 - u - v) * x[c.x] + u * x[c.y] + v * x[c.z];
      };
      places.push_back({t, in(h.now), in(h.wanted), glm::normalize(area)});
    }
}

/// The room that is left between a place on a body and the nearest surface before it.
struct Facing {
  float now = kFar;     // m along the normal
  float wanted = kFar;  // m, once all bodies are at their places
  int triangle = -1;    // -1: a plane
};

Facing surface_before(const HeldBodies& h, const Place& p) {
  Facing f;
  for (size_t t = size_t(h.cloth_triangles); t < h.triangles.size(); ++t) {
    if (int(t) == p.triangle) continue;
    const ivec3& corner = h.triangles[t];
    const float s = along_line(h.now, corner, p.now, p.normal);
    if (!(s > 0) || !(s < f.now)) continue;
    const vec3 face = area_normal(h.wanted, corner);
    const float against = -glm::dot(face, p.normal);
    if (against < kFacing * glm::length(face)) continue;
    f = {s, -glm::dot(h.wanted[corner.x] - p.wanted, face) / against, int(t)};
  }
  for (const ContactPlane& plane : h.planes) {
    const float against = -glm::dot(plane.normal, p.normal);
    if (against < kFacing) continue;
    const float s = (glm::dot(plane.normal, p.now) - plane.offset) / against;
    if (s > 0 && s < f.now) f = {s, (glm::dot(plane.normal, p.wanted) - plane.offset) / against, -1};
  }
  return f;
}

int layers_before(const HeldBodies& h, const Place& p, float far) {
  int layers = 0;
  for (size_t t = 0; t < size_t(h.cloth_triangles); ++t) {
    const float s = along_line(h.now, h.triangles[t], p.now, p.normal);
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

float along_line(const std::vector<vec3>& x, const ivec3& t, const vec3& at, const vec3& n) {
  const vec3 a = x[t.x] - at, b = x[t.y] - at, c = x[t.z] - at;
  const float u = glm::dot(n, glm::cross(b, c)), v = glm::dot(n, glm::cross(c, a)),
              w = glm::dot(n, glm::cross(a, b)), sum = u + v + w;
  const bool inside = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
  if (!inside || sum == 0) return std::numeric_limits<float>::quiet_NaN();
  return (u * glm::dot(a, n) + v * glm::dot(b, n) + w * glm::dot(c, n)) / sum;
}

std::vector<NoRoom> places_without_room(const HeldBodies& h, const std::vector<int>& late, int most) {
  std::vector<bool> lags(h.now.size(), false);
  for (const int p : late) lags[p] = true;
  std::vector<Place> places;
  for (size_t t = size_t(h.cloth_triangles); t < h.triangles.size(); ++t) {
    const ivec3& c = h.triangles[t];
    if (lags[c.x] || lags[c.y] || lags[c.z]) add_places(h, int(t), places);
  }
  std::vector<NoRoom> found;
  const size_t every = places.size() / size_t(most) + 1;
  for (size_t i = 0; i < places.size(); i += every) {
    const Facing f = surface_before(h, places[i]);
    if (!(f.now < kFar) || !(f.now - f.wanted > kComesNearer * h.spacing)) continue;
    const int layers = layers_before(h, places[i], f.now);
    const float needed = h.spacing * float(layers + 1);
    if (layers > 0 && f.wanted < kLeastRoom * needed)
      found.push_back({places[i].triangle, f.triangle, places[i].wanted, f.wanted, needed});
  }
  return found;
}

std::vector<int> pressing_part(const HeldBodies& h, const std::vector<int>& seeds, float reach) {
  const std::vector<vec3> normal = body_normals(h);
  std::vector<std::vector<int>> ring(h.wanted.size());
  for (size_t t = size_t(h.cloth_triangles); t < h.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      ring[h.triangles[t][k]].push_back(h.triangles[t][(k + 1) % 3]);
      ring[h.triangles[t][(k + 1) % 3]].push_back(h.triangles[t][k]);
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
    if (taken[r.point]) continue;
    taken[r.point] = true;
    part.push_back(r.point);
    for (const int q : ring[r.point]) {
      const float far = r.far + glm::length(h.wanted[q] - h.wanted[r.point]);
      if (far <= reach && !taken[q] && glm::dot(normal[q], normal[r.seed]) > kSameWay)
        next.push({far, q, r.seed});
    }
  }
  std::sort(part.begin(), part.end());
  return part;
}

namespace {

/// A connected surface of a body.
struct Sheet {
  std::vector<ivec3> faces;
  std::vector<vec4> around;  // of each face: middle and radius (m) of a sphere that holds it
  Box box;
};

vec4 sphere_around(const std::vector<vec3>& x, const ivec3& f) {
  const vec3 middle = (x[f.x] + x[f.y] + x[f.z]) * (1.0f / 3);
  float radius = 0;
  for (int k = 0; k < 3; ++k) radius = std::max(radius, glm::length(x[f[k]] - middle));
  return vec4(middle, 1.0001f * radius);
}

/// The triangles of bodies of which all corners are in `part`, by what hangs together.
std::vector<Sheet> sheets_of(const HeldBodies& h, const std::vector<int>& part) {
  std::vector<int> root(h.wanted.size(), -1);
  for (const int p : part) root[p] = p;
  const auto find = [&](int p) {
    while (root[p] != p) p = root[p] = root[root[p]];
    return p;
  };
  std::vector<ivec3> faces;
  for (size_t t = size_t(h.cloth_triangles); t < h.triangles.size(); ++t) {
    const ivec3& f = h.triangles[t];
    if (root[f.x] < 0 || root[f.y] < 0 || root[f.z] < 0) continue;
    faces.push_back(f);
    root[find(f.y)] = find(f.x), root[find(f.z)] = find(f.x);
  }
  std::vector<int> number(h.wanted.size(), -1);
  std::vector<Sheet> sheets;
  for (const ivec3& f : faces) {
    int& own = number[find(f.x)];
    if (own < 0) own = int(sheets.size()), sheets.emplace_back();
    Sheet& sheet = sheets[own];
    sheet.faces.push_back(f);
    sheet.around.push_back(sphere_around(h.wanted, f));
    for (int k = 0; k < 3; ++k) sheet.box.add(h.wanted[f[k]]);
  }
  return sheets;
}

/// The place of a sheet that is nearest to a point.
struct Nearest {
  bool inside = false;  // the point is behind it
  float far = 0;        // m
  ivec3 face{-1};
  vec3 barycentric{0}, offset{0}, normal{0};  // m, from the place to the point; of any length
};

/// At most `most` (m) away; else not inside.
Nearest nearest_place(const HeldBodies& h, const Sheet& sheet, const std::vector<vec3>& normal,
                      const vec3& at, float most) {
  Nearest found;
  found.far = most;
  if (!sheet.box.holds(at, most)) return found;
  for (size_t i = 0; i < sheet.faces.size(); ++i) {
    const vec4& sphere = sheet.around[i];
    if (glm::length(at - vec3(sphere)) - sphere.w > found.far) continue;
    const ivec3& f = sheet.faces[i];
    const ClosestOnTriangle c = closest_on_triangle(at, h.wanted[f.x], h.wanted[f.y], h.wanted[f.z]);
    const float far = glm::length(c.offset);
    if (!(far < found.far)) continue;
    const vec3 n =
        c.barycentric.x * normal[f.x] + c.barycentric.y * normal[f.y] + c.barycentric.z * normal[f.z];
    // beside a sheet, nearest to its rim, is not behind it
    const vec3 face = area_normal(h.wanted, f);
    const bool below = glm::dot(c.offset, face) < -kBelow * far * glm::length(face);
    found = {below && glm::dot(c.offset, n) < 0, far, f, c.barycentric, c.offset, n};
  }
  return found;
}

vec3 on_face(const std::vector<vec3>& x, const Nearest& n) {
  return n.barycentric.x * x[n.face.x] + n.barycentric.y * x[n.face.y] + n.barycentric.z * x[n.face.z];
}

/// Points of bodies near a part that do not belong to it.
std::vector<int> around_part(const HeldBodies& h, const std::vector<int>& part) {
  Box box;
  std::vector<bool> own(h.wanted.size(), false);
  for (const int p : part) own[p] = true, box.add(h.wanted[p]);
  std::vector<int> found;
  for (int i = h.cloth_points; i < int(h.wanted.size()); ++i)
    if (!own[i] && box.holds(h.wanted[i], 2 * kFar)) found.push_back(i);
  return found;
}

}  // namespace

Behind behind(const HeldBodies& h, const std::vector<int>& part, const std::vector<int>& known,
              float deepest) {
  Behind b;
  b.points.assign(h.wanted.size(), 0);
  const std::vector<Sheet> sheets = sheets_of(h, part);
  const std::vector<vec3> normal = body_normals(h);
  for (int v = 0; v < h.cloth_points; ++v) {
    const bool was = !known.empty() && known[v];
    float far = kFar;
    for (const Sheet& s : sheets)
      if (const Nearest n = nearest_place(h, s, normal, h.now[v], was ? kFar : deepest); n.inside)
        b.points[v] = 1, far = std::min(far, n.far);
    if (b.points[v]) b.deepest = std::max(b.deepest, far);
  }
  const std::vector<int> own = b.points;
  for (size_t t = 0; t < size_t(h.cloth_triangles); ++t) {
    const ivec3& f = h.triangles[t];
    if (own[f.x] || own[f.y] || own[f.z])
      for (int k = 0; k < 3; ++k) b.points[f[k]] = 1;
  }
  return b;
}

std::vector<Carried> carried(const HeldBodies& held, const std::vector<int>& part, const std::vector<int>& of,
                             float back) {
  const HeldBodies h{held.triangles, held.cloth_points, held.cloth_triangles, held.now,
                     held.now,       held.planes,       held.spacing};
  const std::vector<Sheet> sheets = sheets_of(h, part), others = sheets_of(h, around_part(h, part));
  const std::vector<vec3> normal = body_normals(h);
  std::vector<Carried> all(size_t(h.cloth_points));
  for (size_t v = 0; v < all.size(); ++v) {
    if (!of[v]) continue;
    Nearest best;
    best.far = kFar;
    size_t own = sheets.size();
    for (size_t s = 0; s < sheets.size(); ++s)
      if (const Nearest n = nearest_place(h, sheets[s], normal, h.now[v], best.far); n.inside)
        best = n, own = s;
    if (own == sheets.size()) continue;
    const vec3 unit = glm::normalize(best.normal), front = on_face(h.now, best) + h.spacing * unit;
    const auto inside_others = [&](const vec3& at) {
      bool inside = false;
      for (size_t s = 0; s < sheets.size(); ++s)
        inside |= s != own && nearest_place(h, sheets[s], normal, at, kFar).inside;
      for (const Sheet& s : others) inside |= nearest_place(h, s, normal, at, kFar).inside;
      return inside;
    };
    const bool covered = inside_others(front);
    if (covered && !inside_others(h.now[v])) continue;
    const vec3 out = front - h.now[v];
    all[v] = {on_face(held.wanted, best) - on_face(h.now, best), unit};
    if (!covered) all[v].way += std::min(1.0f, back / glm::length(out)) * out;
  }
  return all;
}

}  // namespace weft
