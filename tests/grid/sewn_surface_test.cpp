// Panels joined along their seams: what is published has no gap there.
#include "sim/grid/sewn_surface.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "tests/grid/sheets.h"

using namespace weft;
using namespace weft::testing;
using namespace weft::grid;

namespace {

/// A square panel of 4 x 4 coarse squares in material space, turned by an angle (degrees), and its coarse vertices.
struct PanelSketch {
  dvec2 corner;
  double side, degrees;
};

/// Adds a panel whose square (i, j) of coarse points is vertex(i, j).
template <class Vertex>
void add_panel(MaterialMesh& mesh, const PanelSketch& p, const Vertex& vertex) {
  const int n = 4, first = int(mesh.point.size());
  const double a = p.degrees * M_PI / 180;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      const dvec2 q = p.side / n * dvec2(i, j);
      mesh.point.push_back(p.corner + dvec2(std::cos(a) * q.x - std::sin(a) * q.y, std::sin(a) * q.x + std::cos(a) * q.y));
    }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const ivec2 at[4] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
      for (const ivec3& t : {ivec3(0, 1, 2), ivec3(0, 2, 3)}) {
        ivec3 corners, vertices;
        for (int k = 0; k < 3; ++k) {
          corners[k] = first + at[t[k]].y * (n + 1) + at[t[k]].x;
          vertices[k] = vertex(at[t[k]].x, at[t[k]].y);
        }
        mesh.corners.push_back(corners), mesh.triangles.push_back(vertices);
      }
    }
}

/// Numbers places in space, so that panels share vertices where they meet.
struct Places {
  std::map<std::array<int, 3>, int> number;
  int operator()(int x, int y, int z) { return number.try_emplace({x, y, z}, int(number.size())).first->second; }
};

struct Shape {
  int euler = 0, loops = 0, open_edges = 0;
  bool oriented = true;
  size_t triangles = 0;
};
Shape shape_of(const Grid::Published& s) {
  Shape out;
  std::set<std::pair<int, int>> directed;
  std::set<int> vertices;
  for (const ivec3& t : s.triangles)
    for (int k = 0; k < 3; ++k) {
      out.oriented &= directed.insert({t[k], t[(k + 1) % 3]}).second;
      vertices.insert(t[k]);
    }
  int edges = 0;
  std::map<int, int> next;
  for (const auto& [a, b] : directed) {
    const bool both = directed.count({b, a});
    edges += !both || a < b;
    if (!both) ++out.open_edges, next[a] = b;
  }
  while (!next.empty()) {
    ++out.loops;
    for (int at = next.begin()->first; next.count(at);) {
      const int to = next[at];
      next.erase(at), at = to;
    }
  }
  out.triangles = s.triangles.size();
  out.euler = int(vertices.size()) - edges + int(s.triangles.size());
  return out;
}

Shape sewn_shape(const MaterialMesh& mesh, float cell) {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const Grid grid(*device, mesh, {.cell = cell});
  const Shape apart = shape_of(grid.published()), joined = shape_of(sewn(grid, mesh));
  CHECK(apart.loops >= 2 - int(mesh.point.size() == 25));
  CHECK(joined.oriented);
  CHECK(joined.open_edges < apart.open_edges);
  return joined;
}

}  // namespace

// Cells that divide the panels, so that vertices of both sides lie on the seam, and some that do not.
constexpr float kCells[] = {0.002f, 0.0013f, 0.0031f};

TEST_CASE("two panels sewn along an edge are one disc") {
  for (const float cell : kCells)
    for (const double degrees : {0.0, 33.0}) {
      CAPTURE(cell);
      CAPTURE(degrees);
      Places place;
      MaterialMesh mesh;
      add_panel(mesh, {{0, 0}, 0.04, 0}, [&](int i, int j) { return place(i, j, 0); });
      add_panel(mesh, {{1, 1}, 0.04, degrees}, [&](int i, int j) { return place(4 + i, j, 0); });
      const Shape s = sewn_shape(mesh, cell);
      CHECK((s.euler == 1 || s.euler == 0));  // 0: where the seam ends at a hem the hem touches itself in a vertex
      CHECK(s.loops == 1);
    }
}

TEST_CASE("two panels sewn all around are a closed surface") {
  for (const float cell : kCells)
    for (const double degrees : {0.0, 33.0}) {
      CAPTURE(cell);
      CAPTURE(degrees);
      Places place;
      MaterialMesh mesh;
      const auto border = [](int i, int j) { return i == 0 || j == 0 || i == 4 || j == 4; };
      add_panel(mesh, {{0, 0}, 0.04, 0}, [&](int i, int j) { return place(i, j, border(i, j) ? 0 : 1); });
      // seen from behind
      add_panel(mesh, {{1, 1}, 0.04, degrees}, [&](int i, int j) { return place(4 - i, j, border(i, j) ? 0 : -1); });
      const Shape s = sewn_shape(mesh, cell);
      CHECK(s.euler == 2);
      CHECK(s.open_edges == 0);
    }
}

TEST_CASE("a panel sewn to itself is a tube") {
  for (const float cell : kCells) {
    CAPTURE(cell);
    Places place;
    MaterialMesh mesh;
    add_panel(mesh, {{0, 0}, 0.04, 0}, [&](int i, int j) { return place(i % 4, j, 0); });
    const Shape s = sewn_shape(mesh, cell);
    CHECK(s.euler == 0);
    CHECK(s.loops == 2);
  }
}

TEST_CASE("three panels that meet at a corner leave no hole there") {
  for (const float cell : kCells) {
    CAPTURE(cell);
    Places place;
    MaterialMesh mesh;  // three sides of a cube, outside out
    add_panel(mesh, {{0, 0}, 0.04, 0}, [&](int i, int j) { return place(i, j, 0); });
    add_panel(mesh, {{1, 0}, 0.04, 20}, [&](int i, int j) { return place(0, i, j); });
    add_panel(mesh, {{0, 1}, 0.04, 50}, [&](int i, int j) { return place(j, 0, i); });
    const Shape s = sewn_shape(mesh, cell);
    CHECK((s.euler == 1 || s.euler == 0));
    CHECK(s.loops == 1);
  }
}
