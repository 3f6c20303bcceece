#include "sim/collision/repulsion/samples/samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "sim/collision/repulsion/collision_steps.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/mesh/topology.h"
#include "tests/device/for_each_device.h"
#include "tests/physics/scenes.h"
#include "tests/safety/crossings.h"
#include "tests/support/pushed_sheets.h"

using namespace weft;
using testing::Process, testing::Sheets;

namespace {

using Random = std::mt19937;
float share(Random& random, float low = 0, float high = 1) {
  return std::uniform_real_distribution<float>(low, high)(random);
}
dvec3 point(Random& random, double side = 1) {
  return side * dvec3(share(random, -1, 1), share(random, -1, 1), share(random, -1, 1));
}

/// The ends of an edge, and its middle if it is longer than 1.
std::vector<dvec3> with_middle(const dvec3& a, const dvec3& b) {
  std::vector<dvec3> all{a, b};
  if (glm::length(b - a) > 1) all.push_back(0.5 * (a + b));
  return all;
}

double least_distance(const std::vector<dvec3>& a, const std::vector<dvec3>& b) {
  double least = 1e30;
  for (auto& p : a)
    for (auto& q : b) least = std::min(least, glm::length(p - q));
  return least;
}

/// Two small sheets across each other, `gap` (m) apart.
Sheets small_sheets(float gap) { return Sheets(gap, 0.03f, "uniform"); }

/// Displacements: either sheet is pulled long by `stretch` in a direction of its own, and pushed into the
/// other.
std::vector<vec3> target_of(const Sheets& s, float stretch, float push) {
  std::vector<vec3> way;
  for (int i = 0; i < s.size(); ++i) {
    const vec3& p = s.start[size_t(i)];
    const bool lower = i < s.size() / 2;
    way.push_back((stretch - 1) * (lower ? vec3(p.x, 0, 0) : vec3(0.2f * p.z, 0, p.z)) +
                  vec3(0, lower ? push : -push, 0));
  }
  return way;
}

/// What safety rests on: no edge is longer than twice L, and the middles of those beyond L keep B from
/// everything but their neighbourhood.
struct Kept {
  double longest = 0, least_of_samples = 1e30;
  int long_edges = 0;
  Kept(const Sheets& s, const std::vector<vec3>& x, double max_edge) {
    const auto near = exempt_pairs(s.topology);
    const auto exempt = [&](const ivec2& a, const ivec2& b) {
      for (const int v : {a.x, a.y})
        for (const int w : {b.x, b.y})
          if (v == w || std::binary_search(near[size_t(v)].begin(), near[size_t(v)].end(), w)) return true;
      return false;
    };
    const auto at = [&](const ivec2& e) { return 0.5 * (dvec3(x[size_t(e.x)]) + dvec3(x[size_t(e.y)])); };
    std::vector<ivec2> points;
    for (int v = 0; v < s.size(); ++v) points.push_back({v, v});
    for (auto& e : s.topology.edges) {
      const double length = glm::length(dvec3(x[size_t(e.x)]) - dvec3(x[size_t(e.y)]));
      longest = std::max(longest, length);
      if (length > max_edge) points.push_back(e);
    }
    long_edges = int(points.size()) - s.size();
    for (size_t k = size_t(s.size()); k < points.size(); ++k)
      for (size_t m = 0; m < k; ++m)
        if (!exempt(points[k], points[m]))
          least_of_samples = std::min(least_of_samples, glm::length(at(points[k]) - at(points[m])));
  }
};

bool crosses(const Topology& t, const std::vector<vec3>& x) {
  return !check::find_crossings(std::span<const vec3>(x), {t.triangles}).clean();
}

}  // namespace

