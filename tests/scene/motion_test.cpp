#include "sim/scene/motion.h"

#include <doctest/doctest.h>

using namespace weft;

namespace {

vec3 moved(const Motion& m, const vec3& p, double time) {
  return vec3(motion_transform(m, time) * vec4(p, 1));
}

void check_same(const vec3& a, const vec3& b, float tolerance = 1e-5f) {
  CAPTURE(a.x);
  CAPTURE(a.y);
  CAPTURE(a.z);
  CAPTURE(b.x);
  CAPTURE(b.y);
  CAPTURE(b.z);
  CHECK(glm::length(a - b) <= tolerance);
}

Motion everything() {
  Motion m;
  m.keys = {{0.5f, {0, 0, 0}, {0, 0, 0}}, {1.5f, {1, 2, 3}, {10, 20, 30}}, {2.0f, {1, 2, 0}, {-40, 70, 5}}};
  m.spin_axis = {1, 1, 0.5f};
  m.spin_rate = 77;
  m.spin_center = {0.3f, -0.2f, 0.1f};
  return m;
}

}  // namespace

TEST_CASE("a motion without keys and spin leaves everything where it is, exactly") {
  CHECK(motion_transform(Motion{}, 3.7) == mat4(1));
  Motion m;
  m.spin_center = {1, 2, 3};
  CHECK(motion_transform(m, 3.7) == mat4(1));
}

TEST_CASE("keys are held before the first and after the last, and linear between") {
  Motion m;
  m.keys = {{1, {0, 0, 0}, {}}, {3, {2, 4, 0}, {}}};
  check_same(moved(m, {5, 5, 5}, 0), {5, 5, 5});
  check_same(moved(m, {5, 5, 5}, 1.5), {5.5f, 6, 5});
  check_same(moved(m, {5, 5, 5}, 3), {7, 9, 5});
  check_same(moved(m, {5, 5, 5}, 100), {7, 9, 5});
}

TEST_CASE("rotations are interpolated at constant speed about the centre") {
  Motion m;
  m.keys = {{0, {}, {0, 0, 0}}, {2, {}, {0, 0, 90}}};
  m.spin_center = {1, 0, 0};
  const float s = std::sqrt(0.5f);
  check_same(moved(m, {2, 0, 0}, 1), {1 + s, s, 0});
  check_same(moved(m, {2, 0, 0}, 2), {1, 1, 0});
  check_same(moved(m, {1, 0, 0}, 0.7), {1, 0, 0});
}

TEST_CASE("a spin turns at its rate and its centre travels with the keys") {
  Motion m;
  m.spin_axis = {0, 0, 5};
  m.spin_rate = 90;
  check_same(moved(m, {1, 0, 0}, 1), {0, 1, 0});
  check_same(moved(m, {1, 0, 0}, 4001), {0, 1, 0});  // a thousand turns later
  m.keys = {{0, {}, {}}, {1, {0, 0, 7}, {}}};
  check_same(moved(m, {1, 0, 0}, 1), {0, 1, 7});
}

TEST_CASE("rotation is about x, then y, then z") {
  check_same(rotation_from_degrees({90, 90, 0}) * vec3(0, 1, 0), {1, 0, 0});
  check_same(rotation_from_degrees({0, 90, 90}) * vec3(0, 0, 1), {0, 1, 0});
}

TEST_CASE("a placement scales, rotates, then moves") {
  const Placement p{{1, 2, 3}, {0, 0, 90}, 2};
  check_same(vec3(placement_matrix(p) * vec4(1, 0, 0, 1)), {1, 4, 3});
}

TEST_CASE("motions are rigid") {
  for (double t : {0.0, 0.7, 1.2, 1.9, 5.0}) {
    const mat3 r(motion_transform(everything(), t));
    const mat3 product = glm::transpose(r) * r;
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < 3; ++k) CHECK(std::abs(product[c][k] - (c == k)) < 1e-5f);
  }
}

TEST_CASE("angles of a rotation give the rotation again, also where two of its axes fall together") {
  for (const vec3& degrees :
       {vec3(0), vec3(10, 20, 30), vec3(-170, 80, 5), vec3(30, 90, 20), vec3(0, -90, 45)}) {
    const quat turn = rotation_from_degrees(degrees),
               again = rotation_from_degrees(degrees_from_rotation(turn));
    CHECK(std::abs(glm::dot(turn, again)) > 1 - 1e-6f);
  }
}

TEST_CASE("a move by hand begins where the body is and ends in time at the place that was asked for") {
  const HandPose a{{1, 0, 0}, {0.5f, 0, 0}, rotation_from_degrees({0, 90, 0})};
  const HandMove first = move_by_hand({}, a, 2, 0.5f, 0.1f);
  // the way of the centre and of a point 0.1 m from it around a quarter of a circle, at 0.5 m/s
  CHECK(first.duration == doctest::Approx((0.5 + 0.1 * kPi / 2) / 0.5).epsilon(1e-5));
  const auto at = [](const HandMove& m, double t, const vec3& p) {
    return vec3(rigid_pose(hand_pose(m, t)).matrix() * vec4(p, 1));
  };
  const vec3 p(1, 0, 0.1f);
  check_same(at(first, 0, p), p);
  check_same(at(first, 2, p), p);
  check_same(at(first, 9, p), {1.6f, 0, 0});
  // another place, from the middle of the way, and about another centre
  const HandMove second = move_by_hand(first, {{0, 1, 0}, {0, 0, 2}, quat(1, 0, 0, 0)}, 2.4, 0.5f, 0.1f);
  check_same(at(second, 2.4, p), at(first, 2.4, p));
  check_same(at(second, 99, p), p + vec3(0, 0, 2));
  for (double t = 2; t < 4; t += 0.01)
    CHECK(glm::length(at(first, t + 0.01, p) - at(first, t, p)) <= 0.005f * 1.001f);
}

TEST_CASE("a body that was moved by hand keeps its place and its script in the scene that is saved") {
  Obstacle o;
  o.placement = {{0.2f, 0.5f, -0.1f}, {10, 20, 30}, 2};
  o.motion = everything();
  o.motion.hand =
      move_by_hand({}, {{0.3f, 0, 0.2f}, {0.1f, -0.4f, 0.2f}, rotation_from_degrees({40, -70, 15})}, 0, 1, 1);
  Obstacle saved = o;
  settle_by_hand(saved);
  CHECK_FALSE(saved.motion.hand.moves());
  const auto place = [](const Obstacle& b, double t) {
    return motion_transform(b.motion, t) * placement_matrix(b.placement);
  };
  for (const double t : {10.0, 20.5, 1e3})
    for (const vec3& p : {vec3(0), vec3(0.1f, 0, 0), vec3(0, 0.2f, 0.3f)})
      check_same(vec3(place(saved, t) * vec4(p, 1)), vec3(place(o, t) * vec4(p, 1)), 2e-5f);
  // on the way of the script, too: the hand has arrived after 10 s
  for (double t = 0; t < 2.5; t += 0.1) {
    Obstacle there = o;
    there.motion.hand.since = -100;
    check_same(vec3(place(saved, t) * vec4(0.1f, 0.2f, 0.3f, 1)),
               vec3(place(there, t) * vec4(0.1f, 0.2f, 0.3f, 1)), 2e-5f);
  }
}
