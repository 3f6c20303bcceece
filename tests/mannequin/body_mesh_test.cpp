#include "sim/mannequin/body_mesh.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "sim/base/error.h"
#include "sim/mesh/algorithms/crossing_triangles.h"
#include "sim/mesh/uniform/uniformity.h"

using namespace weft;

namespace {

MannequinParams measures(float height, float bust, float waist, float hips) {
  MannequinParams p;
  p.edge = 0.02f;
  p.height = height, p.bust = bust, p.waist = waist, p.hips = hips;
  return p;
}

double volume(const TriMesh& m) {
  double sum = 0;
  for (const ivec3& t : m.triangles)
    sum += glm::dot(dvec3(m.positions[size_t(t.x)]),
                    glm::cross(dvec3(m.positions[size_t(t.y)]), dvec3(m.positions[size_t(t.z)]))) /
           6;
  return sum;
}

/// Every side of a triangle is met by exactly one in the other direction.
bool closed(const TriMesh& m) {
  std::set<std::pair<int, int>> sides;
  for (const ivec3& t : m.triangles)
    for (int k = 0; k < 3; ++k)
      if (!sides.insert({t[k], t[(k + 1) % 3]}).second) return false;
  return std::all_of(sides.begin(), sides.end(), [&](const auto& s) {
    return sides.count({s.second, s.first}) == 1;
  });
}

/// Girth by brute force: the longest shadow of the cut in many directions, integrated (Cauchy's formula: the
/// length of a convex curve is pi times its mean width). Only points within `reach` of the axis count, which
/// leaves the arms out.
double girth_by_shadows(const TriMesh& m, double height, double reach) {
  std::vector<dvec2> cut;
  for (const ivec3& t : m.triangles)
    for (int k = 0; k < 3; ++k) {
      const dvec3 p(m.positions[size_t(t[k])]), q(m.positions[size_t(t[(k + 1) % 3])]);
      if ((p.y < height) == (q.y < height)) continue;
      const dvec3 x = glm::mix(p, q, (height - p.y) / (q.y - p.y));
      if (std::hypot(x.x, x.z) < reach) cut.emplace_back(x.x, x.z);
    }
  double sum = 0;
  constexpr int kDirections = 360;
  for (int i = 0; i < kDirections; ++i) {
    const dvec2 d(std::cos(M_PI * i / kDirections), std::sin(M_PI * i / kDirections));
    double low = 1e9, high = -1e9;
    for (const dvec2& p : cut) low = std::min(low, glm::dot(p, d)), high = std::max(high, glm::dot(p, d));
    sum += high - low;
  }
  return M_PI * sum / kDirections;
}

}  // namespace

TEST_CASE(
    "bodies have the measures that were asked for, and closed, even surfaces that do not cross themselves") {
  // default; slim and tall; full and small
  for (const MannequinParams& p : {measures(1.72f, 0.88f, 0.68f, 0.94f), measures(1.9f, 0.82f, 0.6f, 0.88f),
                                   measures(1.6f, 1.12f, 0.98f, 1.18f)}) {
    CAPTURE(p.bust);
    const auto body = make_body_mesh(p);
    const TriMesh& m = body->mesh;
    // a polygon of edges h in a curve of radius r is shorter by h^2 / (24 r^2): 0.2 % for 20 mm and 0.1 m
    CHECK(girth_by_shadows(m, body->heights.bust, 0.25) == doctest::Approx(double(p.bust)).epsilon(0.01));
    CHECK(girth_by_shadows(m, body->heights.waist, 0.25) == doctest::Approx(double(p.waist)).epsilon(0.01));
    CHECK(girth_by_shadows(m, body->heights.hips, 0.25) == doctest::Approx(double(p.hips)).epsilon(0.01));
    CHECK(mesh_girth(m, body->heights.bust) ==
          doctest::Approx(girth_by_shadows(m, body->heights.bust, 0.25)).epsilon(0.001));
    const Bounds box = bounds_of(m.positions);
    CHECK(box.max.y == doctest::Approx(p.height).epsilon(0.003));
    CHECK(box.min.y == doctest::Approx(0).epsilon(0.001));
    CHECK(closed(m));
    CHECK(m.vertex_count() - m.triangle_count() / 2 == 2);  // Euler: one sphere
    CHECK(volume(m) > 0.03);
    CHECK(uniformity_of(m).ratio() >= kUniformEnough);
    CHECK(uniformity_of(m).mean == doctest::Approx(double(p.edge)).epsilon(0.1));
    CHECK(crossing_triangles(m.positions, m.triangles).empty());
    CHECK(body->skeleton.head[kUpperArmL].x - body->skeleton.head[kUpperArmR].x ==
          doctest::Approx(p.shoulders));
  }
}

