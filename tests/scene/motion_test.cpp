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
