#include <doctest/doctest.h>

#include <random>

#include "viewer/interact/picking.h"
#include "viewer/interact/pins.h"

using namespace weft;

namespace {

struct Soup {
  std::vector<vec3> positions;
  std::vector<ivec3> triangles;
};

/// A bumpy sheet in front of the eye, so that rays pass several layers.
Soup crumpled_sheet(int side) {
  Soup s;
  std::mt19937 random(7);
  std::uniform_real_distribution<float> jitter(-0.3f, 0.3f);
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i)
      s.positions.push_back(
          {2.0f * i / (side - 1) - 1 + jitter(random) / side, 2.0f * j / (side - 1) - 1, jitter(random)});
  for (int j = 0; j + 1 < side; ++j)
    for (int i = 0; i + 1 < side; ++i) {
      const int a = j * side + i;
      s.triangles.push_back({a, a + 1, a + side});
      s.triangles.push_back({a + 1, a + side + 1, a + side});
    }
  return s;
}

/// Solves the three equations of o + t d = sum b_i p_i directly, in double, for every triangle: slow and
/// obvious.
std::optional<PickHit> brute_force(const Ray& ray, const Soup& soup) {
  PickHit best;
  double nearest = 1e30;
  for (size_t t = 0; t < soup.triangles.size(); ++t) {
    const dvec3 a(soup.positions[soup.triangles[t].x]), b(soup.positions[soup.triangles[t].y]),
        c(soup.positions[soup.triangles[t].z]);
    const dmat3 columns(b - a, c - a, -dvec3(ray.direction));
    if (std::abs(glm::determinant(columns)) < 1e-18) continue;
    const dvec3 solution = glm::inverse(columns) * (dvec3(ray.origin) - a);
    if (solution.x < 0 || solution.y < 0 || solution.x + solution.y > 1 || solution.z <= 0 ||
        solution.z >= nearest)
      continue;
    nearest = solution.z;
    best.triangle = int(t);
    best.barycentric = vec3(float(1 - solution.x - solution.y), float(solution.x), float(solution.y));
    best.distance = float(solution.z);
  }
  return best.triangle < 0 ? std::nullopt : std::optional(best);
}

}  // namespace

TEST_CASE("picking finds the triangle and the point on it that brute force finds") {
  const Soup soup = crumpled_sheet(24);
  Picker picker;
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(-1.2f, 1.2f);
  int hits = 0, misses = 0;
  for (int n = 0; n < 2000; ++n) {
    Ray ray;
    ray.origin = {uniform(random), uniform(random), n % 2 ? 3.0f : -3.0f};
    ray.direction = glm::normalize(vec3(uniform(random), uniform(random), 0) - ray.origin);
    const auto expected = brute_force(ray, soup);
    const auto found = picker.pick(ray, soup.positions, soup.triangles);
    REQUIRE(found.has_value() == expected.has_value());
    if (!found) {
      ++misses;
      continue;
    }
    ++hits;
    CHECK(found->distance == doctest::Approx(expected->distance).epsilon(1e-5));
    // A ray through a shared edge belongs to both triangles; then the points must agree all the same.
    CHECK(glm::distance(found->point, ray.origin + ray.direction * expected->distance) < 1e-5f);
    if (found->triangle == expected->triangle)
      CHECK(glm::distance(found->barycentric, expected->barycentric) < 1e-3f);
    CHECK(found->barycentric.x + found->barycentric.y + found->barycentric.z ==
          doctest::Approx(1).epsilon(1e-6));
  }
  CHECK(hits > 500);
  CHECK(misses > 100);
}

TEST_CASE("a ray through a vertex or along an edge does not slip between triangles") {
  const Soup soup = crumpled_sheet(12);
  Picker picker;
  const vec3 eye(0.1f, -0.2f, 5);
  for (int v = 0; v < int(soup.positions.size()); ++v) {
    const int i = v % 12, j = v / 12;
    if (i == 0 || j == 0 || i == 11 || j == 11) continue;  // the sheet's own border has an outside
    CHECK(picker.pick({eye, soup.positions[v] - eye}, soup.positions, soup.triangles).has_value());
    const vec3 middle = 0.5f * (soup.positions[v] + soup.positions[v + 1]);
    CHECK(picker.pick({eye, middle - eye}, soup.positions, soup.triangles).has_value());
  }
}

TEST_CASE("nothing is picked behind the eye, and nothing beyond the limit") {
  const std::vector<vec3> p = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
  const std::vector<ivec3> t = {{0, 1, 2}};
  Picker picker;
  CHECK(picker.pick({{0, 0, 2}, {0, 0, -1}}, p, t).has_value());
  CHECK_FALSE(picker.pick({{0, 0, 2}, {0, 0, 1}}, p, t).has_value());
  CHECK(picker.pick({{0, 0, 2}, {0, 0, -1}}, p, t, 2.01f).has_value());
  CHECK_FALSE(picker.pick({{0, 0, 2}, {0, 0, -1}}, p, t, 1.99f).has_value());
  CHECK_FALSE(picker.pick({{0, 0, 2}, {0, 0, 0}}, p, t).has_value());
}

TEST_CASE("a triangle that is left out is not hit, and what is behind it is") {
  const std::vector<vec3> p = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}, {-1, -1, 1}, {1, -1, 1}, {0, 1, 1}};
  const std::vector<ivec3> t = {{0, 1, 2}, {3, 4, 5}};
  Picker picker;
  const Ray ray{{0, 0, 2}, {0, 0, -1}};
  CHECK(picker.pick(ray, p, t)->triangle == 1);
  CHECK(picker.pick(ray, p, t, 1e30f, {0, 1})->triangle == 0);
  CHECK(picker.pick(ray, p, t, 1e30f, {1, 0})->triangle == 1);
  CHECK_FALSE(picker.pick(ray, p, t, 1e30f, {1, 1}));
}

TEST_CASE(
    "a body that is moved, turned and scaled is hit where it stands, at the same distance along the ray") {
  const std::vector<vec3> p = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
  const std::vector<ivec3> t = {{0, 1, 2}};
  mat4 place = glm::translate(mat4(1), vec3(4, 0, 0));
  place = glm::rotate(place, glm::radians(90.0f), vec3(0, 1, 0));
  place = glm::scale(place, vec3(0.5f));
  Picker picker;
  const Ray ray{{0, 0, 0}, {1, 0, 0}};
  const auto hit = picker.pick(to_body_frame(ray, place), p, t);
  REQUIRE(hit);
  CHECK(hit->distance == doctest::Approx(4));
  // scaled: its tip is at 0.5
  CHECK_FALSE(picker.pick(to_body_frame({{0, 0.6f, 0}, {1, 0, 0}}, place), p, t));
}

TEST_CASE("ctrl-click takes the nearest corner, or the pin that is close by") {
  const std::vector<vec3> p = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.1f, 0.05f, 0}};
  PickHit hit;
  hit.triangle = 0;
  hit.point = {0.8f, 0.1f, 0};
  CHECK(nearest_corner(hit, p, {{0, 1, 2}}) == 1);
  CHECK(pinned_near({0.12f, 0.05f, 0}, 0.05f, {0, 3}, p) == 3);
  CHECK(pinned_near({0.5f, 0.5f, 0}, 0.05f, {0, 3}, p) == -1);
}
