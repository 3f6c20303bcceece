// Grids over panels, held against brute force over lattice points and triangles.
#include "sim/grid/grid.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/base/error.h"
#include "tests/device/for_each_device.h"
#include "tests/grid/sheets.h"

using namespace weft;
using namespace weft::testing;
using namespace weft::grid;

namespace {

/// A disc with a hole, of irregular triangles: a ring.
TriMesh ring(float inner, float outer, int around) {
  TriMesh mesh;
  for (int k = 0; k < around; ++k)
    for (const float r : {inner, outer}) {
      const float a = 2 * kPi * float(k) / float(around);
      mesh.uv.push_back(r * vec2(std::cos(a), std::sin(a)));
      mesh.positions.push_back(vec3(mesh.uv.back(), 0.1f * r));
    }
  for (int k = 0; k < around; ++k) {
    const int a = 2 * k, b = 2 * ((k + 1) % around);
    mesh.triangles.push_back({a, a + 1, b + 1});
    mesh.triangles.push_back({a, b + 1, b});
  }
  return mesh;
}

struct Host {
  std::vector<Flags> flags;
  std::vector<Block> block;
  std::vector<int> around, table, triangle;
  std::vector<vec2> barycentric;
  std::vector<Panel> panel;
  GridView view;
  template <class T>
  static void take(Device& d, std::vector<T>& to, Span<const T>& span) {
    to.resize(size_t(span.size));
    d.download(to.data(), span.data, to.size() * sizeof(T));
    span = {to.data(), int(to.size())};
  }
  explicit Host(const Grid& g) : view(g.view()) {
    Device& d = g.device();
    take(d, flags, view.flags), take(d, block, view.block), take(d, around, view.around),
        take(d, table, view.table);
    take(d, triangle, view.triangle), take(d, barycentric, view.barycentric), take(d, panel, view.panel);
  }
};

/// World positions of a resampled frame at the vertices of `published`.
std::vector<dvec3> resampled(Device& device, const Grid& grid, const MaterialMesh& material,
                             const std::vector<vec3>& coarse, GridPositions& x) {
  const Buffer<ivec3> triangles(device, "test", material.triangles);
  const Buffer<vec3> frame(device, "test", coarse);
  resample(device, grid, triangles.span(), frame.span(), x);
  return x.download();
}

}  // namespace

TEST_CASE("a grid's vertices are exactly the lattice points inside of a panel") {
  for_each_device([](Device& device) {
    const MaterialMesh mesh = material_mesh(ring(0.031f, 0.0713f, 23));
    for (const int width : {8, 16, 32, 64}) {
      const Grid grid(device, mesh, {.cell = 0.0011f, .block_width = width});
      const Host h(grid);
      const Panel p = h.panel[0];
      REQUIRE(h.panel.size() == 1);
      int inside = 0, wrong = 0, unsure = 0;
      for (int j = -2; j < p.blocks_y * width + 2; ++j)
        for (int i = -2; i < p.blocks_x * width + 2; ++i) {
          const dvec2 at(p.anchor_x + 0.0011f * double(i), p.anchor_y + 0.0011f * double(j));
          double best = -1e30;
          for (size_t t = 0; t < mesh.corners.size(); ++t) {
            const dvec3 w = weights_in(mesh, t, at);
            best = std::max(best, std::min({w.x, w.y, w.z}));
          }
          const int slot = h.view.find({0, i, j});
          const bool has = slot >= 0 && h.view.inside(slot);
          inside += has;
          if (best < 0 && best > -2e-4) ++unsure;  // on the edge, as far as rounding tells
          else if (has != (best >= 0)) ++wrong;
          if (has) {
            const dvec3 w = weights_in(mesh, size_t(h.triangle[size_t(slot)]), at);
            CHECK(std::abs(w.y - double(h.barycentric[size_t(slot)].x)) < 1e-6);
            CHECK(std::abs(w.z - double(h.barycentric[size_t(slot)].y)) < 1e-6);
            CHECK(std::min({w.x, w.y, w.z}) > -1e-2);
          }
        }
      CHECK(wrong == 0);
      CHECK(unsure < 20);
      CHECK(inside == grid.vertex_count());
      CHECK(inside > 5000);
      const GridNeed need = Grid::need(mesh, {.cell = 0.0011f, .block_width = width}, 0);
      CHECK(need.vertices == inside);
      CHECK(need.slots == grid.slot_count());
      CHECK(need.bytes == grid.bytes());
    }
  });
}

