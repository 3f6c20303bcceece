#include "sim/mesh/algorithms/crossing_triangles.h"

#include <doctest/doctest.h>

#include <random>

#include "sim/mesh/algorithms/crossing_test.h"
#include "sim/mesh/shapes/shapes.h"
#include "tests/safety/crossings.h"

using namespace weft;

namespace {

using Pairs = std::vector<ivec2>;

Pairs exactly(const std::vector<vec3>& x, const std::vector<ivec3>& triangles, int own) {
  Pairs pairs;
  for (const check::Crossing& c :
       check::find_crossings(std::span<const vec3>(x), {std::span<const ivec3>(triangles), own}).pairs)
    pairs.push_back({c.a, c.b});
  return pairs;
}

}  // namespace

TEST_CASE("crossing triangles are those of the exact checker, on grid points where they touch in every way") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 20; ++trial) {
    // Whole numbers: all determinants are exact in double.
    const int size = 3 + trial;
    std::vector<vec3> x;
    std::vector<ivec3> triangles;
    for (int i = 0; i < 40; ++i)
      x.push_back({float(random() % unsigned(size)), float(random() % unsigned(size)),
                   float(random() % unsigned(size))});
    while (triangles.size() < 120) {
      const ivec3 t(int(random() % 40), int(random() % 40), int(random() % 40));
      if (glm::length(glm::cross(x[size_t(t.y)] - x[size_t(t.x)], x[size_t(t.z)] - x[size_t(t.x)])) > 0)
        triangles.push_back(t);
    }
    CAPTURE(trial);
    CHECK(crossing_triangles(x, triangles) == exactly(x, triangles, -1));
    CHECK(crossing_triangles(x, triangles, 70) == exactly(x, triangles, 70));
  }
}

TEST_CASE("crossing triangles are those of the exact checker, in a crumpled sheet and in a flat one") {
  TriMesh sheet = make_grid({0.3f, 0.3f}, 0.01f);
  CHECK(crossing_triangles(sheet.positions, sheet.triangles).empty());
  std::mt19937 random(2);
  std::uniform_real_distribution<float> any(-1, 1);
  for (vec3& p : sheet.positions) p += 0.008f * vec3(any(random), any(random), any(random));
  const Pairs found = crossing_triangles(sheet.positions, sheet.triangles);
  CHECK(found.size() > 100);
  CHECK(found == exactly(sheet.positions, sheet.triangles, -1));
  CHECK(crossing_triangles(sheet.positions, sheet.triangles, -1, 7).size() == 7);
}

TEST_CASE("a triangle without area is paired with itself, and words count from 0 as weft-check does") {
  const std::vector<vec3> x{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}};
  const Pairs found = crossing_triangles(x, {{0, 1, 3}, {0, 1, 2}});
  REQUIRE(found.size() == 1);
  CHECK(found[0] == ivec2(1, 1));
  CHECK(crossings_in_words(found) == "triangle 1 has no area");
  CHECK(crossings_in_words({{0, 4}, {1, 4}}) ==
        "triangle 0 and triangle 4 cross, triangle 1 and triangle 4 cross");
  CHECK(crossings_in_words({{0, 4}}, 3) == "triangle 0 crosses a body");
  CHECK(crossings_in_words(Pairs(9, {0, 1})).ends_with(", and 4 more"));
}

TEST_CASE("a sign that is certain is that of the determinant and the one that decides on the host") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto point = [&](bool whole) {
    dvec3 p(any(random), any(random), any(random));
    return whole ? glm::floor(p * 1e5) * 0x1p-20 : p;
  };
  int certain[3] = {0, 0, 0}, open = 0;
  for (int trial = 0; trial < 30000; ++trial) {
    // In a plane, but for a rounding, nearly so, or anyhow: the fourth corner of a parallelogram
    const bool whole = trial % 2;
    const dvec3 a = point(whole), b = point(whole), c = point(whole);
    const double off = trial % 3 == 0 ? 0 : std::pow(10, -17 + 4 * any(random));
    const dvec3 d = b + c - a + off * point(false);
    const dvec3 u = b - a, v = c - a, w = d - a;
    const auto term = [&](int i, int j, int k) {
      return static_cast<long double>(u[i]) * static_cast<long double>(v[j]) * static_cast<long double>(w[k]);
    };
    const long double exact =
        term(0, 1, 2) - term(0, 2, 1) + term(1, 2, 0) - term(1, 0, 2) + term(2, 0, 1) - term(2, 1, 0);
    const int sign = crossing::side_of_plane<crossing::CertainSigns>(a, b, c, d);
    if (sign == crossing::kOpen) {
      ++open;
      continue;
    }
    ++certain[sign + 1];
    CHECK(sign == crossing::side_of_plane<crossing::TouchingSigns>(a, b, c, d));
    if (sign != 0) CHECK(sign == (exact > 0 ? 1 : -1));
    else CHECK(exact == 0);
  }
  for (const int count : certain) CHECK(count > 1000);
  CHECK(open > 1000);
}
