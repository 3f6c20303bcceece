#include "sim/wrinkles/transfer.h"

#include <doctest/doctest.h>

#include "tests/device/for_each_device.h"
#include "tests/grid/sheets.h"

namespace {

using namespace weft;
using namespace weft::testing;

/// A resampled frame on a grid.
grid::GridPositions resampled(Device& device, const grid::Grid& g, const grid::MaterialMesh& material,
                              const std::vector<vec3>& coarse) {
  grid::GridPositions out(device, g);
  const Buffer<ivec3> triangles(device, "triangles", material.triangles);
  const Buffer<vec3> frame(device, "coarse", coarse);
  grid::resample(device, g, triangles.span(), frame.span(), out);
  return out;
}

/// Moves every vertex inside along the world's z by waves of 1 mm.
grid::GridPositions with_waves(const grid::Grid& g, grid::GridPositions& frame,
                               const dmat3& turn = dmat3(1)) {
  std::vector<dvec3> x = frame.download();
  const std::vector<int> inside = g.published().vertices;
  const std::vector<vec2> at = g.published().material;
  for (size_t k = 0; k < inside.size(); ++k)
    x[size_t(inside[k])] += turn * dvec3(0, 2e-4 * std::sin(400 * at[k].y), 1e-3 * std::sin(500 * at[k].x));
  grid::GridPositions out(g.device(), g);
  out.upload(g, x);
  return out;
}

/// A bent sheet of 0.12 m around the origin.
TriMesh bent_sheet() {
  TriMesh mesh = rectangle({0, 0}, {0.12f, 0.1f}, 20, 16, {-0.06f, -0.05f, 0});
  for (vec3& p : mesh.positions) p.z = 0.02f * std::sin(20 * p.x) * std::cos(15 * p.y);
  return mesh;
}

dmat3 turn_of(double angle, const dvec3& axis) {
  return dmat3(glm::rotate(glm::dmat4(1), angle, glm::normalize(axis)));
}

}  // namespace

TEST_CASE("wrinkles turn with the frame and keep their local displacements to 1e-5") {
  for_each_device([](Device& device) {
    const TriMesh mesh = bent_sheet();
    const grid::MaterialMesh material = grid::material_mesh(mesh);
    grid::GridOptions options;
    options.cell = 1.5e-3f;
    const grid::Grid g(device, material, options);
    grid::GridPositions frame = resampled(device, g, material, mesh.positions), x = with_waves(g, frame);
    const Buffer<vec3> local = wrinkles::local_displacements(g, frame, x);

    const dmat3 turn = turn_of(2.1, {1, -2, 0.5});
    std::vector<vec3> turned;
    for (const vec3& p : mesh.positions) turned.push_back(vec3(turn * dvec3(p) + dvec3(0.05, -0.02, 0.03)));
    grid::GridPositions frame2 = resampled(device, g, material, turned), x2(device, g);
    wrinkles::apply_displacements(g, frame2, local, x2);

    const std::vector<dvec3> before = x.download(), after = x2.download();
    const std::vector<dvec3> bar = frame.download(), bar2 = frame2.download();
    const std::vector<vec3> again = wrinkles::local_displacements(g, frame2, x2).download(),
                            first = local.download();
    double off = 0, off_local = 0, largest = 0;
    for (const int v : g.published().vertices) {
      const size_t s = size_t(v);
      largest = std::max(largest, glm::length(before[s] - bar[s]));
      off = std::max(off, glm::length(turn * (before[s] - bar[s]) - (after[s] - bar2[s])));
      off_local = std::max(off_local, double(glm::length(first[s] - again[s])));
    }
    MESSAGE("off by ", off / largest, " and ", off_local / largest, " of the largest displacement");
    CHECK(largest > 0.9e-3);
    CHECK(off <= 1e-5 * largest);
    CHECK(off_local <= 1e-5 * largest);
  });
}

TEST_CASE("difference of positions alone would not turn wrinkles") {
  const auto device = Device::create(DeviceChoice::cpu, 1);
  const TriMesh mesh = rectangle({0, 0}, {0.05f, 0.05f}, 10, 10);
  const grid::MaterialMesh material = grid::material_mesh(mesh);
  grid::GridOptions options;
  options.cell = 1e-3f;
  const grid::Grid g(*device, material, options);
  grid::GridPositions frame = resampled(*device, g, material, mesh.positions), x = with_waves(g, frame);
  std::vector<vec3> folded;  // the sheet stands upright: z becomes -y
  for (const vec3& p : mesh.positions) folded.push_back({p.x, -p.z, p.y});
  grid::GridPositions frame2 = resampled(*device, g, material, folded), x2(*device, g);
  wrinkles::apply_displacements(g, frame2, wrinkles::local_displacements(g, frame, x), x2);
  const std::vector<dvec3> bar = frame.download(), bar2 = frame2.download(), before = x.download(),
                           after = x2.download();
  for (const int v : g.published().vertices) {
    const dvec3 d = before[size_t(v)] - bar[size_t(v)], e = after[size_t(v)] - bar2[size_t(v)];
    CHECK(glm::length(e - dvec3(d.x, -d.z, d.y)) < 1e-8);
  }
}

TEST_CASE("a coarser level takes positions where its vertices are") {
  for_each_device([](Device& device) {
    const TriMesh mesh = bent_sheet();
    const grid::MaterialMesh material = grid::material_mesh(mesh);
    grid::GridOptions options;
    options.cell = 1e-3f;
    const grid::GridLevels levels(device, material, options, 3);
    grid::GridPositions fine_frame = resampled(device, levels[0], material, mesh.positions),
                        fine = with_waves(levels[0], fine_frame);
    grid::GridPositions coarse_frame = resampled(device, levels[2], material, mesh.positions),
                        coarse(device, levels[2]);
    wrinkles::inject(levels[2], levels[0], 2, fine, coarse_frame, coarse);
    grid::GridPositions expected = with_waves(levels[2], coarse_frame);
    const std::vector<dvec3> got = coarse.download(), want = expected.download();
    double off = 0;
    for (const int v : levels[2].published().vertices)
      off = std::max(off, glm::length(got[size_t(v)] - want[size_t(v)]));
    CHECK(off < 5e-9);  // positions relative to origins of blocks that are up to 32 mm wide: 2 ulp
  });
}
