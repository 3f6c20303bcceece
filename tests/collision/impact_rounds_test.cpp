// Every detection of a step's rounds, incremental or not, against every pair of the surface by brute force.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <vector>

#include "sim/collision/impact_zones/round_kernels.h"
#include "sim/run/simulation.h"
#include "tests/collision/swept_pairs.h"
#include "tests/device/watched_device.h"
#include "tests/safety/scene_trials.h"

using namespace weft;
using namespace weft::testing;
using impact_zones::Impact;
using impact_zones::Progress;

namespace {

constexpr float kGap = 2e-5f;  // m

/// Two sheets on a block, the upper one torn at by a hand.
Scene torn_sheets(bool incremental) {
  Scene scene;
  scene.set("step.solver", "descent");
  scene.set("step.collision", "impact_zones");
  scene.set("impact_zones.thickness", "0.0001");
  scene.set("impact_zones.gap", std::to_string(kGap));
  scene.set("impact_zones.incremental", incremental ? "true" : "false");
  scene.contact.ground = false;
  for (int k = 0; k < 2; ++k) {
    Cloth c;
    c.name = k ? "upper" : "lower";
    c.size = {0.1f, 0.1f}, c.edge = 0.01f;
    c.placement.position = {0, 0.112f + 0.006f * float(k), 0};
    c.placement.rotation = {-90, 25.0f * float(k), 0};
    scene.cloths.push_back(c);
    Pin corner;  // so that the hand does not carry the sheets away
    corner.cloth = c.name, corner.where = "top_left";
    scene.pins.push_back(corner);
  }
  Obstacle block;
  block.name = "block", block.shape = ObstacleShape::box, block.size = {0.06f, 0.06f, 0.06f};
  block.placement.position = {0, 0.07f, 0}, block.placement.rotation = {0, 20, 0};
  scene.obstacles.push_back(block);
  scene.duration = 8;
  std::mt19937 random(3);
  scene.set("drag.stiffness", "500");
  scene.set("drag.force_limit", "5");
  scene.set("drag.speed_limit", "5");
  check::add_drag(scene, random, 0.02f);
  return scene;
}

/// Each pair by its four points in order; the two or three pairs of the same points count each.
using Pairs = std::multiset<std::array<int, 4>>;

std::array<int, 4> name_of(const ivec4& p) {
  std::array<int, 4> name{p.x, p.y, p.z, p.w};
  std::sort(name.begin(), name.end());
  return name;
}

/// One detection: positions, what had moved since the one before (empty: all), and the pairs that were found.
struct Detection {
  SweptCase ways;
  Pairs found;
};

/// Times of impact of a pair, its points taken in each order: what rounding makes of one pair.
std::vector<float> times_in_all_orders(const SweptCase& c, const ivec4& p, bool edges) {
  constexpr int kEdges[8][4] = {{0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 3, 2}, {1, 0, 3, 2},
                                {2, 3, 0, 1}, {3, 2, 0, 1}, {2, 3, 1, 0}, {3, 2, 1, 0}};
  constexpr int kTriangles[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                                    {0, 1, 3, 2}, {0, 3, 2, 1}, {0, 2, 1, 3}};
  std::vector<float> times;
  for (int order = 0; order < (edges ? 8 : 6); ++order) {
    vec3 start[4], end[4];
    for (int k = 0; k < 4; ++k) {
      const int point = p[edges ? kEdges[order][k] : kTriangles[order][k]];
      start[k] = c.s.positions[size_t(point)], end[k] = c.x1[size_t(point)];
    }
    if (impact_zones::at_rest(start, end)) return {float(kNoImpact)};
    times.push_back(impact_zones::pair_times(start, end, edges, kGap).near);
  }
  return times;
}

/// Pairs that impact, of all pairs of the surface whose boxes overlap: in each order of their points, and in
/// any.
struct BruteForce {
  Pairs surely, perhaps;
};
BruteForce by_brute_force(SweptCase c) {
  c.moved.clear();
  c.margin = kGap;
  BruteForce all;
  for (const SweptPair& name : all_swept_pairs(c).at_most) {
    const bool edges = name[0] == 1;
    const ivec3 t = edges ? ivec3(0) : c.s.triangles[size_t(name[2])];
    const ivec2 e = edges ? c.s.edges[size_t(name[1])] : ivec2(0),
                f = edges ? c.s.edges[size_t(name[2])] : ivec2(0);
    const ivec4 p = edges ? ivec4(e.x, e.y, f.x, f.y) : ivec4(name[1], t.x, t.y, t.z);
    const std::vector<float> times = times_in_all_orders(c, p, edges);
    const auto impacts = [](float time) { return time <= 1; };
    if (std::all_of(times.begin(), times.end(), impacts)) all.surely.insert(name_of(p));
    if (std::any_of(times.begin(), times.end(), impacts)) all.perhaps.insert(name_of(p));
  }
  return all;
}

/// A simulation whose detections are checked while it makes a step.
class WatchedRounds {
 public:
  explicit WatchedRounds(const Scene& scene)
      : device(Device::create(DeviceChoice::cpu, 0)), sim(scene, device) {
    const check::Whole whole(sim);
    shape_.positions = whole.positions, shape_.triangles = whole.triangles;
    shape_.obstacle_from = sim.model().vertex_count();
    derive_edges(shape_);
    // A loop that begins when impacts are known, but no round has been made, follows the first detection.
    device.loop_begins = [this](int depth) {
      if (depth == 1 && progress().rounds == 0 && progress().found > 0) keep(false);
    };
    device.round_ended = [this](int depth) {
      if (depth != 1 || progress().rounds == seen_) return;
      seen_ = progress().rounds;
      if (seen_ > 0) keep(true);
    };
  }

