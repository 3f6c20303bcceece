#include "sim/geometry/surface_tree.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "sim/mesh/shapes/shapes.h"

using namespace weft;

namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  vec3 point(float reach) {
    vec3 p;
    for (int a = 0; a < 3; ++a) p[a] = reach * (2 * float(engine_() >> 8) / float(1 << 24) - 1);
    return p;
  }

 private:
  std::mt19937 engine_;
};

/// Distance to the nearest triangle, one by one.
double one_by_one(const TriMesh& mesh, const vec3& p) {
  double best = 1e30;
  for (const ivec3& t : mesh.triangles) {
    const ClosestOnTriangle q = closest_on_triangle(p, mesh.positions[size_t(t.x)],
                                                    mesh.positions[size_t(t.y)], mesh.positions[size_t(t.z)]);
    best = std::min(best, double(glm::length(q.offset)));
  }
  return best;
}

/// Triangles of any size that have nothing to do with each other, some of them without area.
TriMesh loose_triangles(int count, unsigned seed) {
  Random random(seed);
  TriMesh mesh;
  for (int i = 0; i < count; ++i) {
    const vec3 at = random.point(1);
    const float size = i % 7 == 0 ? 0.5f : 0.03f;
    const int first = mesh.vertex_count();
    for (int k = 0; k < 3; ++k) mesh.positions.push_back(at + random.point(size));
    mesh.triangles.push_back({first, first + 1, first + 2});
    if (i % 11 == 1) mesh.triangles.back() = {first - 3, first - 2, first - 2};  // an edge of the one before
  }
  return mesh;
}

}  // namespace

TEST_CASE("the distance to a surface is the least of all its triangles however far a point is") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  for (const int count : {1, 2, 4, 5, 63, 700}) {
    CAPTURE(count);
    const TriMesh mesh = loose_triangles(count, unsigned(count));
    const SurfaceTree tree(*device, mesh, "loose");
    Random random(3);
    for (int i = 0; i < 400; ++i) {
      const vec3 p = random.point(i % 4 == 0 ? 20.0f : 1.2f);
      CHECK(double(tree.view().distance(p)) == doctest::Approx(one_by_one(mesh, p)).epsilon(1e-6));
    }
  }
}

TEST_CASE("the distance to a closed surface is negative inside and follows another pose") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  TriMesh ball = make_sphere(0.3f, 3);
  SurfaceTree tree(*device, ball, "ball");
  CHECK(ball.triangle_count() > 1000);
  const auto check = [&](const vec3& stretched) {
    Random random(5);
    for (int i = 0; i < 500; ++i) {
      const vec3 p = stretched * random.point(0.5f);
      const double sign = glm::length(p / stretched) < 0.29f ? -1 : 1;
      if (std::abs(glm::length(p / stretched) - 0.298f) < 0.01f) continue;
      CHECK(double(tree.view().distance(p)) == doctest::Approx(sign * one_by_one(ball, p)).epsilon(1e-5));
    }
  };
  check(vec3(1));
  for (vec3& p : ball.positions) p *= vec3(2, 0.7f, 1.5f);
  tree.place(ball.positions);
  check(vec3(2, 0.7f, 1.5f));
}

TEST_CASE("the distance to an open surface has no sign") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  TriMesh square;
  square.positions = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
  square.triangles = {{0, 2, 1}, {0, 3, 2}};
  const SurfaceTree tree(*device, square, "square");
  CHECK(tree.view().distance({0.2f, 0.25f, 0.1f}) == doctest::Approx(0.25));
  CHECK(tree.view().distance({0.2f, -0.25f, 0.1f}) == doctest::Approx(0.25));
  CHECK(tree.view().distance({4, 4, 0}) == doctest::Approx(5));
}
