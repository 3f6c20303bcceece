// Non-distance barriers: weights, friction, and the exit at the first time of impact.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sim/collision/free_path/toi_exit.h"
#include "sim/collision/ndb/barrier.h"
#include "sim/collision/ndb/ndb_params.h"
#include "sim/run/simulation.h"
#include "tests/safety/paths.h"

using namespace weft;
using namespace weft::ndb;

namespace {

/// Two sheets of 15 mm edges, 3 mm apart, above a ball and the ground.
Scene sheets_above_a_ball() {
  Scene scene;
  scene.set("step.collision", "ndb");
  for (int k = 0; k < 2; ++k) {
    Cloth c;
    c.name = k ? "upper" : "lower";
    c.size = {0.15f, 0.15f}, c.edge = 0.015f;
    c.placement.position = {0, 0.2f + 0.003f * float(k), 0};
    c.placement.rotation = {-90, 20.0f * float(k), 0};
    scene.cloths.push_back(c);
  }
  Obstacle ball;
  ball.shape = ObstacleShape::sphere, ball.size.x = 0.05f;
  ball.placement.position = {0, 0.145f, 0};
  scene.obstacles.push_back(ball);
  return scene;
}

using Corners = std::vector<std::vector<vec3>>;

/// All that ToiExit needs, and nothing of a time step.
struct Bench {
  Scene scene = sheets_above_a_ball();
  std::unique_ptr<Device> device = Device::create(DeviceChoice::cpu, 0);
  std::vector<vec3> start;
  std::vector<std::string> notices;
  Model model;
  GrowingLists growing;
  Bodies bodies;
  ContactSurface surface;
  TriangleSearch search;
  ToiExit exit;

  Bench()
      : model(scene, *device, start),
        growing(*device),
        bodies(growing, scene, notices),
        surface(*device, model, scene, bodies),
        search(growing, {all(), surface.host_triangles(), surface.host_edges(), surface.cloth_points()}),
        exit(*device, surface, search) {
    surface.set_step(scene, bodies, 0.01, 0.01f);
  }
  std::vector<vec3> all() const {
    std::vector<vec3> p = start;
    const auto more = surface.body_positions(scene, bodies, 0);
    p.insert(p.end(), more.begin(), more.end());
    return p;
  }
  /// Corners of the path from the start towards start + `ways`. What was tried with a list that was too short
  /// is void.
  Corners run(const std::vector<vec3>& ways, float filter) {
    Corners corners;
    Buffer<vec3> base(*device, "base", start), target(*device, "target", ways);
    Buffer<vec3> displacement(*device, "d", int(start.size()));
    Buffer<vec3> body(*device, "body", surface.body_positions(scene, bodies, 0));
    exit.watch_path([&](const std::vector<vec3>& x) { corners.push_back(x); });
    do {
      corners.clear();
      displacement.clear();
      body.upload(surface.body_positions(scene, bodies, 0));
      exit.prepare(0.006f, 0.003f, filter, 512);
      exit.begin_step();
      exit.run(base.span(), displacement.span(), target.span(), body.span(), {});
    } while (!growing.fit());
    return corners;
  }
};

/// Downwards, every vertex by another way.
std::vector<vec3> ways_down(int count, std::mt19937& random, float reach) {
  std::uniform_real_distribution<float> any(-1, 1);
  std::vector<vec3> ways;
  for (int i = 0; i < count; ++i)
    ways.push_back(reach * (vec3(0, -1, 0) + 0.2f * vec3(any(random), any(random), any(random))));
  return ways;
}

}  // namespace

TEST_CASE("a contact's weight grows by the base with every iteration that it lasts, up to a cap") {
  CHECK(non_distance_weight(3, 2, 0, 1e6f) == 3);
  for (int a = 0; a < 12; ++a)
    CHECK(non_distance_weight(3, 1.5f, a, 1e6f) == doctest::Approx(3 * std::pow(1.5, a)).epsilon(1e-5));
  CHECK(non_distance_weight(3, 2, 400, 1e6f) == 1e6f);  // beyond the range of numbers
}

TEST_CASE(
    "a contact is active while it is within the gap, whether or not it crosses, and begins anew when it has "
    "parted") {
  const float band = 3e-5f;
  CHECK(aged(5, life_of(4e-4f, band, false)) == 6);  // within the gap, far from crossing
  CHECK(aged(5, life_of(1e-5f, band, false)) == 5);  // nearly resolved
  CHECK(aged(5, life_of(-1e-5f, band, false)) == 5);
  CHECK(aged(5, life_of(-1e-5f, band, true)) == 6);  // another place of the pair may have crossed
  CHECK(aged(5, life_of(-1e-3f, band, false)) == 0);
}

