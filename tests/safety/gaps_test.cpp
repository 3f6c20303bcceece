#include "tests/safety/gaps.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "sim/mesh/shapes/shapes.h"

using namespace weft;
using namespace weft::check;

namespace {

std::vector<int> numbers(size_t first, size_t end) {
  std::vector<int> out(end - first);
  std::iota(out.begin(), out.end(), int(first));
  return out;
}

/// A cube of 4 x 4 x 4 cells, corners from 0 to 4, every face of right triangles at whole numbers.
void lattice_cube(std::vector<dvec3>& x, std::vector<ivec3>& t) {
  const auto vertex = [&](const dvec3& p) {
    for (size_t v = 0; v < x.size(); ++v)
      if (x[v] == p) return int(v);
    x.push_back(p);
    return int(x.size()) - 1;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          const auto at = [&](int u, int v) {
            dvec3 p;
            p[axis] = 4 * side, p[(axis + 1) % 3] = u, p[(axis + 2) % 3] = v;
            return vertex(p);
          };
          const int a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
          const ivec3 one(a, b, c), two(a, c, d);
          t.push_back(side ? one : ivec3(one.x, one.z, one.y)),
              t.push_back(side ? two : ivec3(two.x, two.z, two.y));
        }
}

}  // namespace

TEST_CASE("vertices are inside of a body exactly where they are, in line with its edges and corners too") {
  std::vector<dvec3> x;
  std::vector<ivec3> t;
  lattice_cube(x, t);
  const size_t body = x.size();
  const auto beyond = [](double c) { return c < 0 || c > 4; };
  int inside = 0;
  for (double i = -1; i <= 5; i += 0.5)
    for (double j = -1; j <= 5; j += 0.5)
      for (double k = -1; k <= 5; k += 0.5) {
        const dvec3 p(i, j, k);
        const double depth = std::min({i, j, k, 4 - i, 4 - j, 4 - k});
        if (depth == 0 && !beyond(i) && !beyond(j) && !beyond(k)) continue;  // on the surface
        x.resize(body), x.push_back(p);
        const BodyDepth found = deepest_inside(x, t, numbers(body, body + 1));
        CHECK(found.closed);
        CHECK(found.inside == (depth > 0));
        CHECK(found.depth == doctest::Approx(std::max(0.0, depth)));
        inside += found.inside;
      }
  CHECK(inside == 7 * 7 * 7);
}

TEST_CASE(
    "lattice points are inside of random tetrahedra exactly where they are on the inner side of all four "
    "faces") {
  std::mt19937 engine(4);
  int inside = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<dvec3> x(4);
    for (dvec3& p : x) p = {engine() % 6, engine() % 6, engine() % 6};
    std::vector<ivec3> t = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    const auto side = [&](const ivec3& f, const dvec3& p) {
      return glm::dot(glm::cross(x[size_t(f.y)] - x[size_t(f.x)], x[size_t(f.z)] - x[size_t(f.x)]),
                      p - x[size_t(f.x)]);
    };
    const double volume = side(t[0], x[3]);  // of small whole numbers, so exact
    if (volume == 0) continue;
    for (int place = 0; place < 216; ++place) {
      const dvec3 p(place % 6, place / 6 % 6, place / 36);
      int inner = 0, on = 0;
      for (const ivec3& f : t) inner += side(f, p) * volume > 0, on += side(f, p) == 0;
      if (inner + on == 4 && on > 0) continue;  // on the surface
      x.resize(4), x.push_back(p);
      CHECK(deepest_inside(x, t, numbers(4, 5)).inside == (inner == 4));
      inside += inner == 4;
    }
  }
  CHECK(inside > 100);
}

TEST_CASE("the deepest of many vertices is told, and a turned surface changes nothing") {
  const TriMesh ball = make_sphere(0.5f);
  std::vector<dvec3> x(ball.positions.begin(), ball.positions.end());
  const size_t body = x.size();
  x.insert(x.end(), {{0.1, 0.2, 0.3}, {0.0, 0.1, 0.05}, {0.7, 0, 0}, {0.3, 0.3, 0.3}});
  std::vector<ivec3> turned = ball.triangles;
  for (ivec3& t : turned) std::swap(t.y, t.z);
  for (const auto& triangles : {ball.triangles, turned}) {
    const BodyDepth found = deepest_inside(x, triangles, numbers(body, x.size()));
    CHECK(found.inside == 2);
    CHECK(found.vertex == int(body) + 1);
    CHECK(found.depth == doctest::Approx(0.5 - std::sqrt(0.0125)).epsilon(0.02));
  }
}

TEST_CASE("a body with a hole has no depth") {
  const TriMesh box = make_box({0.3f, 0.2f, 0.25f});
  std::vector<dvec3> x(box.positions.begin(), box.positions.end());
  x.push_back({0, 0, 0});
  std::vector<ivec3> triangles = box.triangles;
  CHECK(deepest_inside(x, triangles, numbers(x.size() - 1, x.size())).inside == 1);
  triangles.pop_back();
  const BodyDepth open = deepest_inside(x, triangles, numbers(x.size() - 1, x.size()));
  CHECK(!open.closed);
  CHECK(open.inside == 0);
}

TEST_CASE("the smallest gap is that of all pairs beyond the second ring") {
  std::mt19937 engine(3);
  const int n = 12;
  std::vector<dvec3> x;
  std::vector<ivec3> t;
  for (int i = 0; i < n * n; ++i) {
    // rolled up, so that others than the mesh's neighbours are close
    const double u = i % n, angle = 0.9 * u;
    x.push_back({(0.5 + 0.05 * u) * std::cos(angle), i / n, (0.5 + 0.05 * u) * std::sin(angle)});
    x.back() += 0.01 * dvec3(double(engine() % 1000) / 1000);
  }
  x[5 * n + 7] = x[5 * n + 5] + dvec3(1e-3);  // but these are two edges apart
  for (int j = 0; j + 1 < n; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int a = j * n + i;
      t.push_back({a, a + 1, a + n}), t.push_back({a + 1, a + n + 1, a + n});
    }
  std::vector<std::vector<int>> rings(x.size(), std::vector<int>(x.size(), 9));
  for (size_t v = 0; v < x.size(); ++v) rings[v][v] = 0;
  for (const ivec3& tri : t)
    for (int k = 0; k < 3; ++k)
      rings[size_t(tri[k])][size_t(tri[(k + 1) % 3])] = rings[size_t(tri[(k + 1) % 3])][size_t(tri[k])] = 1;
  double least = 1e9;
  for (size_t v = 0; v < x.size(); ++v)
    for (size_t w = v + 1; w < x.size(); ++w) {
      bool near = false;
      for (size_t u = 0; u < x.size(); ++u) near |= rings[v][u] + rings[u][w] <= 2;
      if (!near) least = std::min(least, glm::length(x[v] - x[w]));
    }
  const VertexGap gap = smallest_gap(x, {t});
  CHECK(gap.distance == doctest::Approx(least).epsilon(1e-12));
  CHECK(glm::length(x[size_t(gap.a)] - x[size_t(gap.b)]) == doctest::Approx(least).epsilon(1e-12));
  const std::vector<ivec3> one = {{0, 1, 2}};
  CHECK(smallest_gap(x, {one}).a == -1);
}
