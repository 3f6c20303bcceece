#include "tests/support/exact_impact.h"

#include <doctest/doctest.h>

#include <map>

#include "tests/support/ccd_queries.h"
#include "tests/support/skip.h"

using namespace weft;
using testing::MovingPair;

namespace {

/// The triangle (0 0 0), (1 0 0), (0 1 0) stands still; a vertex goes from one place to another.
MovingPair vertex_to_triangle(const dvec3& from, const dvec3& to) {
  MovingPair q;
  const dvec3 triangle[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  q.start[0] = from, q.end[0] = to;
  for (int k = 0; k < 3; ++k) q.start[k + 1] = q.end[k + 1] = triangle[k];
  return q;
}

/// The edge (0 0 0), (1 0 0) stands still; another goes from a b to c d.
MovingPair edge_to_edge(const dvec3& a, const dvec3& b, const dvec3& c, const dvec3& d) {
  MovingPair q{.edges = true};
  q.start[0] = a, q.start[1] = b, q.end[0] = c, q.end[1] = d;
  q.start[2] = q.end[2] = {0, 0, 0}, q.start[3] = q.end[3] = {1, 0, 0};
  return q;
}

bool misses(const MovingPair& q) { return !testing::exact_impact(q).has_value(); }

void check_at(const MovingPair& q, double time) {
  const auto impact = testing::exact_impact(q);
  REQUIRE(impact.has_value());
  CHECK(impact->not_before <= time);
  CHECK(impact->not_after >= time);
  CHECK(impact->not_after - impact->not_before < 1e-15);
}

}  // namespace

TEST_CASE("exact arithmetic has a vertex touch a triangle inside, at an edge, in its plane and at the end") {
  check_at(vertex_to_triangle({0.25, 0.25, 1}, {0.25, 0.25, -2}), 1.0 / 3);
  check_at(vertex_to_triangle({0.5, 0.5, 1}, {0.5, 0.5, -1}), 0.5);
  check_at(vertex_to_triangle({0.25, 0.25, 1}, {0.25, 0.25, 0}), 1);
  check_at(vertex_to_triangle({-1, 0.25, 0}, {3, 0.25, 0}), 0.25);  // in the plane throughout
  check_at(vertex_to_triangle({-1, 0, 0}, {3, 0, 0}), 0.25);        // along an edge
  check_at(vertex_to_triangle({0.25, 0.25, 0}, {5, 5, 5}), 0);
  CHECK(misses(vertex_to_triangle({0.5, 0.5 + 0x1p-52, 1}, {0.5, 0.5 + 0x1p-52, -1})));
  CHECK(misses(vertex_to_triangle({0.25, 0.25, 1}, {0.25, 0.25, 0x1p-1074})));
  CHECK(misses(vertex_to_triangle({-1, 0.25, 0}, {-0x1p-1074, 0.25, 0})));
  CHECK(misses(vertex_to_triangle({0.25, 0.25, 1e-300}, {9, 9, 1e-300})));
}

TEST_CASE("exact arithmetic has edges touch that cross, meet end to end, or lie in one plane or line") {
  check_at(edge_to_edge({0.5, -1, 2}, {0.5, 1, 2}, {0.5, -1, -1}, {0.5, 1, -1}), 2.0 / 3);
  check_at(edge_to_edge({1, 0, 1}, {2, 5, 1}, {1, 0, -1}, {2, 5, -1}), 0.5);               // end to end
  check_at(edge_to_edge({0.5, 1, 0}, {0.5, 3, 0}, {0.5, -3, 0}, {0.5, -1, 0}), 0.25);      // in one plane
  check_at(edge_to_edge({3, 0, 0}, {5, 0, 0}, {-1, 0, 0}, {1, 0, 0}), 0.5);                // in one line
  check_at(edge_to_edge({0.25, 0, 1}, {0.75, 0, 1}, {0.25, 0, -3}, {0.75, 0, -3}), 0.25);  // parallel
  check_at(edge_to_edge({0.5, 0, 1}, {0.5, 0, 1}, {0.5, 0, -1}, {0.5, 0, -1}), 0.5);       // of length zero
  CHECK(misses(edge_to_edge({2, 0, 0}, {3, 0, 0}, {1 + 0x1p-52, 0, 0}, {2, 0, 0})));
  CHECK(misses(edge_to_edge({0, 1, 0}, {1, 1, 0}, {0, 0x1p-1074, 0}, {1, 0x1p-1074, 0})));
}

TEST_CASE("a height that reaches zero in a double root counts as touching, at the root") {
  // Height of the vertex over the moving triangle: -(t - 1/4)^2 / 2 + off.
  for (const double off : {0.0, -0x1p-40, 0x1p-40}) {
    MovingPair q;
    for (const double t : {0.0, 1.0}) {
      dvec3* x = t == 0 ? q.start : q.end;
      const double s = t - 0.25;
      x[0] = {0.5 + 0.5 * s, 0.125, 0.5 * s + off}, x[1] = {0, 0, 0}, x[2] = {2, 0, 2 * s}, x[3] = {0, 1, 0};
    }
    const auto impact = testing::exact_impact(q);
    CHECK(impact.has_value() == (off >= 0));
    if (off == 0) check_at(q, 0.25);
  }
}

TEST_CASE("the queries of our own touch and miss in every family but that of exact contacts") {
  std::map<std::string, int> touch, all;
  for (const testing::CcdQuery& q : testing::own_ccd_queries())
    ++all[q.family], touch[q.family] += q.collides;
  CHECK(all.size() == 10);
  for (const auto& [family, count] : all) {
    CAPTURE(family);
    CHECK(count == 200);
    CHECK(touch[family] > 10);
    CHECK((touch[family] < 190) == (family != "touching"));
  }
}

TEST_CASE("exact arithmetic gives the answers that others have published") {
  const auto queries = testing::shared_ccd_queries();
  if (queries.empty())
    return testing::skip("the queries of others are not in " + testing::shared_ccd_query_folder().string());
  CHECK(queries.size() == 324);
  int differ = 0;
  for (const testing::CcdQuery& q : queries) differ += testing::exact_impact(q).has_value() != q.collides;
  CHECK(differ == 0);
}
