#include "sim/mesh/shapes/shapes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "sim/base/error.h"
#include "sim/mesh/topology.h"
#include "tests/support/poisson.h"

using namespace weft;

namespace {

/// doctest::Approx adds 1 to the scale, which hides any error of small numbers.
bool near(double value, double expected, double relative) {
  return std::abs(value - expected) <= relative * std::abs(expected);
}

double double_area(const TriMesh& m, const ivec3& t) {
  return glm::length(
      glm::cross(dvec3(m.positions[t.y] - m.positions[t.x]), dvec3(m.positions[t.z] - m.positions[t.x])));
}

double area(const TriMesh& m) {
  double sum = 0;
  for (const ivec3& t : m.triangles) sum += 0.5 * double_area(m, t);
  return sum;
}

double volume(const TriMesh& m) {
  double sum = 0;
  for (const ivec3& t : m.triangles)
    sum +=
        glm::dot(dvec3(m.positions[t.x]), glm::cross(dvec3(m.positions[t.y]), dvec3(m.positions[t.z]))) / 6;
  return sum;
}

struct EdgeLengths {
  double shortest = 1e300, longest = 0, mean = 0;
};
EdgeLengths edge_lengths(const TriMesh& m) {
  const Topology t = build_topology({{"m", m}});
  EdgeLengths e;
  for (const ivec2& edge : t.edges) {
    const double l = glm::length(dvec3(t.rest[edge.x] - t.rest[edge.y]));
    e.shortest = std::min(e.shortest, l), e.longest = std::max(e.longest, l),
    e.mean += l / double(t.edges.size());
  }
  return e;
}

double smallest_angle(const TriMesh& m) {
  double smallest = 180;
  for (const ivec3& t : m.triangles)
    for (int k = 0; k < 3; ++k) {
      const dvec3 p = m.positions[t[k]], a = glm::normalize(dvec3(m.positions[t[(k + 1) % 3]]) - p),
                  b = glm::normalize(dvec3(m.positions[t[(k + 2) % 3]]) - p);
      smallest = std::min(smallest, glm::degrees(std::acos(glm::clamp(glm::dot(a, b), -1.0, 1.0))));
    }
  return smallest;
}

bool contains(const TriMesh& m, const vec3& p) {
  return std::find(m.positions.begin(), m.positions.end(), p) != m.positions.end();
}

void check_flat_rectangle(const TriMesh& m, vec2 size) {
  for (float x : {-0.5f, 0.5f})
    for (float y : {-0.5f, 0.5f}) CHECK(contains(m, vec3(x * size.x, y * size.y, 0)));
  const Bounds b = bounds_of(m.positions);
  CHECK(b.min == vec3(-0.5f * size.x, -0.5f * size.y, 0));
  CHECK(b.max == vec3(0.5f * size.x, 0.5f * size.y, 0));
  CHECK(near(area(m), size.x * size.y, 1e-5));
  for (const ivec3& t : m.triangles)
    REQUIRE(glm::cross(m.positions[t.y] - m.positions[t.x], m.positions[t.z] - m.positions[t.x]).z > 0);
  for (int v = 0; v < m.vertex_count(); ++v)
    REQUIRE(glm::length(m.uv[v] - vec2(m.positions[v]) - 0.5f * size) < 1e-6f * (size.x + size.y));
}

/// Every edge has two triangles that run along it in opposite directions, and V - E + F = 2.
void check_closed_sphere_like(const TriMesh& m) {
  const Topology t = build_topology({{"m", m}});
  for (const ivec2& pair : t.edge_triangles) REQUIRE(pair.y >= 0);
  CHECK(m.vertex_count() - int(t.edges.size()) + m.triangle_count() == 2);
  std::set<std::pair<int, int>> directed;
  for (const ivec3& f : m.triangles)
    for (int k = 0; k < 3; ++k) REQUIRE(directed.insert({f[k], f[(k + 1) % 3]}).second);
}

}  // namespace

TEST_CASE("a grid has the edge length it was asked for") {
  const TriMesh m = make_grid({1.0f, 0.8f}, 0.02f);
  CHECK(near(edge_lengths(m).mean, 0.02, 0.01));
  CHECK(edge_lengths(m).longest < 0.0203);
}

