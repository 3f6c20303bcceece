#include "sim/mesh/topology.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/mesh/shapes/shapes.h"
#include "tests/support/poisson.h"

using namespace weft;

namespace {

/// doctest::Approx adds 1 to the scale, which hides any error of small numbers.
bool near(double value, double expected, double relative) {
  return std::abs(value - expected) <= relative * std::abs(expected);
}
TriMesh two_triangles() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2}, {1, 3, 2}}, {}, {}};
}
}  // namespace

TEST_CASE("two triangles at an edge make one hinge with the shared edge first") {
  const Topology t = build_topology({{"a", two_triangles()}});
  REQUIRE(t.hinges.size() == 1);
  CHECK(t.hinges[0] == Hinge(1, 2, 0, 3));
  CHECK(t.edges == std::vector<ivec2>{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}});
  CHECK(t.edge_triangles == std::vector<ivec2>{{0, -1}, {0, -1}, {0, 1}, {1, -1}, {1, -1}});
}

TEST_CASE("edges and hinges agree with brute force on an irregular mesh") {
  const TriMesh m = make_poisson_rectangle({0.3f, 0.2f}, 0.02f, 5);
  const Topology t = build_topology({{"m", m}});
  std::map<std::pair<int, int>, std::vector<int>> brute;
  for (int f = 0; f < m.triangle_count(); ++f)
    for (int k = 0; k < 3; ++k)
      brute[std::minmax({m.triangles[f][k], m.triangles[f][(k + 1) % 3]})].push_back(f);
  REQUIRE(t.edges.size() == brute.size());
  size_t e = 0, inner = 0;
  for (const auto& [edge, faces] : brute) {
    REQUIRE(t.edges[e] == ivec2(edge.first, edge.second));
    REQUIRE(t.edge_triangles[e] == ivec2(faces[0], faces.size() > 1 ? faces[1] : -1));
    inner += faces.size() == 2, ++e;
  }
  CHECK(t.hinges.size() == inner);
  const auto has_triangle = [&](ivec3 wanted) {
    for (int k = 0; k < 3; ++k, wanted = {wanted.y, wanted.z, wanted.x})
      if (std::find(m.triangles.begin(), m.triangles.end(), wanted) != m.triangles.end()) return true;
    return false;
  };
  for (const Hinge& h : t.hinges) {
    REQUIRE(has_triangle({h[0], h[1], h[2]}));
    REQUIRE(has_triangle({h[1], h[0], h[3]}));
  }
}

TEST_CASE("an edge of three triangles gives one hinge per pair and keeps two triangles in its row") {
  TriMesh m = two_triangles();
  m.positions.push_back({0, 0, 1});
  m.triangles.push_back({2, 1, 4});
  const Topology t = build_topology({{"fin", m}});
  CHECK(t.hinges.size() == 3);
  CHECK(t.edge_triangles[2] == ivec2(0, 1));
}

TEST_CASE("cloths are concatenated in order with ranges that cover them") {
  const TriMesh a = make_grid({1, 1}, 0.25f), b = two_triangles();
  const Topology t = build_topology({{"a", a}, {"b", b}});
  REQUIRE(t.parts.size() == 2);
  CHECK(t.parts[1].name == "b");
  CHECK(t.parts[1].first_vertex == a.vertex_count());
  CHECK(t.parts[1].vertex_count == 4);
  CHECK(t.parts[1].first_triangle == a.triangle_count());
  CHECK(t.triangles.back() == ivec3(1, 3, 2) + ivec3(a.vertex_count()));
  CHECK(t.vertex_part.front() == 0);
  CHECK(t.vertex_part.back() == 1);
  CHECK(t.uv.size() == t.rest.size());
  for (const ivec2& e : t.edges) REQUIRE(t.vertex_part[e.x] == t.vertex_part[e.y]);
}

TEST_CASE("the rest shape is used where a mesh has one") {
  TriMesh m = two_triangles();
  m.rest = m.positions;
  for (vec3& p : m.positions) p *= 2.0f;
  CHECK(build_topology({{"m", m}}).rest == m.rest);
}

TEST_CASE("a flat mesh without material coordinates gets exact ones, whatever its plane") {
  for (const vec3& axis : {vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1), vec3(1, 2, 3)})
    for (float degrees : {0.0f, 37.0f, 90.0f, 200.0f}) {
      TriMesh m = make_grid({0.4f, 0.3f}, 0.05f);
      const mat3 turn(glm::rotate(mat4(1), glm::radians(degrees), glm::normalize(axis)));
      for (vec3& p : m.positions) p = turn * p;
      m.uv.clear();
      const Topology t = build_topology({{"m", m}});
      for (const ivec2& e : t.edges)
        REQUIRE(near(glm::length(t.uv[e.x] - t.uv[e.y]), glm::length(t.rest[e.x] - t.rest[e.y]), 1e-4));
    }
}

TEST_CASE("adjacency rows list every entry once, ascending") {
  const Topology t = build_topology({{"m", make_grid({1, 1}, 0.2f)}});
  const int rows = int(t.rest.size());
  const HostAdjacency a = build_adjacency(rows, &t.triangles[0].x, int(t.triangles.size()), 3);
  REQUIRE(a.start.size() == t.rest.size() + 1);
  CHECK(a.entry.size() == 3 * t.triangles.size());
  for (int r = 0; r < rows; ++r)
    for (int i = a.start[r]; i < a.start[r + 1]; ++i) {
      REQUIRE(t.triangles[a.entry[i] / 3][a.entry[i] % 3] == r);
      if (i > a.start[r]) REQUIRE(a.entry[i] > a.entry[i - 1]);
    }
}

TEST_CASE("adjacency leaves out items that are none") {
  const std::vector<ivec2> items{{0, -1}, {1, 0}};
  const HostAdjacency a = build_adjacency(2, &items[0].x, 2, 2);
  CHECK(a.start == std::vector<int>{0, 2, 3});
  CHECK(a.entry == std::vector<int>{0, 3, 2});
}

TEST_CASE("of many triangles at an edge each bends against the next around it") {
  constexpr int kSheets = 40;
  TriMesh fan;
  fan.positions = {vec3(0, 0, 0), vec3(0, 1, 0)};
  for (int i = 0; i < kSheets; ++i) {
    const int place = i * 7 % kSheets;  // not in the order of the angle
    const float angle = 2 * kPi * float(place) / float(kSheets);
    fan.positions.push_back({std::cos(angle), 0.5f, std::sin(angle)});
    fan.triangles.push_back({0, 1, 2 + i});
  }
  const Topology t = build_topology({{"fan", fan}});
  REQUIRE(int(t.hinges.size()) == kSheets);
  for (const Hinge& h : t.hinges) {
    const vec3 a = fan.positions[size_t(h.z)], b = fan.positions[size_t(h.w)];
    CHECK(glm::distance(vec2(a.x, a.z), vec2(b.x, b.z)) ==
          doctest::Approx(2 * std::sin(kPi / kSheets)).epsilon(1e-4));
  }
}
