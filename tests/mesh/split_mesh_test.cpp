#include "sim/mesh/split_mesh.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/mesh/shapes/shapes.h"

using namespace weft;

namespace {

/// Pieces of a mesh that hang together by vertices.
int pieces(const TriMesh& m) {
  std::vector<int> root(m.positions.size());
  for (size_t i = 0; i < root.size(); ++i) root[i] = int(i);
  const auto find = [&](int i) {
    while (root[size_t(i)] != i) i = root[size_t(i)];
    return i;
  };
  for (const ivec3& t : m.triangles)
    for (int k = 0; k < 3; ++k) root[size_t(find(t[k]))] = find(t.x);
  int count = 0;
  for (size_t i = 0; i < root.size(); ++i) count += root[i] == int(i);
  return count;
}

TriMesh sheet() {
  TriMesh m = make_grid({0.4f, 0.4f}, 0.1f, "square");  // 5 x 5 vertices
  m.rest = m.positions;
  return m;
}

int at(const TriMesh& m, const vec2& p) {
  for (size_t v = 0; v < m.positions.size(); ++v)
    if (glm::length(vec2(m.positions[v]) - p) < 1e-4f) return int(v);
  return -1;
}

}  // namespace

TEST_SUITE("split mesh") {
  TEST_CASE("a cut from border to border makes two pieces, a little apart, with the same triangles") {
    TriMesh m = sheet();
    std::vector<int> line;
    for (int i = 0; i < 5; ++i) line.push_back(at(m, {0, -0.2f + 0.1f * float(i)}));
    const auto pairs = split_mesh(m, {line}, 0.002f);
    CHECK(pairs.size() == 5);
    CHECK(m.vertex_count() == 30);
    CHECK(m.triangle_count() == 32);
    CHECK(m.uv.size() == 30);
    CHECK(pieces(m) == 2);
    for (const ivec2& p : pairs) {
      CHECK(p.y >= 25);
      const float gap = glm::length(m.positions[size_t(p.x)] - m.positions[size_t(p.y)]);
      CHECK(std::abs(gap - 0.002f) < 1e-6f);
      CHECK(std::abs(glm::length(m.rest[size_t(p.x)] - m.rest[size_t(p.y)]) - 0.002f) < 1e-6f);
    }
    for (const ivec3& t : m.triangles) {  // each side went into its own sheet: no triangle is turned over
      const vec3 a = m.positions[size_t(t.y)] - m.positions[size_t(t.x)],
                 b = m.positions[size_t(t.z)] - m.positions[size_t(t.x)];
      CHECK(glm::cross(a, b).z > 0);
    }
  }

  TEST_CASE("a cut that ends inside leaves its ends whole") {
    TriMesh m = sheet();
    const auto pairs = split_mesh(m, {{at(m, {0, -0.1f}), at(m, {0, 0}), at(m, {0, 0.1f})}}, 0.002f);
    CHECK(pairs.size() == 1);
    CHECK(pieces(m) == 1);
  }

  TEST_CASE("a point within a sheet is not cut, and one in which two sheets meet is taken apart") {
    TriMesh m = sheet();
    CHECK(split_mesh(m, {{at(m, {0, 0})}}, 0.002f).empty());
    CHECK(m.vertex_count() == 25);
    TriMesh two;
    two.positions = {{0, 0, 0}, {1, 0, 0.3f}, {1, 1, 0.3f}, {1, 0, -0.3f}, {1, 1, -0.3f}};
    two.triangles = {{0, 1, 2}, {0, 3, 4}};
    const auto pairs = split_mesh(two, {{0}}, 0.01f);
    REQUIRE(pairs.size() == 1);
    CHECK(pieces(two) == 2);
    CHECK(two.positions[0].z == doctest::Approx(0.005f));
    CHECK(two.positions[5].z == doctest::Approx(-0.005f));
  }

  TEST_CASE(
      "a gap wider than the triangles beside it moves vertices by a quarter of the way to their rings") {
    TriMesh m = sheet();
    std::vector<int> line;
    for (int i = 0; i < 5; ++i) line.push_back(at(m, {0, -0.2f + 0.1f * float(i)}));
    for (const ivec2& p : split_mesh(m, {line}, 1))
      CHECK(glm::length(m.positions[size_t(p.x)] - m.positions[size_t(p.y)]) < 0.075f);
  }
}
