// Which half spaces bodies leave to a vertex of cloth: those of the side that it is on, wherever it has got to in a time step.
#include "sim/collision/repulsion/find_body_planes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "sim/scene/scene_file.h"
#include "tests/device/for_each_device.h"

using namespace weft;
using namespace weft::repulsion;

namespace {

constexpr float kOffset = 2e-4f;  // m, of the contact layer
constexpr float kRange = 8e-3f;   // m, a budget of 21 mm edges

Obstacle box(const vec3& center, const vec3& size) {
  Obstacle o;
  o.name = "box", o.shape = "box", o.size = size, o.placement.position = center;
  return o;
}

/// A spout of 0.3 m that opens to a cone; walls 30 mm thick, of facets up to 5 cm wide.
Obstacle funnel() {
  Obstacle o;
  o.name = "funnel", o.shape = "mesh", o.file = assets_folder() + "/scenes/wu2020/meshes/funnel_wide.obj";
  return o;
}

/// One vertex in one time step, as the collision steps of vertex repulsion move it: looks at bodies, goes somewhere, is moved out of its half spaces.
class Walker {
 public:
  Walker(std::vector<Obstacle> obstacles, const vec3& start) : device_(Device::create(DeviceChoice::cpu, 1)) {
    scene_.obstacles = std::move(obstacles);
    scene_.contact.ground = false;
    bodies_ = std::make_unique<Bodies>(*device_, scene_, notices_);
    begin_step(start);
  }
  void begin_step(const vec3& at) { x_ = at, u_ = vec3(0), lookout_ = {}; }

  void look(const vec3& goal, float reach) {
    const int one = 1, none = 0;
    const float offset = kOffset, free = -1;  // as if bodies were near, wherever it is
    const vec3 target = goal - x_;
    launch(*device_, "planes", 1,
           FindBodyPlanes{{&x_, one}, {&offset, one}, {&free, one}, {&none, one}, bodies_->view(), {&u_, one}, {&target, one}, kRange, reach, {&lookout_, one},
                          {normal_, kBodyPlanes}, {gap_, kBodyPlanes}, 1});
  }
  void go(const vec3& to) {
    const Vec3<float> out = planes().outside<OneRow>(0, {(to - x_).x, (to - x_).y, (to - x_).z}, 1.0f);
    u_ = {out.x, out.y, out.z};
  }
  /// m above the lowest plane, for the place `at`.
  float height(const vec3& at) const { return planes().least_height<OneRow>(0, {(at - x_).x, (at - x_).y, (at - x_).z}); }
  vec3 place() const { return x_ + u_; }
  float distance() const { return bodies_->distance(place()); }

 private:
  BodyPlanes planes() const { return {{normal_, kBodyPlanes}, {gap_, kBodyPlanes}, 1}; }
  std::unique_ptr<Device> device_;
  Scene scene_;
  std::vector<std::string> notices_;
  std::unique_ptr<Bodies> bodies_;
  vec3 x_{0}, u_{0}, normal_[kBodyPlanes];
  float gap_[kBodyPlanes] = {};
  Lookout lookout_;
};

/// Steps of up to `pace` (m) in all directions, near the body: its depth (m) at the most, after each look and before it.
struct Depths {
  float at_looks = 0, between = 0;
};
Depths walk(const Obstacle& body, const vec3& start, float pace, std::mt19937& random, int steps = 20) {
  std::normal_distribution<float> any;
  Walker w({body}, start);
  Depths deepest;
  for (int step = 0; step < steps; ++step) {
    w.begin_step(w.place());
    vec3 drift = pace * glm::normalize(vec3(any(random), any(random), any(random)));
    for (int period = 0; period < 13; ++period) {
      // It aims somewhere, and is pushed elsewhere.
      const vec3 push = 0.3f * pace * vec3(any(random), any(random), any(random));
      w.look(w.place() + drift, pace);
      w.go(w.place());
      deepest.at_looks = std::max(deepest.at_looks, -w.distance());
      vec3 way = drift + push;
      way *= std::min(1.0f, pace / glm::length(way));
      w.go(w.place() + way);
      deepest.between = std::max(deepest.between, -w.distance());
      if (w.distance() > 0.05f) drift = -drift;
    }
  }
  return deepest;
}

}  // namespace

