#include "sim/wrinkles/simplify.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/grid/sheets.h"

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
  const wrinkles::Simplifier simplifier(g);

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
