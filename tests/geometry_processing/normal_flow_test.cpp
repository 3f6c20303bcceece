#include "sim/geometry_processing/normal_flow.h"

#include <doctest/doctest.h>

#include "tests/geometry_processing/sheets.h"

using namespace weft;
using namespace weft::testing;

namespace {

std::vector<vec3> flown(const TriMesh& mesh, float distance, int steps = 0) {
  PathOptions options;
  options.device = DeviceChoice::cpu;
  CrossingFreePath path(mesh.positions, mesh.triangles, options, "in");
  const NormalFlow flow(mesh.vertex_count(), mesh.triangles);
  CHECK(flow.remark(mesh.positions).empty());
  const FlowResult result = flow_along_normals(path, flow, distance, steps);
  MESSAGE(result.steps << " steps, " << result.forward_steps << " forward steps");
  CHECK(clean(path.positions(), mesh.triangles));
  CHECK(path.crossings().empty());
  return path.positions();
}

}  // namespace

TEST_CASE("a sphere flows to radius r + d, outwards and inwards, whatever the steps") {
  const TriMesh sphere = make_sphere(0.1f, 3);
  for (const float d : {0.03f, -0.04f})
    for (const int steps : {0, 20}) {
      CAPTURE(d);
      double mean = 0, worst = 0;
      for (const vec3& p : flown(sphere, d, steps)) {
        const double r = double(glm::length(p));
        mean += r / sphere.vertex_count(), worst = std::max(worst, std::abs(r - 0.1 - double(d)));
      }
      MESSAGE("mean radius " << mean << ", worst " << worst);
      CHECK(mean == doctest::Approx(0.1 + double(d)).epsilon(0.02));
      CHECK(worst < 0.02 * (0.1 + double(d)));
    }
}

TEST_CASE("two spheres that flow towards each other meet and do not cross") {
  TriMesh two;
  append(two, make_sphere(0.05f, 2), {-0.055f, 0, 0});
  append(two, make_sphere(0.05f, 2), {0.055f, 0, 0});
  const std::vector<vec3> x = flown(two, 0.02f);  // without contact they would overlap by 30 mm
  const size_t half = x.size() / 2;
  float left = -1, right = 1, reach = 0;
  for (size_t i = 0; i < half; ++i) left = std::max(left, x[i].x), reach = std::min(reach, x[i].x);
  for (size_t i = half; i < x.size(); ++i) right = std::min(right, x[i].x);
  MESSAGE("between them from " << left << " to " << right << ", outer end at " << reach);
  // pressed against each other, wherever the wall between them bends
  CHECK(std::abs(left) < 0.003f);
  CHECK(std::abs(right) < 0.003f);
  CHECK(reach == doctest::Approx(-0.125f).epsilon(0.03));  // the far side is free
}

TEST_CASE("a thin tube that flows inwards stops before it meets itself" * doctest::test_suite("slow")) {
  const TriMesh tube = make_tube(0.03f, 0.1f, 0.006f);
  const vec3 first = tube.positions[tube.triangles[0].x];
  const vec3 n =
      glm::cross(tube.positions[tube.triangles[0].y] - first, tube.positions[tube.triangles[0].z] - first);
  const float inwards = n.x * first.x + n.z * first.z > 0 ? -1.0f : 1.0f;
  flown(tube, inwards * 0.025f);
}

TEST_CASE("a flat sheet flows without shrinking, and obtuse triangles and needles do not upset it") {
  TriMesh sheet = make_grid({0.1f, 0.1f}, 0.01f);
  for (vec3& p : sheet.positions) p.x += 2.5f * p.y;  // sheared: angles up to 160 degrees
  const std::vector<vec3> x = flown(sheet, 0.02f);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(double(x[i].z) - 0.02));
  CHECK(worst < 2e-4);
  CHECK(glm::length(x[0] - sheet.positions[0] - vec3(0, 0, 0.02f)) < 2e-4f);
}

TEST_CASE("faces that look inwards or in different directions are remarked on") {
  TriMesh ball = make_sphere(0.1f, 1);
  for (ivec3& t : ball.triangles) std::swap(t.x, t.y);
  CHECK(NormalFlow(ball.vertex_count(), ball.triangles).remark(ball.positions).find("point inwards") !=
        std::string::npos);
  std::swap(ball.triangles[3].x, ball.triangles[3].y);
  CHECK(NormalFlow(ball.vertex_count(), ball.triangles).remark(ball.positions).find("opposite directions") !=
        std::string::npos);
}
