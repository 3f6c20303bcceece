// Problems on grids for tests of block descent.
#pragma once
#include <cmath>
#include <memory>
#include <random>

#include "sim/grid/descent/grid_problem.h"
#include "tests/grid/sheets.h"

namespace weft::testing {

namespace bd = block_descent;

/// Imaginary cloth: bending of the order of stretch at cells of a centimetre.
inline FabricParams soft_fabric() {
  FabricParams f;
  f.stretch_stiffness = 40;
  f.weft_stiffness = 25;
  f.shear_stiffness = 11;
  f.bending_rigidity = 2e-4f;
  f.areal_density = 0.2f;
  return f;
}

/// A grid over a mesh, and the frame in which the mesh's positions lie.
struct GridSheet {
  std::unique_ptr<Device> device;
  grid::MaterialMesh material;
  grid::Grid grid;
  grid::GridPositions frame;
  std::vector<grid::Flags> flags;

  GridSheet(const TriMesh& mesh, float cell, int width = 8, int threads = 1)
      : device(Device::create(DeviceChoice::cpu, threads)),
        material(grid::material_mesh(mesh)),
        grid(*device, material, {.cell = cell, .block_width = width}),
        frame(*device, grid),
        flags(size_t(grid.slot_count())) {
    const Buffer<ivec3> triangles(*device, "test", material.triangles);
    const Buffer<vec3> coarse(*device, "test", mesh.positions);
    grid::resample(*device, grid, triangles.span(), coarse.span(), frame);
    device->download(flags.data(), grid.view().flags.data, flags.size());
  }
  bool inside(int v) const { return flags[size_t(v)] & grid::kInside; }
  size_t slots() const { return flags.size(); }
  /// Random vectors where vertices are inside.
  std::vector<vec3> noise(float size, uint64_t seed) const {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<float> u(-size, size);
    std::vector<vec3> out(slots(), vec3(0));
    for (size_t v = 0; v < slots(); ++v)
      if (inside(int(v))) out[v] = vec3(u(random), u(random), u(random));
    return out;
  }
};

inline void shift(grid::GridPositions& x, const std::vector<vec3>& by, float scale) {
  std::vector<vec3> local = x.local.download();
  for (size_t v = 0; v < local.size(); ++v) local[v] += scale * by[v];
  x.local.upload(local);
}

inline double inner_product(const std::vector<vec3>& a, const std::vector<vec3>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += glm::dot(dvec3(a[i]), dvec3(b[i]));
  return sum;
}

}  // namespace weft::testing
