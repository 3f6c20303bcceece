#include "sim/mesh/solid/tet_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/error.h"
#include "sim/mesh/sides.h"
#include "sim/mesh/topology.h"

namespace weft {
namespace {

struct Face {
  std::array<int, 3> key;  // its points, ascending
  ivec3 outward;
  int order;
};

// A flatter cell is a mistake of the file: of its longest edge's cube.
constexpr double kFlattest = 1e-9;

/// The four faces of a cell, seen from outside.
std::array<ivec3, 4> faces_of(const ivec4& c) {
  return {ivec3(c.x, c.z, c.y), ivec3(c.x, c.y, c.w), ivec3(c.y, c.z, c.w), ivec3(c.z, c.x, c.w)};
}

std::vector<Face> sorted_faces(const std::vector<ivec4>& cells) {
  std::vector<Face> faces;
  for (const ivec4& cell : cells)
    for (const ivec3& f : faces_of(cell)) {
      std::array<int, 3> key{f.x, f.y, f.z};
      std::sort(key.begin(), key.end());
      faces.push_back({key, f, int(faces.size())});
    }
  std::stable_sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.key < b.key; });
  return faces;
}

size_t end_of_run(const std::vector<Face>& faces, size_t first) {
  size_t end = first + 1;
  while (end < faces.size() && faces[end].key == faces[first].key) ++end;
  return end;
}

double longest_edge(const std::vector<vec3>& x, const ivec4& c) {
  double longest = 0;
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b)
      longest = std::max(longest, double(glm::distance(dvec3(x[c[a]]), dvec3(x[c[b]]))));
  return longest;
}

}  // namespace

std::vector<ivec3> skin_of(const std::vector<ivec4>& cells) {
  const std::vector<Face> faces = sorted_faces(cells);
  std::vector<Face> outer;
  for (size_t i = 0, end; i < faces.size(); i = end) {
    end = end_of_run(faces, i);
    if (end == i + 1) outer.push_back(faces[i]);
  }
  std::sort(outer.begin(), outer.end(), [](const Face& a, const Face& b) { return a.order < b.order; });
  std::vector<ivec3> skin;
  for (const Face& f : outer) skin.push_back(f.outward);
  return skin;
}

std::vector<ivec3> inner_faces_of(const std::vector<ivec4>& cells) {
  const std::vector<Face> faces = sorted_faces(cells);
  std::vector<ivec3> inner;
  for (size_t i = 0, end; i < faces.size(); i = end) {
    end = end_of_run(faces, i);
    if (end > i + 1) inner.push_back(faces[i].outward);
  }
  return inner;
}

std::vector<ivec2> edges_of(const std::vector<ivec4>& cells) {
  std::vector<ivec2> edges;
  for (const ivec4& c : cells)
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) edges.push_back({std::min(c[a], c[b]), std::max(c[a], c[b])});
  sort_edges(edges);
  return edges;
}

TetMesh checked(TetMesh mesh, const std::string& file) {
  std::vector<int> number(mesh.positions.size(), -1);
  TetMesh out;
  for (size_t i = 0; i < mesh.cells.size(); ++i) {
    ivec4 cell = mesh.cells[i];
    const double volume = cell_volume(mesh.positions, cell), size = longest_edge(mesh.positions, cell);
    if (!(std::abs(volume) > kFlattest * size * size * size))
      throw Error(fmt::format("cell {} is flat: its points {}, {}, {} and {} lie in a plane", i, cell.x,
                              cell.y, cell.z, cell.w),
                  file, "mesh the body again with the program that made it");
    if (volume < 0) std::swap(cell.z, cell.w);
    for (int k = 0; k < 4; ++k) {
      int& own = number[cell[k]];
      if (own < 0) own = int(out.positions.size()), out.positions.push_back(mesh.positions[cell[k]]);
      cell[k] = own;
    }
    out.cells.push_back(cell);
  }
  const std::vector<Face> faces = sorted_faces(out.cells);
  for (size_t i = 0, end; i < faces.size(); i = end) {
    end = end_of_run(faces, i);
    if (end > i + 2)
      throw Error(fmt::format("{} cells share one face, and two can", end - i), file,
                  "remove cells that lie in one place twice");
  }
  return out;
}

TetMesh box_cells(const vec3& size, float edge) {
  const auto parts = [&](float side) { return std::max(1, int(std::lround(side / edge))); };
  const ivec3 n(parts(size.x), parts(size.y), parts(size.z));
  TetMesh mesh;
  for (int z = 0; z <= n.z; ++z)
    for (int y = 0; y <= n.y; ++y)
      for (int x = 0; x <= n.x; ++x) mesh.positions.push_back(size * (vec3(x, y, z) / vec3(n) - 0.5f));
  const auto at = [&](int x, int y, int z) { return (z * (n.y + 1) + y) * (n.x + 1) + x; };
  for (int z = 0; z < n.z; ++z)
    for (int y = 0; y < n.y; ++y)
      for (int x = 0; x < n.x; ++x) {
        const auto c = [&](int dx, int dy, int dz) { return at(x + dx, y + dy, z + dz); };
        // The middle cell has every other corner of the cube; which, changes from cube to cube, so that
        // diagonals of neighbours meet.
        const bool odd = (x + y + z) % 2 != 0;
        const auto corner = [&](int dx, int dy, int dz) { return odd ? c(1 - dx, dy, dz) : c(dx, dy, dz); };
        const int a = corner(0, 0, 0), b = corner(1, 1, 0), d = corner(1, 0, 1), e = corner(0, 1, 1);
        const ivec4 five[5] = {{a, b, d, e},
                               {a, corner(1, 0, 0), b, d},
                               {a, b, corner(0, 1, 0), e},
                               {a, d, e, corner(0, 0, 1)},
                               {b, e, d, corner(1, 1, 1)}};
        for (ivec4 cell : five) {
          if (cell_volume(mesh.positions, cell) < 0) std::swap(cell.z, cell.w);
          mesh.cells.push_back(cell);
        }
      }
  return mesh;
}

}  // namespace weft
