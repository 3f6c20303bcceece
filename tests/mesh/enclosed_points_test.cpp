#include "sim/mesh/algorithms/enclosed_points.h"

#include <doctest/doctest.h>

#include <numbers>
#include <random>

#include "sim/mesh/algorithms/crossing_triangles.h"
#include "sim/mesh/solid/fill.h"
#include "sim/mesh/solid/tet_mesh.h"

using namespace weft;

namespace {

/// How often a surface winds around a point, by its solid angles (van Oosterom and Strackee 1983).
double winding(const dvec3& p, const std::vector<vec3>& x, const std::vector<ivec3>& surface) {
  double angle = 0;
  for (const ivec3& t : surface) {
    const dvec3 a = dvec3(x[size_t(t.x)]) - p, b = dvec3(x[size_t(t.y)]) - p, c = dvec3(x[size_t(t.z)]) - p;
    const double la = glm::length(a), lb = glm::length(b), lc = glm::length(c);
    angle += 2 * std::atan2(glm::dot(a, glm::cross(b, c)),
                            la * lb * lc + glm::dot(a, b) * lc + glm::dot(b, c) * la + glm::dot(c, a) * lb);
  }
  return angle / (4 * std::numbers::pi);
}

}  // namespace

TEST_CASE(
    "points are enclosed by a surface that winds around them and rays that pass its corners count as "
    "others") {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> place(-0.6f, 0.6f);
  for (const bool box : {false, true}) {
    const TetMesh cells = box ? box_cells(vec3(1), 0.25f) : ball_cells(1, 0.2f);
    std::vector<vec3> x = cells.positions;
    const std::vector<ivec3> surface = skin_of(cells.cells);
    const int first = int(x.size());
    for (int i = 0; i < 2000; ++i) x.push_back({place(random), place(random), place(random)});
    // their rays pass corners of the surface
    for (int i = 0; i < first; ++i) x.push_back(x[size_t(i)] - vec3(0.11f, 0, 0));
    std::vector<int> points, expected;
    for (int v = first; v < int(x.size()); ++v) {
      const double turns = winding(dvec3(x[size_t(v)]), x, surface);
      if (std::abs(turns - std::round(turns)) > 0.01) continue;  // on the surface
      points.push_back(v);
      if (turns > 0.5) expected.push_back(v);
    }
    REQUIRE(expected.size() > 500);
    REQUIRE(points.size() > expected.size() + 500);
    CHECK(enclosed_points(x, surface, points) == expected);
  }
}

TEST_CASE("a line crosses the triangles that it passes through or touches and none that it ends in") {
  const std::vector<vec3> x = {{0, 0, 0},        {1, 0, 0}, {0, 0, 1},  {0.2f, 1, 0.2f},
                               {0.2f, -1, 0.2f}, {2, 1, 2}, {2, -1, 2}, {0.5f, 0, 0.2f}};
  const std::vector<ivec3> triangles = {{0, 1, 2}};
  const std::vector<ivec2> lines = {{3, 4}, {5, 6}, {3, 7}, {0, 3}};
  CHECK(crossing_lines(x, lines, triangles) == std::vector<ivec2>{{0, 0}, {2, 0}});
}
