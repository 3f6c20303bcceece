#include "sim/mesh/polylines.h"

#include <doctest/doctest.h>

using namespace weft;

TEST_CASE("lines are chained to strands and loops each of them once") {
  // 0 - 1 - 2, given backwards and out of order; a loop 3 4 5; a star whose middle is 6
  const std::vector<ivec2> lines = {{2, 1}, {4, 5}, {0, 1}, {3, 4}, {5, 3}, {6, 7}, {6, 8}, {6, 9}};
  const std::vector<Polyline> chains = polylines_of(lines, 10);
  REQUIRE(chains.size() == 5);
  CHECK(chains[0].points == std::vector<int>{0, 1, 2});
  CHECK_FALSE(chains[0].closed);
  CHECK(chains[4].points.size() == 3);
  CHECK(chains[4].closed);
  CHECK(lines_of(chains).size() == lines.size());
  CHECK(lines_of({chains[0]}) == std::vector<ivec2>{{0, 1}, {1, 2}});
  CHECK(lines_of({chains[4]}).back() == ivec2(chains[4].points[2], 3));
}

TEST_CASE("lines to points that are not there are left out") {
  CHECK(polylines_of({{0, 3}, {-1, 0}, {1, 1}}, 2).empty());
  CHECK(polylines_of({}, 0).empty());
}