TEST_CASE("only occupied blocks of a grid are stored and the memory is told before") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const MaterialMesh mesh = material_mesh(ring(0.09f, 0.1f, 90));
  const GridOptions options{.cell = 0.5e-3f, .block_width = 8};
  const GridNeed need = GridLevels::need(mesh, options, 3, 4);
  const size_t before = device->bytes_in_use();
  GridLevels levels(*device, mesh, options, 3);
  std::vector<GridPositions> sets;
  for (int l = 0; l < 3; ++l)
    for (int k = 0; k < 4; ++k) sets.emplace_back(*device, levels[l]);
  CHECK(device->bytes_in_use() - before == need.bytes);
  // a ring 20 cells wide and 1193 long in blocks of 8: at most (20 + 2 * 8 * sqrt(2)) / 20 of it, and a fifth
  // of the square
  CHECK(levels[0].slot_count() < 2.2 * levels[0].vertex_count());
  CHECK(levels[0].slot_count() < 400 * 400 / 2);
}

TEST_CASE("neighbours across blocks are those of the lattice") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const Grid grid(*device, material_mesh(ring(0.02f, 0.06f, 17)), {.cell = 0.001f, .block_width = 8});
  const Host h(grid);
  int64_t pairs = 0;
  for (int v = 0; v < grid.slot_count(); ++v) {
    if (!h.view.inside(v)) continue;
    const Lattice at = h.view.lattice(v);
    CHECK(h.view.find(at) == v);
    for (int y = -8; y <= 8; ++y)
      for (int x = -8; x <= 8; ++x) {
        const int found = h.view.find({at.panel, at.i + x, at.j + y});
        const int expected = found >= 0 && h.view.inside(found) ? found : -1;
        if (h.view.neighbor(v, x, y) != expected) REQUIRE(h.view.neighbor(v, x, y) == expected);
        ++pairs;
      }
  }
  CHECK(pairs > 1000000);
}

TEST_CASE("panels that overlap in material space have grids of their own") {
  TriMesh mesh = rectangle({0, 0}, {0.03f, 0.02f}, 2, 2);
  const TriMesh other = rectangle({0.01f, 0.005f}, {0.02f, 0.04f}, 1, 3, {0, 0, 1});
  const int first = mesh.vertex_count();
  mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
  mesh.uv.insert(mesh.uv.end(), other.uv.begin(), other.uv.end());
  for (const ivec3& t : other.triangles) mesh.triangles.push_back(t + ivec3(first));
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const MaterialMesh material = material_mesh(mesh);
  const Grid grid(*device, material, {.cell = 0.001f, .block_width = 16});
  CHECK(grid.vertex_count() == 31 * 21 + 21 * 41);
  GridPositions x(*device, grid);
  const std::vector<dvec3> world = resampled(*device, grid, material, mesh.positions, x);
  const Grid::Published surface = grid.published();
  CHECK(surface.triangles.size() == 2 * (30 * 20 + 20 * 40));
  for (const ivec3& t : surface.triangles) {
    const dvec3 a = world[size_t(surface.vertices[size_t(t.x)])],
                b = world[size_t(surface.vertices[size_t(t.y)])],
                c = world[size_t(surface.vertices[size_t(t.z)])];
    CHECK(a.z == b.z);
    CHECK(a.z == c.z);
    CHECK(std::abs(glm::cross(b - a, c - a).z - 1e-6) < 1e-11);  // counterclockwise, as the coarse mesh
  }
}

TEST_CASE("triangles of a panel that is turned over keep the sides of the coarse mesh") {
  TriMesh mesh = rectangle({0, 0}, {0.01f, 0.01f}, 1, 1);
  for (vec2& p : mesh.uv) p.x = -p.x;
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const MaterialMesh material = material_mesh(mesh);
  const Grid grid(*device, material, {.cell = 0.001f});
  GridPositions x(*device, grid);
  const std::vector<dvec3> world = resampled(*device, grid, material, mesh.positions, x);
  const Grid::Published surface = grid.published();
  REQUIRE(surface.triangles.size() == 200);
  for (const ivec3& t : surface.triangles) {
    const dvec3 a = world[size_t(surface.vertices[size_t(t.x)])],
                b = world[size_t(surface.vertices[size_t(t.y)])],
                c = world[size_t(surface.vertices[size_t(t.z)])];
    CHECK(glm::cross(b - a, c - a).z > 0);
  }
}