TEST_CASE("an equilateral grid fills its rectangle with straight sides, exact corners and upward triangles") {
  for (vec2 size : {vec2(1, 1), vec2(0.7f, 1.3f), vec2(0.31f, 0.05f), vec2(0.02f, 0.5f)}) {
    CAPTURE(size.x);
    check_flat_rectangle(make_grid(size, 0.0173f), size);
  }
}

TEST_CASE("a grid with an even and with an odd number of rows has exact top corners") {
  check_flat_rectangle(make_grid({1, float(4 * 0.1 * 0.866)}, 0.1f), {1, float(4 * 0.1 * 0.866)});
  check_flat_rectangle(make_grid({1, float(5 * 0.1 * 0.866)}, 0.1f), {1, float(5 * 0.1 * 0.866)});
}

TEST_CASE("inner triangles of an equilateral grid are equilateral") {
  const TriMesh m = make_grid({1, float(20 * 0.05 * 0.86602540378)}, 0.05f);
  CHECK(near(smallest_angle(m), 30, 0.001));  // the half triangles at the row ends
  int equilateral = 0;
  for (const ivec3& t : m.triangles) {
    double shortest = 1, longest = 0;
    for (int k = 0; k < 3; ++k) {
      const double l = glm::length(m.positions[t[k]] - m.positions[t[(k + 1) % 3]]);
      shortest = std::min(shortest, l), longest = std::max(longest, l);
    }
    equilateral += longest < 1.0001 * shortest;
  }
  CHECK(m.triangle_count() - equilateral == 2 * 20);
}

TEST_CASE("a square grid has parallel diagonals") {
  const TriMesh m = make_grid({1, 1}, 0.1f, "square");
  CHECK(m.vertex_count() == 121);
  CHECK(m.triangle_count() == 200);
  check_flat_rectangle(m, {1, 1});
  const Topology t = build_topology({{"m", m}});
  int diagonals = 0;
  for (const ivec2& e : t.edges) {
    const vec3 d = t.rest[e.y] - t.rest[e.x];
    if (std::abs(d.x) < 0.05f || std::abs(d.y) < 0.05f) continue;
    ++diagonals;
    CHECK(d.x * d.y > 0);
  }
  CHECK(diagonals == 100);
}

TEST_CASE("a grid of about n vertices has about n vertices") {
  for (int n : {50, 1000, 10000, 100000})
    for (vec2 size : {vec2(1, 1), vec2(2, 0.3f), vec2(0.4f, 1.9f)}) {
      const int got = make_grid(size, edge_for_vertices(size, n)).vertex_count();
      CHECK(std::abs(got - n) < 3 + 1.5 * std::sqrt(double(n) * std::max(size.x / size.y, size.y / size.x)));
    }
}

TEST_CASE("a disc is round, flat and near-equilateral") {
  const TriMesh m = make_disc(0.8f, 0.02f);
  const Topology t = build_topology({{"m", m}});
  int boundary = 0;
  for (size_t e = 0; e < t.edges.size(); ++e) {
    if (t.edge_triangles[e].y >= 0) continue;
    ++boundary;
    CHECK(near(glm::length(t.rest[t.edges[e].x]), 0.4, 1e-5));
  }
  CHECK(boundary == 6 * 22);
  // The polygon of n corners inscribed in the circle.
  CHECK(near(area(m), 0.5 * boundary * 0.16 * std::sin(2 * M_PI / boundary), 1e-5));
  for (const ivec3& f : m.triangles)
    REQUIRE(glm::cross(m.positions[f.y] - m.positions[f.x], m.positions[f.z] - m.positions[f.x]).z > 0);
  CHECK(smallest_angle(m) > 40);
  CHECK(near(edge_lengths(m).mean, 0.02, 0.02));
}

