#include "sim/mesh/algorithms/quadtree.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/base/error.h"
#include "sim/base/random.h"

namespace {

using namespace weft;
using Edge = std::pair<int, int>;

/// A sheet with waves, cells of `cell` metres; `hole`: a disc is cut out and a corner torn off.
GridSurface waves(int width, int height, float cell, float amplitude, float length, bool hole) {
  GridSurface s{width, height, {}, {}};
  for (int j = 0; j < height; ++j)
    for (int i = 0; i < width; ++i) {
      const float x = cell * float(i), y = cell * float(j);
      s.positions.push_back({x, y,
                             amplitude * std::sin(2 * kPi * (x + 0.3f * y) / length) *
                                 std::exp(-3 * x / (cell * float(width)))});
      const float r = glm::length(vec2(float(i) - 0.6f * float(width), float(j) - 0.4f * float(height)));
      s.occupied.push_back(!hole || (r > 0.17f * float(width) && i + 2 * j > width / 3));
    }
  return s;
}

ivec2 place(const GridSurface& s, int vertex) { return {vertex % s.width, vertex / s.width}; }

/// Triangles with grid entries as corners.
std::vector<ivec3> in_grid(const GridTriangles& g) {
  std::vector<ivec3> out;
  for (const ivec3& t : g.triangles)
    out.push_back({g.vertices.at(size_t(t.x)), g.vertices.at(size_t(t.y)), g.vertices.at(size_t(t.z))});
  return out;
}

int doubled_area(const GridSurface& s, const ivec3& t) {
  const ivec2 a = place(s, t.x), p = place(s, t.y) - a, q = place(s, t.z) - a;
  return p.x * q.y - p.y * q.x;
}

/// Edges that one triangle has, cut at every vertex of the grid on them. Fails where two triangles have an
/// edge in the same direction.
std::set<Edge> boundary(const GridSurface& s, const std::vector<ivec3>& triangles) {
  std::set<Edge> edges;
  for (const ivec3& t : triangles)
    for (int k = 0; k < 3; ++k) REQUIRE(edges.insert({t[k], t[(k + 1) % 3]}).second);
  std::set<Edge> out;
  for (const auto& [a, b] : edges) {
    if (edges.count({b, a})) continue;
    const ivec2 from = place(s, a), way = place(s, b) - from;
    const int parts = std::max(std::abs(way.x), std::abs(way.y));
    REQUIRE((way.x == 0 || way.y == 0 || std::abs(way.x) == std::abs(way.y)));
    for (int n = 0; n < parts; ++n) {
      const ivec2 p = from + n * way / parts, q = from + (n + 1) * way / parts;
      out.insert({int(s.at(p.x, p.y)), int(s.at(q.x, q.y))});
    }
  }
  return out;
}

/// Largest distance of a vertex from the triangle at its place in the grid, in double precision.
double deviation(const GridSurface& s, const std::vector<ivec3>& triangles) {
  double worst = 0;
  std::vector<uint8_t> met(s.positions.size(), 0);
  for (const ivec3& t : triangles) {
    const ivec2 a = place(s, t.x), b = place(s, t.y), c = place(s, t.z);
    const double area = doubled_area(s, t);
    const ivec2 least = glm::min(a, glm::min(b, c)), most = glm::max(a, glm::max(b, c));
    for (int y = least.y; y <= most.y; ++y)
      for (int x = least.x; x <= most.x; ++x) {
        const dvec2 p(x - a.x, y - a.y), u(b - a), v(c - a);
        const double beta = (p.x * v.y - p.y * v.x) / area, gamma = (u.x * p.y - u.y * p.x) / area;
        if (beta < 0 || gamma < 0 || beta + gamma > 1) continue;
        const auto at = [&](int n) { return dvec3(s.positions[size_t(n)]); };
        worst = std::max(worst, glm::length((1 - beta - gamma) * at(t.x) + beta * at(t.y) + gamma * at(t.z) -
                                            dvec3(s.positions[s.at(x, y)])));
        met[s.at(x, y)] = 1;
      }
  }
  for (const ivec3& t : in_grid(all_triangles(s)))
    for (int k = 0; k < 3; ++k) REQUIRE(met[size_t(t[k])] == 1);
  return worst;
}

/// Most triangles in a square of 2^k cells that has no vertex strictly inside and is covered. Fails for a
/// triangle in none of them.
int most_in_a_square(const GridSurface& s, const GridTriangles& g) {
  const std::vector<ivec3> triangles = in_grid(g);
  int most = 0;
  std::vector<uint8_t> placed(triangles.size(), 0);
  for (int size = 1; size < 2 * std::max(s.width, s.height); size *= 2) {
    std::map<Edge, std::vector<size_t>> in;
    std::set<Edge> inside;
    for (const int v : g.vertices)
      if (place(s, v).x % size && place(s, v).y % size)
        inside.insert({place(s, v).x / size, place(s, v).y / size});
    for (size_t t = 0; t < triangles.size(); ++t) {
      const ivec2 a = place(s, triangles[t].x), b = place(s, triangles[t].y), c = place(s, triangles[t].z);
      const ivec2 least = glm::min(a, glm::min(b, c)), top = glm::max(a, glm::max(b, c));
      const ivec2 cell = least / size;
      if (top.x <= (cell.x + 1) * size && top.y <= (cell.y + 1) * size) in[{cell.x, cell.y}].push_back(t);
    }
    for (const auto& [cell, list] : in) {
      if (inside.count(cell)) continue;
      int area = 0;
      for (const size_t t : list) area += doubled_area(s, triangles[t]);
      if (size > 1 && area != 2 * size * size) continue;
      most = std::max(most, int(list.size()));
      for (const size_t t : list) placed[t] = 1;
    }
  }
  CHECK(std::count(placed.begin(), placed.end(), 0) == 0);
  return most;
}

}  // namespace

