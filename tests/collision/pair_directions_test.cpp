// Which pairs make contact, and along which direction.
#include <doctest/doctest.h>

#include <vector>

#include "sim/collision/contact_terms/surface_normals.h"

using namespace weft;

namespace {

/// Direction between a triangle of cloth (points 0 to 2), one millimetre above the corner of a table at the
/// origin (point 3), and that corner, whose normal is said to be that of the table's top. `ring`: where the
/// corner's neighbours lie.
vec3 direction_at_corner(const std::vector<vec3>& ring, bool segments = false) {
  const vec3 out = glm::normalize(vec3(-1, 1, -1)), across = glm::normalize(vec3(1, 1, 0));
  const vec3 along = glm::cross(out, across);
  std::vector<vec3> x{1e-3f * out + 4e-3f * across, 1e-3f * out - 2e-3f * across + 3e-3f * along,
                      1e-3f * out - 2e-3f * across - 3e-3f * along, vec3(0)};
  std::vector<int> neighbors;
  for (const vec3& p : ring) neighbors.push_back(int(x.size())), x.push_back(p);
  std::vector<vec3> normal(x.size(), vec3(0));
  normal[3] = {0, 1, 0};
  const std::vector<int> start{0, 0, 0, 0, int(ring.size())};
  const ivec3 triangle{0, 1, 2};
  const Span<const vec3> points{x.data(), int(x.size())};
  contact::PairDirections directions;
  directions.normal = {normal.data(), int(normal.size())};
  directions.next.ring_start = {start.data(), int(start.size())};
  directions.next.ring = {neighbors.data(), int(neighbors.size())};
  directions.triangles = {&triangle, 1};
  directions.x = points;
  directions.cloth_points = 3;
  directions.segments = segments;
  return directions(contact::PairPoints({3, 0, 1, 2}, true, points), {3, 0}, true, -out);
}

}  // namespace

TEST_CASE("the corner of a flat box presses on cloth that bends over it, whatever normal its area gives it") {
  const vec3 found = direction_at_corner({{1, 0, 0}, {0, 0, 1}, {0, -0.02f, 0}});
  CHECK(glm::length(found - glm::normalize(vec3(1, -1, 1))) < 1e-6f);
}

TEST_CASE("a point of a flat face leaves cloth that is nearer elsewhere to that place") {
  CHECK(direction_at_corner({{1, 0, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 0, -1}}) == vec3(0));
}

TEST_CASE("with shortest segments every pair makes contact along its own, whatever the surface") {
  const vec3 found = direction_at_corner({{1, 0, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 0, -1}}, true);
  CHECK(found == -glm::normalize(vec3(-1, 1, -1)));
}
