#include "tests/safety/paths.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "sim/base/error.h"
#include "test_paths.h"
#include "tests/safety/path_pairs.h"
#include "tests/support/ccd_queries.h"

using namespace weft;
using namespace weft::check;

namespace {

double uniform(std::mt19937& engine) { return double(engine() >> 5) / double(1 << 27); }
dvec3 anywhere(std::mt19937& engine) {
  return {2 * uniform(engine) - 1, 2 * uniform(engine) - 1, 2 * uniform(engine) - 1};
}

/// Least distance of the two sides over times and points of a fine net: never below the true one.
double sampled_distance(const FourPaths& p, bool edges) {
  double least = 1e9;
  for (int s = 0; s <= 200; ++s) {
    const double t = s / 200.0;
    std::array<dvec3, 4> x;
    for (size_t k = 0; k < 4; ++k) x[k] = p.start[k] + t * (p.end[k] - p.start[k]);
    for (int i = 0; i <= 20; ++i)
      for (int j = 0; j <= (edges ? 20 : 20 - i); ++j) {
        const double u = i / 20.0, v = j / 20.0;
        const dvec3 d = edges ? x[0] + u * (x[1] - x[0]) - x[2] - v * (x[3] - x[2])
                              : x[0] - x[1] - u * (x[2] - x[1]) - v * (x[3] - x[1]);
        least = std::min(least, glm::length(d));
      }
  }
  return least;
}

/// Two triangles, the second of which passes through the first from above.
struct PassThrough {
  std::vector<dvec3> start{{0, 0, 0},       {1, 0, 0},       {0, 0, 1},
                           {0.2, 0.1, 0.2}, {0.3, 0.1, 0.2}, {0.2, 0.2, 0.3}},
      end = start;
  std::vector<ivec3> triangles{{0, 1, 2}, {3, 4, 5}};
  PassThrough() {
    for (size_t v = 3; v < 6; ++v) end[v].y -= 0.4;
  }
};

}  // namespace

TEST_CASE("of the queries with exact answers no contact is missed, none is found late and none is made up") {
  int asked = 0, missed = 0, late = 0, made_up = 0, unresolved = 0;
  for (const testing::CcdQuery& q : testing::ccd_queries()) {
    FourPaths paths;
    for (size_t k = 0; k < 4; ++k) paths.start[k] = q.start[k], paths.end[k] = q.end[k];
    const auto found = q.edges ? edge_meets_edge(paths) : vertex_meets_triangle(paths);
    ++asked, missed += q.collides && !found;
    late += q.family != "shared" && q.collides && found && *found > q.impact.not_after;
    (q.family == "rounded" ? unresolved : made_up) += found && !q.collides;
  }
  MESSAGE(unresolved << " whose gap is a rounding error are reported");
  CHECK(asked >= 2000);
  CHECK(missed == 0);
  CHECK(late == 0);
  CHECK(made_up <= 3);  // measured: 0; a rounding error may decide otherwise on another machine
}

TEST_CASE("lines that pass through each other and through triangles are found on the path and in states") {
  // a triangle in the floor, a line above it along x and one above that along z
  std::vector<dvec3> start{{0, 0, 0},       {1, 0, 0},       {0, 0, 1},      {0.1, 0.1, 0.2},
                           {0.4, 0.1, 0.2}, {0.2, 0.2, 0.1}, {0.2, 0.2, 0.4}};
  const std::vector<ivec3> triangles{{0, 1, 2}, line_of({3, 4}), line_of({5, 6})};
  const auto contacts = [&](const std::vector<dvec3>& end, int cloth = -1) {
    return find_path_contacts(start, end, {triangles, cloth});
  };
  CHECK(contacts(start).empty());
  std::vector<dvec3> end = start;
  end[5].y = end[6].y = 0.05;  // through the other line
  REQUIRE(contacts(end).size() == 1);
  CHECK(contacts(end)[0].edges);
  CHECK(std::abs(contacts(end)[0].time - 0.1 / 0.15) < 1e-9);
  CHECK(find_crossings(end, {triangles}).clean());  // which the state does not show
  end = start;
  end[3].y = -0.1;  // an end of it through the triangle
  CHECK(contacts(end).size() == 1);
  CHECK_FALSE(contacts(end)[0].edges);
  const Crossings now = find_crossings(end, {triangles});
  REQUIRE(now.pairs.size() == 1);
  CHECK(now.pairs[0] == Crossing{0, 1, Kind::apart});
  CHECK(now.without_area.empty());
}

