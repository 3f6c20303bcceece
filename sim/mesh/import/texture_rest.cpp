#include "sim/mesh/import/texture_rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"

namespace weft {
namespace {

constexpr double kAreMetres = 0.1;    // of the factor from 1
constexpr double kFarFromFlat = 0.2;  // mean relative difference of lengths

dvec2 at(const CornerTextures& c, const ivec3& t, int k) { return dvec2(c.values[t[k]]); }

}  // namespace

void take_texture_as_rest(TriMesh& mesh, const std::string& where, std::vector<std::string>& notices) {
  CornerTextures& c = mesh.corners;
  if (c.empty() && !mesh.uv.empty()) {
    for (const vec2& t : mesh.uv) c.values.push_back(t / mesh.uv_scale);
    c.of_triangle = mesh.triangles;
  }
  const char* todo =
      "export the garment with its pattern as texture coordinates, or leave out rest = \"texture\"";
  if (c.empty()) throw Error("it has no texture coordinates", where, todo);
  double area = 0, flat = 0;
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    const ivec3 &t = mesh.triangles[i], &own = c.of_triangle[i];
    if (std::min({own.x, own.y, own.z}) < 0)
      throw Error("some of its triangles have no texture coordinates", where, todo);
    const dvec3 x(mesh.positions[t.x]);
    area += 0.5 * glm::length(glm::cross(dvec3(mesh.positions[t.y]) - x, dvec3(mesh.positions[t.z]) - x));
    const dvec2 a = at(c, own, 1) - at(c, own, 0), b = at(c, own, 2) - at(c, own, 0);
    flat += 0.5 * std::abs(a.x * b.y - a.y * b.x);
  }
  if (!(flat > 0)) throw Error("its texture coordinates span no area", where, todo);
  double factor = std::sqrt(area / flat);
  const bool metres = std::abs(factor - 1) <= kAreMetres;
  if (metres) factor = 1;
  double off = 0, weight = 0;
  for (size_t i = 0; i < mesh.triangles.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const ivec3 &t = mesh.triangles[i], &own = c.of_triangle[i];
      const double l = glm::length(dvec3(mesh.positions[t[(k + 1) % 3]]) - dvec3(mesh.positions[t[k]]));
      off += std::abs(l - factor * glm::length(at(c, own, (k + 1) % 3) - at(c, own, k))), weight += l;
    }
  if (!(off <= kFarFromFlat * weight))
    throw Error(
        fmt::format(
            "its texture coordinates are no flat pattern of it: lengths differ by {:.0f} % on average",
            100 * off / std::max(weight, 1e-30)),
        where, todo);
  if (!metres)
    notices.push_back(
        fmt::format("{}: its texture coordinates are taken as {:.4g} m per unit, from areas", where, factor));
  mesh.uv_scale = vec2(float(factor));
  mesh.uv.clear();
  c.is_rest = true;
}

}  // namespace weft
