// Pairs of triangles and whole meshes against the exact constructions of CGAL, which share nothing with ours
// but the determinants.
#include "tests/safety/triangle_pairs.h"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "tests/safety/crossings.h"

using namespace weft;
using namespace weft::check;

namespace {

using Exact = CGAL::Exact_predicates_exact_constructions_kernel;

Exact::Triangle_3 exact(const Corners& t) {
  const auto point = [](const dvec3& p) { return Exact::Point_3(p.x, p.y, p.z); };
  return {point(t[0]), point(t[1]), point(t[2])};
}

/// What two triangles with area have in common: -1 nothing, 0 a point, 1 a segment, 2 an area.
int common_dimension(const Corners& a, const Corners& b) {
  const auto common = CGAL::intersection(exact(a), exact(b));
  if (!common) return -1;
  if (boost::get<Exact::Point_3>(&*common)) return 0;
  return boost::get<Exact::Segment_3>(&*common) ? 1 : 2;
}

Corners corners(const std::vector<dvec3>& x, const ivec3& t) {
  return {x[size_t(t.x)], x[size_t(t.y)], x[size_t(t.z)]};
}

int shared_corners(const ivec3& a, const ivec3& b) {
  int shared = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) shared += a[i] == b[j];
  return shared;
}

/// All pairs, one by one: more in common than what the mesh gives them in common.
std::vector<Crossing> one_by_one(const std::vector<dvec3>& x, const std::vector<ivec3>& triangles) {
  std::vector<Crossing> found;
  for (int a = 0; a < int(triangles.size()); ++a)
    for (int b = a + 1; b < int(triangles.size()); ++b) {
      const int shared = shared_corners(triangles[size_t(a)], triangles[size_t(b)]);
      if (common_dimension(corners(x, triangles[size_t(a)]), corners(x, triangles[size_t(b)])) >= shared)
        found.push_back({a, b, Kind(shared)});
    }
  return found;
}

/// `count` places of a lattice of `side` points per axis, all different: many in one plane, many in one line.
std::vector<dvec3> lattice_points(int count, int side, std::mt19937& engine) {
  std::set<int> places;
  while (int(places.size()) < count) places.insert(int(engine() % unsigned(side * side * side)));
  std::vector<dvec3> x;
  for (const int p : places) x.push_back({p % side, p / side % side, p / side / side});
  std::shuffle(x.begin(), x.end(), engine);
  return x;
}

std::vector<dvec3> float_points(int count, std::mt19937& engine) {
  std::vector<dvec3> x(static_cast<size_t>(count));
  for (dvec3& p : x)
    for (int c = 0; c < 3; ++c) p[c] = double(float(engine() >> 8) / float(1 << 24));
  return x;
}

/// Triangles with area on random vertices, no two with the same three.
std::vector<ivec3> random_triangles(const std::vector<dvec3>& x, int count, std::mt19937& engine) {
  std::vector<ivec3> triangles;
  while (int(triangles.size()) < count) {
    const unsigned n = unsigned(x.size());
    const ivec3 t(int(engine() % n), int(engine() % n), int(engine() % n));
    if (t.x == t.y || t.y == t.z || t.z == t.x || !has_area(corners(x, t))) continue;
    bool fresh = true;
    for (const ivec3& other : triangles) fresh &= shared_corners(t, other) < 3;
    if (fresh) triangles.push_back(t);
  }
  return triangles;
}

}  // namespace

TEST_CASE(
    "crossings of random meshes on a lattice, full of touching and coplanar triangles, are those of exact "
    "constructions") {
  std::mt19937 engine(1);
  int kinds[3] = {}, none = 0;
  for (int round = 0; round < 60; ++round) {
    const std::vector<dvec3> x = lattice_points(9, 3 + round % 2, engine);
    const std::vector<ivec3> triangles = random_triangles(x, 12, engine);
    const std::vector<Crossing> expected = one_by_one(x, triangles);
    CHECK(find_crossings(x, {triangles}).pairs == expected);
    for (const Crossing& c : expected) ++kinds[int(c.kind)];
    none += int(triangles.size() * (triangles.size() - 1) / 2 - expected.size());
  }
  for (const int count : kinds) CHECK(count > 20);  // or the meshes show nothing
  CHECK(none > 500);
}

TEST_CASE("crossings of random triangles of very different sizes are those of exact constructions") {
  std::mt19937 engine(2);
  std::vector<dvec3> x = float_points(360, engine);
  std::vector<ivec3> triangles;
  for (int t = 0; t < 120; ++t) {
    const double size = t % 10 == 0 ? 1.0 : 0.2;
    for (int k = 1; k < 3; ++k)
      x[size_t(3 * t + k)] = x[size_t(3 * t)] + size * (x[size_t(3 * t + k)] - x[size_t(3 * t)]);
    triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  const std::vector<Crossing> expected = one_by_one(x, triangles);
  CHECK(find_crossings(x, {triangles}).pairs == expected);
  CHECK(expected.size() > 50);
}

TEST_CASE("a triangle without area meets others as the segment or point that it is") {
  const Corners t{dvec3(0, 0, 0), dvec3(4, 0, 0), dvec3(0, 4, 0)};
  const auto segment = [](dvec3 p, dvec3 q) { return Corners{p, 0.5 * (p + q), q}; };
  CHECK(triangles_meet(t, segment({1, 1, -1}, {1, 1, 1})));
  CHECK(triangles_meet(segment({1, 1, 0}, {9, 9, 4}), t));
  CHECK(triangles_meet(t, segment({-1, 1, 0}, {9, 1, 0})));
  CHECK(!triangles_meet(t, segment({3, 3, -1}, {3, 3, 1})));
  CHECK(!triangles_meet(t, segment({3, 2, 0}, {9, 9, 0})));
  CHECK(triangles_meet(t, segment({1, 1, 0}, {1, 1, 0})));
  CHECK(!triangles_meet(t, segment({1, 1, 0x1p-60}, {1, 1, 0x1p-60})));
  CHECK(triangles_meet(segment({0, 0, 0}, {2, 2, 2}), segment({2, 0, 0}, {0, 2, 2})));
  CHECK(!triangles_meet(segment({0, 0, 0}, {2, 2, 2}), segment({3, 3, 3}, {4, 4, 4})));
  CHECK(triangles_meet(segment({0, 0, 0}, {2, 2, 2}), segment({2, 2, 2}, {4, 4, 4})));
}

TEST_CASE("segments meet where an end of one, whichever it is, lies on the other") {
  const dvec3 p(0, 0, 0), q(2, 2, 2), on(1, 1, 1), off(5, 1, 1), tiny(0x1p-50, 0, 0);
  CHECK(segments_meet(p, q, on, off));
  CHECK(segments_meet(p, q, off, on));
  CHECK(segments_meet(on, off, p, q));
  CHECK(segments_meet(off, on, q, p));
  CHECK(segments_meet(p, q, dvec3(0, 1, 1), dvec3(2, 1, 1)));
  CHECK(segments_meet(on, on, p, q));
  CHECK(segments_meet(on, on, on, on));
  CHECK(!segments_meet(p, q, tiny + dvec3(0.25), off));
  CHECK(!segments_meet(on, on, q, q));
  CHECK(!segments_meet(p, on, q, off));
}
