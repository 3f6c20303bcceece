#include "sim/mesh/import/polygon.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/mesh/import/obj.h"

using namespace weft;

namespace {

struct Area {
  double total = 0, smallest = 1e300;
};
/// Areas of the triangles, signed along `normal`.
Area areas(const std::vector<dvec3>& p, const std::vector<ivec3>& triangles, const dvec3& normal) {
  Area a;
  for (const ivec3& t : triangles) {
    const double signed_area = 0.5 * glm::dot(normal, glm::cross(p[t.y] - p[t.x], p[t.z] - p[t.x]));
    a.total += signed_area, a.smallest = std::min(a.smallest, signed_area);
  }
  return a;
}

const dvec3 kUp(0, 0, 1);

std::vector<dvec3> star(int tips) {
  std::vector<dvec3> p;
  for (int i = 0; i < 2 * tips; ++i) {
    const double r = i % 2 ? 0.2 : 1.0, angle = M_PI * i / tips;
    p.push_back({r * std::cos(angle), r * std::sin(angle), 0});
  }
  return p;
}

}  // namespace

TEST_CASE("concave polygons are covered once, by triangles wound as the polygon") {
  struct Case {
    const char* name;
    std::vector<dvec3> corners;
    double area;
  };
  const Case cases[] = {
      {"arrow", {{0, 0, 0}, {2, 0, 0}, {0.5, 0.5, 0}, {0, 2, 0}}, 1.0},
      {"L", {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 3.0},
      {"comb",
       {{0, 0, 0},
        {5, 0, 0},
        {5, 3, 0},
        {4, 3, 0},
        {4, 1, 0},
        {3, 1, 0},
        {3, 3, 0},
        {2, 3, 0},
        {2, 1, 0},
        {1, 1, 0},
        {1, 3, 0},
        {0, 3, 0}},
       11.0},
      {"star", star(5), 5 * 0.2 * std::sin(M_PI / 5)},
      {"large star", star(100), 100 * 0.2 * std::sin(M_PI / 100)},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    bool simple = false;
    const auto triangles = triangulate_polygon(c.corners, simple);
    CHECK(simple);
    CHECK(triangles.size() == c.corners.size() - 2);
    const Area a = areas(c.corners, triangles, kUp);
    CHECK(std::abs(a.total - c.area) < 1e-9 * c.area);
    CHECK(a.smallest > 0);
  }
}

TEST_CASE("a concave polygon comes out right whatever its plane and first corner") {
  std::vector<dvec3> p{{0, 0, 0}, {2, 0, 1}, {0.5, 0.5, 0.25}, {0, 2, 0}};
  const dvec3 normal = glm::normalize(dvec3(-0.5, 0, 1));
  for (int first = 0; first < 4; ++first) {
    bool simple;
    const Area a = areas(p, triangulate_polygon(p, simple), normal);
    CHECK(a.smallest > 0);
    CHECK(std::abs(a.total - 0.5 * std::sqrt(1.25) * 2) < 1e-9);
    std::rotate(p.begin(), p.begin() + 1, p.end());
  }
}

TEST_CASE("a corner in the middle of a side gives no triangle without area") {
  bool simple;
  const std::vector<dvec3> p{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
  const Area a = areas(p, triangulate_polygon(p, simple), kUp);
  CHECK(simple);
  CHECK(a.smallest > 0.1);
  CHECK(std::abs(a.total - 4) < 1e-12);
}

TEST_CASE("a polygon that crosses itself is said to") {
  bool simple;
  CHECK(triangulate_polygon({{0, 0, 0}, {3, 3, 0}, {3, 0, 0}, {0, 2, 0}}, simple).size() == 2);
  CHECK_FALSE(simple);
  CHECK(triangulate_polygon({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, simple).size() == 2);
  CHECK_FALSE(simple);
}

TEST_CASE("a convex polygon of a hundred thousand corners is done in linear steps") {
  std::vector<dvec3> p;
  for (int i = 0; i < 100000; ++i) p.push_back({std::cos(2e-5 * M_PI * i), std::sin(2e-5 * M_PI * i), 0});
  bool simple;
  const auto triangles = triangulate_polygon(p, simple);
  CHECK(simple);
  CHECK(std::abs(areas(p, triangles, kUp).total - M_PI) < 1e-6);
}

TEST_CASE("a concave face of an OBJ keeps its shape") {
  ImportReport report;
  const TriMesh m = parse_obj("v 0 0 0\nv 2 0 0\nv 0.5 0.5 0\nv 0 2 0\nf 1 2 3 4\n", "a.obj", report);
  REQUIRE(m.triangle_count() == 2);
  for (const ivec3& t : m.triangles)
    CHECK(glm::cross(m.positions[t.y] - m.positions[t.x], m.positions[t.z] - m.positions[t.x]).z > 0);
  CHECK(report.notices.empty());
}

TEST_CASE("a wavy polygon of fifty thousand corners is covered once") {
  constexpr int kCorners = 50000;
  std::vector<dvec3> corners;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = 2 * 3.14159265358979 * i / kCorners,
                 r = 1 + 0.2 * std::sin(7 * angle) + 1e-4 * (i % 2);
    corners.push_back({r * std::cos(angle), 0, r * std::sin(angle)});
  }
  bool simple = false;
  const std::vector<ivec3> triangles = triangulate_polygon(corners, simple);
  CHECK(simple);
  REQUIRE(int(triangles.size()) == kCorners - 2);
  const auto doubled = [&](int a, int b, int c) {
    return glm::cross(corners[size_t(b)] - corners[size_t(a)], corners[size_t(c)] - corners[size_t(a)]).y;
  };
  double whole = 0, sum = 0, least = 1;
  for (int i = 1; i + 1 < kCorners; ++i) whole += doubled(0, i, i + 1);
  for (const ivec3& t : triangles) {
    const double area = doubled(t.x, t.y, t.z) / whole;
    sum += area, least = std::min(least, area);
  }
  CHECK(sum == doctest::Approx(1).epsilon(1e-9));
  CHECK(least > -1e-15);  // none is turned over
}
