// The rounding that other tests rely on, checked bit by bit.
#include "tests/geometry/float_rounding.h"

#include <doctest/doctest.h>

#include <bit>
#include <random>
#include <vector>

#include "tests/support/ccd_queries.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Of a double's 52 bits behind the point a float keeps 23. For numbers in the range of normal floats.
bool has_bits_of_a_float(double x) { return (std::bit_cast<uint64_t>(x) & ((uint64_t(1) << 29) - 1)) == 0; }

/// As in structures that hold several points one after another: that is where compilers join operations on
/// neighbours.
CcdQuery random_query(std::mt19937& random) {
  const auto one = [&] { return double(random()) / 4294967296.0 + 0.5; };
  CcdQuery q;
  for (int k = 0; k < 4; ++k) {
    const double x = one(), y = one(), z = one();
    q.start[k] = rounded_to_float(dvec3(x, y, z) / 3.0);
    q.end[k] = rounded_to_float(q.start[k] + 0.1 * dvec3(z, x, y));
  }
  return q;
}

}  // namespace

TEST_CASE("Points that are rounded to float have the bits of floats, and others are told from them") {
  std::mt19937 random(1);
  int inexact = 0, told = 0, missed = 0;
  for (int n = 0; n < 1000; ++n) {
    CcdQuery q = random_query(random);
    for (const dvec3* side : {q.start, q.end})
      for (int k = 0; k < 4; ++k)
        for (int c = 0; c < 3; ++c) inexact += !has_bits_of_a_float(side[k][c]);
    told += q.exact_in_float();
    q.end[n % 4][n % 3] += 0x1p-40;
    missed += q.exact_in_float();
  }
  CHECK(inexact == 0);
  CHECK(told == 1000);
  CHECK(missed == 0);
}
