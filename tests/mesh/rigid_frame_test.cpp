#include "sim/mesh/solid/rigid_frame.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/error.h"
#include "sim/mesh/solid/fill.h"
#include "sim/mesh/solid/tet_mesh.h"

using namespace weft;

namespace {

struct Body {
  std::vector<vec3> positions;
  std::vector<ivec3> triangles;
};

Body skin(const TetMesh& mesh) { return {mesh.positions, skin_of(mesh.cells)}; }

/// Points of the surface and of the frame, with their shares of the mass: the centre, and the second moments
/// about it.
std::pair<dvec3, dmat3> moments(const Body& body, const RigidFrame& frame) {
  std::vector<vec3> x = body.positions;
  x.insert(x.end(), frame.points.begin(), frame.points.end());
  REQUIRE(x.size() == frame.share.size());
  dvec3 centre(0);
  double whole = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    CHECK(frame.share[i] >= 0);
    whole += double(frame.share[i]), centre += double(frame.share[i]) * dvec3(x[i]);
  }
  CHECK(whole == doctest::Approx(1).epsilon(1e-6));
  dmat3 second(0);
  for (size_t i = 0; i < x.size(); ++i)
    second += double(frame.share[i]) * glm::outerProduct(dvec3(x[i]) - centre, dvec3(x[i]) - centre);
  return {centre, second};
}

void check_box(const vec3& size, float edge, const vec3& shift) {
  TetMesh mesh = box_cells(size, edge);
  for (vec3& p : mesh.positions) p += shift;
  const Body body = skin(mesh);
  const RigidFrame frame = rigid_frame(body.positions, body.triangles, "box");
  CHECK(frame.volume == doctest::Approx(double(size.x) * double(size.y) * double(size.z)).epsilon(1e-5));
  // points inside of the box belong to no triangle, and have no share
  const auto [centre, second] = moments(body, frame);
  CHECK(glm::distance(centre, dvec3(shift)) < 1e-5 * double(size.x));
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      const double wanted = a == b ? double(size[a]) * double(size[a]) / 12 : 0;
      CHECK(std::abs(second[a][b] - wanted) < 2e-5 * double(size.x) * double(size.x));
    }
  const vec3 half = 0.5f * size;
  for (const vec3& p : frame.points)
    for (int a = 0; a < 3; ++a) CHECK(std::abs(p[a] - shift[a]) < half[a]);
}

}  // namespace

TEST_CASE("the points of a rigid body have the mass and the moments of its volume") {
  check_box({0.3f, 0.2f, 0.1f}, 1, vec3(0));  // eight corners alone
  check_box({0.3f, 0.2f, 0.1f}, 0.03f, {1, 2, -3});
  check_box({0.5f, 0.01f, 0.3f}, 0.05f, vec3(0.1f));  // a plate
  check_box({0.5f, 0.02f, 0.02f}, 0.02f, vec3(0));    // a rod
}

TEST_CASE("a thin plate that lies obliquely has its moments as one that lies level") {
  TetMesh level = box_cells({0.5f, 0.005f, 0.3f}, 0.05f), turned = level;
  const mat3 turn(glm::mat3_cast(glm::angleAxis(0.7f, glm::normalize(vec3(1, 0.4f, 0.9f)))));
  for (vec3& p : turned.positions) p = turn * p;
  const Body a = skin(level), b = skin(turned);
  const auto [c0, flat] = moments(a, rigid_frame(a.positions, a.triangles, "plate"));
  const auto [c1, oblique] = moments(b, rigid_frame(b.positions, b.triangles, "plate"));
  const dmat3 back = glm::transpose(dmat3(turn)) * oblique * dmat3(turn);
  for (int k = 0; k < 3; ++k) CHECK(std::abs(back[k][k] - flat[k][k]) < 1e-6);
}

TEST_CASE("a body of no thickness is refused with what to do") {
  // closed, with a volume of rounding alone
  Body box = skin(box_cells(vec3(0.2f), 1));
  for (vec3& p : box.positions) p.y *= 1e-8f;
  CHECK_THROWS_WITH_AS(rigid_frame(box.positions, box.triangles, "solid leaf"),
                       doctest::Contains("solid leaf"), Error);
}

TEST_CASE("a rigid ball of facets has the moments of the ball that it stands for") {
  const Body ball = skin(ball_cells(0.2f, 0.02f));
  const RigidFrame frame = rigid_frame(ball.positions, ball.triangles, "ball");
  const auto [centre, second] = moments(ball, frame);
  CHECK(glm::length(centre) < 1e-3);
  const double fifth = 0.1 * 0.1 / 5;  // 2/5 m r² over 2
  for (int a = 0; a < 3; ++a) CHECK(second[a][a] == doctest::Approx(fifth).epsilon(0.03));
}

TEST_CASE("a body whose centre lies outside of the middle of its surface has exact moments too") {
  // a wedge: half of a box, cut along a diagonal
  const Body wedge{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
                   {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}}};
  const RigidFrame frame = rigid_frame(wedge.positions, wedge.triangles, "wedge");
  CHECK(frame.volume == doctest::Approx(0.5).epsilon(1e-6));
  const auto [centre, second] = moments(wedge, frame);
  CHECK(glm::distance(centre, dvec3(1 / 3.0, 1 / 3.0, 0.5)) < 1e-6);
  CHECK(second[0][0] == doctest::Approx(1 / 18.0).epsilon(1e-5));
  CHECK(second[0][1] == doctest::Approx(-1 / 36.0).epsilon(1e-5));
  CHECK(second[2][2] == doctest::Approx(1 / 12.0).epsilon(1e-5));
}

TEST_CASE("a surface without volume or turned inside out is refused by name") {
  Body box = skin(box_cells(vec3(0.2f), 1));
  for (ivec3& t : box.triangles) std::swap(t.y, t.z);
  CHECK_THROWS_WITH_AS(rigid_frame(box.positions, box.triangles, "solid die"), doctest::Contains("solid die"),
                       Error);
  for (vec3& p : box.positions) p.y = 0;
  CHECK_THROWS_WITH_AS(rigid_frame(box.positions, box.triangles, "solid die"), doctest::Contains("solid die"),
                       Error);
}
