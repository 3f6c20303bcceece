#include "tests/safety/crossings.h"

#include <doctest/doctest.h>

#include <chrono>
#include <limits>

#include "sim/base/error.h"
#include "sim/mesh/shapes/shapes.h"
#include "tests/geometry/float_rounding.h"

using namespace weft;
using namespace weft::check;

namespace {

using Points = std::vector<dvec3>;
using Triangles = std::vector<ivec3>;

Crossings check_mesh(const Points& x, const Triangles& t, int cloth = -1) {
  return find_crossings(x, {t, cloth});
}

/// The kind of the only crossing; fails the test where there is another number of them.
Kind only_kind(const Crossings& found) {
  REQUIRE(found.pairs.size() == 1);
  return found.pairs[0].kind;
}

/// Sheet of n x n vertices over the unit square, with some waves.
void wavy_sheet(int n, Points& x, Triangles& t) {
  x.clear(), t.clear();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const double u = double(i) / (n - 1), v = double(j) / (n - 1);
      x.push_back({u, testing::rounded_to_float(0.05 * std::sin(20 * u) * std::cos(17 * v)), v});
    }
  for (int j = 0; j + 1 < n; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int a = j * n + i;
      t.push_back({a, a + 1, a + n}), t.push_back({a + 1, a + n + 1, a + n});
    }
}

const Points kTriangle = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

Points with(Points points, const Points& more) {
  points.insert(points.end(), more.begin(), more.end());
  return points;
}

}  // namespace

TEST_CASE(
    "triangles without a common vertex cross where one pierces the other, and also where they only touch") {
  const Triangles two = {{0, 1, 2}, {3, 4, 5}};
  const double tiny = 0x1p-70;  // far below what a rounding test could see
  CHECK(only_kind(check_mesh(with(kTriangle, {{0.2, 0.2, -1}, {0.2, 0.2, 1}, {3, 3, 0.5}}), two)) ==
        Kind::apart);
  // a corner on the face
  CHECK(only_kind(check_mesh(with(kTriangle, {{0.25, 0.25, 0}, {0, 0, 1}, {1, 0, 1}}), two)) == Kind::apart);
  // corner on corner
  CHECK(only_kind(check_mesh(with(kTriangle, {{1, 0, 0}, {2, 0, 1}, {2, 1, 1}}), two)) == Kind::apart);
  // edge on edge
  CHECK(only_kind(check_mesh(with(kTriangle, {{0.5, 0, 1}, {0.5, 0, -1}, {0.5, -1, 0}}), two)) ==
        Kind::apart);
  // in one plane
  CHECK(only_kind(check_mesh(with(kTriangle, {{0.25, 0.25, 0}, {2, 0.25, 0}, {2, 2, 0}}), two)) ==
        Kind::apart);
  // one within the other
  CHECK(only_kind(check_mesh(with(kTriangle, {{0.1, 0.1, 0}, {0.2, 0.1, 0}, {0.1, 0.2, 0}}), two)) ==
        Kind::apart);
  CHECK(check_mesh(with(kTriangle, {{0.25, 0.25, tiny}, {0, 0, 1}, {1, 0, 1}}), two).clean());
  CHECK(check_mesh(with(kTriangle, {{0, 0, tiny}, {1, 0, tiny}, {0, 1, tiny}}), two).clean());
  CHECK(check_mesh(with(kTriangle, {{1, 1, 0}, {1, 2, 0}, {2, 1, 0}}), two).clean());
}

TEST_CASE("neighbours at a vertex cross where the far edge of one reaches the other") {
  const Triangles two = {{0, 1, 2}, {0, 3, 4}};
  CHECK(only_kind(check_mesh(with(kTriangle, {{0.5, 0.25, -0.5}, {0.5, 0.25, 0.5}}), two)) ==
        Kind::shared_vertex);
  // corner on the face
  CHECK(only_kind(check_mesh(with(kTriangle, {{0.2, 0.2, 0}, {-1, -1, 2}}), two)) == Kind::shared_vertex);
  // edges on one ray
  CHECK(only_kind(check_mesh(with(kTriangle, {{3, 0, 0}, {1, -1, 0}}), two)) == Kind::shared_vertex);
  // in one plane, larger
  CHECK(only_kind(check_mesh(with(kTriangle, {{2, 1, 0}, {1, 2, 0}}), two)) == Kind::shared_vertex);
  CHECK(check_mesh(with(kTriangle, {{0, 0, 1}, {1, 1, 1}}), two).clean());
  // in one plane, across the vertex
  CHECK(check_mesh(with(kTriangle, {{-1, 0, 0}, {0, -1, 0}}), two).clean());
}

