#include "sim/collision/repulsion/samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sim/collision/repulsion/collision_steps.h"
#include "sim/mesh/shapes.h"
#include "sim/mesh/topology.h"
#include "tests/device/for_each_device.h"
#include "tests/physics/scenes.h"
#include "tests/safety/crossings.h"

using namespace weft;

namespace {

using Random = std::mt19937;
float share(Random& random, float low = 0, float high = 1) { return std::uniform_real_distribution<float>(low, high)(random); }
dvec3 point(Random& random, double side = 1) { return side * dvec3(share(random, -1, 1), share(random, -1, 1), share(random, -1, 1)); }

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

/// Two sheets of 4.2 mm edges across each other, `gap` apart.
struct Sheets {
  std::vector<vec3> start;
  Topology topology;
  explicit Sheets(float gap) {
    TriMesh lower = make_grid({0.05f, 0.05f}, 0.0042f, "uniform"), upper = lower;
    for (vec3& p : lower.positions) p = vec3(p.x, 0, -p.y);
    for (vec3& p : upper.positions) p = vec3(0.9f * p.x - 0.43f * p.y, gap, -0.43f * p.x - 0.9f * p.y);
    for (auto* mesh : {&lower, &upper}) start.insert(start.end(), mesh->positions.begin(), mesh->positions.end());
    topology = build_topology({{"lower", lower}, {"upper", upper}});
  }
  int size() const { return int(start.size()); }
  /// Either sheet is pulled long by `stretch` in a direction of its own, and pushed into the other.
  std::vector<vec3> target(float stretch, float push) const {
    std::vector<vec3> way;
    for (int i = 0; i < size(); ++i) {
      const vec3& p = start[size_t(i)];
      const bool lower = i < size() / 2;
      way.push_back((stretch - 1) * (lower ? vec3(p.x, 0, 0) : vec3(0.2f * p.z, 0, p.z)) + vec3(0, lower ? push : -push, 0));
    }
    return way;
  }
};

struct Process {
  Process(Device& device, const Sheets& sheets, const RepulsionParams& params) : device(device), n(sheets.size()), steps(device, sheets.topology) {
    steps.prepare(params);
    steps.search().make_room(96, 512);
    position = Buffer<vec3>(device, "positions", sheets.start);
    kinematic = Buffer<int>(device, "kinematic", n);
  }
  /// One time step; again with more room where that was too little. Returns the positions.
  std::vector<vec3> step(const std::vector<vec3>& target, int count) {
    const Buffer<vec3> y(device, "target", target);
    do {
      steps.begin(position.span(), kinematic.span());
      steps.advance(y.span(), count);
    } while (!steps.fits());
    std::vector<vec3> u(static_cast<size_t>(n)), x = position.download();
    device.download(u.data(), steps.u().data, u.size() * sizeof(vec3));
    for (size_t v = 0; v < x.size(); ++v) x[v] += u[v];
    position.upload(x);
    return x;
  }
  int active() { return steps.samples().count().size ? download(steps.samples().count()) : 0; }
  int download(Span<const int> one) {
    int value = 0;
    device.download(&value, one.data, sizeof value);
    return value;
  }
  Device& device;
  int n;
  CollisionSteps steps;
  Buffer<vec3> position;
  Buffer<int> kinematic;
};

/// What safety rests on: no edge is longer than twice L, and the middles of those beyond L keep B from everything but their neighbourhood.
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
        if (!exempt(points[k], points[m])) least_of_samples = std::min(least_of_samples, glm::length(at(points[k]) - at(points[m])));
  }
};

bool crosses(const Topology& t, const std::vector<vec3>& x) { return !check::find_crossings(std::span<const vec3>(x), {t.triangles}).clean(); }

}  // namespace