TEST_CASE("a vertex and a triangle that an approximate root finder misses are found") {
  const double a = 1 << 20, b = 1 << 21, c = 1 << 22, d = 1 << 23, e = 1 << 24, f = 1 << 25;
  const FourPaths p{
      {dvec3(-5066329 / a, 3747703 / d, -9110393 / c), dvec3(-5097349 / a, 15565867 / f, -8419809 / c),
       dvec3(-10108719 / b, 4441449 / d, -2398085 / a), dvec3(-10030265 / b, 5321347 / d, -4791705 / b)},
      {dvec3(-9984255 / b, 8516467 / e, -7675421 / c), dvec3(-5031053 / a, 7841285 / e, -14946117 / d),
       dvec3(-4854525 / a, 4763077 / d, -269775 / (a / 8)), dvec3(-9736347 / b, 10062471 / e, -4408415 / b)}};
  CHECK(vertex_meets_triangle(p).has_value());
}

TEST_CASE("an edge that passes another's end by half a micrometre is told from one that meets it") {
  FourPaths p{{dvec3(1, 0.50803125, 2.10835646075301e-18), dvec3(-2.38233935445388e-18, 0.50803125, 1),
               dvec3(-4.99999999958867e-07, 0.5, 0), dvec3(-4.99999999958867e-07, 0.5, 1)},
              {dvec3(1, 0.47124375, 4.11078309465837e-18), dvec3(-2.8526707189104e-18, 0.47124375, 1),
               dvec3(-4.99999999958867e-07, 0.5, 0), dvec3(-4.99999999958867e-07, 0.5, 1)}};
  // All x of the first edge are above -1e-17, all of the second at -5e-7: there is no contact, though the
  // query is known as one.
  CHECK(!edge_meets_edge(p).has_value());
  for (const size_t k : {size_t(2), size_t(3)}) p.start[k].x = p.end[k].x = 5e-7;
  CHECK(edge_meets_edge(p).value() == doctest::Approx(0.00803125 / 0.0367875).epsilon(1e-6));
}

TEST_CASE("pairs made to touch are found, and no later than they do") {
  std::mt19937 engine(5);
  for (int round = 0; round < 4000; ++round) {
    const bool edges = round % 2 == 0;
    FourPaths p;
    for (size_t k = 0; k < 4; ++k) p.start[k] = anywhere(engine), p.end[k] = anywhere(engine);
    if (round % 5 == 0) p.end = p.start, p.end[0] = anywhere(engine);  // one point moves
    if (round % 7 == 0) p.start[3] = p.start[2], p.end[3] = p.end[2];  // an edge without length
    const double t = round % 11 == 0 ? 1.0 : uniform(engine), u = round % 3 == 0 ? 0.0 : uniform(engine),
                 v = (1 - u) * uniform(engine);
    std::array<dvec3, 4> x;
    for (size_t k = 0; k < 4; ++k) x[k] = p.start[k] + t * (p.end[k] - p.start[k]);
    const dvec3 gap = edges ? x[0] + u * (x[1] - x[0]) - x[2] - v * (x[3] - x[2])
                            : x[0] - x[1] - u * (x[2] - x[1]) - v * (x[3] - x[1]);
    for (size_t k = 0; k < (edges ? 2u : 1u); ++k) p.start[k] -= gap, p.end[k] -= gap;
    const auto found = edges ? edge_meets_edge(p) : vertex_meets_triangle(p);
    REQUIRE(found.has_value());
    CHECK(*found <= t + 1e-12);
  }
}

TEST_CASE("pairs that stay apart by more than their motion between two samples are not reported") {
  std::mt19937 engine(6);
  int apart = 0;
  for (int round = 0; round < 300; ++round) {
    FourPaths p;
    for (size_t k = 0; k < 4; ++k)
      p.start[k] = anywhere(engine), p.end[k] = p.start[k] + 0.5 * anywhere(engine);
    const bool edges = round % 2 == 0;
    // Half of the time between samples at up to 1.8 per side, and half of a net's cell with edges up to 5
    // long.
    if (sampled_distance(p, edges) < 0.3) continue;
    ++apart;
    CHECK(!(edges ? edge_meets_edge(p) : vertex_meets_triangle(p)).has_value());
  }
  CHECK(apart > 50);
}

TEST_CASE("sheets that slide over each other a nanometre apart, and parallel edges, are no contacts") {
  FourPaths p{{dvec3(0.3, 1e-9, 0.3), dvec3(0, 0, 0), dvec3(1, 0, 0), dvec3(0, 0, 1)}, {}};
  p.end = p.start;
  p.end[0] += dvec3(0.4, 0, 0.2);
  CHECK(!vertex_meets_triangle(p).has_value());
  p.end[0].y = -1e-9;
  CHECK(vertex_meets_triangle(p).has_value());
  FourPaths q{{dvec3(0, 1e-9, 0), dvec3(1, 1e-9, 0), dvec3(0.2, 0, 0), dvec3(0.9, 0, 0)}, {}};
  q.end = q.start;
  for (size_t k = 0; k < 2; ++k) q.end[k].z += 0.3;
  CHECK(!edge_meets_edge(q).has_value());
  for (size_t k = 0; k < 2; ++k) q.start[k].z -= 0.3, q.start[k].y = q.end[k].y = 0;
  CHECK(edge_meets_edge(q).value() == doctest::Approx(0.5));
}