TEST_CASE("vertices lie on the zero set of the distance, and legs and arms are apart") {
  const MannequinParams p = measures(1.72f, 0.88f, 0.68f, 0.94f);
  const BodyField field(p);
  const auto body = make_body_mesh(p);
  double off = 0;
  for (const vec3& x : body->mesh.positions) off = std::max(off, std::abs(field.distance(dvec3(x))));
  CHECK(off < 2e-5);
  // the gap between the thighs below the crotch, and the armpit half way to the elbow: no flesh in between
  const Skeleton& s = body->skeleton;
  const double below = double(s.head[kThighL].y) - 0.14;
  CHECK(field.distance({0, below, 0}) > 0.004);  // 8 mm from thigh to thigh
  const dvec3 arm = glm::mix(dvec3(s.head[kUpperArmL]), dvec3(s.head[kForearmL]), 0.6);
  CHECK(field.distance({0.5 * (arm.x + 0.14), arm.y, arm.z}) > 0.004);
  CHECK(field.distance(arm) < -0.03);
}

TEST_CASE("the field is symmetric and rises by a metre per metre at the surface") {
  const BodyField field(MannequinParams{});
  const auto body = make_body_mesh(measures(1.72f, 0.88f, 0.68f, 0.94f));
  double least = 10, most = 0;
  for (const vec3& x : body->mesh.positions) {
    const dvec3 p(x);
    CHECK(field.distance(p) == field.distance({-p.x, p.y, p.z}));
    const double slope = glm::length(field.gradient(p));
    least = std::min(least, slope), most = std::max(most, slope);
  }
  CHECK(least > 0.5);  // blends of opposite sides, as in the crotch, are flatter
  CHECK(most < 1.2);
}

TEST_CASE("a vertex follows at most four bones, and none of the other leg or arm") {
  const auto body = make_body_mesh(measures(1.72f, 0.88f, 0.68f, 0.94f));
  for (size_t v = 0; v < body->weights.size(); ++v) {
    const SkinWeights& w = body->weights[v];
    float sum = 0;
    bool left = false, right = false;
    for (size_t k = 0; k < 4; ++k) {
      sum += w.share[k];
      CHECK(w.share[k] >= 0);
      if (k) CHECK(w.share[k] <= w.share[k - 1]);
      left |= w.share[k] > 0 && ((w.bone[k] > kClavicleL && w.bone[k] < kClavicleR) ||
                                 (w.bone[k] >= kShinL && w.bone[k] < kThighR));
      right |= w.share[k] > 0 && ((w.bone[k] > kClavicleR && w.bone[k] < kThighL) || w.bone[k] >= kShinR);
    }
    CHECK(sum == doctest::Approx(1));
    CHECK_FALSE((left && right));
    const vec3& x = body->mesh.positions[v];
    if (x.y < 0.68f && x.y > 0.1f)  // legs, from two standard deviations of the spread below the crotch on
      for (size_t k = 0; k < 4; ++k)
        if (w.share[k] > 0.05f && w.bone[k] >= kThighL) CHECK((w.bone[k] < kThighR) == (x.x > 0));
  }
}

TEST_CASE("measures without a body are refused") {
  MannequinParams p = measures(1.2f, 1.3f, 0.5f, 1.35f);
  p.height = 0.3f;  // outside of the range that files are held to
  CHECK_THROWS_AS(BodyField{p}, Error);
}

TEST_CASE("the length of a tape around points is that of their hull") {
  CHECK(hull_length({{0, 0}, {2, 0}, {2, 1}, {0, 1}, {1, 0.5}, {1.5, 0.2}}) == doctest::Approx(6));
  std::vector<dvec2> circle;
  for (int i = 0; i < 1000; ++i)
    circle.emplace_back(std::cos(2 * M_PI * i / 1000), std::sin(2 * M_PI * i / 1000));
  CHECK(hull_length(circle) == doctest::Approx(2 * M_PI).epsilon(1e-5));
}
