// Worn garments at other edge lengths.
#include "sim/garment/finer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/garment/patterns.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("a finer mesh of a pattern lies on the surface of the worn one, with its material points") {
  Panel left = rectangle("left", 0.2, 0.3), right = rectangle("right", 0.1, 0.3, {0.2, 0, 0});
  const Pattern pattern = pattern_of({left, right}, {{"middle", {{0, 1, 0, 1}, {1, 3, 1, 0}}}}, 0.04);
  const GarmentMesh worn = make_garment(pattern, "p"), fine = make_garment(pattern, "p", 0.01);
  std::vector<vec3> moved;  // an affine motion is kept exactly
  const auto motion = [](const vec3& p) { return vec3(0.3f + 2 * p.x, p.y - 0.5f * p.x, 0.1f * p.y + p.x); };
  for (const vec3& p : worn.mesh.positions) moved.push_back(motion(p));
  const std::vector<vec3> got = resampled(fine, worn, moved);
  REQUIRE(got.size() == fine.mesh.positions.size());
  CHECK(got.size() > 10 * moved.size());
  for (size_t v = 0; v < got.size(); ++v) CHECK(glm::length(got[v] - motion(fine.mesh.positions[v])) < 1e-6f);
  CHECK(fault_of([&] { resampled(fine, make_garment(pattern_of({left}), "q"), moved); }) != "");
}

TEST_CASE("a worn garment divided n x n has its surface, its seams and its rest shape") {
  Panel left = rectangle("left", 0.2, 0.3), right = rectangle("right", 0.1, 0.3, {0.2, 0, 0});
  left.grain = 40;
  std::vector<Panel> panels{left, right, rectangle("third", 0.1, 0.3, {0.2, 0, 0.05})};
  std::reverse(panels[1].loops[0].begin(), panels[1].loops[0].end());  // clockwise: seen from the other side
  const Pattern pattern = pattern_of(
      panels, {{"middle", {{0, 1, 0, 1}, {1, 3, 0, 1}, {2, 3, 1, 0}}}, {"hem", {{0, 2, 0, 1}}, 0.8}}, 0.04);
  const GarmentMesh worn = make_garment(pattern, "p");
  std::vector<vec3> moved;
  for (const vec3& p : worn.mesh.positions)
    moved.push_back(vec3(p.x, p.y, 0.1f * std::sin(20 * p.x)) + 0.3f * p);
  const double height = rest_length_along(worn, 0, 0);
  for (const int n : {1, 2, 5}) {
    CAPTURE(n);
    const GarmentMesh g = divided(worn, moved, n);
    CHECK(g.mesh.triangle_count() == n * n * worn.mesh.triangle_count());
    CHECK(euler_characteristic(g.mesh) == euler_characteristic(worn.mesh));
    auto sheets = edges_by_sheets(worn.mesh), finer = edges_by_sheets(g.mesh);
    CHECK(finer[1] == n * sheets[1]);
    CHECK(finer[3] == n * sheets[3]);
    for (int p = 0; p < 3; ++p) CHECK(std::abs(rest_area(g, p) / rest_area(worn, p) - 1) < 1e-5);
    CHECK(g.seam_lines[0].size() == size_t(n) * (worn.seam_lines[0].size() - 1) + 1);
    for (int p = 0; p < 3; ++p) CHECK(std::abs(rest_length_along(g, 0, p) / height - 1) < 1e-5);
    // triangle t of the worn mesh is triangles n² t ... of the other: all of them in its plane and between
    // its corners
    const RestShape before(worn.mesh), after(g.mesh);
    for (int t = 0; t < worn.mesh.triangle_count(); ++t) {
      const ivec3& v = worn.mesh.triangles[size_t(t)];
      const vec3 &a = moved[size_t(v.x)], &b = moved[size_t(v.y)], &c = moved[size_t(v.z)],
                 normal = glm::normalize(glm::cross(b - a, c - a));
      float area = 0;
      for (int k = n * n * t; k < n * n * (t + 1); ++k) {
        const ivec3& w = g.mesh.triangles[size_t(k)];
        const vec3 &x = g.mesh.positions[size_t(w.x)], &y = g.mesh.positions[size_t(w.y)],
                   &z = g.mesh.positions[size_t(w.z)];
        area += glm::dot(normal, glm::cross(y - x, z - x));
        CHECK(std::abs(glm::dot(normal, x - a)) < 1e-6f);
        CHECK(std::abs(n * n * after.area(k) / before.area(t) - 1) < 1e-3);
      }
      CHECK(std::abs(area / glm::length(glm::cross(b - a, c - a)) - 1) < 1e-4f);
    }
    for (int p = 0; p < 3; ++p)
      for (size_t i = 0; i < g.panels[size_t(p)].points.size(); ++i)
        CHECK(g.vertex[size_t(p)][i] < g.mesh.vertex_count());
  }
}
