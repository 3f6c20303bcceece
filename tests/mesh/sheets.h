// Sheets that meet along one edge: two make a flat cloth or a fold, three a non-manifold one.
#pragma once
#include <cmath>
#include <vector>

#include "sim/mesh/mesh.h"

namespace weft::testing {

/// Sheets of equilateral triangles with edges of `edge` m that share the x axis from 0 to columns * edge.
/// Each has so many rows and stands at its angle about the axis (degrees; 0 is +y, 90 is +z). The axis'
/// columns + 1 vertices come first.
inline TriMesh sheets(const std::vector<double>& angles, int columns, int rows, float edge) {
  TriMesh m;
  const auto add = [&](double x, double r, double angle) {
    const double radians = angle * (3.14159265358979 / 180);
    m.positions.push_back(edge * vec3(dvec3(x, r * std::cos(radians), r * std::sin(radians))));
    return m.vertex_count() - 1;
  };
  std::vector<int> axis;
  for (int c = 0; c <= columns; ++c) axis.push_back(add(c, 0, 0));
  for (const double angle : angles) {
    std::vector<int> below = axis;
    for (int r = 1; r <= rows; ++r) {
      std::vector<int> row;
      for (int c = 0; c <= columns; ++c) row.push_back(add(c + 0.5 * (r % 2), r * std::sqrt(0.75), angle));
      for (int c = 0; c < columns; ++c) {
        const ivec3 odd[2] = {{below[c], below[c + 1], row[c]}, {below[c + 1], row[c + 1], row[c]}};
        const ivec3 even[2] = {{below[c], below[c + 1], row[c + 1]}, {below[c], row[c + 1], row[c]}};
        m.triangles.insert(m.triangles.end(), r % 2 ? odd : even, (r % 2 ? odd : even) + 2);
      }
      below = row;
    }
  }
  return m;
}

}  // namespace weft::testing
