#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "sim/base/error.h"
#include "sim/geometry/mesh_sdf.h"
#include "sim/mesh/shapes/shapes.h"

using namespace weft;

namespace {

std::vector<vec3> random_points(int count, float reach, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<vec3> points(count);
  for (vec3& p : points)
    for (int a = 0; a < 3; ++a) p[a] = reach * (2 * float(engine() >> 8) / float(1 << 24) - 1);
  return points;
}

/// Distance to the nearest triangle, one by one.
double brute_force(const TriMesh& mesh, const vec3& p) {
  double best = 1e30;
  for (const ivec3& t : mesh.triangles) {
    const ClosestOnTriangle q =
        closest_on_triangle(p, mesh.positions[t.x], mesh.positions[t.y], mesh.positions[t.z]);
    best = std::min(best, double(glm::length(q.offset)));
  }
  return best;
}

}  // namespace

TEST_CASE("the closest point of a triangle is closer than any sample of it") {
  const std::vector<vec3> points = random_points(400, 1, 1);
  for (size_t i = 0; i + 3 < points.size(); i += 4) {
    const vec3 p = 2.0f * points[i], a = points[i + 1], b = points[i + 2], c = points[i + 3];
    const ClosestOnTriangle q = closest_on_triangle(p, a, b, c);
    const vec3 at = q.barycentric.x * a + q.barycentric.y * b + q.barycentric.z * c;
    CHECK(glm::length(p - at - q.offset) < 1e-5f);
    CHECK(q.barycentric.x + q.barycentric.y + q.barycentric.z == doctest::Approx(1).epsilon(1e-5));
    for (int k = 0; k < 3; ++k) CHECK(q.barycentric[k] >= -1e-6f);
    float nearest_sample = 1e30f;
    for (int u = 0; u <= 40; ++u)
      for (int v = 0; u + v <= 40; ++v) {
        const vec3 sample = a + (float(u) / 40) * (b - a) + (float(v) / 40) * (c - a);
        nearest_sample = std::min(nearest_sample, glm::length(p - sample));
      }
    CHECK(glm::length(q.offset) <= nearest_sample + 1e-6f);
  }
}

TEST_CASE("the closest point of a needle is as near as in double, whatever its aspect") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  for (const double aspect : {10.0, 30.0, 40.0, 100.0, 1e3, 1e4, 1e6}) {
    CAPTURE(aspect);
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
      const auto point = [&] { return dvec3(any(random), any(random), any(random)); };
      const dvec3 along = glm::normalize(point()), across = glm::normalize(glm::cross(along, point())),
                  up = glm::cross(along, across), at = point();
      const vec3 a(at), b(at + along), c(at + (0.5 + 0.5 * any(random)) * along + across / aspect);
      const vec3 p(at + (0.5 + 0.5 * any(random)) * along + any(random) / aspect * across +
                   0.02 * any(random) * up);
      const ClosestOnTriangle q = closest_on_triangle(p, a, b, c);
      const double exact =
          std::sqrt(closest_vertex_triangle<double>(dvec3(p), dvec3(a), dvec3(b), dvec3(c)).squared);
      worst = std::max(worst, std::abs(double(glm::length(q.offset)) - exact));
      const vec3 there = q.barycentric.x * a + q.barycentric.y * b + q.barycentric.z * c;
      CHECK(glm::length(p - there - q.offset) < 1e-6f);
    }
    MESSAGE("aspect ", aspect, ": ", worst, " m");
    CHECK(worst < 5e-5);  // triangles of 1 m; 1.7e-5 when this was written
  }
}

TEST_CASE("distances of analytic bodies have unit gradients that point along the normal") {
  const float h = 1e-3f;
  for (const BodyShape& shape : {BodyShape::plane(), BodyShape::sphere(0.4f),
                                 BodyShape::box({0.3f, 0.2f, 0.4f}), BodyShape::capsule(0.2f, 0.5f)})
    for (const vec3& p : random_points(200, 0.8f, 2)) {
      vec3 normal, unused;
      const float d = shape.distance(p, normal);
      CHECK(std::abs(glm::length(normal) - 1) < 1e-5f);
      // A step along the normal changes the distance by its length, except where the nearest side changes
      // inside a box.
      if (d > 0) CHECK(std::abs(shape.distance(p + h * normal, unused) - d - h) < 1e-5f);
      CHECK(shape.lower_bound(p) <= d + 1e-6f);
    }
}

TEST_CASE("the distance to a mesh near its surface is that of brute force, with the sign of its inside") {
  const TriMesh box = make_box({0.3f, 0.2f, 0.25f}), ball = make_sphere(0.15f);
  for (const TriMesh& mesh : {box, ball}) {
    const HostSdf field = build_sdf(mesh, "body");
    CHECK(field.closed);
    const BodyShape shape{BodyKind::mesh, vec3(0), field.view()};
    const bool is_box = mesh.positions.size() == box.positions.size();
    int near = 0;
    for (const vec3& p : random_points(4000, 0.2f, 3)) {
      const double exact = brute_force(mesh, p);
      vec3 normal;
      const float d = shape.distance(p, normal);
      if (d > 0) CHECK(double(shape.lower_bound(p)) <= exact + 1e-5);
      else CHECK(shape.lower_bound(p) <= 0);
      if (exact > 2e-3) continue;  // the band is at least that wide
      ++near;
      CHECK(std::abs(std::abs(double(d)) - exact) < 1e-6);
      if (is_box) {
        vec3 unused;
        const float analytic = BodyShape::box({0.15f, 0.1f, 0.125f}).distance(p, unused);
        CHECK(std::abs(d - analytic) < 1e-6f);
      }
    }
    CHECK(near > 20);
  }
}

TEST_CASE("far from a mesh the distance is never more than it truly is") {
  const TriMesh ball = make_sphere(0.15f);
  const HostSdf field = build_sdf(ball, "ball");
  const BodyShape shape{BodyKind::mesh, vec3(0), field.view()};
  for (const vec3& p : random_points(1000, 0.6f, 4)) {
    vec3 normal;
    const double exact = brute_force(ball, p) * (glm::length(p) < 0.15f ? -1 : 1);
    CHECK(double(shape.distance(p, normal)) <= exact + 1e-5 + (exact < 0 ? 1e-3 : 0));
  }
}

TEST_CASE("an open mesh is a shell, and a mesh without area is refused") {
  TriMesh sheet = make_grid({0.2f, 0.2f}, 0.05f);
  const HostSdf field = build_sdf(sheet, "sheet");
  CHECK_FALSE(field.closed);
  const BodyShape shape{BodyKind::mesh, vec3(0), field.view()};
  vec3 normal;
  CHECK(std::abs(shape.distance({0.01f, 0.02f, 0.001f}, normal)) == doctest::Approx(0.001).epsilon(1e-3));
  for (vec3& p : sheet.positions) p = vec3(1, 2, 3);
  CHECK_THROWS_AS(build_sdf(sheet, "sheet"), Error);
}