  /// The detections of the last part of the step.
  const std::vector<Detection>& step() {
    seen_ = 0;
    detections_.clear();
    sim.step();
    if (progress().rounds == 0 && detections_.empty()) keep(false);
    return detections_;
  }
  const SearchSurface& shape() const { return shape_; }
  Progress progress() const {
    return *static_cast<const Progress*>(device.memory("impact zones progress")[0]);
  }

  WatchedDevice device;
  Simulation sim;

 private:
  template <class T>
  std::vector<T> points(const char* buffers, size_t place) const {  // of ImpactRounds, in their order
    const T* from = static_cast<const T*>(device.memory(buffers)[place]);
    return {from, from + shape_.positions.size()};
  }
  void keep(bool round) {
    const Progress p = progress();
    if (p.listed != p.wanted) return;  // the list is too short: the step is made again
    if (!round) detections_.clear();   // of a part, or a trial, of the step before
    Detection d;
    d.ways.s = shape_;
    d.ways.s.positions = points<vec3>("impact points", 0), d.ways.x1 = points<vec3>("impact points", 1);
    if (round) d.ways.moved = points<int>("moved points", 0);
    const Impact* list = static_cast<const Impact*>(device.memory("impacts").back());
    for (int i = p.first; i < p.listed; ++i) d.found.insert(name_of(list[i].points));
    detections_.push_back(std::move(d));
  }

  SearchSurface shape_;
  std::vector<Detection> detections_;
  int seen_ = 0;
};

void compare_detections(int steps) {
  WatchedRounds incremental(torn_sheets(true)), full(torn_sheets(false));
  SweptTrial counter(incremental.device, {incremental.shape(), incremental.shape().positions, kGap, {}, {}},
                     SweptMethod::forest);
  int64_t first_tests = 0, later_tests = 0, full_tests = 0, impacts = 0, undecided = 0;
  int rounds = 0, with_rounds = 0, most = 0, counted_first = 0, counted_later = 0;
  for (int step = 0; step < steps; ++step) {
    CAPTURE(step);
    const std::vector<Detection> a = incremental.step(), b = full.step();
    REQUIRE(incremental.sim.hash() == full.sim.hash());
    REQUIRE(a.size() == b.size());
    with_rounds += a.size() > 1, rounds += int(a.size()) - 1, most = std::max(most, int(a.size()) - 1);
    for (size_t k = 0; k < a.size(); ++k) {
      CAPTURE(k);
      const auto& [surely, perhaps] = by_brute_force(a[k].ways);
      CHECK(a[k].found == b[k].found);
      CHECK(std::includes(a[k].found.begin(), a[k].found.end(), surely.begin(), surely.end()));
      CHECK(std::includes(perhaps.begin(), perhaps.end(), a[k].found.begin(), a[k].found.end()));
      impacts += int64_t(surely.size()), undecided += int64_t(perhaps.size() - surely.size());
      if (a.size() == 1 || step % 4 != 0) continue;  // box tests are those of steps with rounds, of some
      SweptCase c = a[k].ways;
      c.margin = kGap;
      const auto tests = [&] {
        counter.find(c);
        counter.search.count_tests(true);
        counter.find_again(c);
        return counter.search.box_tests();
      };
      const int64_t some = tests();
      c.moved.clear();
      full_tests += k == 0 ? some : tests();
      (k == 0 ? first_tests : later_tests) += some;
      ++(k == 0 ? counted_first : counted_later);
    }
  }
  MESSAGE(with_rounds << " of " << steps << " steps with rounds, " << rounds << " rounds (at most " << most
                      << "), " << impacts << " impacts, " << undecided
                      << " undecided; box tests of a first detection "
                      << first_tests / std::max(1, counted_first) << ", of a later one "
                      << later_tests / std::max(1, counted_later) << ", full over incremental "
                      << double(full_tests) / double(first_tests + later_tests));
  CHECK(with_rounds > steps / 2);
  CHECK(rounds > steps);
  CHECK(impacts > 15 * steps);
  CHECK(undecided < impacts / 20);
  CHECK(full_tests > first_tests + later_tests);
}

}  // namespace

TEST_CASE(
    "in each round of 60 hard steps incremental detection finds what full detection and brute force find") {
  compare_detections(60);
}

TEST_CASE(
    "in each round of 200 hard steps incremental detection finds what full detection and brute force find" *
    doctest::test_suite("full")) {
  compare_detections(200);
}
