// Vertices that files have several times: what is joined, and what is not.
#include "sim/mesh/import/weld.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/mesh/import/obj.h"
#include "sim/mesh/shapes/shapes.h"

using namespace weft;

namespace {

/// Every triangle with three vertices of its own, as in STL.
TriMesh facets(const TriMesh& m) {
  TriMesh out;
  for (const ivec3& t : m.triangles) {
    out.triangles.push_back(ivec3(0, 1, 2) + ivec3(out.vertex_count()));
    for (int k = 0; k < 3; ++k) out.positions.push_back(m.positions[size_t(t[k])]);
  }
  return out;
}

TriMesh side_by_side(TriMesh a, const TriMesh& b, const vec3& offset) {
  const ivec3 first(a.vertex_count());
  for (const vec3& p : b.positions) a.positions.push_back(p + offset);
  for (const ivec3& t : b.triangles) a.triangles.push_back(t + first);
  return a;
}

int vertices_left(const TriMesh& m, float distance) {
  const std::vector<int> becomes = welded_vertices(m.positions, m.triangles, distance);
  return int(std::set<int>(becomes.begin(), becomes.end()).size());
}

}  // namespace

TEST_CASE("a surface whose triangles have vertices of their own becomes whole again") {
  for (const TriMesh& m : {make_box(vec3(0.4f)), make_sphere(0.1f, 2), make_grid({0.2f, 0.1f}, 0.02f)}) {
    CHECK(vertices_left(facets(m), 0) == m.vertex_count());
    CHECK(vertices_left(facets(m), kNoWeld) == 3 * m.triangle_count());
    const std::vector<int> becomes = welded_vertices(facets(m).positions, facets(m).triangles, 0);
    for (size_t v = 0; v < becomes.size(); ++v) {
      CHECK(becomes[v] <= int(v));
      CHECK(becomes[size_t(becomes[v])] == becomes[v]);
      CHECK(facets(m).positions[v] == facets(m).positions[size_t(becomes[v])]);
    }
  }
}

TEST_CASE("edges are joined up to the distance that is named, and no further") {
  const TriMesh sheet = make_grid({0.1f, 0.1f}, 0.02f, "square");
  const float width = bounds_of(sheet.positions).max.x - bounds_of(sheet.positions).min.x;
  const TriMesh apart = side_by_side(sheet, sheet, {width + 5e-5f, 0, 0});
  const int seam = int(std::count_if(sheet.positions.begin(), sheet.positions.end(),
                                     [&](const vec3& p) { return p.x == bounds_of(sheet.positions).max.x; }));
  REQUIRE(seam > 3);
  CHECK(vertices_left(apart, 0) == apart.vertex_count());
  CHECK(vertices_left(apart, 2e-5f) == apart.vertex_count());
  CHECK(vertices_left(apart, 1e-4f) == apart.vertex_count() - seam);
}

TEST_CASE("what touches at a corner, and layers that lie on each other, stay apart inside") {
  const TriMesh sheet = make_grid({0.1f, 0.1f}, 0.02f, "square");
  const Bounds b = bounds_of(sheet.positions);
  const TriMesh corner = side_by_side(sheet, sheet, b.max - b.min);
  CHECK(vertices_left(corner, 0) == corner.vertex_count());
  // A patch in the middle of a sheet: its boundary lies on vertices that are none of a boundary.
  TriMesh small = make_grid({0.04f, 0.04f}, 0.02f, "square");
  const TriMesh patched = side_by_side(
      sheet, small,
      sheet.positions[size_t(sheet.vertex_count() / 2)] - small.positions[size_t(small.vertex_count() / 2)]);
  CHECK(vertices_left(patched, 0) == patched.vertex_count());
}

