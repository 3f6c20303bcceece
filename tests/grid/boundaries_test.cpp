// Bands of ghosts around closed panels, and seams.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/grid/seams.h"
#include "tests/solvers/grid_problem.h"

using namespace weft;
using namespace weft::testing;
using namespace weft::grid;

namespace {

std::vector<Ghost> ghosts_of(const Grid& g) {
  std::vector<Ghost> out(size_t(g.ghosts().size));
  g.device().download(out.data(), g.ghosts().data, out.size() * sizeof(Ghost));
  return out;
}

}  // namespace

TEST_CASE("ghosts of a closed panel stand at the seam's angle to a bent sheet") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const float cell = 0.001f, radius = 0.05f;
  TriMesh mesh = rectangle({0, 0}, {0.05f, 0.04f}, 40, 40);
  for (size_t v = 0; v < mesh.positions.size(); ++v) {  // on a cylinder, far from the origin
    const vec2 m = mesh.uv[v];
    const float a = m.x / radius;
    mesh.positions[v] = vec3(2 + radius * std::sin(a), 1 + m.y, -3 + radius * std::cos(a));
  }
  const MaterialMesh material = material_mesh(mesh);
  const Grid closed(*device, material, {.cell = cell, .ghost_cells = 2}),
      open(*device, material, {.cell = cell});
  CHECK(closed.vertex_count() == 51 * 41);
  CHECK(open.ghosts().size == 0);
  const std::vector<Ghost> ghosts = ghosts_of(closed);
  CHECK(ghosts.size() == 55 * 45 - 51 * 41);
  std::vector<Flags> flags(size_t(closed.slot_count()));
  device->download(flags.data(), closed.view().flags.data, flags.size());
  GridPositions x(*device, closed);
  const Buffer<ivec3> triangles(*device, "test", material.triangles);
  const Buffer<vec3> coarse(*device, "test", mesh.positions);
  resample(*device, closed, triangles.span(), coarse.span(), x);
  for (const float degrees : {0.0f, 30.0f, 60.0f, 90.0f}) {
    CAPTURE(degrees);
    place_ghosts(*device, closed, glm::radians(degrees), x);
    const std::vector<dvec3> world = x.download();
    double worst = 0, long_by = 0;
    for (const Ghost& g : ghosts) {
      const dvec3 from = world[size_t(g.inside)], to = world[size_t(g.vertex)];
      const dvec3 n =
          glm::normalize(dvec3(from.x - 2, 0, from.z + 3));  // outwards: the side of the mesh's normals
      const double angle = std::asin(std::clamp(-glm::dot(glm::normalize(to - from), n), -1.0, 1.0));
      worst = std::max(worst, std::abs(glm::degrees(angle) - double(degrees)));
      const double expected = double(cell) * std::sqrt(double(g.x * g.x + g.y * g.y));
      long_by = std::max(long_by, std::abs(glm::length(to - from) / expected - 1));
    }
    CHECK(worst < 2);
    CHECK(long_by < 1e-4);
  }
  // no vertex of the panel lacks a neighbour, and what is published is as without the band
  for (int v = 0; v < closed.slot_count(); ++v)
    if (closed.view().inside(v) && !closed.view().ghost(v)) CHECK(closed.view().share(v) == 1);
  CHECK(closed.published().triangles.size() == open.published().triangles.size());
}

TEST_CASE("ghosts stay where they are while a grid descends") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const TriMesh mesh = rectangle({0, 0}, {0.04f, 0.04f}, 1, 1);
  const MaterialMesh material = material_mesh(mesh);
  const Grid closed(*device, material, {.cell = 0.001f, .ghost_cells = 2});
  GridPositions frame(*device, closed);
  const Buffer<ivec3> triangles(*device, "test", material.triangles);
  const Buffer<vec3> coarse(*device, "test", mesh.positions);
  resample(*device, closed, triangles.span(), coarse.span(), frame);
  place_ghosts(*device, closed, 0.6f, frame);
  bd::GridProblem p(*device, closed, bd::make_sheet(FabricParams{}, ElasticModel::finite_elements, 0.001f));
  p.x().copy_from(frame);
  p.terms.gravity = {0, 0, -9.81f};
  p.begin();
  p.solve(100);
  const std::vector<dvec3> now = p.x().download(), before = frame.download();
  double moved = 0;
  for (const Ghost& g : ghosts_of(closed)) CHECK(now[size_t(g.vertex)] == before[size_t(g.vertex)]);
  for (size_t v = 0; v < now.size(); ++v) moved = std::max(moved, glm::length(now[v] - before[v]));
  CHECK(moved > 1e-5);
}

TEST_CASE("a seam between grids that do not match stays within a micrometre") {
  for (const int threads : {1, 2}) {
    GridSheet s(two_sewn_panels(), 0.001f, 8, threads);
    const std::vector<SeamPoint> points = seam_points(s.grid, s.material);
    CHECK(points.size() == 4 * 16);  // four edges of 15.1 mm, a point per cell
    Seams seams(*s.device, points);
    // Weights are rounded to 2^-24 of a cell and positions to 2^-32 m: the frame itself fits.
    CHECK(seams.widest(*s.device, std::as_const(s.frame).view()) < 4e-9f);
    bd::GridProblem p(*s.device, s.grid,
                      bd::make_sheet(FabricParams{}, ElasticModel::finite_elements, 0.001f));
    p.x().copy_from(s.frame);
    std::vector<unsigned char> held(s.slots(), 0);
    for (int v = 0; v < s.grid.slot_count(); ++v) {
      const Lattice at = s.grid.view().lattice(v);
      held[size_t(v)] = at.panel == 0 && at.i < 3;
    }
    p.pin(held);
    p.terms.gravity = {9.81f * 2000, 0, 0};  // pulls the right panel off the left one
    p.options.outer_rho = 0.99f;
    p.begin();
    p.solve(100);
    CHECK(seams.widest(*s.device, std::as_const(p.x()).view()) > 2e-5f);
    p.x().copy_from(s.frame);
    p.set_seams(&seams);
    p.begin();
    p.solve(100);
    seams.pull(*s.device, p.x().view(), p.pinned(), 100);
    CHECK(seams.widest(*s.device, std::as_const(p.x()).view()) < 1e-6f);
  }
}

TEST_CASE("a vertex that alone may move at a seam is not thrown far, however small its weight") {
  GridSheet s(two_sewn_panels(), 0.001f, 8, 1);
  Seams seams(*s.device, seam_points(s.grid, s.material));
  std::vector<unsigned char> held(s.slots(), 0);
  std::vector<vec3> start = s.frame.local.download();
  for (int v = 0; v < s.grid.slot_count(); ++v) {
    held[size_t(v)] = v % 7 != 0;
    if (s.grid.view().lattice(v).panel == 0) start[size_t(v)].z += 1e-3f;
  }
  s.frame.local.upload(start);
  const Buffer<unsigned char> held_there(*s.device, "held vertices", held);
  seams.pull(*s.device, s.frame.view(), held_there.span(), 4);
  const std::vector<vec3> end = s.frame.local.download();
  float most = 0, moved_held = 0;
  for (size_t v = 0; v < end.size(); ++v)
    (held[v] ? moved_held : most) = std::max(held[v] ? moved_held : most, glm::length(end[v] - start[v]));
  MESSAGE("gap 1 mm; moved by at most ", 1e3f * most, " mm");
  CHECK(moved_held == 0);
  CHECK(most > 1e-4f);
  CHECK(most < 4e-3f);  // four sweeps
}
