#include <doctest/doctest.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/mesh/import/obj.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/mesh/uniform/isotropic.h"
#include "sim/mesh/uniform/make_uniform.h"
#include "sim/mesh/uniform/source_surface.h"
#include "tests/mesh/uniform/shapes.h"

using namespace weft;
using namespace weft::testing;

namespace {

UniformOptions with_edge(double edge) {
  UniformOptions options;
  options.edge = edge;
  return options;
}

void check_uniform(const TriMesh& m, double edge) {
  const Uniformity u = uniformity_of(m);
  MESSAGE(m.vertex_count() << " vertices, " << in_words(u));
  CHECK(u.ratio() >= 0.6);
  CHECK(u.mean == doctest::Approx(edge).epsilon(0.12));
  CHECK(flattest(m) >= std::sqrt(u.ratio() * u.ratio() - 0.25) - 1e-3);
}

/// A sheet with folds; curvatures up to 0.02 (20^2 + 15^2) = 12.5 per metre.
TriMesh draped(float edge) {
  TriMesh m = make_grid({0.4f, 0.4f}, edge);
  for (vec3& p : m.positions) p.z = 0.02f * std::sin(20 * p.x) * std::cos(15 * p.y);
  return m;
}
constexpr double kDrapedCurvature = 12.5;

/// How far a mesh of edges up to `longest` can be from a smooth surface on which its vertices lie: no point
/// of a triangle is farther than longest / sqrt(3) from a vertex, and a surface of curvature k leaves its
/// tangent plane by k d^2 / 2. Doubled, because the triangle is not the tangent plane either.
double sagitta(double curvature, double longest) { return curvature * longest * longest / 3; }

}  // namespace

TEST_CASE("a remeshed sphere is uniform, closed and as far from the sphere as chords are") {
  for (const int subdivisions : {2, 5}) {
    const double radius = 0.1;
    const TriMesh source = make_sphere(float(radius), subdivisions),
                  m = made_uniform(source, with_edge(0.01));
    check_uniform(m, 0.0104);
    CHECK(euler(m) == 2);
    CHECK(boundary_sides(m).empty());
    const double coarse = uniformity_of(source).longest, longest = uniformity_of(m).longest;
    CHECK(distance_to(m, source) < sagitta(1 / radius, longest) + sagitta(1 / radius, coarse));
    // A facet within d of its vertices has (1 - d^2 / R^2) of the sphere's area over it, or more.
    const double least =
        (1 - longest * longest / 3 / (radius * radius)) * (1 - coarse * coarse / 3 / (radius * radius));
    CHECK(area(m) > least * 4 * M_PI * radius * radius);
    CHECK(area(m) < 4 * M_PI * radius * radius);
    for (const ivec3& t : m.triangles) CHECK(glm::dot(area_vector(m, t), dvec3(m.positions[t.x])) > 0);
  }
}

TEST_CASE("a remeshed torus keeps its hole, and lies on the torus both ways" * doctest::test_suite("slow")) {
  const TriMesh source = torus(60, 40, 0.1, 0.04), m = made_uniform(source, with_edge(0.008));
  check_uniform(m, 0.0082);
  CHECK(euler(m) == 0);
  CHECK(boundary_sides(m).empty());
  const double bound =
      sagitta(1 / 0.04, uniformity_of(m).longest) + sagitta(1 / 0.04, uniformity_of(source).longest);
  CHECK(distance_to(m, source) < bound);
  CHECK(distance_to(source, m) < bound);
  CHECK(area(m) == doctest::Approx(area(source)).epsilon(0.02));
}

TEST_CASE("a draped sheet keeps its boundary and corners, and the surface both ways" *
          doctest::test_suite("slow")) {
  const TriMesh source = draped(0.01f);
  for (const double edge : {0.007, 0.013}) {
    const TriMesh m = made_uniform(source, with_edge(edge));
    check_uniform(m, edge);
    CHECK(euler(m) == 1);
    const double bound = sagitta(kDrapedCurvature, uniformity_of(m).longest) +
                         sagitta(kDrapedCurvature, uniformity_of(source).longest);
    CHECK(distance_to(m, source) < bound);
    CHECK(distance_to(source, m) < bound);
    CHECK(area(m) == doctest::Approx(area(source)).epsilon(0.01));
    for (const ivec3& t : m.triangles) CHECK(area_vector(m, t).z > 0);
    for (const ivec2& side : boundary_sides(m))
      for (const int v : {side.x, side.y})
        CHECK(std::max(std::abs(m.positions[v].x), std::abs(m.positions[v].y)) ==
              doctest::Approx(0.2).epsilon(1e-5));
    for (const vec3& p : source.positions)
      if (std::abs(p.x) == 0.2f && std::abs(p.y) == 0.2f)
        CHECK(std::find(m.positions.begin(), m.positions.end(), p) != m.positions.end());
  }
}

