#include <doctest/doctest.h>

#include <chrono>

#include "sim/mesh/shapes/shapes.h"
#include "sim/mesh/uniform/edge_ratio.h"
#include "sim/mesh/uniform/make_uniform.h"
#include "tests/mesh/uniform/shapes.h"

using namespace weft;
using namespace weft::testing;

namespace {

UniformOptions with_edge(double edge, uint64_t seed = 1) {
  UniformOptions options;
  options.edge = edge, options.seed = seed;
  return options;
}

/// All that any pattern must fulfil.
void check_pattern(const TriMesh& m, double edge, int characteristic) {
  const Uniformity u = uniformity_of(m);
  MESSAGE(in_words(u));
  CHECK(u.ratio() >= 0.6);
  // The edge may be fitted to the boundary by a tenth, and even triangles need 2 to 3 % more than their mean
  // edge.
  CHECK(u.mean > 0.88 * edge);
  CHECK(u.mean < 1.14 * edge);
  CHECK(euler(m) == characteristic);
  for (const ivec3& t : m.triangles) CHECK(area_vector(m, t).z > 0);
  // Of triangles whose edges lie within the ratio r the one with sides 1, r, r is the flattest: height
  // sqrt(r^2 - 1/4).
  CHECK(flattest(m) >= std::sqrt(u.ratio() * u.ratio() - 0.25) - 1e-3);
  for (int v = 0; v < m.vertex_count(); ++v) CHECK(vec2(m.positions[v]) == m.uv[v]);
}

}  // namespace

TEST_CASE(
    "a square, a disc, an L and a T-shirt are sampled with a ratio of shortest to longest edge of 0.6 or "
    "more") {
  for (const uint64_t seed : {1, 2}) {
    check_pattern(uniform_pattern(square_outline(0.1), with_edge(0.0042, seed)), 0.0042, 1);
    check_pattern(uniform_pattern({{circle({0, 0}, 0.05, 64)}}, with_edge(0.0042, seed)), 0.0042, 1);
    check_pattern(uniform_pattern(l_outline(0.1), with_edge(0.006, seed)), 0.006, 1);
    check_pattern(uniform_pattern(shirt_outline(), with_edge(0.015, seed)), 0.015, 1);
  }
}

TEST_CASE("holes stay holes, whichever way they are drawn, and pieces stay pieces") {
  Outline outline = square_outline(0.1);
  outline.loops.push_back(circle({0.05, 0.05}, 0.02, 40));
  check_pattern(uniform_pattern(outline, with_edge(0.005)), 0.005, 0);
  std::reverse(outline.loops[1].begin(), outline.loops[1].end());
  check_pattern(uniform_pattern(outline, with_edge(0.005)), 0.005, 0);
  outline.loops.push_back(circle({0.2, 0.05}, 0.03, 40));
  check_pattern(uniform_pattern(outline, with_edge(0.005)), 0.005, 1);
}

TEST_CASE("a pattern keeps its outline: corners exactly, its area but for the chords of its curves") {
  const TriMesh square = uniform_pattern(square_outline(0.1), with_edge(0.005));
  CHECK(std::abs(area(square) - 0.01) < 1e-8);
  for (const vec3& corner : {vec3(0, 0, 0), vec3(0.1f, 0, 0), vec3(0.1f, 0.1f, 0), vec3(0, 0.1f, 0)})
    CHECK(std::find(square.positions.begin(), square.positions.end(), corner) != square.positions.end());
  for (const ivec2& side : boundary_sides(square))
    for (const int v : {side.x, side.y}) {
      const vec3 p = square.positions[v];
      CHECK((p.x == 0 || p.y == 0 || p.x == 0.1f || p.y == 0.1f));
    }
  const double radius = 0.05;
  const TriMesh disc = uniform_pattern({{circle({0, 0}, radius, 1000)}}, with_edge(0.005));
  const auto sides = boundary_sides(disc);
  // n chords of equal arcs: area n/2 r^2 sin(2 pi / n).
  const double n = double(sides.size()), polygon = 0.5 * n * radius * radius * std::sin(2 * M_PI / n);
  CHECK(std::abs(area(disc) - polygon) < 1e-4 * polygon);
}

