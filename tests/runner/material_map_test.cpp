#include "sim/run/material_map.h"

#include <doctest/doctest.h>

#include <random>

#include "sim/base/error.h"
#include "sim/geometry/closest_point.h"
#include "sim/run/simulation.h"
#include "tests/runner/small_scene.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// A scene's mesh, with a sheet of so many vertices.
struct Built {
  std::unique_ptr<Device> device = Device::create(DeviceChoice::cpu, 1);
  Simulation simulation;
  explicit Built(int vertices, const std::string& name = "cloth")
      : simulation(scene(vertices, name), *device) {}
  static Scene scene(int vertices, const std::string& name) {
    Scene s = small_scene(vertices);
    s.cloths[0].name = name;
    return s;
  }
  const Topology& topology() { return simulation.model().host; }
  MappedMesh mesh() { return {topology().parts, topology().rest, topology().triangles}; }
};

vec3 at(const std::vector<vec3>& x, const MaterialPlace& p) {
  return p.weights.x * x[size_t(p.vertices.x)] + p.weights.y * x[size_t(p.vertices.y)] +
         p.weights.z * x[size_t(p.vertices.z)];
}

}  // namespace

TEST_CASE("each vertex has its place on the nearest of all triangles of another mesh of the same sheet") {
  Built fine(900), coarse(120);
  for (auto [from, to] : {std::pair(&fine, &coarse), std::pair(&coarse, &fine)}) {
    const MaterialMap map(from->mesh(), to->mesh());
    CHECK(!map.same());
    const std::vector<vec3>&x = from->topology().rest, &y = to->topology().rest;
    for (int v = 0; v < int(x.size()); ++v) {
      float nearest = 1e30f;
      for (const ivec3& t : to->topology().triangles) {
        const auto q = closest_on_triangle(x[size_t(v)], y[size_t(t.x)], y[size_t(t.y)], y[size_t(t.z)]);
        nearest = std::min(nearest, glm::length(q.offset));
      }
      // positions are floats of about a metre
      CHECK(glm::distance(at(y, map.place(v)), x[size_t(v)]) <= nearest + 1e-6f);
    }
  }
}

TEST_CASE("places are nearest among triangles that lie anywhere in space") {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> unit(0, 1);
  const auto point = [&] { return vec3(unit(random), unit(random), 0.3f * unit(random)); };
  std::vector<vec3> x, y;
  std::vector<ivec3> triangles;
  for (int t = 0; t < 150; ++t) {
    const vec3 corner = point();
    triangles.emplace_back(3 * t, 3 * t + 1, 3 * t + 2);
    for (int k = 0; k < 3; ++k) x.push_back(point()), y.push_back(corner + 0.15f * point());
  }
  const std::vector<ModelPart> parts = {{.name = "soup", .vertex_count = 450, .triangle_count = 150}};
  const MaterialMap map({parts, x, triangles}, {parts, y, triangles});
  for (int v = 0; v < int(x.size()); ++v) {
    float nearest = 1e30f;
    for (const ivec3& t : triangles) {
      const auto q = closest_on_triangle(x[size_t(v)], y[size_t(t.x)], y[size_t(t.y)], y[size_t(t.z)]);
      nearest = std::min(nearest, glm::length(q.offset));
    }
    CHECK(glm::distance(at(y, map.place(v)), x[size_t(v)]) <= nearest + 1e-6f);
  }
}

TEST_CASE("sheets of other meshes that are bent alike are as far apart as chords from their arc") {
  Built fine(2000), coarse(300);
  const MaterialMap map(fine.mesh(), coarse.mesh());
  constexpr float kRadius = 0.5f;
  const auto bent = [](std::vector<vec3> x) {
    for (vec3& p : x) p = vec3(kRadius * std::sin(p.x / kRadius), p.y, kRadius * std::cos(p.x / kRadius));
    return x;
  };
  std::vector<float> apart;
  map.distances(bent(fine.topology().rest), bent(coarse.topology().rest), apart);
  const float edge =
      1.2f / std::sqrt(300.0f);  // a metre of 300 vertices, each with its share of two triangles
  const float sagitta = edge * edge / (8 * kRadius);
  const RunDifference d = difference_of(apart);
  CHECK(d.largest > 0.1 * double(sagitta));
  CHECK(d.largest < 1.5 * double(sagitta));
  CHECK(d.mean < d.largest);
  // and moved as a whole by so much more
  std::vector<vec3> moved = bent(fine.topology().rest);
  for (vec3& p : moved) p.y += 0.25f;
  map.distances(moved, bent(coarse.topology().rest), apart);
  CHECK(difference_of(apart).mean == doctest::Approx(0.25).epsilon(0.01));
}

TEST_CASE(
    "a hand that takes a point takes the same point of the other mesh and of the same mesh the same "
    "triangle") {
  Built fine(900), coarse(120);
  const MaterialMap map(fine.mesh(), coarse.mesh()), own(fine.mesh(), fine.mesh());
  CHECK(own.same());
  std::mt19937 random(3);
  for (int k = 0; k < 50; ++k) {
    const int triangle = int(random() % fine.topology().triangles.size());
    const GrabBegin grab{k, triangle, vec3(0.2f, 0.3f, 0.5f), 0.04f};
    const auto there = map.carried_over(grab);
    REQUIRE(there);
    const auto& other = std::get<GrabBegin>(*there);
    CHECK(other.handle == k);
    CHECK(other.brush_radius == grab.brush_radius);
    const vec3 a = at(fine.topology().rest, {fine.topology().triangles[size_t(triangle)], grab.barycentric});
    const vec3 b =
        at(coarse.topology().rest, {coarse.topology().triangles[size_t(other.triangle)], other.barycentric});
    // outlines of both meshes are those of the sheet
    CHECK(glm::distance(a, b) < 1e-5f);
    CHECK(std::get<GrabBegin>(*own.carried_over(grab)).triangle == triangle);
  }
  const auto pin = std::get<PinVertex>(*map.carried_over(PinVertex{.vertex = 17, .place = vec3(1, 2, 3)}));
  CHECK(pin.place == vec3(1, 2, 3));
  const vec3 wanted = fine.topology().rest[17];
  for (const vec3& p : coarse.topology().rest)
    CHECK(glm::distance(coarse.topology().rest[size_t(pin.vertex)], wanted) <=
          glm::distance(p, wanted) + 0.06f);
  const auto several = std::get<GrabVertices>(*map.carried_over(GrabVertices{1, {3, 4, 5, 6}}));
  for (size_t i = 1; i < several.vertices.size(); ++i) CHECK(several.vertices[i - 1] < several.vertices[i]);
  CHECK(!map.carried_over(EndSolve{3}));
  CHECK(std::get<SetParam>(*map.carried_over(SetParam{"step.dt", "0.01"})).key == "step.dt");
}

TEST_CASE("meshes without a part of the same name are refused by that name") {
  Built a(100), b(100, "flag");
  CHECK_THROWS_WITH_AS(MaterialMap(a.mesh(), b.mesh()), doctest::Contains("cloth: "), Error);
}

TEST_CASE("points without a place count in no difference") {
  const RunDifference d = difference_of({0.1f, std::numeric_limits<float>::quiet_NaN(), 0.3f});
  CHECK(d.mean == doctest::Approx(0.2));
  CHECK(d.largest == doctest::Approx(0.3));
  CHECK(difference_of({}).largest == 0);
}
