#include "sim/wrinkles/meeting_lines.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/wrinkles/gather.h"

namespace {

using namespace weft;
using namespace weft::wrinkles;

/// Points of material on both sides of a seam.
struct Twin {
  int panel[2];
  vec2 at[2];
};
struct Sewn {
  grid::MaterialMesh mesh;
  std::vector<Twin> twins;
};

/// A front and a back of the same shape, sewn along both sides; the back lies elsewhere in the material.
/// `low`, `high`: widths.
Sewn tube(double low, double high, dvec2 elsewhere) {
  constexpr int n = 6, m = 9;
  Sewn out;
  std::map<std::pair<int, int>, int> vertex;
  const auto named = [&](int side, int i, int j) {
    const bool shared = i == 0 || i == n;  // side 1 sees the front's left side on its right
    const std::pair<int, int> key{shared ? 0 : side, 100 * (side == 1 && shared ? n - i : i) + j};
    return vertex.try_emplace(key, int(vertex.size())).first->second;
  };
  const auto place = [&](int side, double i, double j) {
    const double y = 0.7 * j / m, width = low + (high - low) * j / m;
    return dvec2((i / n - 0.5) * width, y) + (side ? elsewhere : dvec2(0));
  };
  for (int side = 0; side < 2; ++side) {
    const int first = int(out.mesh.point.size());
    for (int j = 0; j <= m; ++j)
      for (int i = 0; i <= n; ++i) out.mesh.point.push_back(place(side, i, j));
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < n; ++i)
        for (const bool upper : {false, true}) {
          const ivec2 c[3] = {{i, j},
                              upper ? ivec2(i + 1, j + 1) : ivec2(i + 1, j),
                              upper ? ivec2(i, j + 1) : ivec2(i + 1, j + 1)};
          ivec3 corner, triangle;
          for (int k = 0; k < 3; ++k)
            corner[k] = first + c[k].y * (n + 1) + c[k].x, triangle[k] = named(side, c[k].x, c[k].y);
          out.mesh.corners.push_back(corner), out.mesh.triangles.push_back(triangle);
        }
  }
  for (const int edge : {0, n})
    for (int k = 0; k <= 500; ++k)
      out.twins.push_back(
          {{0, 1}, {vec2(place(0, edge, m * k / 500.0)), vec2(place(1, n - edge, m * k / 500.0))}});
  return out;
}

double nearest(const GatherView& gathers, int panel, const vec2& at) {
  const vec2 d = gathers.from_stitches(panel, 0, at);
  return double(std::min(d.x, d.y));
}

/// The largest distance, in spacings, from a line of one side of a seam to the nearest line of the other.
double apart(const Gather& g, const Sewn& cloth, bool moved) {
  const std::vector<GatherRow> rows = gather_rows({g}, "cloth");
  const std::vector<vec2> shift = moved ? meeting_lines(rows, cloth.mesh) : std::vector<vec2>();
  const GatherView view{{rows.data(), int(rows.size())}, {shift.data(), int(shift.size())}};
  double most = 0;
  for (const Twin& t : cloth.twins)
    for (const int side : {0, 1})
      if (nearest(view, t.panel[side], t.at[side]) < 0.003 * double(g.spacing))
        most = std::max(most, nearest(view, t.panel[1 - side], t.at[1 - side]) / double(g.spacing));
  return most;
}

Gather lines(const char* kind, float angle, float spacing) {
  Gather g;
  g.kind = kind, g.angle = angle, g.spacing = spacing, g.radius = 0.4f * spacing, g.stitched = true;
  return g;
}

}  // namespace

TEST_CASE("stitched lines of panels that lie anywhere in the material meet at both sides of a garment") {
  for (const double taper : {0.0, 0.13}) {
    const Sewn cloth = tube(0.4, 0.4 + taper, {1.317, -0.231});
    for (const float angle : {25.0f, 45.0f, 60.0f}) {
      CAPTURE(taper);
      CAPTURE(angle);
      const Gather g = lines("diamonds", angle, 0.1f);
      CHECK(apart(g, cloth, false) > 0.1);
      CHECK(apart(g, cloth, true) < 0.02);
    }
    const Gather g = lines("rows", 0, 0.08f);  // around the body
    CHECK(apart(g, cloth, false) > 0.1);
    CHECK(apart(g, cloth, true) < 0.02);
  }
}

TEST_CASE("rows along a seam keep their distance across it") {
  // Two strips, 0.23 and 0.31 m wide, sewn along their long sides; the second one is turned by 180 degrees.
  grid::MaterialMesh mesh;
  mesh.point = {{0, 0}, {1, 0}, {1, 0.23}, {0, 0.23}, {4, 0.5}, {5, 0.5}, {5, 0.81}, {4, 0.81}};
  // panel 1: its upper side, from right to left, is sewn to the first one's upper side, from left to right
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 3}, {4, 3, 2}};
  mesh.corners = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};
  const Gather g = lines("rows", 0, 0.05f);
  const std::vector<GatherRow> rows = gather_rows({g}, "cloth");
  const std::vector<vec2> shift = meeting_lines(rows, mesh);
  REQUIRE(shift.size() == 2);
  CHECK(shift[0] == vec2(0));
  // The last row before the seam is at 0.2 in the first strip, 0.03 from it: the next is 0.02 into the
  // second.
  const double first = std::abs(std::remainder(0.81 - 0.02 - 0.05 * double(shift[1].x), 0.05));
  CHECK(first < 0.05 / 200);
}

TEST_CASE("lines stay where no gather asks for it, where nothing is sewn, and where only a stroke is") {
  const Sewn cloth = tube(0.4, 0.5, {1.317, -0.231});
  Gather g = lines("diamonds", 45, 0.1f);
  g.meet_at_seams = false;
  CHECK(meeting_lines(gather_rows({g}, "cloth"), cloth.mesh).empty());
  Gather stroke;
  stroke.to = {0.1f, 0};
  CHECK(meeting_lines(gather_rows({stroke}, "cloth"), cloth.mesh).empty());
  g.meet_at_seams = true;
  grid::MaterialMesh one = cloth.mesh;
  one.triangles.resize(one.triangles.size() / 2), one.corners.resize(one.triangles.size());
  for (const vec2& s : meeting_lines(gather_rows({g}, "cloth"), one)) CHECK(s == vec2(0));
  const std::vector<vec2> both = meeting_lines(gather_rows({stroke, g}, "cloth"), cloth.mesh);
  REQUIRE(both.size() == 4);
  CHECK((both[0] == vec2(0) && both[2] == vec2(0)));
  CHECK((both[1] == vec2(0) && both[3] != vec2(0)));
}

TEST_CASE("rows that are drawn in one panel only meet nothing, and stay where they are") {
  const Sewn cloth = tube(0.4, 0.5, {1.317, -0.231});
  Gather g = lines("rows", 0, 0.08f);
  const auto moved = [&] {
    double most = 0;
    for (const vec2& s : meeting_lines(gather_rows({g}, "cloth"), cloth.mesh))
      most = std::max(most, double(glm::length(s)));
    return most;
  };
  CHECK(moved() > 0.1);  // of a spacing
  g.max.x = 1;           // the other panel begins beyond
  CHECK(moved() == 0);
}