TEST_CASE("the same seed gives the same bits, another seed another mesh" * doctest::test_suite("slow")) {
  const TriMesh a = uniform_pattern(l_outline(0.1), with_edge(0.008)),
                b = uniform_pattern(l_outline(0.1), with_edge(0.008)),
                c = uniform_pattern(l_outline(0.1), with_edge(0.008, 9));
  CHECK(a.positions == b.positions);
  CHECK(a.triangles == b.triangles);
  CHECK(a.positions != c.positions);
}

TEST_CASE("a uniform grid has the extent of the others and a better ratio than the equilateral one") {
  const vec2 size(0.3f, 0.2f);
  const TriMesh uniform = make_grid(size, 0.01f, "uniform"), equilateral = make_grid(size, 0.01f);
  const Bounds a = bounds_of(uniform.positions), b = bounds_of(equilateral.positions);
  CHECK(a.min == b.min);
  CHECK(a.max == b.max);
  CHECK(uniformity_of(uniform).ratio() >= 0.6);
  // Half triangles at the ends of rows have a side of half an edge.
  CHECK(uniformity_of(equilateral).ratio() == doctest::Approx(0.5).epsilon(0.01));
  CHECK(uniformity_of(make_grid(size, 0.01f, "square")).ratio() ==
        doctest::Approx(std::sqrt(0.5)).epsilon(0.001));
  CHECK(uniformity_of(make_disc(0.3f, 0.01f)).ratio() > 0.7);
  CHECK(uniformity_of(make_tube(0.1f, 0.3f, 0.01f)).ratio() > 0.95);
  for (int v = 0; v < uniform.vertex_count(); ++v)
    CHECK(glm::length(uniform.uv[v] - vec2(uniform.positions[v]) - 0.5f * size) < 1e-6f);
}

TEST_CASE("a sheet of 0.576 m at edges of 4.2 mm takes less than 5 s") {
  const auto start = std::chrono::steady_clock::now();
  const TriMesh m = make_grid({0.576f, 0.576f}, 0.0042f, "uniform");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const Uniformity u = uniformity_of(m);
  MESSAGE(m.vertex_count() << " vertices, " << in_words(u) << ", " << seconds << " s");
  CHECK(u.ratio() >= 0.6);
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
  CHECK(seconds < 5 * 2);  // twice that on a machine that is busy with other tests
#endif
}

TEST_CASE("moving vertices makes the ratio no worse and leaves the boundary alone") {
  RatioProblem p;
  p.x = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.8, 0.7, 0}};
  p.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}, {2, 4}, {3, 4}};
  p.movable = {0, 0, 0, 0, 1};
  p.normals.assign(5, {0, 0, 1});
  const auto before = p.x;
  const double ratio = improve_edge_ratio(p);
  CHECK(ratio == doctest::Approx(std::sqrt(0.5)).epsilon(0.01));  // the middle of a square: 0.707 over 1
  for (int v = 0; v < 4; ++v) CHECK(p.x[v] == before[v]);
  CHECK(p.x[4].z == 0);
}

TEST_CASE("a sharp corner limits the ratio, and is named" * doctest::test_suite("slow")) {
  CHECK(corner_limit(M_PI / 3) == doctest::Approx(1));
  CHECK(corner_limit(M_PI / 2) == doctest::Approx(0.765).epsilon(0.001));
  CHECK(corner_limit(M_PI / 9) < 0.4);
  UniformOptions options = with_edge(0.01);
  const TriMesh m = uniform_pattern({{{{0, 0}, {0.15, 0}, {0.15, 0.03}}}}, options);
  CHECK(uniformity_of(m).ratio() < 0.6);
  CHECK(contains(what_limits(m, options), "corner of 11 degrees"));
}

TEST_CASE("outlines that make no sense are refused, with the place and a cure") {
  const auto fault = [](const Outline& outline, double edge = 0.01) {
    return fault_of([&] { uniform_pattern(outline, with_edge(edge)); });
  };
  CHECK(contains(fault({{{{0, 0}, {1, 1}, {1, 0}, {0, 1}}}}), "crosses or touches itself near ("));
  CHECK(contains(fault({{{{0, 0}, {1, 1}}}}), "has 2 different points and needs three"));
  CHECK(contains(fault({}), "the outline has no points"));
  CHECK(contains(fault({{{{0, 0}, {1, 0}, {NAN, 1}}}}), "not finite"));
  CHECK(contains(fault(square_outline(0.1), 0.2), "too long for a part of 100 cm2"));
  CHECK(contains(fault(square_outline(0.1), -1), "must be a positive number"));
  CHECK(contains(fault(square_outline(1e3), 0.001), "would make"));
}