TEST_CASE(
    "the weight by distance is that of a log barrier: nothing beyond the gap, without bound at contact") {
  const float gap = 1e-3f;
  CHECK(distance_weight(2, gap, gap, 1e9f) == 2);
  CHECK(distance_weight(2, 3 * gap, gap, 1e9f) == 2);
  for (const double share : {0.9, 0.5, 0.1, 0.01}) {
    const double barrier = -(share - 1) * (share - 1) * std::log(share);
    CHECK(distance_weight(2, float(share) * gap, gap, 1e9f) ==
          doctest::Approx(2 * (1 + 1e4 * barrier)).epsilon(1e-4));
  }
  CHECK(distance_weight(2, -gap, gap, 7e3f) == 7e3f);
}

TEST_CASE(
    "friction is Coulomb's beyond the slip speed, grows smoothly below it, and its spring bounds its "
    "energy") {
  const float mu = 0.4f, load = 3, reach = 1e-5f;
  const auto force = [&](double u) { return double(friction_stiffness(mu, load, float(u), reach)) * u; };
  for (const double u : {1e-5, 2e-5, 1e-3, 0.5})
    CHECK(force(u) == doctest::Approx(double(mu * load)).epsilon(1e-5));
  for (const double y : {0.1, 0.4, 0.9})
    CHECK(force(y * double(reach)) == doctest::Approx(double(mu * load) * y * (2 - y)).epsilon(1e-5));
  CHECK(std::isfinite(friction_stiffness(mu, load, 0, reach)));
  // Energy by the trapezoidal rule; the spring about u0 touches it there, and is nowhere below it.
  constexpr int kParts = 4000;
  const double longest = 5 * double(reach);
  std::vector<double> energy{0};
  for (int i = 1; i <= kParts; ++i)
    energy.push_back(energy.back() + 0.5 * (force((i - 1) * longest / kParts) + force(i * longest / kParts)) *
                                         longest / kParts);
  for (const int at : {400, 700, 1500, 3000}) {
    const double u0 = at * longest / kParts, k = force(u0) / u0;
    for (int i = 0; i <= kParts; ++i) {
      const double u = i * longest / kParts;
      CHECK(energy[size_t(at)] + 0.5 * k * (u * u - u0 * u0) >= energy[size_t(i)] - 1e-6 * energy.back());
    }
  }
}

TEST_CASE(
    "the exit at the time of impact touches nothing on its way, stops all cloth at once, and stops late") {
  std::mt19937 random(3);
  Bench bench;
  const std::vector<ivec3> triangles = bench.surface.host_triangles();
  const check::Surface surface{std::span<const ivec3>(triangles), bench.model.triangle_count()};
  const auto touches = [&](const std::vector<vec3>& a, const std::vector<vec3>& b) {
    return !check::find_path_contacts(std::span<const vec3>(a), std::span<const vec3>(b), surface).empty();
  };
  for (const float reach : {0.008f, 0.02f, 0.08f}) {
    const std::vector<vec3> ways = ways_down(int(bench.start.size()), random, reach);
    const Corners corners = bench.run(ways, 0.9f);
    CAPTURE(reach);
    REQUIRE(corners.size() > 1);
    for (size_t k = 1; k < corners.size(); ++k) CHECK(!touches(corners[k - 1], corners[k]));
    // All have gone the same share of their paths.
    const double share =
        glm::length(dvec3(corners.back()[0]) - dvec3(bench.start[0])) / glm::length(dvec3(ways[0]));
    for (size_t v = 0; v < ways.size(); ++v)
      CHECK(glm::length(dvec3(corners.back()[v]) - (dvec3(bench.start[v]) + share * dvec3(ways[v]))) < 1e-6);
    CHECK(share > 0);
    CHECK(share < 1);
    // A little further on something meets: 0.9 of the last piece's time of impact was taken, and pieces are
    // at most half of the radius of the search long.
    std::vector<vec3> further = corners.back();
    for (size_t v = 0; v < ways.size(); ++v)
      further[v] =
          bench.start[v] + float(std::min(1.0, share + 0.5 * 0.006 / double(reach) * 0.2 + 1e-3)) * ways[v];
    CHECK(touches(corners.back(), further));
  }
}

