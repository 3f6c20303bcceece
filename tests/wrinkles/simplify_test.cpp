#include "sim/wrinkles/simplify.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "tests/grid/sheets.h"
#include "tests/grid/unsewn.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("a grid's surface of two panels, one mirrored, is simplified with its triangles and their sides") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  TriMesh mesh = rectangle({0, 0}, {0.05f, 0.03f}, 5, 3), other = rectangle({0, 0}, {0.03f, 0.03f}, 3, 3);
  for (vec2& t : other.uv) t.x = 0.2f - t.x + 0.1f * t.y;  // a parallelogram, mirrored in material space
  const int first = mesh.vertex_count();
  mesh.uv.insert(mesh.uv.end(), other.uv.begin(), other.uv.end());
  mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
  for (const ivec3& t : other.triangles) mesh.triangles.push_back(t + ivec3(first));
  grid::GridOptions options;
  options.cell = 1e-3f;
  const grid::Grid g(*device, grid::material_mesh(mesh), options);
  const grid::Grid::Published all = g.published();
  std::vector<vec3> bumpy, flat;
  for (const vec2& at : all.material)
    flat.push_back({at.x, at.y, 0}), bumpy.push_back({at.x, at.y, 2e-3f * std::sin(400 * at.x)});
  const grid::SewnSurface surface = grid::unsewn(g);
  const wrinkles::Simplifier simplifier(g, surface);

  auto sorted = [](std::vector<ivec3> list) {
    for (ivec3& t : list)
      while (t.x > t.y || t.x > t.z) t = {t.y, t.z, t.x};
    std::sort(list.begin(), list.end(), [](const ivec3& a, const ivec3& b) {
      return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
    });
    return list;
  };
  const wrinkles::Simplifier::Result full = simplifier.run(bumpy, 0);
  CHECK(full.vertices.size() == all.vertices.size());
  CHECK(sorted(full.triangles) == sorted(all.triangles));

  const auto area = [&](const wrinkles::Simplifier::Result& r) {
    double sum = 0;
    for (const ivec3& t : r.triangles) {
      const vec2 a = all.material[size_t(r.vertices[size_t(t.x)])],
                 p = all.material[size_t(r.vertices[size_t(t.y)])] - a,
                 q = all.material[size_t(r.vertices[size_t(t.z)])] - a;
      sum += 0.5 * std::abs(double(p.x) * q.y - double(p.y) * q.x);
    }
    return sum;
  };
  const wrinkles::Simplifier::Result less = simplifier.run(flat, 1e-6f), some = simplifier.run(bumpy, 1e-4f);
  CHECK(less.triangles.size() < full.triangles.size() / 4);
  CHECK(some.triangles.size() < full.triangles.size());
  CHECK(some.triangles.size() > less.triangles.size());
  CHECK(std::abs(area(less) / area(full) - 1) < 1e-5);
  CHECK(std::abs(area(some) / area(full) - 1) < 1e-5);
}

namespace {

/// Edges with another number of triangles than two, in either direction, by the surface's vertices.
std::map<std::pair<int, int>, int> open_edges(const std::vector<ivec3>& triangles,
                                              const std::vector<int>& vertices) {
  std::map<std::pair<int, int>, int> count;
  for (const ivec3& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const auto [a, b] = std::minmax(vertices[size_t(t[k])], vertices[size_t(t[(k + 1) % 3])]);
      ++count[{a, b}];
    }
  for (auto it = count.begin(); it != count.end();) it = it->second == 2 ? count.erase(it) : std::next(it);
  return count;
}

}  // namespace

TEST_CASE(
    "two sewn panels stay closed at their seam when they are simplified, with the material points of each") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const TriMesh mesh = two_sewn_panels();
  const grid::MaterialMesh material = grid::material_mesh(mesh);
  const grid::Grid g(*device, material, {.cell = 1e-3f});
  const grid::SewnSurface surface = grid::sewn(g, material);
  REQUIRE(!surface.outline.empty());
  REQUIRE(!surface.corners.empty());
  // the sheet lies flat; heights are bumps of some millimetres
  const Buffer<ivec3> triangles(*device, "test", material.triangles);
  const Buffer<vec3> coarse(*device, "test", mesh.positions);
  grid::GridPositions x(*device, g);
  grid::resample(*device, g, triangles.span(), coarse.span(), x);
  grid::OutlineVertices outline(*device, surface);
  outline.place(*device, std::as_const(x).view(), std::as_const(x).view(), coarse.span());
  std::vector<vec3> flat = grid::surface_positions(surface, x.download(), outline.at()), bumpy = flat;
  for (vec3& p : bumpy) p.z = 1e-3f * std::sin(300 * p.x) * std::sin(200 * p.y);

  const wrinkles::Simplifier simplifier(g, surface);
  std::vector<int> all;
  for (int v = 0; v < surface.vertex_count(); ++v) all.push_back(v);
  const auto boundary = open_edges(surface.triangles, all);
  for (const auto& [edge, count] : boundary) REQUIRE(count == 1);
  for (const auto& [shape, tolerance] : {std::pair{&flat, 1e-5f}, {&bumpy, 5e-5f}}) {
    const wrinkles::Simplifier::Result less = simplifier.run(*shape, tolerance);
    CHECK(less.triangles.size() < surface.triangles.size() * 3 / 4);
    CHECK(open_edges(less.triangles, less.vertices) == boundary);
    REQUIRE(less.corners.size() == less.triangles.size());
    double area = 0, worst = 0;
    for (size_t t = 0; t < less.triangles.size(); ++t) {
      vec3 at[3];
      vec2 place[3];
      for (int k = 0; k < 3; ++k) {
        at[k] = flat[size_t(less.vertices[size_t(less.triangles[t][k])])];
        place[k] = surface.points[size_t(less.corners[t][k])];
      }
      area += 0.5 * double(glm::length(glm::cross(at[1] - at[0], at[2] - at[0])));
      for (int k = 0; k < 3; ++k)
        worst = std::max(worst, double(std::abs(glm::distance(place[k], place[(k + 1) % 3]) -
                                                glm::distance(at[k], at[(k + 1) % 3]))));
    }
    CHECK(std::abs(area / (4 * 0.0153 * 4 * 0.0151) - 1) < 1e-4);
    CHECK(worst < 1e-5);
  }
  const wrinkles::Simplifier::Result full = simplifier.run(bumpy, 0);
  CHECK(full.triangles.size() == surface.triangles.size());
  CHECK(full.vertices == all);
}