TEST_CASE("a vertex that slides along a wall into a corner is kept by the surface that it comes to") {
  // The outside of the funnel where the spout opens: the cone leans out above a vertical wall.
  const float wall = 0.315f * std::cos(3.14159265f / 40);
  const float a = 3.14159265f / 40;  // the middle of a facet
  const vec3 out(std::cos(a), 0, std::sin(a));
  Walker w({funnel()}, (wall + 1e-3f) * out + vec3(0, 0.1f, 0));
  w.begin_step(w.place() - (w.distance() - 1.01f * kOffset) * out);  // the contact layer begins just below it
  REQUIRE(std::abs(w.distance() - 1.01f * kOffset) < 1e-5f);
  float deepest = 0;
  for (int k = 0; k < 20; ++k) {
    const vec3 up = w.place() + vec3(0, 2e-3f, 0);
    w.look(up, 2e-3f);
    w.go(up);
    deepest = std::max(deepest, -w.distance());
  }
  MESSAGE("deepest ", 1e3 * deepest, " mm, at a height of ", w.place().y, " m");
  CHECK(deepest < 2e-4f);
  CHECK(w.place().y > 0.12f);
  CHECK(glm::length(w.place() - w.place().y * vec3(0, 1, 0)) > wall + 2e-3f);  // it went up the cone
}

TEST_CASE("a vertex that went over a wall's edge is not called back") {
  // Up one side of a plate 1 mm thick, over its edge, down the other, all in one time step.
  Walker w({box(vec3(0), {1e-3f, 0.1f, 0.1f})}, {-2e-3f, 0.045f, 0});
  std::vector<vec3> way;
  for (int k = 1; k <= 4; ++k) way.push_back({-2e-3f, 0.045f + 2e-3f * float(k), 0});
  for (int k = 1; k <= 4; ++k) way.push_back({-2e-3f + 1e-3f * float(k), 0.053f, 0});
  for (int k = 1; k <= 10; ++k) way.push_back({2e-3f, 0.053f - 2e-3f * float(k), 0});
  for (const vec3& to : way) {
    w.look(to, 1);
    w.go(to);
    CHECK(glm::length(w.place() - to) < 1e-6f);
  }
}

TEST_CASE("no plate is thin enough to be jumped within a time step") {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> any(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    Walker w({box(vec3(0), {0.4f, 1e-4f, 0.4f})}, {0, 0.02f + 0.02f * any(random), 0});
    for (int look = 0; look < 13; ++look) {
      const vec3 to = w.place() + vec3(5e-3f * any(random), -5e-3f + 4e-3f * any(random), 5e-3f * any(random));
      w.look(to, 5e-3f);
      w.go(to);
      CHECK(w.place().y > 0);
    }
  }
}

TEST_CASE("a vertex that is thrown about among bodies goes no deeper than a corner lets it in one period") {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> any(0, 1);
  Obstacle ball = box(vec3(0), vec3(0.06f));
  ball.shape = "sphere";
  const struct {
    const char* name;
    Obstacle body;
    bool convex;
  } cases[] = {{"box", box(vec3(0), {0.1f, 0.03f, 0.1f}), true}, {"ball", ball, true}, {"funnel", funnel(), false}};
  for (const auto& c : cases) {
    Depths deepest;
    for (int k = 0; k < 40; ++k) {
      const float turn = 6.2831853f * any(random);
      const vec3 start = c.convex ? vec3(0.08f * std::cos(turn), 0.09f * std::sin(turn), 0) : vec3(0.34f * std::cos(turn), 0.05f + 0.1f * any(random), 0.34f * std::sin(turn));
      const Depths d = walk(c.body, start, 5e-3f, random);
      deepest.at_looks = std::max(deepest.at_looks, d.at_looks), deepest.between = std::max(deepest.between, d.between);
    }
    const std::string name = c.name;
    MESSAGE(name, ": ", 1e3 * deepest.between, " mm between looks, ", 1e3 * deepest.at_looks, " mm after them");
    CHECK(deepest.at_looks < 1e-4f);
  }
}
