// Cloth that another program gave a thickness.
#include "sim/mesh/import/thin_shell.h"

#include <doctest/doctest.h>

#include <array>

#include "sim/mesh/shapes/shapes.h"

using namespace weft;

namespace {

/// A sheet and its copy `thickness` above it, joined along the boundary of a square grid; `rim`: by triangles
/// across, else both have the boundary's vertices.
TriMesh two_sides(float thickness, bool rim) {
  constexpr int kCells = 20;
  constexpr float kCell = 0.02f;
  TriMesh m;
  const auto boundary = [](int i, int j) { return i == 0 || j == 0 || i == kCells || j == kCells; };
  std::vector<int> number(2 * (kCells + 1) * (kCells + 1), -1);
  const auto at = [&](int side, int i, int j) -> int& {
    if (!rim && boundary(i, j)) side = 0;
    return number[size_t((side * (kCells + 1) + i) * (kCells + 1) + j)];
  };
  for (int side = 0; side < 2; ++side)
    for (int i = 0; i <= kCells; ++i)
      for (int j = 0; j <= kCells; ++j)
        if (at(side, i, j) < 0) {
          at(side, i, j) = m.vertex_count();
          const float lift = !rim && boundary(i, j) ? 0.5f : float(side);
          m.positions.push_back({kCell * float(i), thickness * lift, kCell * float(j)});
        }
  for (int i = 0; i < kCells; ++i)
    for (int j = 0; j < kCells; ++j)
      for (int side = 0; side < 2; ++side) {
        const int a = at(side, i, j), b = at(side, i + 1, j), c = at(side, i + 1, j + 1),
                  d = at(side, i, j + 1);
        m.triangles.push_back(side ? ivec3(a, c, b) : ivec3(a, b, c));
        m.triangles.push_back(side ? ivec3(a, d, c) : ivec3(a, c, d));
      }
  for (int k = 0; rim && k < kCells; ++k)
    for (const auto& [i, j, p, q] : {std::array{k, 0, k + 1, 0}, std::array{k + 1, kCells, k, kCells},
                                     std::array{0, k + 1, 0, k}, std::array{kCells, k, kCells, k + 1}}) {
      m.triangles.push_back({at(0, p, q), at(0, i, j), at(1, i, j)});
      m.triangles.push_back({at(0, p, q), at(1, i, j), at(1, p, q)});
    }
  return m;
}

}  // namespace

TEST_CASE("a sheet with a thickness is found with it, and cushions, balls and sheets are not") {
  CHECK(shell_thickness(two_sides(3e-4f, true)) / 3e-4 == doctest::Approx(1).epsilon(0.01));
  CHECK(shell_thickness(two_sides(2e-3f, true)) / 2e-3 == doctest::Approx(1).epsilon(0.02));
  CHECK(shell_thickness(two_sides(0.01f, true)) == 0);
  CHECK(shell_thickness(two_sides(3e-4f, false)) == 0);
  CHECK(shell_thickness(two_sides(0, false)) == 0);
  CHECK(shell_thickness(make_sphere(0.1f)) == 0);
  CHECK(shell_thickness(make_grid({0.4f, 0.4f}, 0.02f, "square")) == 0);
}
