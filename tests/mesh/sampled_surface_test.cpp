#include "sim/mesh/shapes/sampled_surface.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "sim/base/error.h"
#include "sim/mesh/shapes/shapes.h"

using namespace weft;

namespace {

std::vector<vec3> positions_of(const SampledSurface& s, const std::vector<vec3>& mesh) {
  std::vector<vec3> x;
  for (const MeshPoint& p : s.points) x.push_back(p.at(mesh));
  return x;
}

double area_of(const std::vector<vec3>& x, const std::vector<ivec3>& triangles) {
  double area = 0;
  for (const ivec3& t : triangles)
    area += 0.5 *
            double(glm::length(glm::cross(x[size_t(t.y)] - x[size_t(t.x)], x[size_t(t.z)] - x[size_t(t.x)])));
  return area;
}

}  // namespace

TEST_CASE(
    "a sampled surface has short edges, no holes, and is the same surface, also when the mesh deforms") {
  const TriMesh meshes[] = {make_box({0.3f, 0.1f, 0.2f}), make_capsule(0.05f, 0.4f), make_sphere(0.1f, 1)};
  for (const TriMesh& mesh : meshes) {
    const SampledSurface s = sampled_surface(mesh, 0.012f, 1000000, "test");
    std::vector<vec3> x = positions_of(s, mesh.positions);
    for (const ivec2& e : s.edges) CHECK(glm::length(x[size_t(e.x)] - x[size_t(e.y)]) <= 0.012f);
    std::map<std::pair<int, int>, int> sides;
    for (const ivec3& t : s.triangles)
      for (int k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
    for (const auto& [side, count] : sides) {
      REQUIRE(count == 1);
      REQUIRE(sides.count({side.second, side.first}) == 1);
    }
    CHECK(sides.size() == 2 * s.edges.size());
    CHECK(area_of(x, s.triangles) == doctest::Approx(area_of(mesh.positions, mesh.triangles)).epsilon(1e-4));
    // Twisted: points stay on their triangles, so that the area is that of the twisted mesh.
    std::vector<vec3> twisted = mesh.positions;
    for (vec3& p : twisted)
      p = vec3(std::cos(5 * p.y) * p.x - std::sin(5 * p.y) * p.z, 1.2f * p.y,
               std::sin(5 * p.y) * p.x + std::cos(5 * p.y) * p.z);
    x = positions_of(s, twisted);
    CHECK(area_of(x, s.triangles) == doctest::Approx(area_of(twisted, mesh.triangles)).epsilon(1e-4));
  }
}

TEST_CASE("a body that takes too many samples is refused") {
  CHECK_THROWS_AS(sampled_surface(make_box({2, 2, 2}), 0.01f, 5000, "obstacle box"), Error);
}

TEST_CASE("a mesh around a ball or a capsule contains it and is hardly larger") {
  const auto sticks_out = [](const TriMesh& mesh, float radius, float half) {
    float most = -1;
    for (const ivec3& t : mesh.triangles) {
      const vec3 a = mesh.positions[size_t(t.x)],
                 n = glm::normalize(
                     glm::cross(mesh.positions[size_t(t.y)] - a, mesh.positions[size_t(t.z)] - a));
      most = std::max(most, radius + half * std::abs(n.y) - glm::dot(n, a));
    }
    return most;
  };
  const auto reach = [](const TriMesh& mesh, float half) {  // of its vertices, from the axis
    float most = 0;
    for (const vec3& p : mesh.positions)
      most = std::max(most, glm::length(p - vec3(0, std::clamp(p.y, -half, half), 0)));
    return most;
  };
  for (const float edge : {0.004f, 0.02f}) {
    const TriMesh ball = sphere_around(0.2f, edge), capsule = capsule_around(0.1f, 0.5f, edge);
    CHECK(sticks_out(ball, 0.2f, 0) <= 1e-6f);
    CHECK(sticks_out(capsule, 0.1f, 0.25f) <= 1e-6f);
    // A circle through the corners of an equilateral triangle has the radius edge / sqrt(3); two thirds more
    // for uneven ones.
    CHECK(reach(ball, 0) - 0.2f < 1.7f * edge * edge / (6 * 0.2f));
    CHECK(reach(capsule, 0.25f) - 0.1f < 1.7f * edge * edge / (6 * 0.1f));
  }
}
