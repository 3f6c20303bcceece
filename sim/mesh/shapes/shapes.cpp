#include "sim/mesh/shapes/shapes.h"

#include <algorithm>

#include "sim/base/error.h"
#include "sim/mesh/uniform/make_uniform.h"

namespace weft {
namespace {

constexpr double kRowHeight = 0.86602540378443865;  // height of an equilateral triangle over its edge

void check_lattice(vec2 size, float edge) {
  if (!(size.x > 0 && size.y > 0 && std::isfinite(size.x) && std::isfinite(size.y)))
    throw Error("a cloth needs a positive width and height", "size", "give both in metres");
  if (!(edge > 0 && std::isfinite(edge)))
    throw Error("the edge length must be positive", "edge", "give it in metres");
  // A cloth narrower than an edge still has one row of them.
  if (std::max(1.0, double(size.x) / edge) * std::max(1.0, double(size.y) / edge) > 2e8)
    throw Error("the edge length is too small for the cloth's size: more than 200 million vertices", "edge",
                "use a longer edge");
}

int divisions(double length, double step) { return std::max(1, int(std::lround(length / step))); }

/// Abscissae of one row of the equilateral lattice: whole steps in even rows, half steps and both ends in odd
/// rows.
std::vector<double> row_abscissae(int row, int columns, double width) {
  std::vector<double> x{0};
  for (int i = 0; i < columns; ++i) {
    if (row % 2) x.push_back(width * (i + 0.5) / columns);
    else if (i > 0) x.push_back(width * i / columns);
  }
  x.push_back(width);
  return x;
}

/// Triangles of the band between an even row (n + 1 points from `even`) and its odd neighbour (n + 2 points
/// from
/// `odd`); `odd_above` says which of the two is higher.
void fill_band(TriMesh& mesh, int even, int odd, int columns, bool odd_above) {
  const auto add = [&](int a, int b, int c) {
    mesh.triangles.push_back(odd_above ? ivec3(a, b, c) : ivec3(a, c, b));
  };
  add(even, odd + 1, odd);
  for (int i = 0; i < columns; ++i) {
    add(even + i, even + i + 1, odd + i + 1);
    add(even + i + 1, odd + i + 2, odd + i + 1);
  }
}

void add_grid_point(TriMesh& mesh, vec2 size, double u, double v) {
  mesh.positions.push_back(vec3(float(u - 0.5 * size.x), float(v - 0.5 * size.y), 0));
  mesh.uv.push_back(vec2(float(u), float(v)));
}

TriMesh equilateral_grid(vec2 size, float edge) {
  TriMesh mesh;
  const int columns = divisions(size.x, edge);
  const int rows = divisions(size.y, kRowHeight * edge);
  int below = 0;
  for (int row = 0; row <= rows; ++row) {
    const int first = mesh.vertex_count();
    for (double x : row_abscissae(row, columns, size.x))
      add_grid_point(mesh, size, x, double(size.y) * row / rows);
    if (row > 0)
      row % 2 ? fill_band(mesh, below, first, columns, true) : fill_band(mesh, first, below, columns, false);
    below = first;
  }
  return mesh;
}

TriMesh square_grid(vec2 size, float edge) {
  TriMesh mesh;
  const int columns = divisions(size.x, edge), rows = divisions(size.y, edge);
  for (int row = 0; row <= rows; ++row)
    for (int i = 0; i <= columns; ++i)
      add_grid_point(mesh, size, double(size.x) * i / columns, double(size.y) * row / rows);
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < columns; ++i) {
      const int a = row * (columns + 1) + i, b = a + 1, d = a + columns + 1, c = d + 1;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  return mesh;
}

TriMesh uniform_grid(vec2 size, float edge) {
  UniformOptions options;
  options.edge = edge, options.where = "grid";
  const dvec2 s(size);
  TriMesh mesh = uniform_pattern({{{{0, 0}, {s.x, 0}, s, {0, s.y}}}}, options);
  for (vec3& p : mesh.positions) p -= vec3(0.5f * size, 0);
  return mesh;
}

}  // namespace

TriMesh make_grid(vec2 size, float edge, const std::string& pattern) {
  check_lattice(size, edge);
  if (pattern == "equilateral") return equilateral_grid(size, edge);
  if (pattern == "square") return square_grid(size, edge);
  if (pattern == "uniform") return uniform_grid(size, edge);
  throw Error("'" + pattern + "' is not a grid pattern", "pattern", "use equilateral, square or uniform");
}

TriMesh make_disc(float diameter, float edge) {
  check_lattice(vec2(diameter), edge);
  // Measured: with rings d apart and 6 r points on ring r the mean edge is 1.1 d.
  const int rings = divisions(0.5 * diameter, edge / 1.1);
  TriMesh mesh;
  const auto add_point = [&](double x, double y) {
    mesh.positions.push_back(vec3(float(x), float(y), 0));
    mesh.uv.push_back(vec2(float(x + 0.5 * diameter), float(y + 0.5 * diameter)));
  };
  add_point(0, 0);
  for (int ring = 1; ring <= rings; ++ring)
    for (int i = 0; i < 6 * ring; ++i) {
      const double radius = 0.5 * diameter * ring / rings, angle = 2 * M_PI * i / (6 * ring);
      add_point(radius * std::cos(angle), radius * std::sin(angle));
    }
  // Ring r has r edges in each of six sectors, ring r - 1 one fewer.
  const auto at = [](int ring, int i) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + i % (6 * ring); };
  for (int ring = 1; ring <= rings; ++ring)
    for (int sector = 0; sector < 6; ++sector)
      for (int i = 0; i < ring; ++i) {
        const int outer = sector * ring + i, inner = sector * (ring - 1) + i;
        mesh.triangles.push_back({at(ring, outer), at(ring, outer + 1), at(ring - 1, inner)});
        if (i + 1 < ring)
          mesh.triangles.push_back({at(ring - 1, inner), at(ring, outer + 1), at(ring - 1, inner + 1)});
      }
  return mesh;
}