TEST_CASE("neighbours at an edge cross only when they lie folded flat onto each other") {
  const Triangles two = {{0, 1, 2}, {1, 0, 3}};
  CHECK(only_kind(check_mesh(with(kTriangle, {{3, 0.125, 0}}), two)) == Kind::shared_edge);
  CHECK(only_kind(check_mesh(with(kTriangle, {{0, 1, 0}}), two)) == Kind::shared_edge);  // exactly onto it
  CHECK(check_mesh(with(kTriangle, {{0, 1, 0x1p-70}}), two).clean());                    // all but closed
  CHECK(check_mesh(with(kTriangle, {{0, -1, 0}}), two).clean());                         // flat
  CHECK(check_mesh(with(kTriangle, {{0, 0, 1}}), two).clean());
  const Triangles twice = {{0, 1, 2}, {2, 1, 0}};
  CHECK(only_kind(check_mesh(kTriangle, twice)) == Kind::same_corners);
}

TEST_CASE("triangles without area are named, and still found where others pass through them") {
  const Triangles one = {{0, 1, 2}}, two = {{0, 1, 2}, {3, 4, 5}}, fan = {{0, 1, 2}, {0, 2, 3}},
                  tip = {{0, 1, 2}, {1, 3, 4}};
  const Points line = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}, point = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  CHECK(check_mesh(line, one).without_area == std::vector<int>{0});
  CHECK(check_mesh(point, one).without_area == std::vector<int>{0});
  CHECK(check_mesh(kTriangle, one).without_area.empty());
  CHECK(only_kind(check_mesh(with(line, {{0, 1, 1}, {2, 1, 1}, {1, 1, 0}}), two)) == Kind::apart);
  CHECK(check_mesh(with(line, {{2, 2, 2.5}}), fan).pairs.empty());
  CHECK(check_mesh(with(line, {{2, 2, 2.5}, {0, 0, 4}}), tip).pairs.empty());
}

TEST_CASE("cloth is tested against bodies, and bodies not against themselves") {
  const Points x = with(
      kTriangle, {{0.2, 0.2, -1}, {0.2, 0.2, 1}, {3, 3, 0.5}, {0.3, 0.3, -1}, {0.3, 0.3, 1}, {-2, 3, 0.5}});
  const Triangles t = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}};
  const Crossings all = check_mesh(x, t), bodies = check_mesh(x, t, 1);
  CHECK(all.pairs.size() == 3);
  REQUIRE(bodies.pairs.size() == 2);
  for (const Crossing& c : bodies.pairs) CHECK((c.a == 0 && c.kind == Kind::body));
  CHECK(check_mesh(x, t, 0).clean());
}

TEST_CASE("a sheet that starts with a crossing is found out, and one that does not is clean") {
  Points x;
  Triangles t;
  wavy_sheet(40, x, t);
  CHECK(check_mesh(x, t).clean());
  x[20 * 40 + 20].y += 0.01;
  CHECK(check_mesh(x, t).clean());
  const dvec3 far = 0.5 * (x[5 * 40 + 5] + x[5 * 40 + 6]) + dvec3(0, 0.0, 0.001);
  x[20 * 40 + 20] = far;  // one vertex through the sheet's other end
  const Crossings found = check_mesh(x, t);
  CHECK(!found.clean());
  for (const Crossing& c : found.pairs) CHECK((c.a != c.b && c.kind != Kind::body));
}

TEST_CASE("shapes of the simulator are free of crossings") {
  for (const TriMesh& mesh : {make_sphere(0.3f), make_box({0.3f, 0.2f, 0.25f})}) {
    const Crossings found = find_crossings(std::span<const vec3>(mesh.positions), {mesh.triangles});
    CHECK(found.clean());
  }
}

TEST_CASE("positions that are no numbers and triangles without their vertices are refused") {
  const Triangles one = {{0, 1, 2}}, beyond = {{0, 1, 7}};
  CHECK_THROWS_WITH_AS(check_mesh({{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}}, one), doctest::Contains("vertex 2"),
                       Error);
  CHECK_THROWS_WITH_AS(check_mesh({{0, 0, 0}, {1, INFINITY, 0}, {0, 1, 0}}, one),
                       doctest::Contains("vertex 1"), Error);
  CHECK_THROWS_WITH_AS(check_mesh(kTriangle, beyond), doctest::Contains("vertex 7"), Error);
  CHECK(check_mesh({}, {}).clean());
  const double large = 1e200, small = 1e-200;
  CHECK(check_mesh({{0, 0, 0}, {large, 0, 0}, {0, large, 0}}, one).clean());
  CHECK(check_mesh({{0, 0, 0}, {small, 0, 0}, {0, small, 0}}, one).clean());
}

TEST_CASE("four times the triangles take about four times as long") {
  const auto seconds = [](int n) {
    Points x;
    Triangles t;
    wavy_sheet(n, x, t);
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 5; ++round) {
      const auto start = std::chrono::steady_clock::now();
      CHECK(check_mesh(x, t).clean());
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
  };
  const double ratio = seconds(120) / seconds(60);
  CAPTURE(ratio);
  CHECK(ratio < 8);  // all pairs: 16
}