TEST_CASE(
    "a file whose vertices are split reads as the whole mesh, and keeps the texture coordinates of both "
    "sides of a seam") {
  std::string text;
  for (const vec2& p :
       {vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 1), vec2(1, 0), vec2(2, 0), vec2(2, 1), vec2(1, 1)})
    text += fmt::format("v {} {} 0\n", p.x, p.y);
  for (int k = 0; k < 8; ++k) text += fmt::format("vt 0.{} 0.5\n", k + 1);
  text += "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\nf 5/5 6/6 7/7\nf 5/5 7/7 8/8\n";
  ImportReport kept, joined;
  CHECK(parse_obj(text, "a.obj", kept).vertex_count() == 8);
  const TriMesh m = parse_obj(text, "a.obj", joined, 0);
  CHECK(m.vertex_count() == 6);
  REQUIRE(m.triangle_count() == 4);
  CHECK(joined.kept_vertices == std::vector<int>{0, 1, 2, 3, 5, 6});
  REQUIRE(m.corners.of_triangle.size() == 4);
  for (int t = 0; t < 4; ++t)
    for (int k = 0; k < 3; ++k) {
      const vec2 uv = m.corners.values[size_t(m.corners.of_triangle[size_t(t)][k])];
      CHECK((uv.x > 0.45f) == (t >= 2));
    }
  const auto said = [&](const char* words) {
    return std::any_of(joined.notices.begin(), joined.notices.end(),
                       [&](const std::string& n) { return n.find(words) != n.npos; });
  };
  CHECK(said("a.obj:5: 2 vertices of edges that lie on other edges (the first is here): joined"));
  CHECK_FALSE(said("no face uses"));
}

TEST_CASE("a face that is there twice with vertices of its own is there once") {
  const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  ImportReport report;
  const TriMesh m = parse_obj(triangle + triangle + "f 1 2 3\nf 6 5 4\n", "a.obj", report, 0);
  CHECK(m.vertex_count() == 3);
  CHECK(m.triangle_count() == 1);
}

namespace {

/// Half a skirt from `from` to `to` (rad), as one formula gives it.
TriMesh half_skirt(double from, double to, bool mirrored = false) {
  constexpr int kAround = 20, kRows = 10;
  TriMesh m;
  for (int j = 0; j <= kRows; ++j)
    for (int k = 0; k <= kAround; ++k) {
      const double a = from + (to - from) * k / kAround, r = 0.15 + 0.013 * j;
      m.positions.push_back({(mirrored ? -1 : 1) * r * std::sin(a), 1.0 - 0.045 * j, r * std::cos(a)});
    }
  for (int j = 0; j < kRows; ++j)
    for (int k = 0; k < kAround; ++k) {
      const int at = j * (kAround + 1) + k, below = at + kAround + 1;
      m.triangles.push_back({at, below, below + 1}), m.triangles.push_back({at, below + 1, at + 1});
    }
  return m;
}

}  // namespace

TEST_CASE("halves of one formula, or mirrored, whose seams differ by rounding are one surface") {
  const double pi = std::acos(-1.0);
  for (const bool mirrored : {false, true}) {
    CAPTURE(mirrored);
    const TriMesh a = half_skirt(0, pi), b = mirrored ? half_skirt(0, pi, true) : half_skirt(pi, 2 * pi);
    const TriMesh both = side_by_side(a, b, vec3(0));
    CHECK(vertices_left(both, 0) == both.vertex_count() - 2 * 11);
    CHECK(near_boundary_edges(both.positions, both.triangles, 1e-3f).count == 4 * 10);
  }
  // far from the origin float32 itself is that coarse
  TriMesh far = side_by_side(half_skirt(0, pi), half_skirt(pi, 2 * pi), vec3(0));
  for (vec3& p : far.positions) p += vec3(0, 0, 500.0f);
  CHECK(vertices_left(far, 0) == far.vertex_count() - 2 * 11);
}

TEST_CASE("boundary edges that run along others are counted up to the distance, and others are not") {
  const TriMesh sheet = make_grid({0.1f, 0.1f}, 0.02f, "square");
  const float width = bounds_of(sheet.positions).max.x - bounds_of(sheet.positions).min.x;
  CHECK(near_boundary_edges(sheet.positions, sheet.triangles, 1e-3f).count == 0);
  const TriMesh apart = side_by_side(sheet, sheet, {width + 5e-4f, 0, 0});
  const NearEdges near = near_boundary_edges(apart.positions, apart.triangles, 1e-3f);
  CHECK(near.count == 10);
  CHECK(near.length == doctest::Approx(0.2));
  CHECK(near_boundary_edges(apart.positions, apart.triangles, 4e-4f).count == 0);
  // also where the vertices of the two sides lie elsewhere
  const TriMesh finer = make_grid({0.1f, 0.1f}, 0.0125f, "square");
  const TriMesh uneven = side_by_side(sheet, finer, {width + 5e-4f, 0, 0});
  CHECK(near_boundary_edges(uneven.positions, uneven.triangles, 1e-3f).count == 5 + 8);
  // edges shorter than the distance do not run along each other
  TriMesh tiny = sheet;
  for (vec3& p : tiny.positions) p *= 0.01f;
  CHECK(near_boundary_edges(tiny.positions, tiny.triangles, 1e-3f).count == 0);
}
