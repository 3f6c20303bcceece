#include "sim/geometry/partial_impact.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/geometry/impact_pairs.h"
#include "tests/support/ccd_queries.h"

using namespace weft;
using testing::MovingPair;
using testing::PairIn;
using Place = partial_impact::Place<double>;

namespace {

template <class R>
R bound(const PairIn<R>& x, bool edges) {
  return edges ? edge_edge_product_bound(x.start, x.end) : vertex_triangle_product_bound(x.start, x.end);
}
template <class R>
R bound(const MovingPair& q) {
  return bound(PairIn<R>(q), q.edges);
}

template <class R>
ClosestPair<R> closest(const Vec<R> x[4], bool edges) {
  return edges ? closest_edge_edge(x[0], x[1], x[2], x[3]) : closest_vertex_triangle(x[0], x[1], x[2], x[3]);
}

template <class R>
R sampled(const MovingPair& q, int count, bool projected) {
  const PairIn<R> x(q);
  const ClosestPair<R> c = closest(x.start, q.edges);
  const ClosestPair<R>* at = projected ? &c : nullptr;
  return q.edges ? edge_edge_sampled_product(x.start, x.end, count, at)
                 : vertex_triangle_sampled_product(x.start, x.end, count, at);
}

/// f from its definition, and in R = long double nearly without rounding.
template <class R>
R product(const MovingPair& q, R alpha, R beta) {
  const R zero = 0, one = 1;
  const R weight[4] = {q.edges ? one - alpha : one, q.edges ? alpha : alpha + beta - one,
                       q.edges ? beta - one : -alpha, -beta};
  R sum = zero;
  for (int c = 0; c < 3; ++c) {
    R d0 = 0, d1 = 0;
    for (int k = 0; k < 4; ++k) d0 += weight[k] * R(q.start[k][c]), d1 += weight[k] * R(q.end[k][c]);
    sum += d0 * d1;
  }
  return sum;
}

/// The least Bernstein coefficient from values of f at corners and in the middle: along a line the middle
/// coefficient is 2 f(1/2) - (f(0) + f(1)) / 2.
long double least_coefficient(const MovingPair& q) {
  const auto f = [&](long double a, long double b) { return product<long double>(q, a, b); };
  std::vector<long double> all;
  if (!q.edges) {
    const long double corner[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    for (int i = 0; i < 3; ++i) {
      const auto &a = corner[i], &b = corner[(i + 1) % 3];
      all.push_back(f(a[0], a[1]));
      all.push_back(2 * f((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) - (f(a[0], a[1]) + f(b[0], b[1])) / 2);
    }
    return *std::min_element(all.begin(), all.end());
  }
  const long double middle[3][3] = {{1, 0, 0}, {-0.5L, 2, -0.5L}, {0, 0, 1}};
  for (const auto& along : middle)
    for (const auto& across : middle) {
      long double sum = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum += along[i] * across[j] * f(i / 2.0L, j / 2.0L);
      all.push_back(sum);
    }
  return *std::min_element(all.begin(), all.end());
}

/// Products of the largest differences of two corners at the start and at the end, summed over x, y and z.
double sizes(const MovingPair& q) {
  dvec3 most0(0), most1(0);
  for (int i = 0; i < (q.edges ? 2 : 1); ++i)
    for (int j = q.edges ? 2 : 1; j < 4; ++j) {
      most0 = glm::max(most0, glm::abs(q.start[i] - q.start[j]));
      most1 = glm::max(most1, glm::abs(q.end[i] - q.end[j]));
    }
  return glm::dot(most0, most1);
}

Place random_place(testing::ImpactPairMaker& make, bool edges) {
  Place at{make.share(), make.share()};
  if (!edges && at.alpha + at.beta > 1) at = {1 - at.alpha, 1 - at.beta};
  return at;
}

double least_distance(const MovingPair& q, double t) {
  dvec3 x[4];
  for (int k = 0; k < 4; ++k) x[k] = q.start[k] + t * (q.end[k] - q.start[k]);
  return std::sqrt(closest(x, q.edges).squared);
}

/// Places nowhere further apart than `interval`: centres of cells or of small triangles.
template <class Visit>
void for_each_place(bool edges, double interval, const Visit& visit) {
  const double of_one = edges ? std::sqrt(0.5) : std::sqrt(5.0) / 3;
  const int cuts = int(std::ceil(of_one / interval));
  const double centre = edges ? 0.5 : 1.0 / 3;
  for (int i = 0; i < cuts; ++i)
    for (int j = 0; j < (edges ? cuts : cuts - i); ++j) visit((i + centre) / cuts, (j + centre) / cuts);
}

Place sample(bool edges, int count, int k) {
  return edges ? edge_edge_sample<double>(count, k) : vertex_triangle_sample<double>(count, k);
}

}  // namespace

TEST_SUITE("geometry") {
  TEST_CASE_TEMPLATE("of the queries with exact answers none that collides has a bound above zero", R, double,
                     float) {
    int collide = 0, missed = 0, apart = 0, told = 0;
    for (const testing::CcdQuery& asked : testing::ccd_queries()) {
      testing::CcdQuery q = asked;
      if (sizeof(R) == 4 && !q.exact_in_float()) {
        static_cast<MovingPair&>(q) = testing::rounded_to<R>(q);
        q.solve();
      }
      const bool free = bound<R>(q) > 0;
      collide += q.collides, missed += q.collides && free;
      apart += !q.collides, told += !q.collides && free;
    }
    CHECK(collide > 900);  // of the 2000 that are made here about half
    CHECK(missed == 0);
    CHECK(apart > 900);
    CHECK(told > 0.3 * apart);
    MESSAGE("of " << apart << " that do not collide the bound tells " << told);
  }

  TEST_CASE_TEMPLATE("pairs that touch so near to a corner that rounding decides have no bound above zero", R,
                     double, float) {
    testing::ImpactPairMaker make(5);
    int touch = 0, missed = 0;
    for (int n = 0; n < 2000; ++n) {
      const MovingPair q = make.near_corner<R>(n % 2 == 0);
      if (!testing::exact_impact(q)) continue;
      ++touch, missed += bound<R>(q) > 0;
    }
    CHECK(touch > 1000);
    CHECK(missed == 0);
  }

  TEST_CASE_TEMPLATE(
      "the bound lies below the product everywhere and by rounding below its least coefficient", R, double,
      float) {
    constexpr double kUnit = sizeof(R) == 4 ? 0x1p-24 : 0x1p-53;
    testing::ImpactPairMaker make(3);
    int above = 0, far_below = 0, above_least = 0;
    for (int n = 0; n < 1000; ++n) {
      const MovingPair q = testing::rounded_to<R>(make.meeting(n % 2 == 0, n % 3 ? 1.0 : 0.05));
      const double b = double(bound<R>(q));
      for (int k = 0; k < 20; ++k) {
        const Place at = random_place(make, q.edges);
        above += b > double(product<long double>(q, at.alpha, at.beta));
      }
      // The rounding taken off and what rounding did: 10 and 8 units of the sizes.
      const long double least = least_coefficient(q);
      above_least += b > least;
      far_below += b < least - 20 * kUnit * sizes(q);
    }
    CHECK(above == 0);
    CHECK(above_least == 0);
    CHECK(far_below == 0);
  }

  TEST_CASE("pairs with a bound above the square of a gap keep the gap if they do at the start and the end") {
    constexpr double kGap = 0.2;
    testing::ImpactPairMaker make(9);
    int told = 0, within = 0;
    for (int n = 0; n < 20000; ++n) {
      MovingPair q = make.meeting(n % 2 == 0, 0.5);
      const dvec3 aside = make.anywhere();
      for (int k = 0; k < (q.edges ? 2 : 1); ++k) q.start[k] += aside, q.end[k] += aside;
      if (!(bound<double>(q) > kGap * kGap)) continue;
      if (least_distance(q, 0) <= kGap || least_distance(q, 1) <= kGap) continue;
      ++told;
      for (int i = 1; i < 50; ++i) within += least_distance(q, i / 50.0) <= kGap;
    }
    CHECK(told > 500);
    CHECK(within == 0);
  }

  TEST_CASE_TEMPLATE("coordinates that are no finite numbers give no bound above zero", R, double, float) {
    testing::ImpactPairMaker make(1);
    int told = 0;
    for (const bool edges : {false, true}) {
      MovingPair apart{.edges = edges};
      for (int k = 0; k < 4; ++k) {
        apart.start[k] = 0.1 * make.anywhere() + dvec3(0, 0, k < (edges ? 2 : 1) ? 2 : 0);
        apart.end[k] = apart.start[k];
      }
      REQUIRE(bound<R>(apart) > 0);
      for (int k = 0; k < 24; ++k)
        for (const R lost : {std::numeric_limits<R>::quiet_NaN(), std::numeric_limits<R>::infinity()}) {
          PairIn<R> x(apart);
          (k < 12 ? x.start : x.end)[k % 12 / 3][k % 3] = lost;
          told += bound(x, edges) > 0;
        }
    }
    CHECK(told == 0);
  }

  TEST_CASE_TEMPLATE("samples miss some of the pairs that meet, fewer with more places, and the bound none",
                     R, double, float) {
    constexpr int kCounts[3] = {1, 3, 6}, kPairs = 200;
    for (const bool edges : {false, true})
      for (const double speed : {0.1, 0.4, 1.0}) {
        testing::ImpactPairMaker make(7);
        int missed[2][3] = {}, by_bound = 0, meet = 0;
        for (int n = 0; n < kPairs; ++n) {
          const MovingPair q = testing::rounded_to<R>(make.meeting(edges, speed));
          if (!testing::exact_impact(q)) continue;
          ++meet, by_bound += bound<R>(q) > 0;
          for (int projected = 0; projected < 2; ++projected)
            for (int k = 0; k < 3; ++k) missed[projected][k] += sampled<R>(q, kCounts[k], projected == 1) > 0;
        }
        CHECK(meet > kPairs / 2);
        CHECK(by_bound == 0);
        CHECK(missed[0][0] > missed[0][1]);
        CHECK(missed[0][1] > missed[0][2]);
        CHECK(missed[1][0] < 0.5 * missed[0][0]);
        CHECK(missed[1][0] < 0.1 * meet);
        const auto& [plain, with_closest] = missed;
        const std::string kind = edges ? "two edges" : "vertex and triangle";
        MESSAGE(kind << ", motion " << speed << " of the size, " << meet
                     << " meet: missed by 1, 3 and 6 samples " << plain[0] << ", " << plain[1] << ", "
                     << plain[2] << "; with the closest points at the start " << with_closest[0] << ", "
                     << with_closest[1] << ", " << with_closest[2]);
      }
  }

  TEST_CASE("no place is further from the next sample than the sample interval, and some is as far") {
    constexpr int kSteps = 240;
    for (const bool edges : {false, true})
      for (const int count : {1, 3, 6}) {
        double furthest = 0;
        for (int i = 0; i <= kSteps; ++i)
          for (int j = 0; j <= (edges ? kSteps : kSteps - i); ++j) {
            double next = 9;
            for (int k = 0; k < count; ++k) {
              const Place s = sample(edges, count, k);
              next = std::min(next, std::hypot(s.alpha - double(i) / kSteps, s.beta - double(j) / kSteps));
            }
            furthest = std::max(furthest, next);
          }
        const float told = edges ? edge_edge_sample_interval(count) : vertex_triangle_sample_interval(count);
        CHECK(furthest ==
              doctest::Approx(double(told)).epsilon(1e-6));  // reached at a corner, which is on the net
        for (int k = 0; k < count; ++k) {
          const Place s = sample(edges, count, k);
          CHECK(std::min(s.alpha, s.beta) > 0);
          CHECK((edges ? std::max(s.alpha, s.beta) : s.alpha + s.beta) < 1);
        }
      }
  }

  TEST_CASE("samples as dense as equation 15 asks find every pair that meets before that share of the step") {
    constexpr double kFilter = 0.8;
    CHECK(largest_sample_interval(0.1, 1.0, 0.01, 0.8) == doctest::Approx(0.0883883476));
    CHECK(largest_sample_interval(0.0, 1.0, 0.01, 0.8) == 0);
    testing::ImpactPairMaker make(13);
    int asked = 0, missed = 0;
    for (int n = 0; n < 2000; ++n) {
      const MovingPair q = make.meeting(n % 2 == 0, 2);
      const double time = q.edges ? edge_edge_impact(q.start, q.end) : vertex_triangle_impact(q.start, q.end);
      if (time > kFilter) continue;
      double difference = 0, edge = 0;
      for (const dvec3* x : {q.start, q.end})
        for (int a = 0; a < 4; ++a)
          for (int b = a + 1; b < 4; ++b) {
            const bool same_side = q.edges ? (a < 2) == (b < 2) : a > 0;
            double& most = same_side ? edge : difference;
            most = std::max(most, glm::length(x[a] - x[b]));
          }
      const double interval = largest_sample_interval(least_distance(q, 0), difference, edge, kFilter);
      if (interval < 0.004) continue;  // 30,000 places and more
      ++asked;
      double least = 1;
      for_each_place(q.edges, interval,
                     [&](double a, double b) { least = std::min(least, product<double>(q, a, b)); });
      missed += least > 0;
    }
    CHECK(asked > 100);
    CHECK(missed == 0);
  }

  TEST_CASE_TEMPLATE("the published queries that approximate roots miss are found", R, double, float) {
    const MovingPair q = testing::published_vertex_triangle();
    const PairIn<R> x(q);
    const auto exact = testing::exact_impact(q);
    REQUIRE(exact.has_value());
    for (const dvec3* side : {q.start, q.end})
      for (int k = 0; k < 4; ++k) REQUIRE(testing::exact_in_float(side[k]));
    CHECK(bound<R>(q) <= 0);
    CHECK(double(vertex_triangle_impact(x.start, x.end)) <= exact->not_after);

    // These two edges pass each other 5e-7 apart.
    MovingPair edges = testing::published_edges();
    CHECK_FALSE(testing::exact_impact(edges).has_value());
    CHECK(bound<R>(edges) <= 0);
    ImpactOptions<R> options;
    options.gap = R(1e-6);
    const PairIn<R> y(edges);
    CHECK(edge_edge_impact(y.start, y.end, options) <= 1);
    for (dvec3* side : {edges.start, edges.end}) side[2].x = side[3].x = 0;
    const auto touch = testing::exact_impact(testing::rounded_to<R>(edges));
    REQUIRE(touch.has_value());
    const PairIn<R> z(edges);
    CHECK(bound<R>(edges) <= 0);
    CHECK(double(edge_edge_impact(z.start, z.end)) <= touch->not_after);
  }
}