TEST_CASE("no triangle or hinge of a grid spans a slit narrower than a cell") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const Grid grid(*device, material_mesh(slit_square()), {.cell = 0.001f});
  const Host h(grid);
  CHECK(grid.vertex_count() == 22 * 21);
  int spanning = 0, cells = 0, hinges = 0;
  for (int v = 0; v < grid.slot_count(); ++v) {
    const Lattice l = h.view.lattice(v);
    const Flags f = h.flags[size_t(v)];
    const bool below = l.j < 10;
    if (l.i == 10 && below) spanning += (f & (kLower | kUpper | kCell)) != 0;
    else if (f & kInside) cells += (f & kCell) != 0;
    // along x, across the slit, only where a hinge's own cells are not cut
    if ((l.i == 10 || l.i == 11) && l.j < 10) hinges += hinges_along_x(f);
  }
  CHECK(spanning == 0);
  CHECK(cells == 21 * 20 - 10 - 1);  // the slit ends inside of a cell
  CHECK(hinges == 0);
}

TEST_CASE("hinges of a grid are those whose four vertices exist, counted one by one") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  // convex, so that no edge of the panel runs between vertices
  const Grid grid(*device, material_mesh(ring(1e-4f, 0.0473f, 19)), {.cell = 0.001f});
  const Host h(grid);
  const auto inside = [&](int v, int x, int y) { return h.view.neighbor(v, x, y) >= 0; };
  int along = 0;
  for (int v = 0; v < grid.slot_count(); ++v) {
    if (!h.view.inside(v)) {
      CHECK(h.flags[size_t(v)] == 0);
      continue;
    }
    const Lattice l = h.view.lattice(v);
    int x = 0, y = 0;
    if ((l.i + l.j) & 1)
      for (const int s : {-1, 1}) {
        x += inside(v, 1, 0) && inside(v, -1, 0) && inside(v, 0, s);
        y += inside(v, 0, 1) && inside(v, 0, -1) && inside(v, s, 0);
      }
    CHECK(hinges_along_x(h.flags[size_t(v)]) == x);
    CHECK(hinges_along_y(h.flags[size_t(v)]) == y);
    CHECK(bool(h.flags[size_t(v)] & kCell) == (inside(v, 1, 0) && inside(v, 0, 1) && inside(v, 1, 1)));
    along += x;
  }
  CHECK(along > 1000);
}

TEST_CASE("a frame resampled far from the origin keeps its edges to a millionth of a cell") {
  for_each_device([](Device& device) {
    TriMesh mesh = rectangle({0, 0}, {0.05f, 0.05f}, 3, 3);
    const MaterialMesh material = material_mesh(mesh);
    const glm::dmat3 turn(glm::rotate(glm::dmat4(1), 1.1, dvec3(0.3, 0.8, -0.5)));
    for (vec3& p : mesh.positions) p = vec3(turn * dvec3(p) + dvec3(3.1, 1.7, -2.2));
    const Grid grid(device, material, {.cell = 0.5e-3f});
    GridPositions x(device, grid);
    const std::vector<dvec3> world = resampled(device, grid, material, mesh.positions, x);
    const Host h(grid);
    double far = 0, uneven = 0;
    const FixedPositions view = std::as_const(x).view();
    const std::vector<vec3> local = x.local.download(), origin = x.origin.download();
    const FixedPositions host({origin.data(), int(origin.size())}, {local.data(), int(local.size())},
                              view.log_slots);
    for (int v = 0; v < grid.slot_count(); ++v) {
      if (!h.view.inside(v)) continue;
      const ivec3 t = material.triangles[size_t(h.triangle[size_t(v)])];
      const dvec2 w(h.barycentric[size_t(v)]);
      const dvec3 a(mesh.positions[size_t(t.x)]), b(mesh.positions[size_t(t.y)]),
          c(mesh.positions[size_t(t.z)]);
      far = std::max(far, glm::length(a + w.x * (b - a) + w.y * (c - a) - world[size_t(v)]));
      const int next = h.view.neighbor(v, 1, 0), after = h.view.neighbor(v, 2, 0);
      if (next < 0 || after < 0) continue;
      if (h.triangle[size_t(next)] != h.triangle[size_t(v)] ||
          h.triangle[size_t(after)] != h.triangle[size_t(v)])
        continue;
      uneven = std::max(uneven, double(glm::length(host.between(v, next) - host.between(next, after))));
    }
    // Weights are rounded to 2^-25 of a triangle of 17 mm: 5e-10 m each, and offsets of up to 4 mm to 2.4e-10
    // m.
    CHECK(far < 3e-9);
    CHECK(uneven < 5e-9);  // in float32 positions 3 m away: 2.4e-7
    CHECK(uneven > 0);
  });
}