TEST_CASE("near misses of 1e-12 of an edge's length are told from contacts, whichever parts come close") {
  std::mt19937 engine(8);
  int made_up = 0;
  const int rounds = 1000;
  for (int round = 0; round < rounds; ++round) {
    // A vertex, or an edge's end, slides along an edge at that distance; the rest points away, so that no
    // other direction than the one across the gap separates them.
    const bool edges = round % 2 == 0;
    const dvec3 a = anywhere(engine), b = anywhere(engine),
                n = glm::normalize(glm::cross(b - a, anywhere(engine)));
    const dvec3 near = a + (0.1 + 0.5 * uniform(engine)) * (b - a) + 1e-12 * n;
    FourPaths p;
    if (edges) p.start = {near, near + uniform(engine) * n, a, b};
    else p.start = {near, a, b, a - uniform(engine) * n};
    p.end = p.start;
    for (size_t k = 0; k < (edges ? 2u : 1u); ++k) p.end[k] += 0.3 * (b - a);
    made_up += (edges ? edge_meets_edge(p) : vertex_meets_triangle(p)).has_value();
  }
  MESSAGE(made_up << " of " << rounds << " near misses are reported");
  CHECK(made_up <= rounds / 100);
}

TEST_CASE("cloth that passes through cloth between two states without crossings is found") {
  const PassThrough p;
  CHECK(find_crossings(p.start, {p.triangles}).clean());
  CHECK(find_crossings(p.end, {p.triangles}).clean());
  const std::vector<PathContact> found = find_path_contacts(p.start, p.end, {p.triangles});
  REQUIRE(found.size() == 3);  // each corner of the small one
  CHECK(found[0].time == doctest::Approx(0.25));
  CHECK((found[0].vertices[0] == 3 || found[0].vertices[0] == 4));
  CHECK(!found[0].edges);
  CHECK(found[2].time == doctest::Approx(0.5));
  CHECK(find_path_contacts(p.start, p.start, {p.triangles}).empty());
}

TEST_CASE("contacts with bodies are marked, and bodies are not tested against each other") {
  const PassThrough p;
  const auto one_body = find_path_contacts(p.start, p.end, {p.triangles, 1});
  REQUIRE(one_body.size() == 3);
  for (const PathContact& c : one_body) CHECK(c.body);
  CHECK(find_path_contacts(p.start, p.end, {p.triangles, 0}).empty());
}

TEST_CASE("contacts of a moving mesh are those of all pairs tested one by one") {
  std::mt19937 engine(7);
  std::vector<dvec3> start, end;
  std::vector<ivec3> triangles;
  const int n = 8;
  for (int i = 0; i < n * n; ++i) {
    start.push_back({i % n, 0.3 * uniform(engine), i / n});
    end.push_back(start.back() + 2.0 * anywhere(engine));
  }
  for (int j = 0; j + 1 < n; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int a = j * n + i;
      triangles.push_back({a, a + 1, a + n}), triangles.push_back({a + 1, a + n + 1, a + n});
    }
  const auto paths = [&](const std::array<int, 4>& v) {
    FourPaths p;
    for (size_t k = 0; k < 4; ++k) p.start[k] = start[size_t(v[k])], p.end[k] = end[size_t(v[k])];
    return p;
  };
  size_t expected = 0;
  for (int v = 0; v < n * n; ++v)
    for (const ivec3& t : triangles)
      if (v != t.x && v != t.y && v != t.z)
        expected += vertex_meets_triangle(paths({v, t.x, t.y, t.z})).has_value();
  std::vector<std::pair<int, int>> edges;
  for (const ivec3& t : triangles)
    for (int k = 0; k < 3; ++k) edges.push_back(std::minmax({t[k], t[(k + 1) % 3]}));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (size_t a = 0; a < edges.size(); ++a)
    for (size_t b = a + 1; b < edges.size(); ++b) {
      const auto [p, q] = edges[a];
      const auto [r, s] = edges[b];
      if (p != r && p != s && q != r && q != s) expected += edge_meets_edge(paths({p, q, r, s})).has_value();
    }
  CHECK(find_path_contacts(start, end, {triangles}).size() == expected);
  CHECK(expected > 20);
  std::vector<dvec3> shorter(start.begin(), start.end() - 1);
  CHECK_THROWS_WITH_AS(find_path_contacts(shorter, end, {triangles}), doctest::Contains("63 and 64"), Error);
}