TEST_SUITE("repulsion") {
  TEST_CASE("two edges that cross have points nearer than the bound where those beyond L have a sample") {
    Random random(21);
    int wrong = 0, beyond = 0;
    double furthest = 0;
    for (int k = 0; k < 300000; ++k) {
      // Lengths up to 2 (L = 1), mostly near the worst case: across each other in the middle of their halves.
      const dvec3 along = glm::normalize(point(random) + dvec3(1e-9)),
                  across = glm::normalize(k % 3 ? glm::cross(along, point(random)) + dvec3(1e-9)
                                                : point(random) + dvec3(1e-9));
      const double ab = share(random, 0.3f, 2), cd = share(random, 0.3f, 2),
                   s = k % 2 ? share(random) : share(random, 0.2f, 0.3f), t = share(random);
      const auto p = with_middle(-s * ab * along, (1 - s) * ab * along),
                 q = with_middle(-t * cd * across, (1 - t) * cd * across);
      beyond += ab > 1 || cd > 1;
      furthest = std::max(furthest, least_distance(p, q));
      wrong += least_distance(p, q) > std::sqrt(0.5) * (1 + 1e-9);
    }
    CHECK(wrong == 0);
    CHECK(beyond > 100000);
    CHECK(furthest > 0.68);  // the bound is as small as it can be
  }

  TEST_CASE("a vertex in a triangle of edges up to twice L is nearer than the bound to a corner or sample") {
    Random random(22);
    int wrong = 0, beyond = 0, tried = 0;
    double furthest = 0;
    while (tried < 200000) {
      dvec3 c[3] = {point(random), point(random), point(random)};
      if (tried % 4 == 0)
        c[0] = dvec3(0), c[1] = dvec3(2, 0, 0) + 0.1 * point(random),
        c[2] = c[1] + glm::normalize(point(random) + dvec3(1e-9));
      double edges[3];
      for (int k = 0; k < 3; ++k) edges[k] = glm::length(c[(k + 1) % 3] - c[k]);
      const double longest = std::max({edges[0], edges[1], edges[2]});
      if (longest > 2) continue;
      ++tried;
      beyond += longest > 1;
      double s = share(random), t = share(random);
      if (s + t > 1) s = 1 - s, t = 1 - t;
      std::vector<dvec3> all;
      for (int k = 0; k < 3; ++k)
        for (auto& p : with_middle(c[k], c[(k + 1) % 3])) all.push_back(p);
      const double least = least_distance({c[0] + s * (c[1] - c[0]) + t * (c[2] - c[0])}, all);
      furthest = std::max(furthest, least);
      wrong += least > std::sqrt(0.4) * (1 + 1e-9);  // of edges 2, 2 and 1; see README
    }
    CHECK(wrong == 0);
    CHECK(beyond > 100000);
    CHECK(furthest > 0.55);
  }

  TEST_CASE("stretched sheets that are pushed into each other keep samples apart and do not cross") {
    testing::for_each_device([](Device& device) {
      const Sheets sheets = small_sheets(0.0095f);
      for (const bool soft : {true, false}) {
        RepulsionParams params;
        params.resampling = true;
        params.soft_phase = soft;  // without it every step needs the hard phase
        Process process(device, sheets, params);
        const RepulsionConstants& c = process.steps.constants();
        int active = 0, beyond = 0;
        std::vector<vec3> x;
        for (int k = 0; k < (soft ? 6 : 2); ++k) {
          x = process.step(target_of(sheets, 1.25f, 0.004f), 72);
          active = std::max(active, process.active());
          const Kept kept(sheets, x, double(c.max_edge));
          CHECK(kept.longest <= double(c.longest_edge));
          CHECK(kept.least_of_samples >= double(c.bound));
          CHECK_FALSE(crosses(sheets.topology, x));
          beyond = std::max(beyond, kept.long_edges);
        }
        CHECK(active > 30);
        MESSAGE("soft " << soft << ": " << active << " active samples, " << beyond << " edges beyond L");
        if (soft) CHECK(beyond > 30);
      }
    });
  }

  TEST_CASE(
      "the samples that are told of are the active ones, each once, those of edges beyond L as guarded") {
    testing::for_each_device([](Device& device) {
      const Sheets sheets = small_sheets(0.0095f);
      RepulsionParams params;
      params.resampling = true;
      Process process(device, sheets, params);
      CHECK(process.steps.samples().active(1000).empty());
      const auto key = [](const ActiveSample& s) { return std::pair(s.ends.x, s.ends.y); };
      int guarded_only = 0;
      for (int k = 0; k < 6; ++k) {
        const std::vector<vec3> x = process.step(target_of(sheets, 1.25f, 0.004f), 72);
        const std::vector<ActiveSample> all = process.steps.samples().active(100000);
        CHECK(int(all.size()) == process.active());
        std::map<std::pair<int, int>, bool> guarded;
        for (const ActiveSample& s : all) guarded[key(s)] = s.guarded, guarded_only += s.guarded;
        CHECK(guarded.size() == all.size());
        int known = 0;
        for (const ivec2& e : sheets.topology.edges) {
          const auto at = guarded.find({e.x, e.y});
          known += at != guarded.end();
          if (glm::length(x[size_t(e.x)] - x[size_t(e.y)]) <= process.steps.constants().max_edge) continue;
          REQUIRE(at != guarded.end());
          CHECK(at->second);
        }
        CHECK(known == int(all.size()));  // all of them lie in edges
        for (const int most : {1, 7, int(all.size()) - 1}) {
          const std::vector<ActiveSample> some = process.steps.samples().active(most);
          CHECK(int(some.size()) <= std::max(most, 0));
          if (most > 0) CHECK(2 * int(some.size()) >= std::min(most, int(all.size())));
          for (const ActiveSample& s : some) CHECK(guarded.count(key(s)) == 1);
        }
      }
      CHECK(guarded_only > 30);
    });
  }

  TEST_CASE("samples closer to others than their bound, in edges below L, are told of as not guarded") {
    const auto device = Device::create(DeviceChoice::cpu);
    const Sheets sheets = small_sheets(0.0055f);
    RepulsionParams params;
    params.resampling = true;
    Process process(*device, sheets, params);
    std::vector<vec3> x = sheets.start, way = target_of(sheets, 1.6f, 0);
    for (size_t v = 0; v < x.size(); ++v) x[v] += way[v];
    process.position.upload(x);
    process.step(std::vector<vec3>(x.size()), 1);
    const std::vector<ActiveSample> all = process.steps.samples().active(100000);
    CHECK(all.size() > 50);
    CHECK(std::count_if(all.begin(), all.end(), [](const ActiveSample& s) { return !s.guarded; }) > 10);
  }

  TEST_CASE("edges beyond L stay guarded and do not grow where resampling is switched off") {
    const auto device = Device::create(DeviceChoice::cpu);
    const Sheets sheets = small_sheets(0.0095f);
    RepulsionParams params;
    params.resampling = true;
    Process process(*device, sheets, params);
    std::vector<vec3> x;
    for (int k = 0; k < 4; ++k) x = process.step(target_of(sheets, 1.25f, 0.004f), 72);
    const RepulsionConstants c = process.steps.constants();
    const Kept before(sheets, x, double(c.max_edge));
    CHECK(before.long_edges > 30);
    params.resampling = false;
    process.steps.prepare(params);
    for (int k = 0; k < 2; ++k) x = process.step(target_of(sheets, 1.25f, 0.004f), 72);
    const Kept after(sheets, x, double(c.max_edge));
    CHECK(after.longest <= before.longest * 1.001);  // a millionth of the square per update
    CHECK(after.least_of_samples >= double(c.bound));
    CHECK_FALSE(crosses(sheets.topology, x));
  }

  TEST_CASE("the same sheets stop at L without resampling") {
    const auto device = Device::create(DeviceChoice::cpu);
    const Sheets sheets = small_sheets(0.0095f);
    Process process(*device, sheets, {});
    const RepulsionConstants& c = process.steps.constants();
    std::vector<vec3> x;
    for (int k = 0; k < 7; ++k) x = process.step(target_of(sheets, 1.25f, 0.004f), 72);
    const Kept kept(sheets, x, double(c.max_edge));
    CHECK(kept.longest <= double(c.max_edge));
    CHECK(kept.longest > 0.9 * double(c.max_edge));
    CHECK(process.active() == 0);
  }

  TEST_CASE("cloth that is not stretched has no samples") {
    const auto device = Device::create(DeviceChoice::cpu);
    const Sheets sheets = small_sheets(0.0095f);
    RepulsionParams params;
    params.resampling = true;
    Process process(*device, sheets, params);
    process.step(target_of(sheets, 1.2f, 0), 72);
    CHECK(process.active() == 0);
  }

  TEST_CASE("stretched sheets that are torn about at random never cross") {
    testing::for_each_device([](Device& device) {
      const Sheets sheets = small_sheets(0.0095f);
      RepulsionParams params;
      params.resampling = true;
      Process process(device, sheets, params);
      process.steps.search().make_room(192, 1024);
      Random random(23);
      int active = 0, beyond = 0;
      for (int k = 0; k < 4; ++k) {
        // Whole regions go here and there, so that some edges stretch and others shorten.
        const dvec3 goals[4] = {point(random, 0.03), point(random, 0.03), point(random, 0.03),
                                point(random, 0.03)};
        std::vector<vec3> target;
        for (const vec3& p : sheets.start)
          target.push_back(vec3(goals[(p.x > 0) + 2 * (p.z > 0)]) + 0.005f * vec3(point(random)));
        const std::vector<vec3> x = process.step(target, 72);
        const Kept kept(sheets, x, double(process.steps.constants().max_edge));
        CHECK(kept.longest <= double(process.steps.constants().longest_edge));
        CHECK(kept.least_of_samples >= double(process.steps.constants().bound));
        CHECK_FALSE(crosses(sheets.topology, x));
        active = std::max(active, process.active()), beyond = std::max(beyond, kept.long_edges);
      }
      MESSAGE(active << " active samples, " << beyond << " edges beyond L");
      CHECK(beyond > 20);
    });
  }

  TEST_CASE("what is near a sample is what brute force finds") {
    const auto device = Device::create(DeviceChoice::cpu);
    Sheets sheets = small_sheets(0.0095f);
    Random random(24);
    for (vec3& p : sheets.start) p = vec3(1.9f * p.x, 0.5f * p.y, 0.6f * p.z) + vec3(point(random, 0.001));
    const EdgeLists layout = edge_lists(sheets.topology);
    RepulsionParams params;
    params.resampling = true;
    const RepulsionConstants c = repulsion_constants(params, edge_range(sheets.topology));
    GrowingLists growing(*device);
    FoldGuard folds(growing, sheets.topology, layout);
    Samples samples(growing, sheets.topology, layout);
    folds.prepare(c, true);
    samples.prepare(c, true);
    const NearLists near = near_lists(sheets.topology);
    const Buffer<int> near_count(*device, "near", near.count), near_neighbor(*device, "near", near.neighbor);
    const Buffer<vec3> base(*device, "base", sheets.start),
        u(*device, "u", std::vector<vec3>(sheets.start.size(), vec3(0)));
    repulsion::SampleRows rows;
    const int moves = samples.moves();
    do {  // lists begin too short
      samples.begin();
      samples.begin_period();
      repulsion::FoldRows fold = folds.rows();
      samples.watch(fold);
      fold.stretched[0] = 1;
      samples.search({base.span(), u.span(), u.span(), 0},
                     {near_count.span(), near_neighbor.span(), near.width}, fold);
      rows = samples.rows();
    } while (!growing.fit());
    REQUIRE(rows.count[0] > 100);
    const auto exempt = exempt_pairs(sheets.topology);
    const int n = sheets.size(), all = n + rows.count[0];
    const auto is_exempt = [&](int p, int q) {
      const ivec2 a = rows.corners(p), b = rows.corners(q);
      for (const int v : {a.x, a.y})
        for (const int w : {b.x, b.y})
          if (v == w || std::binary_search(exempt[size_t(v)].begin(), exempt[size_t(v)].end(), w))
            return true;
      return false;
    };
    int wrong = 0, found = 0;
    std::vector<std::vector<int>> of_vertex(static_cast<size_t>(n));
    for (int s = 0; s < rows.count[0]; ++s) {
      std::vector<int> expected, given;
      for (int q = 0; q < all; ++q) {
        const vec3 p = rows.between(base.span().data, n + s, q);
        if (q == n + s || glm::length(p) > c.search_radius || is_exempt(n + s, q)) continue;
        expected.push_back(q);
        if (q < n) of_vertex[size_t(q)].push_back(s);
      }
      for (int k = 0; k < rows.of_sample.count[s]; ++k)
        given.push_back(rows.of_sample.neighbor[rows.of_sample.at(s, k)]);
      wrong += given != expected;
      found += int(given.size());
    }
    for (int v = 0; v < n; ++v) {
      std::vector<int> given;
      for (int k = 0; k < rows.of_vertex.count[v]; ++k)
        given.push_back(rows.of_vertex.neighbor[rows.of_vertex.at(v, k)]);
      wrong += given != of_vertex[size_t(v)];
    }
    CHECK(wrong == 0);
    CHECK(found > 1000);
    CHECK(samples.moves() > moves);
  }

  TEST_CASE("samples that start too close are no failure, and nothing grows beyond L for them") {
    // Two stretched sheets so near that middles of edges are closer than B, though vertices are not.
    const auto device = Device::create(DeviceChoice::cpu);
    const Sheets sheets = small_sheets(0.0068f);
    RepulsionParams params;
    params.resampling = true;
    Process process(*device, sheets, params);
    int active = 0;
    for (int k = 0; k < 5; ++k) {
      const std::vector<vec3> x = process.step(target_of(sheets, 1.3f, 0.006f), 72);
      const Kept kept(sheets, x, double(process.steps.constants().max_edge));
      CHECK(kept.least_of_samples >= double(process.steps.constants().bound));
      CHECK_FALSE(crosses(sheets.topology, x));
      active = std::max(active, process.active());
    }
    CHECK(active > 50);
  }
}
