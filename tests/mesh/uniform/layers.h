// Garments of several layers that lie close to each other in folds.
#pragma once
#include <cmath>

#include "sim/mesh/mesh.h"

namespace weft::testing {

/// Layers 2 mm apart over a sheet of 0.2 x 0.1 m with folds of 21 mm in its middle, where columns are 1 mm
/// apart and no longer edge follows the surface; elsewhere 10 mm. `welded`: the layers are one surface that
/// turns back at its sides, else panels.
inline TriMesh folded_layers(int layers, bool welded) {
  constexpr double kWidth = 0.2, kFold = 0.021, kGap = 0.002;
  constexpr int kRows = 17;
  std::vector<double> across;
  for (double x = 0; x<kWidth; x += x> 0.06 && x < 0.14 ? 0.001 : 0.01) across.push_back(x);
  across.push_back(kWidth);
  TriMesh mesh;
  int first = 0;
  for (int layer = 0; layer < layers; ++layer)
    for (size_t c = 0; c < across.size(); ++c) {
      const double x = across[layer % 2 ? across.size() - 1 - c : c], middle = (x - 0.1) / 0.045;
      const double fold = std::abs(middle) < 1 ? (1 - middle * middle) * (1 - middle * middle) : 0;
      const double z = 0.006 * fold * std::sin(2 * M_PI * x / kFold) + kGap * layer;
      for (int r = 0; r < kRows; ++r)
        mesh.positions.push_back(
            vec3(dvec3(x, 0.1 * (r + (r > 0 && r + 1 < kRows && c % 2 ? 0.3 : 0.0)) / (kRows - 1), z)));
      const bool starts = c == 0 && (layer == 0 || !welded);
      for (int r = 0; r + 1 < kRows && !starts; ++r) {
        const int a = first - kRows + r, b = first + r;
        mesh.triangles.push_back({a, b, b + 1}), mesh.triangles.push_back({a, b + 1, a + 1});
      }
      first += kRows;
    }
  return mesh;
}

}  // namespace weft::testing
