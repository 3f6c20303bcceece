#include "sim/collision/repulsion/fold_guard/fold_guard.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sim/collision/repulsion/collision_steps.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/mesh/topology.h"
#include "tests/device/for_each_device.h"
#include "tests/safety/crossings.h"

using namespace weft;

namespace {

using Random = std::mt19937;
float share(Random& random, float low = 0, float high = 1) {
  return std::uniform_real_distribution<float>(low, high)(random);
}
vec3 point(Random& random) { return {share(random, -1, 1), share(random, -1, 1), share(random, -1, 1)}; }

/// One sheet whose vertices are torn about at random.
struct TornSheet {
  std::vector<vec3> start;
  Topology topology;
  TornSheet() {
    TriMesh mesh = make_grid({0.07f, 0.07f}, 0.0042f, "uniform");
    start = mesh.positions;
    topology = build_topology({{"sheet", mesh}});
  }
  std::vector<vec3> target(Random& random, float reach) const {
    // Whole regions go here and there, so that some edges stretch and others shorten.
    std::vector<vec3> goals;
    for (int k = 0; k < 12; ++k) goals.push_back(point(random));
    std::vector<vec3> all;
    for (size_t v = 0; v < start.size(); ++v)
      all.push_back(reach *
                    (goals[size_t(share(random, 0, 11.99f))] + vec3(start[v].y, start[v].x, 0) * 10.0f));
    return all;
  }
};

/// Where u() ends up, from the sheet as it lies.
std::vector<vec3> moved_by(Device& device, CollisionSteps& steps, const std::vector<vec3>& from,
                           const std::vector<vec3>& way, int count) {
  Buffer<vec3> position(device, "positions", from), y(device, "target", way);
  Buffer<int> kinematic(device, "kinematic", int(from.size()));
  int attempts = 0;
  do {  // lists may grow
    REQUIRE(++attempts < 10);
    steps.begin(position.span(), kinematic.span());
    steps.advance(y.span(), count);
  } while (!steps.lists().fit());
  std::vector<vec3> x(from.size());
  device.download(x.data(), steps.u().data, x.size() * sizeof(vec3));
  for (size_t v = 0; v < x.size(); ++v) x[v] += from[v];
  return x;
}

/// So many times, with the guard and without.
void tear_about(Device& device, int times) {
  const TornSheet sheet;
  for (const bool guarded : {true, false}) {
    GrowingLists growing(device);
    CollisionSteps steps(growing, sheet.topology);
    RepulsionParams params;
    params.limits = guarded;
    steps.prepare(params);
    steps.search().make_room(64, 512);
    Random random(8);
    std::vector<vec3> x = sheet.start;
    int crossed = 0;
    double moved = 0;
    for (int k = 0; k < times; ++k) {
      x = moved_by(device, steps, x, sheet.target(random, 0.02f), params.steps);
      for (size_t v = 0; v < x.size(); ++v)
        moved = std::max(moved, double(glm::length(x[v] - sheet.start[v])));
      crossed += !check::find_crossings(std::span<const vec3>(x), {sheet.topology.triangles}).clean();
    }
    CHECK(moved > 5e-3);
    if (guarded) CHECK(crossed == 0);
    else CHECK(crossed > 0);  // what the guard keeps from happening
  }
}

}  // namespace

