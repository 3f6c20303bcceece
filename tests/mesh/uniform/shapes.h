// Outlines and surfaces to remesh, and measures of what comes out.
#pragma once
#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/error.h"
#include "sim/geometry/closest_point.h"
#include "sim/mesh/mesh.h"
#include "sim/mesh/uniform/outline.h"
#include "tests/support/text.h"

namespace weft::testing {

inline Outline square_outline(double side) { return {{{{0, 0}, {side, 0}, {side, side}, {0, side}}}}; }

inline std::vector<dvec2> circle(dvec2 centre, double radius, int points) {
  std::vector<dvec2> loop;
  for (int i = 0; i < points; ++i)
    loop.push_back(centre + radius * dvec2(std::cos(2 * M_PI * i / points), std::sin(2 * M_PI * i / points)));
  return loop;
}

inline Outline l_outline(double s) {
  return {{{{0, 0}, {2 * s, 0}, {2 * s, s}, {s, s}, {s, 2 * s}, {0, 2 * s}}}};
}

/// The front of a T-shirt, 1 m across the sleeves: curved neck, shoulders and armpits.
inline Outline shirt_outline() {
  std::vector<dvec2> loop{{-0.24, 0}, {0.24, 0}};
  const auto arc = [&](dvec2 a, dvec2 b, dvec2 c) {
    for (int i = 0; i < 24; ++i) {
      const double t = i / 24.0;
      loop.push_back((1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c);
    }
  };
  arc({0.23, 0.40}, {0.24, 0.45}, {0.30, 0.48});
  loop.insert(loop.end(), {{0.42, 0.40}, {0.50, 0.52}});
  arc({0.24, 0.68}, {0.17, 0.70}, {0.09, 0.72});
  arc({0.09, 0.72}, {0, 0.58}, {-0.09, 0.72});
  arc({-0.09, 0.72}, {-0.17, 0.70}, {-0.24, 0.68});
  loop.insert(loop.end(), {{-0.24, 0.68}, {-0.50, 0.52}, {-0.42, 0.40}});
  arc({-0.30, 0.48}, {-0.24, 0.45}, {-0.23, 0.40});
  loop.push_back({-0.23, 0.40});
  return {{loop}};
}

inline TriMesh torus(int around, int across, double great, double small) {
  TriMesh m;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double a = 2 * M_PI * i / around, b = 2 * M_PI * j / across, r = great + small * std::cos(b);
      m.positions.push_back(vec3(dvec3(r * std::cos(a), small * std::sin(b), r * std::sin(a))));
    }
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const int i1 = (i + 1) % around, j1 = (j + 1) % across, a = i * across + j, b = i1 * across + j,
                c = i1 * across + j1, d = i * across + j1;
      m.triangles.push_back({a, c, b});
      m.triangles.push_back({a, d, c});
    }
  return m;
}

inline dvec3 area_vector(const TriMesh& m, const ivec3& t) {
  const dvec3 a(m.positions[t.x]), b(m.positions[t.y]), c(m.positions[t.z]);
  return 0.5 * glm::cross(b - a, c - a);
}
inline double area(const TriMesh& m) {
  double sum = 0;
  for (const ivec3& t : m.triangles) sum += glm::length(area_vector(m, t));
  return sum;
}

/// Directed sides that have no partner: the boundary.
inline std::vector<ivec2> boundary_sides(const TriMesh& m) {
  std::map<std::pair<int, int>, int> sides;
  for (const ivec3& t : m.triangles)
    for (int k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
  std::vector<ivec2> found;
  for (const auto& [side, count] : sides)
    if (!sides.count({side.second, side.first})) found.push_back({side.first, side.second});
  return found;
}

/// Vertices - edges + triangles; -1000 for a mesh in which a directed side occurs twice.
inline int euler(const TriMesh& m) {
  std::map<std::pair<int, int>, int> sides;
  for (const ivec3& t : m.triangles)
    for (int k = 0; k < 3; ++k)
      if (++sides[{t[k], t[(k + 1) % 3]}] > 1) return -1000;
  const int boundary = int(boundary_sides(m).size());
  return m.vertex_count() - (int(sides.size()) + boundary) / 2 + m.triangle_count();
}

/// Height over longest side of the flattest triangle.
inline double flattest(const TriMesh& m) {
  double least = 1;
  for (const ivec3& t : m.triangles) {
    double longest = 0;
    for (int k = 0; k < 3; ++k)
      longest = std::max(longest, glm::length(dvec3(m.positions[t[k]]) - dvec3(m.positions[t[(k + 1) % 3]])));
    least = std::min(least, 2 * glm::length(area_vector(m, t)) / (longest * longest));
  }
  return least;
}

/// Greatest distance of the vertices, side middles and centroids of one mesh from the other, by brute force.
inline double distance_to(const TriMesh& from, const TriMesh& to) {
  double greatest = 0;
  const auto add = [&](const vec3& p) {
    float least = 1e30f;
    for (const ivec3& t : to.triangles)
      least = std::min(
          least, glm::length(
                     closest_on_triangle(p, to.positions[t.x], to.positions[t.y], to.positions[t.z]).offset));
    greatest = std::max(greatest, double(least));
  };
  for (const ivec3& t : from.triangles) {
    const vec3 a = from.positions[t.x], b = from.positions[t.y], c = from.positions[t.z];
    add((a + b + c) / 3.0f), add(0.5f * (a + b)), add(0.5f * (b + c)), add(0.5f * (c + a));
  }
  for (const vec3& p : from.positions) add(p);
  return greatest;
}

template <class F>
std::string fault_of(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace weft::testing
