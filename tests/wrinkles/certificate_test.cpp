#include "sim/wrinkles/certificate.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "sim/base/random.h"
#include "sim/mesh/algorithms/crossing_triangles.h"

namespace {

using namespace weft;
using namespace weft::wrinkles;

/// Squares of side `h` with a diagonal, n x m vertices; `bend` maps points of the plane.
template <class Bend>
void add_sheet(int n, int m, float h, const Bend& bend, std::vector<vec3>& positions,
               std::vector<ivec3>& triangles) {
  const int first = int(positions.size());
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) positions.push_back(bend(h * float(i), h * float(j)));
  for (int j = 0; j + 1 < m; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int a = first + j * n + i;
      triangles.push_back({a, a + 1, a + n + 1}), triangles.push_back({a, a + n + 1, a + n});
    }
}

/// True if a vertex of one triangle is a corner of the other or shares an edge with one.
bool within_two_rings(const std::vector<ivec3>& triangles, const std::vector<std::set<int>>& beside, int s,
                      int t) {
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) {
      const int a = triangles[size_t(s)][k], b = triangles[size_t(t)][l];
      if (a == b || beside[size_t(a)].count(b)) return true;
    }
  return false;
}

int far_crossings(const std::vector<vec3>& x, const std::vector<ivec3>& triangles) {
  std::vector<std::set<int>> beside(x.size());
  for (const ivec3& t : triangles)
    for (int k = 0; k < 3; ++k)
      beside[size_t(t[k])].insert(t[(k + 1) % 3]), beside[size_t(t[(k + 1) % 3])].insert(t[k]);
  int count = 0;
  for (const ivec2& pair : crossing_triangles(x, triangles))
    count += !within_two_rings(triangles, beside, pair.x, pair.y);
  return count;
}

/// Distance of the circumcentre, found by its equations; half the longest edge where it lies outside.
double covering_radius(const dvec3& a, const dvec3& b, const dvec3& c) {
  const dvec3 p = b - a, q = c - a;
  const double pp = glm::dot(p, p), pq = glm::dot(p, q), qq = glm::dot(q, q), det = 2 * (pp * qq - pq * pq);
  const double u = qq * (pp - pq) / det, v = pp * (qq - pq) / det;
  if (u < 0 || v < 0 || u + v > 1) return 0.5 * std::sqrt(std::max({pp, qq, glm::dot(b - c, b - c)}));
  return glm::length(u * p + v * q);
}

}  // namespace

TEST_CASE("a flat sheet is certified, two layers only beyond half the diagonal of the longest edges") {
  const float h = 1e-3f;
  for (const float gap : {0.5e-3f, 0.99e-3f, 1.01e-3f, 3e-3f}) {
    std::vector<vec3> x;
    std::vector<ivec3> triangles;
    add_sheet(
        40, 30, h, [](float u, float v) { return vec3(u, v, 0); }, x, triangles);
    add_sheet(
        40, 30, h, [&](float u, float v) { return vec3(u, v, gap); }, x, triangles);
    const Certificate c = certify(x, triangles);
    CHECK(c.holds() == (gap > h));  // longest edges of h sqrt 2: half of their diagonal is h
    CHECK(std::abs(c.most_needed - h) < 1e-5f * h);
    if (gap < h) CHECK(std::abs(c.least - gap) < 1e-5f * gap);
    if (gap < h) CHECK(c.close_pairs >= 40 * 30 - 2);  // two corners of one triangle have shorter edges
  }
}

TEST_CASE("the count of close pairs is that of brute force") {
  Random random(3);
  std::vector<vec3> x;
  std::vector<ivec3> triangles;
  add_sheet(
      30, 30, 1e-2f,
      [&](float u, float v) {
        return vec3(u, v, 0.02 * std::sin(60 * u)) + 0.004f * vec3(random(), random(), random());
      },
      x, triangles);
  add_sheet(
      30, 30, 1e-2f,
      [&](float u, float v) { return vec3(v, u, 0.008f) + 0.004f * vec3(random(), random(), random()); }, x,
      triangles);
  std::vector<float> edge(x.size(), 0), radius(x.size(), 0);
  std::set<std::pair<int, int>> joined;
  for (const ivec3& t : triangles) {
    const auto at = [&](int k) { return dvec3(x[size_t(t[k % 3])]); };
    const double bound = covering_radius(at(0), at(1), at(2));
    double covering = 0;  // of points of the triangle, sampled
    for (int a = 0; a <= 30; ++a)
      for (int b = 0; a + b <= 30; ++b) {
        const dvec3 p = (double(a) * at(0) + double(b) * at(1) + double(30 - a - b) * at(2)) / 30.0;
        covering = std::max(
            covering, std::min({glm::length(p - at(0)), glm::length(p - at(1)), glm::length(p - at(2))}));
      }
    CHECK(covering <= bound * (1 + 1e-9));
    for (int k = 0; k < 3; ++k) {
      const size_t v = size_t(t[k]), w = size_t(t[(k + 1) % 3]);
      joined.insert({std::min(v, w), std::max(v, w)});
      const float length = glm::length(x[v] - x[w]);
      edge[v] = std::max(edge[v], length), edge[w] = std::max(edge[w], length);
      radius[v] = std::max(radius[v], float(bound));
    }
  }
  int64_t close = 0;
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t j = i + 1; j < x.size(); ++j) {
      const float needed = std::max(std::hypot(edge[i] / 2, radius[j]), std::hypot(edge[j] / 2, radius[i]));
      close += glm::length(x[i] - x[j]) <= needed && !joined.count({int(i), int(j)});
    }
  const Certificate c = certify(x, triangles);
  CHECK(c.close_pairs > 100);
  CHECK(c.close_pairs == close);
}

TEST_CASE("where the certificate holds nothing crosses beyond two rings") {
  Random random(11);
  int certified = 0, crossed = 0;
  for (int round = 0; round < 400; ++round) {
    const float phase = float(random()), gap = float(0.2 + 2.2 * random()), noise = float(0.5 * random());
    std::vector<vec3> x;
    std::vector<ivec3> triangles;
    const auto jitter = [&] { return noise * (vec3(random(), random(), random()) - 0.5f); };
    add_sheet(
        8, 8, 1, [&](float u, float v) { return vec3(u, v, 0.4f * std::sin(u + phase)) + jitter(); }, x,
        triangles);
    add_sheet(
        8, 8, 1, [&](float u, float v) { return vec3(u + phase, v, gap + 0.4f * std::sin(v)) + jitter(); }, x,
        triangles);
    const bool holds = certify(x, triangles).holds();
    const int far = far_crossings(x, triangles);
    certified += holds, crossed += far > 0;
    CHECK((!holds || far == 0));
  }
  CHECK(certified > 20);
  CHECK(crossed > 100);
}

TEST_CASE("a crossing of long edges far from all vertices but their own is not certified") {
  std::vector<vec3> x = {{-1, 0, 0},         {1, 0, 0},         {0, 1, 0},
                         {0.001f, 0.3f, -1}, {0.001f, 0.3f, 1}, {3, 0.3f, 0}};
  CHECK_FALSE(certify(x, {{0, 1, 2}, {3, 4, 5}}).holds());
  CHECK(certify({}, {}).holds());
  x[1].y = NAN;
  CHECK_FALSE(certify(x, {{0, 1, 2}}).holds());
}