TEST_SUITE("repulsion") {
  TEST_CASE("two edges that cross have points nearer than the bound where those beyond L have a sample") {
    Random random(21);
    int wrong = 0, beyond = 0;
    double furthest = 0;
    for (int k = 0; k < 300000; ++k) {
      // Lengths up to 2 (L = 1), mostly near the worst case: across each other in the middle of their halves.
      const dvec3 along = glm::normalize(point(random) + dvec3(1e-9)), across = glm::normalize(k % 3 ? glm::cross(along, point(random)) + dvec3(1e-9) : point(random) + dvec3(1e-9));
      const double ab = share(random, 0.3f, 2), cd = share(random, 0.3f, 2), s = k % 2 ? share(random) : share(random, 0.2f, 0.3f), t = share(random);
      const auto p = with_middle(-s * ab * along, (1 - s) * ab * along), q = with_middle(-t * cd * across, (1 - t) * cd * across);
      beyond += ab > 1 || cd > 1;
      furthest = std::max(furthest, least_distance(p, q));
      wrong += least_distance(p, q) > std::sqrt(0.5) * (1 + 1e-9);
    }
    CHECK(wrong == 0);
    CHECK(beyond > 100000);
    CHECK(furthest > 0.69);  // the bound is as small as it can be
  }

  TEST_CASE("a vertex in a triangle of edges up to twice L is nearer than the bound to a corner or sample") {
    Random random(22);
    int wrong = 0, beyond = 0, tried = 0;
    double furthest = 0;
    while (tried < 200000) {
      dvec3 c[3] = {point(random), point(random), point(random)};
      if (tried % 4 == 0) c[0] = dvec3(0), c[1] = dvec3(2, 0, 0) + 0.1 * point(random), c[2] = c[1] + glm::normalize(point(random) + dvec3(1e-9));
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
      const Sheets sheets(0.0095f);
      for (const bool soft : {true, false}) {
        RepulsionParams params;
        params.resampling = true;
        params.soft_phase = soft;  // without it every step needs the hard phase
        Process process(device, sheets, params);
        const RepulsionConstants& c = process.steps.constants();
        int active = 0, beyond = 0;
        std::vector<vec3> x;
        for (int k = 0; k < (soft ? 20 : 6); ++k) {
          x = process.step(sheets.target(1.15f, 0.004f), 72);
          active = std::max(active, process.active());
          const Kept kept(sheets, x, double(c.max_edge));
          CHECK(kept.longest <= double(c.longest_edge));
          CHECK(kept.least_of_samples >= double(c.bound));
          CHECK_FALSE(crosses(sheets.topology, x));
          beyond = std::max(beyond, kept.long_edges);
        }
        CHECK(active > 50);
        MESSAGE("soft " << soft << ": " << active << " active samples, " << beyond << " edges beyond L");
        if (soft) CHECK(beyond > 50);
      }
    });
  }

  TEST_CASE("the same sheets stop at L without resampling") {
    const auto device = Device::create(DeviceChoice::cpu);
    const Sheets sheets(0.0095f);
    Process process(*device, sheets, {});
    const RepulsionConstants& c = process.steps.constants();
    std::vector<vec3> x;
    for (int k = 0; k < 20; ++k) x = process.step(sheets.target(1.15f, 0.004f), 72);
    const Kept kept(sheets, x, double(c.max_edge));
    CHECK(kept.longest <= double(c.max_edge));
    CHECK(process.active() == 0);
  }

  TEST_CASE("cloth that is not stretched has no samples") {
    const auto device = Device::create(DeviceChoice::cpu);
    const Sheets sheets(0.0095f);
    RepulsionParams params;
    params.resampling = true;
    Process process(*device, sheets, params);
    for (int k = 0; k < 5; ++k) process.step(sheets.target(1.0f, 0.001f), 72);
    CHECK(process.active() == 0);
  }

  TEST_CASE("samples that start too close are no failure, and nothing grows beyond L for them") {
    // Two stretched sheets so near that middles of edges are closer than B, though vertices are not.
    const auto device = Device::create(DeviceChoice::cpu);
    const Sheets sheets(0.0068f);
    RepulsionParams params;
    params.resampling = true;
    Process process(*device, sheets, params);
    int active = 0;
    for (int k = 0; k < 12; ++k) {
      const std::vector<vec3> x = process.step(sheets.target(1.3f, 0.006f), 72);
      const Kept kept(sheets, x, double(process.steps.constants().max_edge));
      CHECK(kept.least_of_samples >= double(process.steps.constants().bound));
      CHECK_FALSE(crosses(sheets.topology, x));
      active = std::max(active, process.active());
    }
    CHECK(active > 50);
  }
}
