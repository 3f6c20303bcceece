// Triangulations between given edges against brute force.
#include "sim/mesh/algorithms/constrained_delaunay.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "sim/base/error.h"

using namespace weft;

namespace {

int64_t twice_area(const WholePoint& a, const WholePoint& b, const WholePoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
/// The determinant of the circle through a, b, c at d, in long double: coordinates of these tests are small
/// enough to be exact.
bool within_circle(const WholePoint& a, const WholePoint& b, const WholePoint& c, const WholePoint& d) {
  using Real = long double;
  const Real ax = Real(a.x - d.x), ay = Real(a.y - d.y), bx = Real(b.x - d.x), by = Real(b.y - d.y),
             cx = Real(c.x - d.x), cy = Real(c.y - d.y);
  return (ax * ax + ay * ay) * (bx * cy - by * cx) + (bx * bx + by * by) * (cx * ay - cy * ax) +
             (cx * cx + cy * cy) * (ax * by - ay * bx) >
         0;
}

struct Ring {
  std::vector<WholePoint> points;
  std::vector<ivec2> edges;
  int64_t doubled = 0;  // area

  /// Adds a star-shaped loop; `radius(k)` of n corners, counterclockwise for an outer one.
  template <class Radius>
  void loop(int n, const WholePoint& middle, bool outer, const Radius& radius) {
    const int first = int(points.size());
    for (int k = 0; k < n; ++k) {
      const double a = 2 * M_PI * k / n * (outer ? 1 : -1), r = radius(k);
      points.push_back({middle.x + std::llround(r * std::cos(a)), middle.y + std::llround(r * std::sin(a))});
    }
    for (int k = 0; k < n; ++k) {
      const WholePoint &p = points[size_t(first + k)], &q = points[size_t(first + (k + 1) % n)];
      edges.push_back({first + k, first + (k + 1) % n}), doubled += p.x * q.y - p.y * q.x;
    }
  }
};

}  // namespace

TEST_CASE("a triangulation between edges covers what they enclose, keeps them, and is Delaunay elsewhere") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    std::uniform_real_distribution<double> far(300, 1000), near(60, 120);
    Ring ring;
    ring.loop(5 + round, {round, -round}, true, [&](int) { return far(random); });  // spikes and notches
    if (round % 2) ring.loop(3 + round % 5, {0, 0}, false, [&](int) { return near(random); });
    // points inside, off the edges; every second round on a lattice, where four lie on a circle
    std::set<std::pair<int64_t, int64_t>> taken;
    std::uniform_int_distribution<int64_t> place(-120, 120);
    for (int k = 0; k < 60; ++k) {
      const int64_t step = round % 4 < 2 ? 1 : 24;
      const WholePoint p{place(random) / step * step, place(random) / step * step};
      const double r = std::hypot(double(p.x), double(p.y));
      if (r > 135 && r < 250 && taken.insert({p.x, p.y}).second) ring.points.push_back(p);
    }
    const std::vector<ivec3> triangles = constrained_delaunay(ring.points, ring.edges);
    REQUIRE(!triangles.empty());
    int64_t sum = 0;
    std::map<std::pair<int, int>, int> beyond;  // directed side: the corner opposite
    std::set<int> used;
    for (const ivec3& t : triangles) {
      const int64_t a =
          twice_area(ring.points[size_t(t.x)], ring.points[size_t(t.y)], ring.points[size_t(t.z)]);
      CHECK(a > 0);
      sum += a;
      for (int k = 0; k < 3; ++k) {
        CHECK(beyond.try_emplace({t[k], t[(k + 1) % 3]}, t[(k + 2) % 3]).second);
        used.insert(t[k]);
      }
    }
    CHECK(sum == ring.doubled);
    CHECK(used.size() == ring.points.size());
    std::set<std::pair<int, int>> kept;
    for (const ivec2& e : ring.edges) {
      CHECK(beyond.count({e.x, e.y}) == 1);
      CHECK(beyond.count({e.y, e.x}) == 0);
      kept.insert({e.x, e.y});
    }
    for (const auto& [side, corner] : beyond) {
      const auto other = beyond.find({side.second, side.first});
      if (other == beyond.end()) {
        CHECK(kept.count(side) == 1);
        continue;
      }
      CHECK_FALSE(within_circle(ring.points[size_t(side.first)], ring.points[size_t(side.second)],
                                ring.points[size_t(corner)], ring.points[size_t(other->second)]));
    }
  }
}

TEST_CASE(
    "edges that cross, pass through a point or do not close, and points that coincide, have no "
    "triangulation") {
  const std::vector<WholePoint> square{{0, 0}, {8, 0}, {8, 8}, {0, 8}};
  const std::vector<ivec2> around{{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  CHECK(constrained_delaunay(square, around).size() == 2);
  CHECK(constrained_delaunay(square, {{0, 2}, {2, 1}, {1, 3}, {3, 0}}).empty());  // a bow tie
  std::vector<WholePoint> more = square;
  more.push_back({4, 0});
  CHECK(constrained_delaunay(more, around).empty());  // on an edge
  more.back() = {8, 8};
  CHECK(constrained_delaunay(more, around).empty());
  CHECK(constrained_delaunay(square, {{0, 1}, {1, 2}}).empty());
  more.back() = {4, 4};
  CHECK(constrained_delaunay(more, around).size() == 4);
}

TEST_CASE("decisions are exact up to the largest coordinates, and beyond them it is an error") {
  // Four points of a circle about the origin but that one is further out by 25 of 2.5e15 in the square of its
  // distance.
  const int64_t k = kLargestWhole / 5;
  const std::vector<ivec2> around{{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  const auto diagonal = [&](const std::vector<WholePoint>& points) {
    const std::vector<ivec3> triangles = constrained_delaunay(points, around);
    REQUIRE(triangles.size() == 2);
    int times[4] = {0, 0, 0, 0};
    for (const ivec3& t : triangles)
      for (int c = 0; c < 3; ++c) ++times[t[c]];
    return times[0] == 2 ? 0 : 1;
  };
  CHECK(diagonal({{5 * k, 0}, {0, 5 * k}, {-5 * k, 0}, {3 * k + 4, -4 * k + 3}}) == 0);
  CHECK(diagonal({{5 * k, 5}, {0, 5 * k}, {-5 * k, 0}, {3 * k, -4 * k}}) == 1);
  CHECK(diagonal({{5 * k, 0}, {5, 5 * k}, {-5 * k, 0}, {3 * k, -4 * k}}) == 0);
  CHECK(diagonal({{5 * k, 0}, {0, 5 * k}, {-5 * k, 5}, {3 * k, -4 * k}}) == 1);
  CHECK_THROWS_AS(constrained_delaunay({{kLargestWhole + 1, 0}, {0, 5}, {-5, 0}, {0, -5}}, around), Error);
}
