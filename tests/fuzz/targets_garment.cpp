#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/garment/edge_curve.h"
#include "sim/garment/formats/dxf_pattern.h"
#include "sim/garment/formats/garmentcode.h"
#include "sim/garment/formats/pattern_svg.h"
#include "sim/garment/garment_mesh.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets.h"

namespace weft::fuzz {
namespace {

/// Whether meshing takes some milliseconds: its area over that of a triangle, and its outlines over an edge.
bool is_small(const Pattern& p) {
  constexpr double kMost = 300;
  double triangles = 0, lines = 0;
  for (const Panel& panel : p.panels) {
    const double edge = panel.edge > 0 ? panel.edge : p.edge;
    dvec2 low(1e300), high(-1e300);
    for (int e = 0; e < panel.edge_count(); ++e) {
      const EdgeCurve curve = curve_of(panel, e);
      lines += curve.length() / edge;
      for (const dvec2& x : curve.drawn()) low = glm::min(low, x), high = glm::max(high, x);
    }
    triangles += (high.x - low.x) * (high.y - low.y) / (edge * edge);
  }
  return triangles < kMost && lines < kMost;
}

void check(const GarmentMesh& g) {
  const TriMesh& mesh = g.mesh;
  for (const ivec3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k)
      require(t[k] >= 0 && t[k] < mesh.vertex_count() && t[k] != t[(k + 1) % 3],
              "triangles have three vertices");
  for (const vec3& p : mesh.positions)
    require(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z), "positions are finite");
  require(mesh.corners.of_triangle.size() == mesh.triangles.size(), "every triangle has material points");
}

/// What was read is drawn, meshed where it is small, and written.
void use(const Pattern& p) {
  require(!pattern_as_svg(p).empty(), "a pattern can be drawn");
  try {
    if (is_small(p)) check(make_garment(p, "input"));
  } catch (const Error&) {}
  const Pattern again = parse_garmentcode(write_garmentcode(p), "again");
  require(again.panels.size() == p.panels.size() && again.seams == p.seams, "a written pattern is the same");
}

}  // namespace

void pattern(const std::string& bytes) {
  try {
    use(parse_garmentcode(bytes, "input.json"));
  } catch (const Error& e) {
    require(e.where != "again", "a written pattern can be read");
  }
}

void dxf(const std::string& bytes) {
  std::vector<std::string> notices;
  try {
    use(parse_dxf_pattern(bytes, "input.dxf", 0, notices));
  } catch (const Error& e) {
    require(e.where != "again", "a written pattern can be read");
  }
}

}  // namespace weft::fuzz