TEST_CASE("upsampling keeps coarse vertices and is linear on coarse triangles") {
  for_each_device([](Device& device) {
    const TriMesh mesh = rectangle({0, 0}, {0.04f, 0.03f}, 2, 1);
    const MaterialMesh material = material_mesh(mesh);
    const GridLevels levels(device, material, {.cell = 0.001f}, 2);
    GridPositions fine_frame(device, levels[0]), fine_x(device, levels[0]), coarse_frame(device, levels[1]),
        coarse_x(device, levels[1]);
    resampled(device, levels[0], material, mesh.positions, fine_frame);
    std::vector<dvec3> moved = resampled(device, levels[1], material, mesh.positions, coarse_frame);
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> off(-0.003, 0.003);
    for (dvec3& p : moved) p += dvec3(off(random), off(random), off(random));
    coarse_x.upload(levels[1], moved);
    moved = coarse_x.download();
    upsample(device, levels[1], levels[0], coarse_x, coarse_frame, fine_frame, fine_x);
    const std::vector<dvec3> fine = fine_x.download();
    const Host c(levels[1]), f(levels[0]);
    double most = 0;
    for (int v = 0; v < levels[0].slot_count(); ++v) {
      if (!f.view.inside(v)) continue;
      const Lattice at = f.view.lattice(v);
      const int a = c.view.find({0, at.i / 2, at.j / 2}),
                b = c.view.find({0, (at.i + 1) / 2, (at.j + 1) / 2});
      REQUIRE(a >= 0);
      REQUIRE(b >= 0);
      most = std::max(most, glm::length(fine[size_t(v)] - 0.5 * (moved[size_t(a)] + moved[size_t(b)])));
    }
    CHECK(most < 2e-9);
  });
}

TEST_CASE("upsampling at a boundary that the coarse lattice misses moves with the nearest coarse vertices") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const TriMesh mesh =
      rectangle({0, 0}, {0.0405f, 0.0305f}, 2, 1);  // an odd number of cells of half a millimetre
  const MaterialMesh material = material_mesh(mesh);
  const GridLevels levels(*device, material, {.cell = 0.0005f}, 2);
  GridPositions fine_frame(*device, levels[0]), fine_x(*device, levels[0]), coarse_frame(*device, levels[1]),
      coarse_x(*device, levels[1]);
  const std::vector<dvec3> frame = resampled(*device, levels[0], material, mesh.positions, fine_frame);
  std::vector<dvec3> moved = resampled(*device, levels[1], material, mesh.positions, coarse_frame);
  for (dvec3& p : moved) p += dvec3(0.25, 0.5, -0.125);
  coarse_x.upload(levels[1], moved);
  upsample(*device, levels[1], levels[0], coarse_x, coarse_frame, fine_frame, fine_x);
  const std::vector<dvec3> fine = fine_x.download();
  const Host f(levels[0]);
  double most = 0;
  for (int v = 0; v < levels[0].slot_count(); ++v)
    if (f.view.inside(v))
      most = std::max(most, glm::length(fine[size_t(v)] - frame[size_t(v)] - dvec3(0.25, 0.5, -0.125)));
  CHECK(most < 1e-7);  // offsets of half a metre from their block's origin
}

TEST_CASE("grids refuse options and panels that have no vertices") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const MaterialMesh mesh = material_mesh(rectangle({0, 0}, {0.01f, 0.01f}, 1, 1));
  CHECK_THROWS_AS(Grid(*device, mesh, {.cell = 0}), Error);
  CHECK_THROWS_AS(Grid(*device, mesh, {.cell = 0.001f, .block_width = 12}), Error);
  CHECK_THROWS_AS(Grid(*device, mesh, {.cell = 1e-7f * 20, .block_width = 8, .margin = 0.2f}), Error);
  CHECK_THROWS_AS(material_mesh(TriMesh{}), Error);
}
