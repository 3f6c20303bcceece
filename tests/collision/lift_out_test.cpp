#include "sim/collision/surface/lift_out.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/mesh/shapes/shapes.h"
#include "sim/run/simulation.h"
#include "sim/scene/text/scene_file.h"

using namespace weft;

namespace {

constexpr float kRadius = 0.1f, kClearance = 0.001f;

/// Cloth, then a ball of kRadius about the origin.
struct Draped {
  std::vector<vec3> positions;
  std::vector<ivec3> triangles;
  SurfaceCounts counts;

  void add(const TriMesh& mesh, const std::vector<vec3>& at) {
    const ivec3 first(int(positions.size()));
    for (const ivec3& t : mesh.triangles) triangles.push_back(t + first);
    positions.insert(positions.end(), at.begin(), at.end());
  }
  /// A sheet (20 mm edges) laid onto the ball: its vertices are at `height` (m) above it, its triangles cut
  /// the ball where that is little.
  void add_layer(float height) {
    const TriMesh sheet = make_grid({0.1f, 0.1f}, 0.02f, "equilateral");
    std::vector<vec3> at = sheet.positions;
    for (vec3& p : at) p = (kRadius + height) * glm::normalize(vec3(p.x, kRadius, p.y));
    add(sheet, at);
    counts = {int(positions.size()), int(triangles.size())};
  }
  void add_ball() {
    const TriMesh ball = make_sphere(kRadius, 5);
    add(ball, ball.positions);
  }
  SurfaceCrossings crossings() const { return surface_crossings(positions, triangles, counts); }
  LiftOut lift(float most = 0.04f) {
    return lift_out_of_bodies(positions, triangles, counts, kClearance, most);
  }
};

float farthest(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  float most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, glm::length(a[i] - b[i]));
  return most;
}

bool has(const std::vector<std::string>& all, const std::string& words) {
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& s) { return s.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE(
    "cloth whose triangles cut a ball between their corners is brought out by little more than they cut in") {
  Draped d;
  d.add_layer(0.0001f);
  d.add_ball();
  const std::vector<vec3> before = d.positions;
  const SurfaceCrossings at_first = d.crossings();
  REQUIRE(at_first.with_bodies > 10);
  CHECK(at_first.own == 0);
  const LiftOut lifted = d.lift();
  CHECK(lifted.moved);
  CHECK(lifted.triangles == at_first.with_bodies);
  CHECK(d.crossings().points.empty());
  // The centre of a triangle of 25 mm edges (they are stretched a little by being laid onto the ball) is 1.1
  // mm lower than its corners.
  CHECK(lifted.farthest < 0.0011f + 2 * kClearance);
  CHECK(lifted.farthest == doctest::Approx(farthest(before, d.positions)));
}

TEST_CASE("layers above cloth that is brought out of a body go along, and nothing comes to cross") {
  Draped d;
  for (const float height : {0.0001f, 0.0004f, 0.0007f, 0.02f}) d.add_layer(height);
  d.add_ball();
  REQUIRE(d.crossings().with_bodies > 10);
  REQUIRE(d.crossings().own == 0);
  const LiftOut lifted = d.lift();
  CHECK(lifted.moved);
  CHECK(lifted.farthest < 0.0011f + 2 * kClearance);
  CHECK(d.crossings().points.empty());
}

TEST_CASE("cloth that is too deep in a body to be brought out is left as it is, and so is cloth in none") {
  Draped deep;
  deep.add_layer(-0.03f);
  deep.add_ball();
  const std::vector<vec3> inside = deep.positions;
  CHECK(deep.lift().triangles == 0);  // all of it is inside: no triangle crosses another
  CHECK(deep.positions == inside);
  Draped cut;
  const TriMesh sheet = make_grid({0.3f, 0.3f}, 0.02f, "equilateral");
  cut.add(sheet, sheet.positions);  // through the middle
  cut.counts = {int(cut.positions.size()), int(cut.triangles.size())};
  cut.add_ball();
  const std::vector<vec3> before = cut.positions;
  const LiftOut tried = cut.lift();
  CHECK(tried.triangles > 10);
  CHECK_FALSE(tried.moved);
  CHECK(cut.positions == before);
  Draped clear;
  clear.add_layer(0.01f);
  clear.add_ball();
  CHECK(clear.lift().triangles == 0);
  CHECK_FALSE(clear.lift().moved);
}

TEST_CASE("points of crossings are marked by what they are in") {
  Draped d;
  d.add_layer(0.0001f);
  d.add_ball();
  const SurfaceCrossings found = d.crossings();
  REQUIRE(found.points.size() == d.positions.size());
  CHECK(*std::max_element(found.points.begin(), found.points.end()) == 2);
  Draped two;
  two.add_layer(0.05f);
  const TriMesh sheet = make_grid({0.1f, 0.1f}, 0.02f, "equilateral");
  std::vector<vec3> standing = sheet.positions;
  for (vec3& p : standing) p += vec3(0.003f, kRadius + 0.05f, 0.002f);
  two.add(sheet, standing);
  two.counts = {int(two.positions.size()), int(two.triangles.size())};
  const SurfaceCrossings own = two.crossings();
  CHECK(own.own >= 6);
  CHECK(own.with_bodies == 0);
  CHECK(*std::max_element(own.points.begin(), own.points.end()) == 1);
}

TEST_CASE(
    "two-way contact takes over cloth that another method left in a body, without crossing and without "
    "waiting") {
  const auto device = Device::create(DeviceChoice::cpu);
  Scene scene = read_scene(assets_folder() + "/scenes/wu2020/sphere_drape_small.toml");
  scene.set("step.collision", "bodies");
  Simulation sim(std::move(scene), *device);
  while (sim.stats().time < 0.8) sim.step();
  sim.apply(SetParam{"step.collision", "two_way"});
  const auto in_body = [&] {
    std::vector<vec3> x = sim.positions();
    std::vector<ivec3> triangles = sim.model().host.triangles;
    const SurfaceCounts counts{int(x.size()), int(triangles.size())};
    const ObstacleView view = sim.obstacles()[0];
    const TriMesh& ball = sim.obstacle_meshes()[0];
    for (const ivec3& t : ball.triangles) triangles.push_back(t + ivec3(counts.cloth_points));
    for (const vec3& p : ball.positions) x.push_back(vec3(view.transform * vec4(p, 1)));
    return surface_crossings(x, triangles, counts).with_bodies;
  };
  CHECK(in_body() == 0);
  for (int k = 0; k < 5; ++k) {
    sim.step();
    CHECK(in_body() == 0);
    CHECK(sim.stats().collision_steps <= 20);  // 512, the most there may be, before
    CHECK(sim.stats().max_stretch < 1.2f);
  }
  CHECK(has(sim.collision_remarks(sim.stats()), "were moved out"));
}
