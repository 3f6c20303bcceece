// Small patterns of the tests.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/garment/garment_mesh.h"
#include "sim/mesh/rest_shape.h"

namespace weft::testing {

/// A rectangle (m) from the lower left corner; its edges are bottom, right, top, left.
inline Panel rectangle(const std::string& name, double width, double height, dvec3 position = dvec3(0)) {
  Panel p;
  p.name = name;
  p.loops = {{{.start = {0, 0}}, {.start = {width, 0}}, {.start = {width, height}}, {.start = {0, height}}}};
  p.position = position;
  return p;
}

inline Pattern pattern_of(std::vector<Panel> panels, std::vector<Seam> seams = {}, double edge = 0.02) {
  Pattern p;
  p.edge = edge, p.panels = std::move(panels), p.seams = std::move(seams);
  return p;
}

/// Number of edges of a mesh by the number of their triangles.
inline std::map<int, int> edges_by_sheets(const TriMesh& mesh) {
  std::map<std::pair<int, int>, int> count;
  for (const ivec3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) ++count[std::minmax(t[k], t[(k + 1) % 3])];
  std::map<int, int> sheets;
  for (const auto& [edge, n] : count) ++sheets[n];
  return sheets;
}

/// Vertices less edges plus triangles: 2 for a closed surface without handles, 1 for a disc, 0 for a ring.
inline int euler_characteristic(const TriMesh& mesh) {
  int edges = 0;
  for (const auto& [sheets, n] : edges_by_sheets(mesh)) edges += n;
  return mesh.vertex_count() - edges + mesh.triangle_count();
}

/// Rest area of the triangles of one panel, or of all (-1), m².
inline double rest_area(const GarmentMesh& g, int panel = -1) {
  const RestShape shape(g.mesh);
  double sum = 0;
  for (int t = 0; t < g.mesh.triangle_count(); ++t)
    if (panel < 0 || g.panel_of_triangle[size_t(t)] == panel) sum += shape.area(t);
  return sum;
}

/// Rest lengths along a seam's line in the triangles of one panel, m.
inline double rest_length_along(const GarmentMesh& g, int seam, int panel) {
  const RestShape shape(g.mesh);
  const std::vector<int>& line = g.seam_lines[size_t(seam)];
  double sum = 0;
  for (size_t i = 0; i + 1 < line.size(); ++i)
    for (int t = 0; t < g.mesh.triangle_count(); ++t)
      for (int k = 0; k < 3; ++k)
        if (g.panel_of_triangle[size_t(t)] == panel &&
            std::minmax(g.mesh.triangles[size_t(t)][k], g.mesh.triangles[size_t(t)][(k + 1) % 3]) ==
                std::minmax(line[i], line[i + 1]))
          sum += glm::length(shape.side(t, k));
  return sum;
}

/// What an action says when it throws; "" if it does not.
template <class F>
std::string fault_of(const F& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

inline std::string garment_fault(const Pattern& p) {
  return fault_of([&] { make_garment(p, "p.json"); });
}

}  // namespace weft::testing
