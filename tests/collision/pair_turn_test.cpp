// What friction remembers turns with what it sticks to.
#include <doctest/doctest.h>

#include <cmath>

#include "sim/collision/contact_terms/pair_turn.h"

using namespace weft;

TEST_CASE("a vector in the plane of contact turns as the surface does") {
  const vec3 axis = glm::normalize(vec3(0.3f, 1, -0.2f)),
             across = glm::normalize(glm::cross(axis, vec3(1, 0, 0))),
             edge = 0.01f * glm::normalize(glm::cross(across, axis) + 0.4f * across);
  for (const double angle : {1e-4, 0.06, 0.5, -1.2, 2.0}) {
    const auto by = [&](const vec3& u) {  // about the axis, in double precision
      const dvec3 a(axis), v(u);
      return vec3(std::cos(angle) * v + std::sin(angle) * glm::cross(a, v) +
                  (1 - std::cos(angle)) * glm::dot(a, v) * a);
    };
    const vec3 stretch = 3e-5f * across, got = contact::turned(stretch, edge, by(edge));
    CAPTURE(angle);
    // rounding of the edge's two directions
    CHECK(glm::length(got - by(stretch)) < 1e-6f * glm::length(stretch));
  }
}

TEST_CASE("what stands still keeps its bits") {
  const vec3 u(1.7e-5f, -3e-6f, 0.4f), e(0.3f, -0.7f, 0.01f);
  CHECK(contact::turned(u, e, e) == u);
  CHECK(contact::turned(u, vec3(0), e) == u);
}

TEST_CASE("slip on a plane that moves counts from the plane") {
  ContactPlane plane{vec3(0, 1, 0), 0, 0.4f};
  CHECK_FALSE(plane.moves());
  const vec3 p(0.2f, 0.001f, 0.1f), d(1e-3f, -2e-5f, 3e-4f), kept(2e-4f, 0, -1e-4f);
  CHECK(plane.slip(p, d, kept) == vec3(d.x + kept.x, 0, d.z + kept.z));
  const float a = 0.06f;
  const mat3 turn(vec3(std::cos(a), 0, -std::sin(a)), vec3(0, 1, 0), vec3(std::sin(a), 0, std::cos(a)));
  plane.turn = turn - mat3(1);
  plane.shift = vec3(0.01f, 0, 0);
  CHECK(plane.moves());
  // A vertex that goes with the plane has no slip but what it had, turned; up to four roundings of p.
  const vec3 with = turn * p + plane.shift - p;
  CHECK(glm::length(plane.slip(p, with, kept) - turn * kept) < 4 * 0.2f * 6e-8f);
}
