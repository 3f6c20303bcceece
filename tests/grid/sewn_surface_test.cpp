// Panels up to their outlines and joined along their seams: no gap, no crossing, nothing missing.
#include "sim/grid/sewn_surface.h"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <set>

#include "tests/grid/sheets.h"
#include "tests/grid/unsewn.h"
#include "tests/safety/crossings.h"

using namespace weft;
using namespace weft::testing;
using namespace weft::grid;

namespace {

/// A square panel of 4 x 4 coarse squares in material space, turned by an angle (degrees), and its coarse
/// vertices.
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
      mesh.point.push_back(
          p.corner + dvec2(std::cos(a) * q.x - std::sin(a) * q.y, std::sin(a) * q.x + std::cos(a) * q.y));
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
  int operator()(int x, int y, int z) {
    return number.try_emplace({x, y, z}, int(number.size())).first->second;
  }
};

struct Shape {
  int euler = 0, loops = 0, open_edges = 0;
  bool oriented = true;
  size_t triangles = 0;
};
Shape shape_of(const SewnSurface& s) {
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
  const Shape apart = shape_of(unsewn(grid)), joined = shape_of(sewn(grid, mesh));
  CHECK(apart.loops >= 2 - int(mesh.point.size() == 25));
  CHECK(joined.oriented);
  CHECK(joined.open_edges < apart.open_edges);
  return joined;
}

/// Panels with places in space. Vertices at one place are one vertex.
struct Garment {
  MaterialMesh mesh;
  std::vector<vec3> coarse;
  std::map<std::array<int64_t, 3>, int> number;

  /// Squares of two triangles between (n + 1) x (m + 1) points; where a side of a square has no length one
  /// triangle is left out.
  void add(int n, int m, const std::function<dvec2(int, int)>& material,
           const std::function<dvec3(int, int)>& space) {
    std::map<std::pair<int64_t, int64_t>, int> points;
    std::vector<ivec2> all;  // point and vertex
    for (int j = 0; j <= m; ++j)
      for (int i = 0; i <= n; ++i) {
        const dvec2 at = material(i, j);
        const dvec3 x = space(i, j);
        const auto point =
            points.try_emplace({std::llround(at.x * 1e7), std::llround(at.y * 1e7)}, int(mesh.point.size()));
        if (point.second) mesh.point.push_back(at);
        const auto vertex = number.try_emplace(
            {std::llround(x.x * 1e6), std::llround(x.y * 1e6), std::llround(x.z * 1e6)}, int(coarse.size()));
        if (vertex.second) coarse.push_back(vec3(x));
        all.push_back({point.first->second, vertex.first->second});
      }
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < n; ++i) {
        const int a = j * (n + 1) + i, b = a + 1, c = b + n + 1, d = c - 1;
        for (const ivec3& t : {ivec3(a, b, c), ivec3(a, c, d)}) {
          const ivec3 corners(all[size_t(t.x)].x, all[size_t(t.y)].x, all[size_t(t.z)].x);
          if (corners.x == corners.y || corners.y == corners.z || corners.z == corners.x) continue;
          mesh.corners.push_back(corners);
          mesh.triangles.push_back({all[size_t(t.x)].y, all[size_t(t.y)].y, all[size_t(t.z)].y});
        }
      }
  }
  double area() const {
    double sum = 0;
    for (const ivec3& c : mesh.corners)
      sum += 0.5 * std::abs(cross_of(mesh.point[size_t(c.y)] - mesh.point[size_t(c.x)],
                                     mesh.point[size_t(c.z)] - mesh.point[size_t(c.x)]));
    return sum;
  }
};

dvec2 polar(double r, double a) { return {r * std::cos(a), r * std::sin(a)}; }

/// Two panels that meet at an angle (degrees) along a straight seam; one is turned in the material, and
/// `longer` along the seam.
Garment roof(double degrees, double longer) {
  Garment g;
  const double a = 0.5 * degrees * M_PI / 180;
  for (const bool right : {false, true})  // the right one is mirrored in the material, too
    g.add(
        6, 6,
        [=](int i, int j) {
          const dvec2 at(0.01 * i, 0.01 * j * (right ? longer : 1));
          return right ? dvec2(std::cos(0.4) * at.x + std::sin(0.4) * at.y + 1,
                               std::sin(0.4) * at.x - std::cos(0.4) * at.y)
                       : at;
        },
        [=](int i, int j) {
          const double away = 0.01 * (right ? i : i - 6);
          return dvec3(away * std::sin(a), 0.01 * j, -std::abs(away) * std::cos(a));
        });
  return g;
}

/// A disc sewn into a ring, raised to a dome: the seam is curved, outwards for one and inwards for the other.
Garment armhole() {
  Garment g;
  const auto dome = [](const dvec2& p) { return dvec3(p, 0.05 * std::cos(20 * glm::length(p))); };
  const auto ring = [](int i, int j) { return polar(0.03 + 0.008 * j, 2 * M_PI * (i % 20) / 20); };
  const auto disc = [](int i, int j) { return polar(0.03 * j / 3.0, 2 * M_PI * (i % 20) / 20); };
  g.add(20, 3, ring, [&](int i, int j) { return dome(ring(i, j)); });
  g.add(
      20, 3, [&](int i, int j) { return disc(i, j) + dvec2(1, 0.5); },
      [&](int i, int j) { return dome(disc(i, j)); });
  return g;
}

