#include "sim/wrinkles/normal_map.h"

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/mesh/smooth_normals.h"

namespace weft::wrinkles {
namespace {

vec3 unit_or(const dvec3& v, const vec3& otherwise) {
  const double length = glm::length(v);
  return length > 0 ? vec3(v / length) : otherwise;
}

/// Texels of a rectangle of the material.
struct Raster {
  int width, height;
  dvec2 least;
  double texel;  // m

  dvec2 center(int x, int y) const { return least + texel * dvec2(x + 0.5, y + 0.5); }
  /// Calls take(x, y, weights) for texels with their centre in a triangle.
  template <class Take>
  void fill(const dvec2& a, const dvec2& b, const dvec2& c, const Take& take) const {
    const dvec2 p = b - a, q = c - a;
    const double area = p.x * q.y - p.y * q.x;
    if (area == 0) return;
    const dvec2 low = (glm::min(a, glm::min(b, c)) - least) / texel - 0.5,
                high = (glm::max(a, glm::max(b, c)) - least) / texel - 0.5;
    for (int y = std::max(0, int(std::ceil(low.y))); y <= std::min(height - 1, int(std::floor(high.y))); ++y)
      for (int x = std::max(0, int(std::ceil(low.x))); x <= std::min(width - 1, int(std::floor(high.x)));
           ++x) {
        const dvec2 r = center(x, y) - a;
        const double u = (r.x * q.y - r.y * q.x) / area, v = (p.x * r.y - p.y * r.x) / area;
        if (u >= 0 && v >= 0 && u + v <= 1) take(x, y, vec3(float(1 - u - v), float(u), float(v)));
      }
  }
};

std::vector<vec3> vertex_normals(const TexturedSurface& s) {
  return smooth_normals(s.positions.data(), int(s.positions.size()), s.triangles);
}

Raster raster_of(const TexturedSurface& s, int texels) {
  dvec2 least(1e300), most(-1e300);
  for (const ivec3& t : s.corners)
    for (int k = 0; k < 3; ++k)
      least = glm::min(least, s.material[t[k]]), most = glm::max(most, s.material[t[k]]);
  const dvec2 size = most - least;
  const double longest = std::max(size.x, size.y);
  if (!(longest > 0))
    throw Error("a surface without extent has no normal map", "normal map", "give a cloth with triangles");
  const double texel = longest / std::max(2, texels);
  return {std::max(2, int(std::lround(size.x / texel))), std::max(2, int(std::lround(size.y / texel))), least,
          texel};
}

/// Texels without a value take the mean of those beside them that have one, a few times: filtering then meets
/// no seam.
void dilate(const Raster& r, std::vector<vec3>& value, std::vector<char>& known) {
  for (int round = 0; round < 4; ++round) {
    std::vector<vec3> next = value;
    std::vector<char> now = known;
    for (int y = 0; y < r.height; ++y)
      for (int x = 0; x < r.width; ++x) {
        const size_t at = size_t(y) * r.width + x;
        if (known[at]) continue;
        vec3 sum(0);
        for (int k = 0; k < 9; ++k) {
          const int i = x + k % 3 - 1, j = y + k / 3 - 1;
          if (i >= 0 && j >= 0 && i < r.width && j < r.height && known[size_t(j) * r.width + i])
            sum += value[size_t(j) * r.width + i];
        }
        if (glm::length(sum) > 0) next[at] = glm::normalize(sum), now[at] = 1;
      }
    value = std::move(next), known = std::move(now);
  }
}

}  // namespace

CornerFrames corner_frames(const TexturedSurface& s) {
  const std::vector<vec3> normals = vertex_normals(s);
  // tangents are shared by corners with the same vertex and the same place in the material
  std::vector<dvec3> sum(s.material.size(), dvec3(0));
  for (size_t t = 0; t < s.triangles.size(); ++t) {
    const ivec3 v = s.triangles[t], m = s.corners[t];
    const dvec3 a(s.positions[v.x]), p = dvec3(s.positions[v.y]) - a, q = dvec3(s.positions[v.z]) - a;
    const dvec2 u = s.material[m.y] - s.material[m.x], w = s.material[m.z] - s.material[m.x];
    const double area = u.x * w.y - u.y * w.x;
    for (int k = 0; k < 3 && area != 0; ++k)
      sum[m[k]] += (w.y * p - u.y * q) * (area > 0 ? 1.0 : -1.0);  // dx/du times the area
  }
  CornerFrames out;
  for (size_t t = 0; t < s.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const vec3 n = normals[s.triangles[t][k]];
      const dvec3 along = sum[s.corners[t][k]];
      const vec3 other = std::abs(n.x) < 0.7f ? vec3(1, 0, 0) : vec3(0, 1, 0);
      out.normal.push_back(n);
      out.tangent.push_back(unit_or(along - glm::dot(along, dvec3(n)) * dvec3(n),
                                    glm::normalize(other - glm::dot(other, n) * n)));
    }
  return out;
}

NormalMap make_normal_map(const TexturedSurface& coarse, const TexturedSurface& fine, int texels) {
  const Raster r = raster_of(coarse, texels);
  const size_t count = size_t(r.width) * r.height;
  const std::vector<vec3> fine_normals = vertex_normals(fine);
  std::vector<vec3> world(count, vec3(0)), local(count, vec3(0, 0, 1));
  for (size_t t = 0; t < fine.triangles.size(); ++t) {
    const ivec3 v = fine.triangles[t], m = fine.corners[t];
    r.fill(fine.material[m.x], fine.material[m.y], fine.material[m.z], [&](int x, int y, const vec3& w) {
      world[size_t(y) * r.width + x] =
          w.x * fine_normals[v.x] + w.y * fine_normals[v.y] + w.z * fine_normals[v.z];
    });
  }
  const CornerFrames frames = corner_frames(coarse);
  std::vector<char> known(count, 0);
  for (size_t t = 0; t < coarse.triangles.size(); ++t) {
    const ivec3 m = coarse.corners[t];
    const dvec2 a = coarse.material[m.x], b = coarse.material[m.y] - a, c = coarse.material[m.z] - a;
    const float side =
        b.x * c.y - b.y * c.x < 0 ? -1.0f : 1.0f;  // mirrored panels: the second tangent points the other way
    r.fill(a, a + b, a + c, [&](int x, int y, const vec3& w) {
      const size_t at = size_t(y) * r.width + x;
      if (glm::length(world[at]) == 0) return;
      const auto mean = [&](const std::vector<vec3>& of) {
        return w.x * of[3 * t] + w.y * of[3 * t + 1] + w.z * of[3 * t + 2];
      };
      const vec3 n = glm::normalize(mean(frames.normal)), along = mean(frames.tangent);
      const vec3 s = glm::normalize(along - glm::dot(along, n) * n), d = glm::normalize(world[at]);
      local[at] = {glm::dot(s, d), side * glm::dot(glm::cross(n, s), d), glm::dot(n, d)};
      known[at] = 1;
    });
  }
  dilate(r, local, known);
  NormalMap out{r.width, r.height, std::vector<uint8_t>(3 * count), r.least,
                r.least + r.texel * dvec2(r.width, r.height)};
  for (int y = 0; y < r.height; ++y)
    for (int x = 0; x < r.width; ++x)
      for (int k = 0; k < 3; ++k)
        out.rgb[3 * (size_t(r.height - 1 - y) * size_t(r.width) + size_t(x)) + size_t(k)] =
            uint8_t(std::lround(127.5f * (1 + local[size_t(y) * r.width + x][k])));
  return out;
}

}  // namespace weft::wrinkles