TriMesh make_tube(float diameter, float length, float edge) {
  check_lattice({diameter, length}, edge);
  // `edge` is the length of the chord, not of the arc.
  const double half_angle = std::asin(std::min(0.86, double(edge) / diameter));
  const int around = std::max(3, int(std::lround(M_PI / half_angle)));
  const double chord = diameter * std::sin(M_PI / around);
  const int rows = divisions(length, kRowHeight * chord);
  TriMesh mesh;
  for (int row = 0; row <= rows; ++row)
    for (int i = 0; i < around; ++i) {
      const double turn = (i + 0.5 * (row % 2)) / around, angle = 2 * M_PI * turn;
      const double height = double(length) * row / rows;
      mesh.positions.push_back(vec3(float(0.5 * diameter * std::sin(angle)), float(height - 0.5 * length),
                                    float(0.5 * diameter * std::cos(angle))));
      mesh.uv.push_back(vec2(float(M_PI * diameter * turn), float(height)));
    }
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < around; ++i) {
      const int a = row * around + i, b = row * around + (i + 1) % around;
      // the upper row is half a step ahead of an even row, behind an odd one
      const int c = a + around, d = b + around;
      if (row % 2 == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({b, d, c});
      } else {
        mesh.triangles.push_back({a, d, c});
        mesh.triangles.push_back({a, b, d});
      }
    }
  return mesh;
}

float edge_for_vertices(vec2 size, int vertices) {
  if (vertices < 4) throw Error("a cloth needs at least 4 vertices", "vertices");
  check_lattice(size, std::max(size.x, size.y));
  // (w a + 1.5) (h a / 0.866 + 1) = n for a = 1 / edge: rows of one and of two extra points alternate.
  const double w = size.x, h = size.y / kRowHeight;
  const double b = w + 1.5 * h, c = 1.5 - vertices;
  return float(2 * w * h / (-b + std::sqrt(b * b - 4 * w * h * c)));
}

}  // namespace weft