TEST_CASE("cloth with nothing in its way arrives exactly by the exit at the time of impact") {
  Bench bench;
  const std::vector<vec3> ways(bench.start.size(), vec3(0.02f, 0.4f, -0.01f));  // up and away
  const Corners corners = bench.run(ways, 0.9f);
  for (size_t v = 0; v < ways.size(); ++v) CHECK(corners.back()[v] == bench.start[v] + ways[v]);
}

TEST_CASE("the age of contact is a number of the vertices that have one, and of methods that count it") {
  const auto device = Device::create(DeviceChoice::cpu, 0);
  Simulation sim(sheets_above_a_ball(), *device);
  sim.apply(SetParam{"step.solver", "projective"});
  const auto ages = [&] {
    const Span<const float> on_device = sim.device_field("age");
    std::vector<float> all(size_t(on_device.size));
    device->download(all.data(), on_device.data, all.size() * sizeof(float));
    return all;
  };
  const auto counted = [&](const std::string& wanted) {
    for (const Counter& c : sim.stats().counters)
      if (c.name == wanted) return int(c.value);
    FAIL("this method does not count " << wanted);
    return 0;
  };
  int old = 0, without = 0;
  for (int k = 0; k < 12; ++k) {
    sim.step();
    const std::vector<float> all = ages();
    REQUIRE(int(all.size()) == sim.model().vertex_count());
    const float oldest = *std::max_element(all.begin(), all.end());
    CHECK(oldest >= float(counted("oldest_contact")));
    CHECK(oldest <= float(counted("contact_iterations")));
    for (const float a : all) old += a > 2, without += a == 0;
  }
  MESSAGE(old << " vertices with a contact older than two iterations, " << without << " without contact");
  CHECK(old > 100);
  CHECK(without > 0);
  sim.reset();
  for (const float a : ages()) CHECK(a == 0);
  sim.apply(SetParam{"step.collision", "two_way"});
  sim.step();
  CHECK(sim.device_field("age").empty());
}

TEST_CASE(
    "iterations end where changes are small if they are asked to, and cloth lies where it lies without "
    "that") {
  const auto run = [](const char* ends, const char* change, double& height) {
    Scene scene = sheets_above_a_ball();
    scene.set("step.solver", "projective");
    scene.set("ndb.ends", ends);
    scene.set("ndb.inner_change", change);
    scene.set("ndb.round_change", change);
    const auto device = Device::create(DeviceChoice::cpu, 0);
    device->verify_replays = true;
    Simulation sim(scene, *device);
    int sum = 0;
    for (int k = 0; k < 30; ++k) {
      sim.step();
      sum += int(sim.stats().counter("contact_iterations"));
      if (k == 9)
        height = double(sim.stats().mean_height);  // later on roundings decide where the sheets slide
    }
    CHECK(std::isfinite(sim.stats().solver_residual));
    return sum / 30.0;
  };
  double all_height = 0, loose_height = 0, fine_height = 0;
  CHECK(run("weights", "1e-7", all_height) == 16);
  const double loose = run("iterations", "1e-2", loose_height), fine = run("iterations", "1e-7", fine_height);
  MESSAGE("iterations with contact, per step: " << loose << " with a change of 1e-2, " << fine
                                                << " with 1e-7; mean height " << all_height << " m with all, "
                                                << loose_height << ", " << fine_height);
  CHECK(loose < 0.75 * fine);
  CHECK(fine > 14);  // as long as the sheets fall nothing changes at all
  // Measured: 0.05 and 0.5 mm.
  CHECK(std::abs(fine_height - all_height) < 0.25 * std::abs(loose_height - all_height));
}

TEST_CASE(
    "solvers whose iterations follow on each other take all of them, whatever ends where changes are small") {
  for (const char* solver : {"newton", "descent"}) {
    const auto hash = [&](const char* ends) {
      Scene scene = sheets_above_a_ball();
      scene.set("step.solver", solver);
      scene.set("ndb.ends", ends);
      const auto device = Device::create(DeviceChoice::cpu, 0);
      device->verify_replays = true;
      Simulation sim(scene, *device);
      for (int k = 0; k < 20; ++k) sim.step();
      return sim.hash();
    };
    CHECK(hash("weights") == hash("iterations"));
  }
}