TEST_CASE("a simplified grid keeps the tolerance, has no T-junction and at most six triangles in a square") {
  for (const GridDiagonal diagonal : {GridDiagonal::rising, GridDiagonal::falling})
    for (const bool hole : {false, true})
      for (const ivec2& size : {ivec2(65, 65), ivec2(90, 47)})
        for (const float tolerance : {1e-5f, 1e-4f, 1e-3f}) {
          GridSurface s = waves(size.x, size.y, 2e-3f, 4e-3f, 0.04f, hole);
          s.diagonal = diagonal;
          const GridTriangles full = all_triangles(s), less = simplified(s, tolerance);
          const std::vector<ivec3> triangles = in_grid(less);
          CAPTURE(size.x);
          CAPTURE(tolerance);
          CAPTURE(hole);
          CHECK(less.triangles.size() < full.triangles.size());
          int area = 0;
          for (const ivec3& t : triangles) {
            REQUIRE(doubled_area(s, t) > 0);
            area += doubled_area(s, t);
          }
          CHECK(area == int(full.triangles.size()));  // of triangles of half a cell each
          CHECK(boundary(s, triangles) == boundary(s, in_grid(full)));
          CHECK(deviation(s, triangles) <= double(tolerance) * (1 + 1e-5));
          CHECK(most_in_a_square(s, less) <= 6);
        }
}

TEST_CASE("a saddle keeps the tolerance though it is its own bilinear interpolation") {
  GridSurface s{33, 33, {}, std::vector<uint8_t>(33 * 33, 1)};
  for (int j = 0; j < 33; ++j)
    for (int i = 0; i < 33; ++i)
      s.positions.push_back({float(i) / 32, float(j) / 32, float((i - 16) * (j - 16)) / 256});
  for (const float tolerance : {0.3f, 0.1f, 0.01f})
    CHECK(deviation(s, in_grid(simplified(s, tolerance))) <= double(tolerance) * (1 + 1e-5));
  CHECK(simplified(s, 0.01f).triangles.size() > simplified(s, 0.1f).triangles.size());
}

TEST_CASE("random surfaces with random holes and missing triangles are simplified without T-junctions") {
  Random random(7);
  for (int round = 0; round < 40; ++round) {
    GridSurface s{5 + int(40 * random()), 5 + int(40 * random()), {}, {}};
    for (int v = 0; v < s.width * s.height; ++v) {
      const bool rough = random() < 0.01;
      s.positions.push_back({float(v % s.width), float(v / s.width), rough ? float(random()) : 0.0f});
      s.occupied.push_back(random() > 0.003 * round);
      if (round % 2) s.missing.push_back(random() < 0.01 ? uint8_t(1 + 2 * random()) : uint8_t(0));
    }
    const GridTriangles full = all_triangles(s), less = simplified(s, 0.3f);
    CHECK(boundary(s, in_grid(less)) == boundary(s, in_grid(full)));
    CHECK(deviation(s, in_grid(less)) <= 0.3 * (1 + 1e-5));
    CHECK(most_in_a_square(s, less) <= 6);
  }
}

TEST_CASE("tolerance 0 is the full grid and a flat square needs two triangles") {
  GridSurface s = waves(17, 17, 1e-3f, 0, 1, false);
  CHECK(simplified(s, 0).triangles.size() == 2 * 16 * 16);
  CHECK(simplified(s, 1e-6f).triangles.size() == 2);
  s = waves(40, 30, 1e-3f, 2e-3f, 0.02f, true);
  CHECK(in_grid(simplified(s, 0)) == in_grid(all_triangles(s)));
  CHECK_THROWS_AS(simplified(s, -1), Error);
  CHECK_THROWS_AS(simplified({3, 3, {}, {}}, 1), Error);
  CHECK(simplified({}, 1).triangles.empty());
}
