// A flat sheet triangulated as users' meshes are.
#pragma once
#include <random>

#include "sim/scene/scene.h"
#include "tests/physics/physics_table/meshes.h"

namespace weft::physics {

/// A square sheet of 20 cm in the plane y = 0 with edges of about 1 cm; inner vertices are moved within it by
/// up to `moved` edges, and cells are cut along one of their diagonals by chance.
inline TriMesh uneven_sheet(float moved = 0.3f) {
  constexpr int kCells = 20;
  constexpr float kEdge = 0.01f;
  std::mt19937 random(5);
  const auto chance = [&] { return float(random()) / float(std::mt19937::max()); };
  const auto inside = [](int i) { return i > 0 && i < kCells; };
  TriMesh mesh;
  for (int j = 0; j <= kCells; ++j)
    for (int i = 0; i <= kCells; ++i) {
      const float x = inside(i) ? 2 * moved * (chance() - 0.5f) : 0.0f,
                  z = inside(j) ? 2 * moved * (chance() - 0.5f) : 0;
      mesh.positions.push_back(kEdge * vec3(float(i - kCells / 2) + x, 0, float(j - kCells / 2) + z));
    }
  for (int j = 0; j < kCells; ++j)
    for (int i = 0; i < kCells; ++i) {
      const int a = j * (kCells + 1) + i, b = a + 1, c = b + kCells + 1, d = a + kCells + 1;
      if (chance() < 0.5f) mesh.triangles.insert(mesh.triangles.end(), {{a, c, b}, {a, d, c}});
      else mesh.triangles.insert(mesh.triangles.end(), {{a, d, b}, {b, d, c}});
    }
  return mesh;
}

/// The sheet as a cloth that keeps its mesh.
inline Cloth uneven_cloth(float moved = 0.3f) {
  Cloth c;
  c.shape = ClothShape::obj;
  c.file = temporary_obj("uneven_sheet_" + std::to_string(int(100 * moved)), uneven_sheet(moved));
  c.remesh = Remesh::never;
  return c;
}

/// A pin of the whole cloth.
inline Pin pin_of_all() {
  Pin pin;
  pin.box = Bounds{vec3(-1e3f), vec3(1e3f)};
  return pin;
}

}  // namespace weft::physics