TEST_CASE("near layers are not mixed up: a folded sheet stays one sheet") {
  TriMesh source = make_grid({0.4f, 0.2f}, 0.01f);
  // Rolled by 3/4 of a turn per layer into a spiral whose layers are 3 mm apart, less than an edge.
  for (vec3& p : source.positions) {
    const float angle = 12 * (p.x + 0.2f), radius = 0.04f - 0.003f * angle / (2 * kPi);
    p = {radius * std::cos(angle), p.y, radius * std::sin(angle)};
  }
  const TriMesh m = made_uniform(source, with_edge(0.008));
  check_uniform(m, 0.008);
  CHECK(euler(m) == 1);
  CHECK(area(m) == doctest::Approx(area(source)).epsilon(0.02));
}

TEST_CASE("a tube keeps both of its boundaries") {
  const TriMesh source = make_tube(0.1f, 0.3f, 0.02f), m = made_uniform(source, with_edge(0.012));
  check_uniform(m, 0.0122);
  CHECK(euler(m) == 0);
  for (const ivec2& side : boundary_sides(m))
    CHECK(std::abs(m.positions[side.x].y) == doctest::Approx(0.15).epsilon(1e-6));
}

TEST_CASE("a band whose boundary takes many vertices more is refined, wherever its arrays move") {
  const float radius = 0.2f;
  TriMesh band = make_grid({0.45f, 0.01f}, 0.005f, "square");
  for (vec3& p : band.positions) p = {radius * std::sin(p.x / radius), p.y, radius * std::cos(p.x / radius)};
  const SourceSurface source({band.positions.begin(), band.positions.end()}, band.triangles, 30);
  // In a process of its own where every array has pages of its own: what is read after it was freed is not
  // there any more.
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    mallopt(M_MMAP_THRESHOLD, 4096);
    const HalfEdgeMesh m = remeshed(source, 0.00292, nullptr);
    _exit(m.n_vertices() > band.positions.size() ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("an affine map from places to material coordinates is carried over to rounding") {
  const auto map = [](const vec3& p) {
    return dvec2(3.0 * p.x - 0.5 * p.y + 0.25 * p.z + 1, 0.125 * p.x + 2.0 * p.y - p.z);
  };
  for (TriMesh source : {make_grid({0.3f, 0.2f}, 0.02f, "square"), draped(0.01f)}) {
    source.uv.clear();
    for (const vec3& p : source.positions) source.uv.push_back(vec2(map(p)));
    const TriMesh m = made_uniform(source, with_edge(0.015));
    REQUIRE(m.uv.size() == m.positions.size());
    double worst = 0;
    for (int v = 0; v < m.vertex_count(); ++v)
      worst = std::max(worst, glm::length(dvec2(m.uv[v]) - map(m.positions[v])));
    CHECK(worst < 16 * 6e-8);  // coordinates up to 2 as float32, of the sources and of the result
  }
}

TEST_CASE("edges are made uniform in the rest shape, and positions follow") {
  TriMesh source = make_grid({0.3f, 0.2f}, 0.02f, "square");
  source.rest = source.positions;
  for (vec3& p : source.positions) p = vec3(2 * p.x, p.y + 1, p.x);  // stretched and tilted
  const TriMesh m = made_uniform(source, with_edge(0.012));
  REQUIRE(m.rest.size() == m.positions.size());
  CHECK(uniformity_of(m).ratio() >= 0.6);
  for (int v = 0; v < m.vertex_count(); ++v)
    CHECK(glm::length(m.positions[v] - vec3(2 * m.rest[v].x, m.rest[v].y + 1, m.rest[v].x)) < 1e-6f);
  TriMesh without = m;
  without.rest.clear();
  CHECK(uniformity_of(without).ratio() < uniformity_of(m).ratio());
}

TEST_CASE("pieces are remeshed each by itself, flat ones in any plane") {
  TriMesh source = make_grid({0.2f, 0.1f}, 0.02f);
  const TriMesh second = make_sphere(0.05f, 2);
  for (vec3& p : source.positions) p = {p.z, p.x, p.y};
  for (const ivec3& t : second.triangles) source.triangles.push_back(t + source.vertex_count());
  for (const vec3& p : second.positions) source.positions.push_back(p + vec3(1, 0, 0));
  source.uv.clear();
  const TriMesh m = made_uniform(source, with_edge(0.01));
  CHECK(euler(m) == 3);
  CHECK(uniformity_of(m).ratio() >= 0.6);
  for (const vec3& p : m.positions) CHECK((p.x > 0.9f || std::abs(p.x) < 1e-7f));
}

TEST_CASE("a part too small for the edge stays as it is, with its place told, and the others are remeshed") {
  TriMesh source = make_grid({0.2f, 0.1f}, 0.02f);
  const int sheet = source.vertex_count();
  const vec3 at(0.5f, 0.25f, 0);
  for (const vec3& corner : {vec3(0), vec3(0.003f, 0, 0), vec3(0, 0.003f, 0)})
    source.positions.push_back(at + corner), source.uv.push_back({7, 8});
  source.triangles.push_back(ivec3(0, 1, 2) + sheet);
  std::vector<std::string> told;
  UniformOptions options = with_edge(0.01);
  options.tell = [&](const std::string& what) { told.push_back(what); };
  const TriMesh m = made_uniform(source, options);
  CHECK(m.vertex_count() > sheet + 3);  // the sheet is finer than it was
  for (int k = 0; k < 3; ++k) {
    CHECK(m.positions[size_t(m.vertex_count() - 3 + k)] == source.positions[size_t(sheet + k)]);
    CHECK(m.uv[size_t(m.vertex_count() - 3 + k)] == vec2(7, 8));
  }
  REQUIRE(told.size() == 1);
  CAPTURE(told[0]);
  CHECK(contains(told[0], "1 of 2 parts is too small for edges of 10 mm and stays as it is"));
  CHECK(contains(told[0], "0.045 cm2 near (0.501, 0.251, 0) m"));
  CHECK(contains(fault_of([&] { made_uniform(source, with_edge(0.3)); }), "too long for a part of 200 cm2"));
}

namespace {

/// A wavy sheet with a ribbon of one cell's width on its right side.
TriMesh with_ribbon(float length) {
  TriMesh sheet = make_grid({0.8f, 0.8f}, 0.01f, "square");
  std::erase_if(sheet.triangles, [&](const ivec3& t) {
    const vec3 middle =
        (sheet.positions[size_t(t.x)] + sheet.positions[size_t(t.y)] + sheet.positions[size_t(t.z)]) / 3.0f;
    return middle.x > 0.3f && (middle.y < 0 || middle.y > 0.01f || middle.x > 0.3f + length);
  });
  for (vec3& p : sheet.positions) p.z = 0.02f * std::sin(10 * p.x) * std::cos(8 * p.y);
  sheet.uv.clear();
  return sheet;
}

}  // namespace

TEST_CASE(
    "a spot that is thinner than an edge is told by its place and does not keep the rest from being "
    "remeshed") {
  std::vector<std::string> told;
  UniformOptions options = with_edge(0.06);
  options.tell = [&](const std::string& what) { told.push_back(what); };
  const TriMesh m = made_uniform(with_ribbon(0.05f), options);
  CHECK(uniformity_of(m).mean > 0.045);
  REQUIRE(told.size() >= 1);
  CAPTURE(told[0]);
  CHECK(contains(told[0], "edges of 60 mm do not fit everywhere"));
  // on the ribbon, which has x from 0.3 to 0.35 m; the first vertex of all is at -0.4
  CHECK(contains(told[0], "at (0.3"));
}

TEST_CASE(
    "a surface that is thinner than the edge all over is refused by the worst place, and one that loses area "
    "tells so") {
  TriMesh band = make_grid({0.9f, 0.01f}, 0.01f, "square");
  for (vec3& p : band.positions) p.z = 0.02f * std::sin(10 * p.x);
  const std::string what = fault_of([&] { made_uniform(band, with_edge(0.06)); });
  CAPTURE(what);
  CHECK(contains(what, "no even triangles with edges of 60 mm fit: "));
  CHECK(contains(what, "edges are far from that, the worst 10"));
  std::vector<std::string> told;
  UniformOptions options = with_edge(0.07);
  options.tell = [&](const std::string& t) { told.push_back(t); };
  made_uniform(make_sphere(0.1f, 4), options);
  REQUIRE(told.size() == 1);
  CAPTURE(told[0]);
  CHECK(contains(told[0], "the area changes by -"));
}

TEST_CASE("remeshing is deterministic") {
  const TriMesh a = made_uniform(draped(0.01f), with_edge(0.009)),
                b = made_uniform(draped(0.01f), with_edge(0.009));
  CHECK(a.positions == b.positions);
  CHECK(a.triangles == b.triangles);
  CHECK(a.uv == b.uv);
}

TEST_CASE("surfaces that are not manifold are refused by the edge or vertex at fault, with a cure") {
  const auto fault = [](const std::vector<vec3>& points, const std::vector<ivec3>& triangles) {
    TriMesh m;
    m.positions = points, m.triangles = triangles;
    return fault_of([&] { made_uniform(m, with_edge(0.1)); });
  };
  const std::vector<vec3> fan{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}};
  const std::string three = fault(fan, {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}});
  CHECK(contains(three, "the edge from (0, 0, 0) to (1, 0, 0) has 3 triangles"));
  CHECK(contains(three, "Non Manifold"));
  CHECK(contains(three, "step.bending_model = \"meshless\""));
  CHECK(contains(fault(fan, {{0, 1, 2}, {0, 1, 3}}), "wound in opposite directions"));
  CHECK(contains(fault({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}}, {{0, 1, 2}, {0, 3, 4}}),
                 "meet only in the vertex at (0, 0, 0)"));
  CHECK(contains(fault({}, {}), "no triangles"));
}
