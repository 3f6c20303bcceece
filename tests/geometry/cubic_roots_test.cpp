#include "tests/support/cubic_roots.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "tests/geometry/impact_pairs.h"
#include "tests/support/ccd_queries.h"

using namespace weft;
using testing::MovingPair;
using testing::PairIn;

namespace {

/// Three roots in [-0.5, 1.5], some of them equal or nearly so, or two of them complex.
template <class R>
Cubic<R> random_cubic(testing::ImpactPairMaker& make) {
  const double a = 2 * make.share() - 0.5;
  const double b = make.share() < 0.2 ? a + 1e-3 * make.share() : 2 * make.share() - 0.5;
  const double c = 2 * make.share() - 0.5, lift = make.share() < 0.3 ? 0.1 * make.share() : 0;
  const double scale = std::exp2(std::floor(20 * make.share()) - 10);
  return {
      {R(scale * (lift - a * b * c)), R(scale * (a * b + b * c + c * a)), R(-scale * (a + b + c)), R(scale)}};
}

template <class R>
R by_roots(const MovingPair& q, R slack = 0) {
  const PairIn<R> x(q);
  return q.edges ? edge_edge_root_impact(x.start, x.end, slack)
                 : vertex_triangle_root_impact(x.start, x.end, slack);
}

template <class R>
R time_of(const MovingPair& q) {
  const PairIn<R> x(q);
  return q.edges ? edge_edge_impact(x.start, x.end) : vertex_triangle_impact(x.start, x.end);
}

template <class R>
int count_roots(const Cubic<R>& p) {
  R roots[4];
  return roots_in_unit_interval(p, roots);
}

struct From {
  double least;
  bool operator()(double t) const { return t >= least; }
};

}  // namespace

