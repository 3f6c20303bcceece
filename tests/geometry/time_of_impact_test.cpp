#include "sim/geometry/time_of_impact.h"

#include <doctest/doctest.h>

#include <random>

#include "tests/geometry/float_rounding.h"
#include "tests/support/ccd_queries.h"

using namespace weft;

namespace {

using Query = testing::CcdQuery;

template <class R>
R impact(const Query& q, R gap = 0) {
  Vec<R> start[4], end[4];
  for (int k = 0; k < 4; ++k) start[k] = Vec<R>(q.start[k]), end[k] = Vec<R>(q.end[k]);
  ImpactOptions<R> options;
  options.gap = gap;
  return q.edges ? edge_edge_impact(start, end, options) : vertex_triangle_impact(start, end, options);
}

dvec3 anywhere(std::mt19937& random) {
  const auto one = [&] { return double(random() >> 8) / double(1 << 23) - 1; };
  const double x = one(), y = one();
  return {x, y, one()};
}

/// Positions that are exact in float, so that both types answer the same question.
Query random_query(std::mt19937& random, bool edges, double speed) {
  Query q;
  q.edges = edges;
  const dvec3 common = speed * anywhere(random);
  for (int k = 0; k < 4; ++k) {
    q.start[k] = testing::rounded_to_float(anywhere(random));
    const bool first = k < (edges ? 2 : 1);
    q.end[k] =
        testing::rounded_to_float(q.start[k] + 0.5 * speed * anywhere(random) + (first ? common : -common));
  }
  return q;
}

double distance_at(const Query& q, double t) {
  dvec3 x[4];
  for (int k = 0; k < 4; ++k) x[k] = q.start[k] + t * (q.end[k] - q.start[k]);
  return std::sqrt(
      (q.edges ? closest_edge_edge(x[0], x[1], x[2], x[3]) : closest_vertex_triangle(x[0], x[1], x[2], x[3]))
          .squared);
}

constexpr int kTimes = 2000;

/// Least distance on a fine net of times, and the first time at which it is below the bound.
struct Sampled {
  double least = 1e9, first_below = kNoImpact;
};
Sampled sample(const Query& q, double bound) {
  Sampled s;
  for (int i = 0; i <= kTimes; ++i) {
    const double t = double(i) / kTimes, d = distance_at(q, t);
    s.least = std::min(s.least, d);
    if (d < bound && s.first_below > 1) s.first_below = t;
  }
  return s;
}

}  // namespace

TEST_SUITE("geometry") {
  TEST_CASE_TEMPLATE(
      "of the queries with exact answers no impact is missed or late and few are reported in vain", R, double,
      float) {
    int apart = 0, asked = 0, missed = 0, late = 0, vain = 0;
    for (const Query& q : testing::ccd_queries()) {
      if (std::is_same_v<R, float> && !q.exact_in_float()) continue;
      const double time = double(impact<R>(q));
      const bool hit = time <= 1;
      ++asked, missed += q.collides && !hit;
      late += q.collides && q.family != "shared" && time > q.impact.not_after;
      if (q.family == "rounded") continue;  // their gaps are smaller than what rounding can tell
      apart += !q.collides, vain += !q.collides && hit;
    }
    CHECK(asked > 1500);
    CHECK(missed == 0);
    CHECK(late == 0);
    CHECK(apart > 700);
    MESSAGE("in vain: " << vain << " of " << apart);
    CHECK(vain <= 0.05 * apart);
  }

  TEST_CASE_TEMPLATE(
      "two primitives that meet within their faces or edges are found to meet and not later than that", R,
      float, double) {
    std::mt19937 random(3);
    const auto inside = [&] { return 0.1 + 0.4 * (double(random() >> 8) / double(1 << 24)); };
    int missed = 0;
    for (int n = 0; n < 4000; ++n) {
      Query q = random_query(random, n % 2 == 0, n % 3 ? 1.0 : 0.05);
      // The first side is moved so that its point s meets the point (u, v) of the second at the time t.
      const double t = 0.05 + inside(), s = 0.2 + inside(), u = inside(), v = inside();
      dvec3 x[4];
      for (int k = 0; k < 4; ++k) x[k] = q.start[k] + t * (q.end[k] - q.start[k]);
      const dvec3 first = q.edges ? x[0] + s * (x[1] - x[0]) : x[0],
                  second = q.edges ? x[2] + u * (x[3] - x[2]) : x[1] + u * (x[2] - x[1]) + v * (x[3] - x[1]);
      for (int k = 0; k < (q.edges ? 2 : 1); ++k) {
        q.start[k] = testing::rounded_to_float(q.start[k] + second - first);
        q.end[k] = testing::rounded_to_float(q.end[k] + second - first);
      }
      // Rounding the positions moves the meeting by a few 1e-7; half a per mille of room is for those that
      // slide along each other.
      missed += !(double(impact<R>(q)) <= t + 5e-4);
    }
    CHECK(missed == 0);
  }

  TEST_CASE_TEMPLATE("an impact is never later than the time at which the gap is reached nor far before it",
                     R, float, double) {
    constexpr double kGap = 0.05, kFastest = 8;  // no two points approach each other faster, per step
    std::mt19937 random(11);
    int hits = 0, late = 0, early = 0, vain = 0;
    for (int n = 0; n < 1500; ++n) {
      const Query q = random_query(random, n % 2 == 0, n % 3 ? 1.0 : 0.1);
      const double t = double(impact<R>(q, R(kGap)));
      const Sampled s = sample(q, kGap);
      late += t > s.first_below;
      if (t > 1) continue;
      ++hits;
      early += distance_at(q, t) > kGap + 1e-5 * kFastest;
      vain += s.least > kGap + kFastest / kTimes;
    }
    CHECK(hits > 100);
    CHECK(late == 0);
    CHECK(early == 0);
    CHECK(vain == 0);
  }

  TEST_CASE("primitives without extent or motion that touch at the start have an impact at 0") {
    const vec3 at(0.3f, 0.1f, -2.0f), x[4] = {at, at, at, at}, y[4] = {at + vec3(1, 0, 0), at, at, at};
    CHECK(vertex_triangle_impact(x, x) == 0);
    CHECK(edge_edge_impact(x, x) == 0);
    CHECK(vertex_triangle_impact(y, y) == kNoImpact);
    CHECK(vertex_triangle_impact(y, x) <= 1);
    const vec3 lost[4] = {at, vec3(NAN), at, at};
    CHECK(vertex_triangle_impact(y, lost) == 0);  // what is no number is never proven to be apart
  }
}
