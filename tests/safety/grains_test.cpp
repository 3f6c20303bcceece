#include "tests/safety/grains.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sim/base/error.h"

using namespace weft;
using namespace weft::check;

TEST_CASE("overlaps of grains are those that every pair alone has, among vertices that are no grains") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-0.1, 0.1), size(0.002, 0.012);
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<dvec3> x;
    std::vector<double> radius;
    for (int i = 0; i < 400; ++i) {
      x.push_back({place(random), place(random), place(random)});
      radius.push_back(i % 3 == 0 ? 0 : size(random));
    }
    double largest = 0;
    for (const dvec3& p : x) largest = std::max({largest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    std::vector<GrainOverlap> all;
    for (int a = 0; a < 400; ++a)
      for (int b = a + 1; b < 400; ++b) {
        const double sum = radius[size_t(a)] + radius[size_t(b)],
                     depth = sum - glm::length(x[size_t(a)] - x[size_t(b)]);
        if (radius[size_t(a)] > 0 && radius[size_t(b)] > 0 && depth > grain_tolerance(largest, sum))
          all.push_back({a, b, depth});
      }
    REQUIRE(all.size() > 20);
    CHECK(find_grain_overlaps(x, radius) == all);
  }
}

TEST_CASE("grains that touch do not overlap and those nearer than contact allows do") {
  for (const double at : {0.0, 1.0, 10.0}) {
    const double r = double(0.006f);
    const auto found = [&](double distance) {
      const std::vector<dvec3> x = {dvec3(vec3(float(at), 0, 0)), dvec3(vec3(float(at), float(distance), 0))};
      return find_grain_overlaps(x, std::vector{r, r}).size();
    };
    CHECK(found(2 * r) == 0);
    CHECK(found(2 * r - 0.5 * grain_tolerance(at, 2 * r)) == 0);
    CHECK(found(2 * r - 2e-5) == 1);
  }
  CHECK(grain_tolerance(1, 0.012) < 2e-6);  // of a metre
  CHECK(find_grain_overlaps({}, {}).empty());
  const std::vector<dvec3> no_number = {dvec3(NAN)};
  CHECK_THROWS_AS(find_grain_overlaps(no_number, std::vector{0.1}), Error);
}