TEST_SUITE("geometry") {
  TEST_CASE_TEMPLATE("roots of cubics are where long double has changes of sign, and nowhere else", R, double,
                     float) {
    constexpr long double kUnit = sizeof(R) == 4 ? 0x1p-24L : 0x1p-53L;
    constexpr int kNet = 1024;
    testing::ImpactPairMaker make(21);
    int changes = 0, missed = 0, wrong = 0, unordered = 0;
    for (int n = 0; n < 2000; ++n) {
      const Cubic<R> p = random_cubic<R>(make);
      Cubic<long double> exact;
      long double size = 0;
      for (int k = 0; k < 4; ++k) exact.c[k] = p.c[k], size += std::abs(exact.c[k]);
      R roots[4];
      const int count = roots_in_unit_interval(p, roots);
      for (int k = 0; k < count; ++k) {
        // A value has six roundings; the root is off by two units, where the slope is at most three times the
        // size.
        const bool inside = roots[k] >= 0 && roots[k] <= 1;
        wrong += !(inside && std::abs(exact(roots[k])) <= 16 * kUnit * size);
        unordered += k > 0 && !(roots[k] >= roots[k - 1]);
      }
      for (int i = 0; i < kNet; ++i) {
        const long double low = (long double)i / kNet, high = (long double)(i + 1) / kNet;
        const long double v0 = exact(low), v1 = exact(high);
        if (v0 * v1 >= 0 || std::min(std::abs(v0), std::abs(v1)) <= 8 * kUnit * size) continue;
        ++changes;
        missed += std::none_of(roots, roots + count, [&](R t) { return t >= low && t <= high; });
      }
    }
    CHECK(changes > 1500);
    CHECK(missed == 0);
    CHECK(wrong == 0);
    CHECK(unordered == 0);
  }

  TEST_CASE("roots of lower degree, at the ends, double and triple ones are found") {
    CHECK(first_root(Cubic<double>{{-0.5, 1, 0, 0}}) == 0.5);
    CHECK(first_root(Cubic<double>{{-0.25, 0, 1, 0}}) == 0.5);
    CHECK(first_root(Cubic<double>{{0, 1, 0, 0}}) == 0);
    CHECK(first_root(Cubic<double>{{1, -1, 0, 0}}) == 1);
    CHECK(first_root(Cubic<double>{{0.25, -1, 1, 0}}) == 0.5);         // (t - 1/2)²
    CHECK(first_root(Cubic<double>{{-0.125, 0.75, -1.5, 1}}) == 0.5);  // (t - 1/2)³
    CHECK(first_root(Cubic<double>{{-0x1p-80, 1, 0, 0}}) == 0x1p-80);
    CHECK(first_root(Cubic<double>{{1, 0, 0, 0}}) == kNoImpact);
    CHECK(first_root(Cubic<double>{{1, 1, 1, 1}}) == kNoImpact);
    CHECK(first_root(Cubic<double>{{-2, 1, 0, 0}}) == kNoImpact);
    CHECK(first_root(Cubic<double>{{NAN, 1, 0, 0}}) == kNoImpact);
    CHECK(count_roots(Cubic<double>{{0, 1, -1, 0}}) == 2);
    CHECK(count_roots(Cubic<double>{{0, 0, 0, 0}}) == 2);
    CHECK(count_roots(Cubic<double>{{-0.09375, 0.6875, -1.5, 1}}) == 3);  // 1/4, 1/2, 3/4
  }

  TEST_CASE("the first root that is accepted is returned, and none before it") {
    const Cubic<double> p{{-0.09375, 0.6875, -1.5, 1}};
    CHECK(first_root(p) == doctest::Approx(0.25));
    CHECK(first_root(p, From{0.3}) == doctest::Approx(0.5));
    CHECK(first_root(p, From{0.6}) == doctest::Approx(0.75));
    CHECK(first_root(p, From{0.8}) == kNoImpact);
  }

  TEST_CASE_TEMPLATE("pairs that pass through each other meet at the root that exact arithmetic gives", R,
                     double, float) {
    constexpr double kClose = sizeof(R) == 4 ? 1e-4 : 1e-12;
    testing::ImpactPairMaker make(7);
    int meet = 0, missed = 0, off = 0, late = 0;
    for (int n = 0; n < 600; ++n) {
      const MovingPair q = testing::rounded_to<R>(make.meeting(n % 2 == 0, n % 3 ? 1.0 : 0.1));
      const auto exact = testing::exact_impact(q);
      if (!exact) continue;
      ++meet;
      const double time = double(by_roots<R>(q));
      missed += time > 1;
      off += time <= 1 && std::abs(time - exact->not_before) > kClose;
      late += !(double(time_of<R>(q)) <= exact->not_after);
    }
    CHECK(meet > 500);
    CHECK(missed <= 0.01 * meet);
    CHECK(off <= 0.01 * meet);
    CHECK(late == 0);
    MESSAGE("of " << meet << " that meet roots miss " << missed << ", " << off << " are off by more than "
                  << kClose);
  }

  TEST_CASE_TEMPLATE("where roots miss or are late the walk in time is neither", R, double, float) {
    struct Count {
      int meet = 0, missed = 0, with_slack = 0, late = 0, walk_missed = 0, walk_late = 0;
    };
    std::map<std::string, Count> families;
    Count all;
    for (const testing::CcdQuery& q : testing::ccd_queries()) {
      if (!q.collides || (sizeof(R) == 4 && !q.exact_in_float())) continue;
      const double roots = double(by_roots<R>(q)), walk = double(time_of<R>(q));
      const bool slack = by_roots<R>(q, sizeof(R) == 4 ? R(1e-4) : R(1e-6)) <= 1;
      const bool timed = q.family != "shared";
      for (Count* c : {&families[q.family], &all}) {
        ++c->meet, c->missed += roots > 1, c->with_slack += !slack;
        c->late += timed && roots <= 1 && roots > q.impact.not_after;
        c->walk_missed += walk > 1, c->walk_late += timed && walk > q.impact.not_after;
      }
    }
    for (const auto& [family, c] : families)
      MESSAGE(family << ": of " << c.meet << " that meet roots miss " << c.missed << " (with slack "
                     << c.with_slack << "), late are " << c.late);
    CHECK(all.meet > 800);
    CHECK(all.walk_missed == 0);
    CHECK(all.walk_late == 0);
    CHECK(all.missed > 0);  // why roots bound no step
    CHECK(families["grazing"].meet > 0);
  }

  TEST_CASE("roots find the published vertex and triangle, and nothing of the edges that pass each other") {
    const MovingPair q = testing::published_vertex_triangle();
    const auto exact = testing::exact_impact(q);
    REQUIRE(exact.has_value());
    CHECK(by_roots<double>(q) == doctest::Approx(exact->not_before).epsilon(1e-9));
    CHECK(double(by_roots<float>(q)) == doctest::Approx(exact->not_before).epsilon(1e-4));
    CHECK(by_roots<double>(testing::published_edges()) == kNoImpact);
  }
}