/// A cone of `panels` sectors, each of so many degrees in the material and sewn to the next. One panel: a
/// dart.
Garment cone(int panels, double degrees) {
  Garment g;
  const int n = std::max(2, int(degrees / 15));
  const double flat = degrees * M_PI / 180, slope = panels * degrees / 360;  // radius over length
  for (int p = 0; p < panels; ++p)
    g.add(
        n, 6, [=](int i, int j) { return polar(0.01 * j, flat * i / n + 0.3 * p) + dvec2(p, 0); },
        [=](int i, int j) {
          const double a = 2 * M_PI * ((p * n + i) % (panels * n)) / (panels * n);
          return dvec3(polar(0.01 * j * slope, a), 0.01 * j * std::sqrt(1 - slope * slope));
        });
  return g;
}

/// Crossings of the surface of the resampled frame; checks that it covers the panels and that its edge is
/// that of the coarse mesh.
size_t crossings_of(const Garment& g, float cell, int hems) {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const Grid grid(*device, g.mesh, {.cell = cell});
  GridPositions frame(*device, grid);
  const Buffer<ivec3> triangles(*device, "test", g.mesh.triangles);
  const Buffer<vec3> coarse(*device, "test", g.coarse);
  resample(*device, grid, triangles.span(), coarse.span(), frame);
  const SewnSurface s = sewn(grid, g.mesh);
  OutlineVertices outline(*device, s);
  const auto at = std::as_const(frame).view();
  outline.place(*device, at, at, coarse.span());
  const std::vector<vec3> x =
      surface_positions(s, frame.download(), outline.at());  // a CPU's memory is the host's
  const Shape shape = shape_of(s);
  CHECK(shape.oriented);
  CHECK(shape.loops == hems);
  double area = 0;
  const std::vector<ivec3>& corners = s.corners.empty() ? s.triangles : s.corners;
  const std::vector<vec2>& material = s.corners.empty() ? s.material : s.points;
  for (const ivec3& c : corners) {
    const dvec2 a(material[size_t(c.x)]), b(material[size_t(c.y)]), d(material[size_t(c.z)]);
    area += 0.5 * std::abs(cross_of(b - a, d - a));
  }
  CHECK(std::abs(area / g.area() - 1) < 1e-5);
  return check::find_crossings(std::span<const vec3>(x), {s.triangles, -1}).pairs.size();
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
      CHECK(s.euler == 1);
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
      add_panel(mesh, {{1, 1}, 0.04, degrees},
                [&](int i, int j) { return place(4 - i, j, border(i, j) ? 0 : -1); });
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
    CHECK(s.euler == 1);
    CHECK(s.loops == 1);
  }
}

TEST_CASE("resampled panels do not cross at straight, curved, gathered and pointed seams and at darts") {
  // 10 mm: as coarse as the mesh; 2 mm: so that vertices lie on some seams.
  for (const float cell : {0.01f, 0.0063f, 0.004f, 0.002f, 0.0013f}) {
    CAPTURE(cell);
    for (const double degrees : {170.0, 60.0, 12.0}) {
      CAPTURE(degrees);
      CHECK(crossings_of(roof(degrees, 1), cell, 1) == 0);
      CHECK(crossings_of(roof(degrees, 1.7), cell, 1) == 0);  // gathered
    }
    CHECK(crossings_of(armhole(), cell, 1) == 0);
    CHECK(crossings_of(cone(6, 20), cell, 1) == 0);  // points of 20 degrees
    CHECK(crossings_of(cone(3, 100), cell, 1) == 0);
    for (const double degrees : {200.0, 340.0, 358.0}) {
      CAPTURE(degrees);
      CHECK(crossings_of(cone(1, degrees), cell, 1) == 0);  // a dart
    }
  }
}

TEST_CASE("vertices of the outline go where the lattice beside them goes, on both sides of a seam") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const Garment g = roof(90, 1);
  const Grid grid(*device, g.mesh, {.cell = 0.0031f});
  const SewnSurface s = sewn(grid, g.mesh);
  CHECK(!s.outline.empty());
  // A displacement that is linear in space is carried on exactly where the mesh is flat: beyond the last
  // vertices of each panel.
  GridPositions frame(*device, grid);
  const Buffer<ivec3> triangles(*device, "test", g.mesh.triangles);
  const Buffer<vec3> coarse(*device, "test", g.coarse);
  resample(*device, grid, triangles.span(), coarse.span(), frame);
  const std::vector<dvec3> before = frame.download();
  std::vector<dvec3> after = before;
  const dmat3 map(0.1, 0.3, -0.2, 0.4, 0.2, 0.1, -0.3, 0.05, 0.2);
  for (dvec3& p : after) p += map * p + dvec3(0.01, 0.02, 0.03);
  GridPositions carried(*device, grid);
  carried.upload(grid, after);
  OutlineVertices outline(*device, s);
  const auto placed = [&](const GridPositions& x) {
    outline.place(*device, x.view(), std::as_const(frame).view(), coarse.span());
    return surface_positions(s, x.download(), outline.at());
  };
  const std::vector<vec3> at = placed(frame), moved = placed(carried);
  for (size_t v = 0; v < at.size(); ++v)
    CHECK(glm::length(dvec3(moved[v]) - (dvec3(at[v]) + map * dvec3(at[v]) + dvec3(0.01, 0.02, 0.03))) <
          1e-7);
}

TEST_CASE("a panel with a slit without width keeps its lattice alone, is named, and does not cross") {
  for (const bool slit : {true, false}) {
    CAPTURE(slit);
    const auto device = Device::create(DeviceChoice::cpu, 1);
    const MaterialMesh material = material_mesh(slit_square(slit));
    const Grid grid(*device, material, {.cell = 0.001f});
    const SewnSurface s = sewn(grid, material);
    CHECK(s.without_outline == (slit ? std::vector<int>{0} : std::vector<int>{}));
    CHECK(s.triangles.size() == (slit ? unsewn(grid).triangles.size() : s.triangles.size()));
    CHECK(s.outline.empty() == slit);
    CHECK(shape_of(s).oriented);
  }
}