TEST_CASE("a tube is an open equilateral cylinder that faces outwards") {
  const TriMesh m = make_tube(0.2f, 0.5f, 0.01f);
  for (const vec3& p : m.positions) REQUIRE(near(std::hypot(p.x, p.z), 0.1, 1e-5));
  CHECK(bounds_of(m.positions).min.y == -0.25f);
  CHECK(bounds_of(m.positions).max.y == 0.25f);
  CHECK(edge_lengths(m).shortest > 0.0097);
  CHECK(edge_lengths(m).longest < 0.0103);
  for (const ivec3& t : m.triangles) {
    const vec3 n = glm::cross(m.positions[t.y] - m.positions[t.x], m.positions[t.z] - m.positions[t.x]);
    const vec3 c = m.positions[t.x] + m.positions[t.y] + m.positions[t.z];
    REQUIRE(n.x * c.x + n.z * c.z > 0);
  }
  const Topology t = build_topology({{"m", m}});
  CHECK(m.vertex_count() - int(t.edges.size()) + m.triangle_count() == 0);
  CHECK(near(area(m), M_PI * 0.2 * 0.5, 0.002));
}

TEST_CASE(
    "a Poisson rectangle has no slivers, the edge length it was asked for, and depends only on its seed") {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    const TriMesh m = make_poisson_rectangle({0.5f, 0.3f}, 0.015f, seed);
    CAPTURE(seed);
    check_flat_rectangle(m, {0.5f, 0.3f});
    CHECK(smallest_angle(m) > 22);
    CHECK(near(edge_lengths(m).mean, 0.015, 0.05));
    CHECK(edge_lengths(m).longest < 2 * 0.015);
    const Topology t = build_topology({{"m", m}});
    CHECK(m.vertex_count() - int(t.edges.size()) + m.triangle_count() == 1);
  }
  const TriMesh a = make_poisson_rectangle({0.5f, 0.3f}, 0.015f, 3),
                b = make_poisson_rectangle({0.5f, 0.3f}, 0.015f, 3);
  CHECK(a.positions == b.positions);
  CHECK(a.triangles == b.triangles);
  CHECK(a.positions != make_poisson_rectangle({0.5f, 0.3f}, 0.015f, 4).positions);
}

TEST_CASE("a Poisson rectangle is irregular") {
  const EdgeLengths e = edge_lengths(make_poisson_rectangle({0.5f, 0.3f}, 0.015f, 1));
  CHECK(e.longest > 1.5 * e.shortest);
}

TEST_CASE("bodies are closed, face outwards and have their volume") {
  const TriMesh sphere = make_sphere(0.3f), box = make_box({1, 2, 3}), capsule = make_capsule(0.1f, 0.5f, 64);
  for (const TriMesh* m : {&sphere, &box, &capsule}) check_closed_sphere_like(*m);
  check_closed_sphere_like(make_capsule(0.1f, 0, 16));
  CHECK(near(volume(sphere), 4.0 / 3 * M_PI * 0.027, 0.005));
  CHECK(near(volume(box), 6, 1e-6));
  CHECK(near(volume(capsule), M_PI * 0.01 * 0.5 + 4.0 / 3 * M_PI * 0.001, 0.01));
  for (const vec3& p : sphere.positions) REQUIRE(near(glm::length(p), 0.3, 1e-6));
  CHECK(near(bounds_of(capsule.positions).max.y, 0.35, 1e-6));
  CHECK(bounds_of(box.positions).max == vec3(0.5f, 1, 1.5f));
}

TEST_CASE("the plane's quad faces up") {
  const TriMesh m = make_plane_quad(4);
  CHECK(near(area(m), 16, 1e-6));
  for (const ivec3& t : m.triangles)
    CHECK(glm::cross(m.positions[t.y] - m.positions[t.x], m.positions[t.z] - m.positions[t.x]).y > 0);
}

TEST_CASE("impossible sizes are refused in words") {
  CHECK_THROWS_AS(make_grid({0, 1}, 0.1f), Error);
  CHECK_THROWS_AS(make_grid({1, NAN}, 0.1f), Error);
  CHECK_THROWS_AS(make_grid({1, 1}, -0.1f), Error);
  CHECK_THROWS_WITH_AS(make_grid({1, 1}, 1e-6f),
                       "edge: the edge length is too small for the cloth's size: more than 200 million "
                       "vertices — use a longer edge",
                       Error);
  CHECK_THROWS_AS(make_grid({1e4f, 1e-6f}, 1e-5f), Error);  // a row of 10^9 edges
  CHECK_THROWS_AS(make_grid({1, 1}, 0.1f, "hexagonal"), Error);
  CHECK_THROWS_AS(make_poisson_rectangle({1, 1}, 0, 1), Error);
  CHECK_THROWS_AS(edge_for_vertices({1, 1}, 1), Error);
}