TEST_SUITE("repulsion") {
  TEST_CASE("segments that cross are stretched at least as far as the bound says" *
            doctest::test_suite("slow")) {
    Random random(5);
    int wrong = 0, told = 0;
    for (int k = 0; k < 200000; ++k) {
      const vec3 a = point(random), b = point(random), at = a + share(random) * (b - a), c = point(random);
      const vec3 d = at + share(random, 0.2f, 3) * (at - c);
      const float one = share(random, 0.85f, 2), other = share(random, 0.85f, 2);
      const auto kept = [&](const vec3& p, const vec3& q) {
        return share(random, 0.8f, 1) * glm::length(p - q);
      };
      const float bound = crossing_stretch(glm::length(b - a) / one, glm::length(d - c) / other,
                                           {kept(a, c), kept(a, d), kept(b, c), kept(b, d)}, 10);
      wrong += bound > std::max(one, other) * 1.0001f;
      told += bound > 0.9f * std::max(one, other);
    }
    CHECK(wrong == 0);
    CHECK(told > 1000);  // and it is not far below
  }

  TEST_CASE("a point in a triangle stretches it at least as far as the bound says") {
    Random random(6);
    int wrong = 0, told = 0;
    for (int k = 0; k < 100000; ++k) {
      const vec3 a = point(random), b = point(random), c = point(random);
      float s = share(random), t = share(random);
      if (s + t > 1) s = 1 - s, t = 1 - t;
      const vec3 p = a + s * (b - a) + t * (c - a);
      float stretches[3] = {share(random, 0.85f, 1.5f), share(random, 0.85f, 1.5f),
                            share(random, 0.85f, 1.5f)};
      const float edges[3] = {glm::length(b - a) / stretches[0], glm::length(c - b) / stretches[1],
                              glm::length(a - c) / stretches[2]};
      const float kept[3] = {share(random, 0.8f, 1) * glm::length(p - a),
                             share(random, 0.8f, 1) * glm::length(p - b),
                             share(random, 0.8f, 1) * glm::length(p - c)};
      const float most = std::max({stretches[0], stretches[1], stretches[2]}),
                  bound = crossing_stretch(edges, kept, 10);
      wrong += bound > most * 1.0001f;
      told += bound > 0.9f * most;
    }
    CHECK(wrong == 0);
    CHECK(told > 1000);
  }

  TEST_CASE("a plane between edges or a triangle and a vertex that all but touch has them on its two sides") {
    Random random(9);
    double worst = 0;
    for (int k = 0; k < 2000; ++k) {
      const bool edges = k % 2;
      const double apart = std::pow(10.0, share(random, -7, -4)), s = share(random, 0.1f, 0.4f),
                   t = share(random, 0.1f, 0.4f);
      const glm::dvec3 a = point(random), b = a + 0.004 * glm::dvec3(point(random)),
                       c = a + 0.004 * glm::dvec3(point(random)), along = 0.004 * glm::dvec3(point(random));
      const glm::dvec3 across =
          apart * glm::normalize(edges ? glm::cross(b - a, along) : glm::cross(b - a, c - a));
      std::vector<vec3> x;
      if (edges)
        x = {vec3(a), vec3(b), vec3(a + s * (b - a) + across - t * along),
             vec3(a + s * (b - a) + across + (1 - t) * along)};
      else x = {vec3(a), vec3(b), vec3(c), vec3(a + s * (b - a) + t * (c - a) + across)};
      // Rounding moves the points by more than they are apart; u moves them back, as updates do within a
      // step.
      std::vector<vec3> u;
      const std::vector<glm::dvec3> exact =
          edges ? std::vector<glm::dvec3>{a, b, a + s * (b - a) + across - t * along,
                                          a + s * (b - a) + across + (1 - t) * along}
                : std::vector<glm::dvec3>{a, b, c, a + s * (b - a) + t * (c - a) + across};
      for (size_t v = 0; v < 4; ++v) u.push_back(vec3(exact[v] - glm::dvec3(x[v])));
      int corner[4] = {}, one = 1;
      repulsion::FoldPeriod period;
      vec3 n;
      float keep = 0, three = 0;
      const repulsion::FoldPairSpan pairs{{corner, 4}, {&n, 1}, {&keep, 1}, {&three, 1}, {&one, 1}};
      repulsion::FoldGeometry g;
      g.base = {x.data(), 4}, g.u = {u.data(), 4}, g.out_of_reach = 1, g.pairs = pairs,
      g.period = {&period, 1};
      if (edges) g.add_edges(0, 1, 2, 3);
      else g.add_vertex(0, 1, 2, 3);
      REQUIRE(period.pairs == 1);
      CHECK(period.work == 1);
      const double gap = double(repulsion::FoldLanes<OneRow>(pairs, 0).gap(
          g.base, [&](const int* v) { return OneRow::gather(u.data(), v); }));
      worst = std::max(worst, (apart - gap) / (1e-9 + 1e-5 * apart));
    }
    CHECK(worst < 1);  // a nanometre: rounding of differences of some millimetres
  }

  TEST_CASE("no edge of cloth at rest needs a closer look and stretched edges do") {
    const TornSheet sheet;
    const EdgeRange range = edge_range(sheet.topology);
    const RepulsionConstants c = repulsion_constants({}, range);
    const FoldPairs pairs = fold_pairs(sheet.topology, c.bound, c.max_edge);
    std::vector<float> sorted = pairs.edge_stretch;
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted[sorted.size() / 10] > 1.06f);  // of uneven triangles at the rim alone
    CHECK(*std::max_element(pairs.edge_stretch.begin(), pairs.edge_stretch.end()) < 2.0f);
    for (size_t e = 0; e + 1 < pairs.edges.start.size(); ++e)
      CHECK(std::is_sorted(pairs.edges.stretch.begin() + pairs.edges.start[e],
                           pairs.edges.stretch.begin() + pairs.edges.start[e + 1]));
  }

  TEST_CASE(
      "cloth that is squeezed in its plane gives way without a failure, and does not cross however far" *
      doctest::test_suite("slow")) {
    testing::for_each_device([](Device& device) {
      const TornSheet sheet;
      const auto squeezed = [&](float share, bool guarded, int times, float& shortest, int& crossed) {
        GrowingLists growing(device);
        CollisionSteps steps(growing, sheet.topology);
        RepulsionParams params;
        params.limits = guarded;
        steps.prepare(params);
        steps.search().make_room(64, 512);
        Random random(4);
        std::vector<vec3> x = sheet.start;
        int failed = 0;
        shortest = 1, crossed = 0;
        for (int k = 0; k < times; ++k) {
          std::vector<vec3> way;
          for (size_t v = 0; v < x.size(); ++v)
            way.push_back(vec3(share * sheet.start[v].x, sheet.start[v].y, 0) + 2e-4f * point(random) - x[v]);
          x = moved_by(device, steps, x, way, params.steps);
          crossed += !check::find_crossings(std::span<const vec3>(x), {sheet.topology.triangles}).clean();
          failed += steps.read_counts()[kStepsFailed];
          for (const ivec2& e : sheet.topology.edges)
            shortest =
                std::min(shortest, glm::length(x[size_t(e.x)] - x[size_t(e.y)]) /
                                       glm::length(sheet.start[size_t(e.x)] - sheet.start[size_t(e.y)]));
        }
        return failed;
      };
      float shortest = 1;
      int crossed = 0;
      CHECK(squeezed(0.8f, true, 5, shortest, crossed) == 0);
      CHECK(shortest < 0.8f);
      CHECK(crossed == 0);
      // edges keep their share where nothing checks what is around them
      CHECK(squeezed(0.8f, false, 5, shortest, crossed) > 100);
      CHECK(shortest > 0.999f * kEdgeShare);
      CHECK(squeezed(0.3f, true, 10, shortest, crossed) > 0);
      CHECK(shortest > 0.999f * kReleasedShare * kEdgeShare);
      CHECK(shortest < 0.8f * kEdgeShare);
      CHECK(crossed == 0);
    });
  }

  TEST_CASE("a sheet that is torn about a few times never crosses itself, not even next to a vertex" *
            doctest::test_suite("slow")) {
    testing::for_each_device([](Device& device) { tear_about(device, 5); });
  }
}

TEST_SUITE("full") {
  TEST_CASE("a sheet that is torn about at random never crosses itself and not even next to a vertex") {
    testing::for_each_device([](Device& device) { tear_about(device, 25); });
  }
}
